/*-------------------------------------------------------------------------
 *
 * fake_clock.c
 *	  The clocks of a server under test: preloaded, it takes the place of the
 *	  C library's functions that tell the time.
 *
 * The file named by FAKE_CLOCK holds two 64-bit numbers in the machine's byte
 * order.  The first is for the monotonic clock.  Its lowest bit says what the
 * others are, in nanoseconds: 0, what is added to the machine's clock; 1, where
 * the clock stands still.  The second is by how many nanoseconds the system
 * clock is ahead of that: so both stop, go on and advance by one number.
 *
 * The file is mapped, so a number written to it counts from the next reading on,
 * in all processes that were started with it; there is no lock that a killed
 * one could leave behind.
 *
 *-------------------------------------------------------------------------
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define NSECS_PER_SEC	INT64_C(1000000000)

typedef struct FakeClock
{
	int64_t		mono;
	int64_t		wall_ahead;
} FakeClock;

static volatile const FakeClock *fake;
static int	(*real_gettime) (clockid_t id, struct timespec *ts);

__attribute__((constructor))
static void
map_clock(void)
{
	const char *path = getenv("FAKE_CLOCK");
	int			fd = path ? open(path, O_RDONLY) : -1;
	void	   *map = MAP_FAILED;

	if (fd >= 0)
		map = mmap(NULL, sizeof(FakeClock), PROT_READ, MAP_SHARED, fd, 0);
	real_gettime = (int (*) (clockid_t, struct timespec *)) dlsym(RTLD_NEXT, "clock_gettime");
	if (map == MAP_FAILED || real_gettime == NULL)
	{
		perror("FAKE_CLOCK");
		abort();
	}
	close(fd);
	fake = map;
}

int
clock_gettime(clockid_t id, struct timespec *ts)
{
	int64_t		number;
	int64_t		ns;

	/* other libraries may be initialized before this one */
	if (fake == NULL)
		map_clock();
	if (id == CLOCK_PROCESS_CPUTIME_ID || id == CLOCK_THREAD_CPUTIME_ID)
		return real_gettime(id, ts);
	if (real_gettime(CLOCK_MONOTONIC, ts) != 0)
		return -1;
	number = fake->mono;
	ns = number >> 1;
	if ((number & 1) == 0)
		ns += ts->tv_sec * NSECS_PER_SEC + ts->tv_nsec;
	if (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE)
		ns += fake->wall_ahead;
	ts->tv_sec = ns / NSECS_PER_SEC;
	ts->tv_nsec = ns % NSECS_PER_SEC;
	return 0;
}

int
gettimeofday(struct timeval *restrict tv, void *restrict tz __attribute__((unused)))
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	tv->tv_sec = ts.tv_sec;
	tv->tv_usec = ts.tv_nsec / 1000;
	return 0;
}

time_t
time(time_t *t)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	if (t != NULL)
		*t = ts.tv_sec;
	return ts.tv_sec;
}
