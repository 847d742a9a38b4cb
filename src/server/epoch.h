/*-------------------------------------------------------------------------
 *
 * epoch.h
 *	  Conversion between the server's timestamps (microseconds since 2000) and the
 *	  core's instants (microseconds since 1970).
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
 * Convert a timestamptz to microseconds since 1970.  An infinity remains the smallest or
 * largest int64.  A timestamp whose result would overflow is returned unchanged, which
 * is close to the largest int64.
 */
static inline int64
us_of_timestamp(TimestampTz ts)
{
	int64		us;

	/* no id type reaches the ends of either scale, so an inexact result is harmless there */
	if (TIMESTAMP_NOT_FINITE(ts) || pg_add_s64_overflow(ts, UNIX_TO_POSTGRES_US, &us))
		return ts;
	return us;
}

/* Convert microseconds since 1970, within the range of some id type, to a timestamptz. */
static inline TimestampTz
timestamp_of_us(int64 us)
{
	return us - UNIX_TO_POSTGRES_US;
}

#endif							/* IDTYPES_EPOCH_H */
