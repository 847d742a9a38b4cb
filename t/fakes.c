/*-------------------------------------------------------------------------
 *
 * fakes.c
 *	  The clocks of a server under test, its disk as far as the mark is concerned,
 *	  and its memory: preloaded, it takes the place of the C library's functions
 *	  that tell the time, that make a file durable, and that allocate.
 *
 * The file named by FAKES holds the 64-bit numbers of struct Fakes, in the machine's
 * byte order.  It is mapped, so a number written to it counts from the next reading
 * on, in all processes that were started with it; there is no lock that a killed one
 * could leave behind.
 *
 *-------------------------------------------------------------------------
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define NSECS_PER_SEC	INT64_C(1000000000)

/* Where the clocks stand still, both go on and advance by one number, mono. */
typedef struct Fakes
{
	/* in nanoseconds: twice what to add to the machine's clock, or one that stands still, plus 1 */
	int64_t		mono;
	int64_t		wall_ahead;		/* nanoseconds of the system clock ahead of that one */
	int64_t		hold;			/* how much longer a sync takes, in microseconds */
	int64_t		error;			/* the errno that it fails with, or 0 */
	int64_t		held;			/* how many are being held up */
	int64_t		synced;			/* how many there were */
	int64_t		reader;			/* process id: hold up this one when it has read the system clock;
								 * negative while it is */
	int64_t		spared;			/* how many syncs error does not hit first */
	int64_t		let_go;			/* how many of those held up may go on */
	int64_t		after;			/* how many allocations still succeed before one fails */
	int64_t		pid;			/* in this process; 0 from then on */
} Fakes;

static volatile Fakes *fake;
static int	(*real_gettime) (clockid_t id, struct timespec *ts);

__attribute__((constructor))
static void
map_numbers(void)
{
	const char *path = getenv("FAKES");
	int			fd = path ? open(path, O_RDWR) : -1;
	void	   *map = MAP_FAILED;

	real_gettime = (int (*) (clockid_t, struct timespec *)) dlsym(RTLD_NEXT, "clock_gettime");
	if (fd >= 0)
		map = mmap(NULL, sizeof(Fakes), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (real_gettime == NULL || map == MAP_FAILED)
		abort();
	close(fd);
	fake = map;
}

/* ----------
 * The clocks
 * ----------
 */

static int
read_clock(clockid_t id, struct timespec *ts)
{
	int64_t		number;
	int64_t		ns;

	/* other libraries may be initialized before this one */
	if (fake == NULL)
		map_numbers();
	if (id == CLOCK_PROCESS_CPUTIME_ID || id == CLOCK_THREAD_CPUTIME_ID)
		return real_gettime(id, ts);
	number = fake->mono;
	ns = number >> 1;
	if ((number & 1) == 0)
	{
		if (real_gettime(CLOCK_MONOTONIC, ts) != 0)
			return -1;
		ns += ts->tv_sec * NSECS_PER_SEC + ts->tv_nsec;
	}
	if (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE)
		ns += fake->wall_ahead;
	ts->tv_sec = ns / NSECS_PER_SEC;
	ts->tv_nsec = ns % NSECS_PER_SEC;
	return 0;
}

/* The server itself reads the system clock by the functions below. */
int
clock_gettime(clockid_t id, struct timespec *ts)
{
	int			status = read_clock(id, ts);

	/* getpid() is a system call, too dear for each id */
	if (id == CLOCK_REALTIME && fake->reader > 0 && fake->reader == getpid())
	{
		fake->reader = -fake->reader;
		while (fake->reader < 0)
			nanosleep(&(struct timespec) {.tv_nsec = 1000000}, NULL);
	}
	return status;
}

int
gettimeofday(struct timeval *restrict tv, void *restrict tz __attribute__((unused)))
{
	struct timespec ts;

	read_clock(CLOCK_REALTIME, &ts);
	tv->tv_sec = ts.tv_sec;
	tv->tv_usec = ts.tv_nsec / 1000;
	return 0;
}

time_t
time(time_t *t)
{
	struct timespec ts;

	read_clock(CLOCK_REALTIME, &ts);
	if (t != NULL)
		*t = ts.tv_sec;
	return ts.tv_sec;
}

/* ----------
 * The disk
 * ----------
 */

/* Holds up, and fails, what makes the mark durable.  True if it is to go on. */
static int
may_sync(const char *path)
{
	const char *name = strrchr(path, '/');

	name = name ? name + 1 : path;
	if (strncmp(name, "idtypes.mark", strlen("idtypes.mark")) != 0)
		return 1;
	__atomic_fetch_add(&fake->held, 1, __ATOMIC_SEQ_CST);
	/* until the test lets go of it, or the time is over */
	for (int64_t waited = 0; waited < fake->hold && fake->let_go == 0; waited += 1000)
		nanosleep(&(struct timespec) {.tv_nsec = 1000000}, NULL);
	if (fake->let_go > 0)
		fake->let_go--;
	__atomic_fetch_sub(&fake->held, 1, __ATOMIC_SEQ_CST);
	__atomic_fetch_add(&fake->synced, 1, __ATOMIC_SEQ_CST);
	errno = fake->error;
	return errno == 0 || fake->spared-- > 0;
}

static int
may_sync_descriptor(int fd)
{
	char		link[64];
	char		path[1024];
	ssize_t		len;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	len = readlink(link, path, sizeof(path) - 1);
	path[len < 0 ? 0 : len] = '\0';
	return may_sync(path);
}

int
fsync(int fd)
{
	int			(*real) (int) = (int (*) (int)) dlsym(RTLD_NEXT, "fsync");

	return may_sync_descriptor(fd) ? real(fd) : -1;
}

int
fdatasync(int fd)
{
	int			(*real) (int) = (int (*) (int)) dlsym(RTLD_NEXT, "fdatasync");

	return may_sync_descriptor(fd) ? real(fd) : -1;
}

int
rename(const char *from, const char *to)
{
	int			(*real) (const char *, const char *) =
	(int (*) (const char *, const char *)) dlsym(RTLD_NEXT, "rename");

	return may_sync(from) ? real(from, to) : -1;
}

/* ----------
 * Memory
 * ----------
 */

#ifdef __GLIBC__
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);

static int
fails(void)
{
	if (fake == NULL || fake->pid == 0 || fake->pid != getpid() || fake->after-- > 0)
		return 0;
	fake->pid = 0;
	errno = ENOMEM;
	return 1;
}

void *
malloc(size_t size)
{
	return fails() ? NULL : __libc_malloc(size);
}

void *
calloc(size_t count, size_t size)
{
	return fails() ? NULL : __libc_calloc(count, size);
}

void *
realloc(void *old, size_t size)
{
	return fails() ? NULL : __libc_realloc(old, size);
}
#endif
