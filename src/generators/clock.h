/*-------------------------------------------------------------------------
 *
 * clock.h
 *	  The two clocks that generators read, and detection of steps of the system clock.
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

/* Nanoseconds of the monotonic clock, which cannot be set. */
static inline int64
clock_mono(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64) ts.tv_sec * INT64CONST(1000000000) + ts.tv_nsec;
}

/*
 * Compare the system clock with the monotonic clock, and log if the system clock was set
 * (by a second or more back, or five forward) since the last comparison by any process.
 * *ahead, in shared memory, is the microseconds by which the system clock was ahead of the
 * monotonic clock then; 0 before the first comparison.  Generators do not depend on this.
 * The caller holds no lock.
 */
extern void clock_watch(pg_atomic_uint64 *ahead);

#endif							/* IDTYPES_CLOCK_H */
