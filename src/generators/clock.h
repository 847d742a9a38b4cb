/*-------------------------------------------------------------------------
 *
 * clock.h
 *	  The two clocks that generators read, and a watch on steps of the first.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_CLOCK_H
#define IDTYPES_CLOCK_H

#include "postgres.h"

#include <time.h>

#include "datatype/timestamp.h"
#include "port/atomics.h"

/* Microseconds of the system clock since 1970. */
static inline int64
clock_wall(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return (int64) ts.tv_sec * USECS_PER_SEC + ts.tv_nsec / 1000;
}

/* Nanoseconds of a clock that nobody sets. */
static inline int64
clock_mono(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64) ts.tv_sec * INT64CONST(1000000000) + ts.tv_nsec;
}

/*
 * Tells the server log if the system clock was set since the last look of any process.
 * *ahead, in shared memory, is how many microseconds it was ahead of the monotonic one
 * then; 0 before the first look.  Generators need not know of steps.  The caller holds no
 * lock.
 */
extern void clock_watch(pg_atomic_uint64 *ahead);

#endif							/* IDTYPES_CLOCK_H */
