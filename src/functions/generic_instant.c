/*-------------------------------------------------------------------------
 *
 * generic_instant.c
 *	  SQL functions that all types have, written once over a codec: comparisons
 *	  of ids with instants.
 *
 * The instant in an id is compared, so "id >= instant" means exactly
 * T_timestamp(id) >= instant.  The server's infinities are the smallest and the
 * largest of its 64-bit instants, and every id's instant lies between them, so
 * they need no special case.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/timestamp.h"

#include "functions/generic_functions.h"

/* Compare the instant in an id with another: return -1, 0 or 1. */
static inline int
compare_with_instant(const IdCodec *codec, Datum id, TimestampTz instant)
{
	uint8		buf[sizeof(int64)];
	TimestampTz own = timestamp_of_id(codec, bytes_from_datum(codec, id, buf));

	return own < instant ? -1 : own > instant;
}

#define INSTANT_COMPARISONS(name, op) \
	Datum \
	generic_##name##_timestamptz(FunctionCallInfo fcinfo, const IdCodec *codec) \
	{ \
		PG_RETURN_BOOL(compare_with_instant(codec, PG_GETARG_DATUM(0), \
											PG_GETARG_TIMESTAMPTZ(1)) op 0); \
	} \
	\
	Datum \
	generic_timestamptz_##name(FunctionCallInfo fcinfo, const IdCodec *codec) \
	{ \
		PG_RETURN_BOOL(0 op compare_with_instant(codec, PG_GETARG_DATUM(1), \
												 PG_GETARG_TIMESTAMPTZ(0))); \
	} \
	extern int	no_such_variable

INSTANT_COMPARISONS(lt, <);
INSTANT_COMPARISONS(le, <=);
INSTANT_COMPARISONS(ge, >=);
INSTANT_COMPARISONS(gt, >);

#undef INSTANT_COMPARISONS
