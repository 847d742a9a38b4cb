/*-------------------------------------------------------------------------
 *
 * epoch.h
 *	  Between the server's instants (microseconds since 2000) and the core's
 *	  (microseconds since 1970).
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_EPOCH_H
#define IDTYPES_EPOCH_H

#include "postgres.h"

#include "common/int.h"
#include "datatype/timestamp.h"

/* Microseconds between the two epochs. */
#define UNIX_TO_POSTGRES_US \
	((int64) (POSTGRES_EPOCH_JDATE - UNIX_EPOCH_JDATE) * USECS_PER_DAY)

/*
 * Microseconds since 1970 of a timestamptz; an infinity stays the smallest or
 * largest int64, and what the result cannot hold saturates near it.
 */
static inline int64
us_of_timestamp(TimestampTz ts)
{
	int64		us;

	/* No type comes near the end of either scale, so both may saturate there. */
	if (TIMESTAMP_NOT_FINITE(ts) || pg_add_s64_overflow(ts, UNIX_TO_POSTGRES_US, &us))
		return ts;
	return us;
}

/* The reverse, for an instant that any of the types holds. */
static inline TimestampTz
timestamp_of_us(int64 us)
{
	return us - UNIX_TO_POSTGRES_US;
}

#endif							/* IDTYPES_EPOCH_H */
