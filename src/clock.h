/*-------------------------------------------------------------------------
 *
 * clock.h
 *	  The two clocks that generators read.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_CLOCK_H
#define IDTYPES_CLOCK_H

#include "postgres.h"

#include <time.h>

#include "datatype/timestamp.h"

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

#endif							/* IDTYPES_CLOCK_H */
