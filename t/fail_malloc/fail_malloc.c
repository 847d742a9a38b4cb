/*-------------------------------------------------------------------------
 *
 * fail_malloc.c
 *	  A server process that runs out of memory when a test wants it to:
 *	  preloaded, it takes the place of the C library's functions that allocate.
 *
 * The file named by FAIL_MALLOC holds the 64-bit numbers of struct FailMalloc, in
 * the machine's byte order.  It is mapped, so what a test writes to it counts at
 * once.
 *
 *-------------------------------------------------------------------------
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "../map_file.h"

typedef struct FailMalloc
{
	int64_t		after;			/* how many allocations still succeed before one fails */
	int64_t		pid;			/* of the process; 0 from then on */
} FailMalloc;

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);

static volatile FailMalloc *fail;

__attribute__((constructor))
static void
map_numbers(void)
{
	fail = map_file("FAIL_MALLOC", sizeof(FailMalloc));
}

static int
fails(void)
{
	if (fail == NULL || fail->pid == 0 || fail->pid != getpid() || fail->after-- > 0)
		return 0;
	fail->pid = 0;
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
