/*-------------------------------------------------------------------------
 *
 * generic_range.c
 *	  SQL functions that all types have, written once over a codec: those of
 *	  their ranges.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "common/hashfn.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rangetypes.h"
#include "utils/timestamp.h"

#include "server/compat.h"
#include "server/epoch.h"
#include "functions/generic_functions.h"

/*
 * Make the range [lo,hi] of the range type that the calling function returns, or
 * the empty range if lo is NULL.
 */
static Datum
make_id_range(FunctionCallInfo fcinfo, const IdCodec *codec, const uint8 *lo, const uint8 *hi)
{
	TypeCacheEntry *typcache = (TypeCacheEntry *) fcinfo->flinfo->fn_extra;
	RangeBound	lower = {.inclusive = true,.lower = true};
	RangeBound	upper = {.inclusive = true};

	if (typcache == NULL)
	{
		typcache = range_get_typcache(fcinfo, get_func_rettype(fcinfo->flinfo->fn_oid));
		/* range_get_typcache() uses fn_extra as well; do not depend on what it puts there */
		fcinfo->flinfo->fn_extra = typcache;
	}
	Assert(typcache->type_id == get_func_rettype(fcinfo->flinfo->fn_oid));
	if (lo == NULL)
		PG_RETURN_RANGE_P(make_empty_range(typcache));
	lower.val = datum_from_id(codec, lo);
	upper.val = datum_from_id(codec, hi);
	Assert(range_cmp_bounds(typcache, &lower, &upper) <= 0);
	/* already in canonical form */
	PG_RETURN_RANGE_P(compat_range_serialize(typcache, &lower, &upper, false));
}

/*
 * Read a prefix into the smallest and largest id that have it.  Return ID_OK,
 * ID_OUT_OF_RANGE if no id can have it, or another status if the text is not a prefix;
 * raise an error instead of that unless "try".
 */
static IdStatus
read_prefix(const IdCodec *codec, const text *prefix, bool try, uint8 *lo, uint8 *hi)
{
	const char *str = VARDATA_ANY(prefix);
	size_t		len = VARSIZE_ANY_EXHDR(prefix);
	IdError		err = {0};
	IdStatus	status = codec->prefix(str, len, lo, hi, &err);

	if (status != ID_OK && status != ID_OUT_OF_RANGE && !try)
		report_text(codec, TEXT_OF_PREFIX, status, &err, str, len, NULL);
	return status;
}

static Datum
prefix_range(FunctionCallInfo fcinfo, const IdCodec *codec, bool try)
{
	uint8		lo[ID_MAX_SIZE];
	uint8		hi[ID_MAX_SIZE];

	switch (read_prefix(codec, PG_GETARG_TEXT_PP(0), try, lo, hi))
	{
		case ID_OK:
			return make_id_range(fcinfo, codec, lo, hi);
		case ID_OUT_OF_RANGE:
			return make_id_range(fcinfo, codec, NULL, NULL);
		default:
			PG_RETURN_NULL();
	}
}

Datum
generic_prefix(FunctionCallInfo fcinfo, const IdCodec *codec)
{
	return prefix_range(fcinfo, codec, false);
}

Datum
generic_try_prefix(FunctionCallInfo fcinfo, const IdCodec *codec)
{
	return prefix_range(fcinfo, codec, true);
}

/* A prefix and what it means. */
typedef struct Prefix
{
	size_t		len;
	char		text[ID_MAX_TEXT];
	IdStatus	status;			/* ID_OK or ID_OUT_OF_RANGE */
	uint8		lo[ID_MAX_SIZE];
	uint8		hi[ID_MAX_SIZE];
} Prefix;

/*
 * Read the prefix in the second argument, like read_prefix(); raise an error if it is not
 * one.  The planner replaces calls of T_starts_with() with a constant (support.c).  The
 * prefixes of parameters and arrays come again for each row, so as many of them are cached
 * as there are entries.
 */
#define CACHED_PREFIXES 1024

static const Prefix *
cached_prefix(FunctionCallInfo fcinfo, const IdCodec *codec)
{
	FunctionCache *cache = generic_cache(fcinfo);
	const text *arg = PG_GETARG_TEXT_PP(1);
	const char *str = VARDATA_ANY(arg);
	size_t		len = VARSIZE_ANY_EXHDR(arg);
	Prefix	  **entry;
	Prefix		read;

	if (cache->own == NULL)
		cache->own = MemoryContextAllocZero(fcinfo->flinfo->fn_mcxt,
											CACHED_PREFIXES * sizeof(Prefix *));
	entry = (Prefix **) cache->own +
		hash_bytes((const unsigned char *) str, len) % CACHED_PREFIXES;
	if (*entry != NULL && (*entry)->len == len && memcmp((*entry)->text, str, len) == 0)
		return *entry;

	read.status = read_prefix(codec, arg, false, read.lo, read.hi);
	Assert(len <= sizeof(read.text));
	read.len = len;
	memcpy(read.text, str, len);
	if (*entry == NULL)
		*entry = MemoryContextAlloc(fcinfo->flinfo->fn_mcxt, sizeof(Prefix));
	**entry = read;
	return *entry;
}

Datum
generic_starts_with(FunctionCallInfo fcinfo, const IdCodec *codec)
{
	uint8		buf[sizeof(int64)];
	const uint8 *id = PG_GETARG_ID(codec, 0, buf);
	const Prefix *prefix = cached_prefix(fcinfo, codec);
	bool		is_after;
	bool		is_before;

	if (prefix->status != ID_OK)
		PG_RETURN_BOOL(false);
	is_after = memcmp(prefix->lo, id, codec->size) <= 0;
	is_before = memcmp(id, prefix->hi, codec->size) <= 0;
	/* as bytes, all ids of a signed type run from the middle past the largest to the middle */
	PG_RETURN_BOOL(memcmp(prefix->lo, prefix->hi, codec->size) <= 0 ?
				   is_after && is_before : is_after || is_before);
}

/* Make the range of the ids whose instant lies between two, in microseconds since 1970. */
static Datum
make_time_range(FunctionCallInfo fcinfo, const IdCodec *codec,
				int64 lower, bool lower_inclusive, int64 upper, bool upper_inclusive)
{
	int64		first;
	int64		last;
	uint8		lo[ID_MAX_SIZE];
	uint8		hi[ID_MAX_SIZE];

	if (!id_ticks_within(&codec->time, lower, lower_inclusive, upper, upper_inclusive,
						 &first, &last))
		return make_id_range(fcinfo, codec, NULL, NULL);
	Assert(codec->time.first <= first && first <= last && last <= codec->time.last);
	id_of_tick(codec, first, 0x00, lo);
	id_of_tick(codec, last, 0xFF, hi);
	return make_id_range(fcinfo, codec, lo, hi);
}

Datum
generic_range_window(FunctionCallInfo fcinfo, const IdCodec *codec)
{
	RangeType  *window = PG_GETARG_RANGE_P(0);
	RangeBound	lower;
	RangeBound	upper;
	bool		empty;

	/* not through fn_extra, which keeps the type of the result */
	range_deserialize(lookup_type_cache(RangeTypeGetOid(window), TYPECACHE_RANGE_INFO),
					  window, &lower, &upper, &empty);
	if (empty)
		return make_id_range(fcinfo, codec, NULL, NULL);
	return make_time_range(fcinfo, codec,
						   lower.infinite ? PG_INT64_MIN :
						   us_of_timestamp(DatumGetTimestampTz(lower.val)),
						   lower.infinite || lower.inclusive,
						   upper.infinite ? PG_INT64_MAX :
						   us_of_timestamp(DatumGetTimestampTz(upper.val)),
						   upper.infinite || upper.inclusive);
}

Datum
generic_range_bounds(FunctionCallInfo fcinfo, const IdCodec *codec)
{
	bool		no_lower = PG_ARGISNULL(0);
	bool		no_upper = PG_ARGISNULL(1);
	TimestampTz lower = no_lower ? PG_INT64_MIN : PG_GETARG_TIMESTAMPTZ(0);
	TimestampTz upper = no_upper ? PG_INT64_MAX : PG_GETARG_TIMESTAMPTZ(1);
	char	   *bounds;

	/* checks and messages as in the server's own range constructors */
	if (PG_ARGISNULL(2))
		ereport(ERROR,
				(errcode(ERRCODE_DATA_EXCEPTION),
				 errmsg("range constructor flags argument must not be null")));
	bounds = text_to_cstring(PG_GETARG_TEXT_PP(2));
	if (strlen(bounds) != 2 || strchr("[(", bounds[0]) == NULL || strchr("])", bounds[1]) == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_SYNTAX_ERROR),
				 errmsg("invalid range bound flags: \"%s\"", bounds),
				 errhint("Valid values are \"[]\", \"[)\", \"(]\", and \"()\".")));
	if (lower > upper)
		ereport(ERROR,
				(errcode(ERRCODE_DATA_EXCEPTION),
				 errmsg(MESSAGE_RANGE_ORDER)));
	return make_time_range(fcinfo, codec,
						   us_of_timestamp(lower), no_lower || bounds[0] == '[',
						   us_of_timestamp(upper), no_upper || bounds[1] == ']');
}

/* Make the range of the ids whose instant is before the argument, or (inclusive) at it. */
static Datum
make_until(FunctionCallInfo fcinfo, const IdCodec *codec, bool inclusive)
{
	return make_time_range(fcinfo, codec, PG_INT64_MIN, true,
						   us_of_timestamp(PG_GETARG_TIMESTAMPTZ(0)), inclusive);
}

/* Make the range of the ids whose instant is after the argument, or (inclusive) at it. */
static Datum
make_since(FunctionCallInfo fcinfo, const IdCodec *codec, bool inclusive)
{
	return make_time_range(fcinfo, codec, us_of_timestamp(PG_GETARG_TIMESTAMPTZ(0)), inclusive,
						   PG_INT64_MAX, true);
}

Datum
generic_range_lt(FunctionCallInfo fcinfo, const IdCodec *codec)
{
	return make_until(fcinfo, codec, false);
}

Datum
generic_range_le(FunctionCallInfo fcinfo, const IdCodec *codec)
{
	return make_until(fcinfo, codec, true);
}

Datum
generic_range_ge(FunctionCallInfo fcinfo, const IdCodec *codec)
{
	return make_since(fcinfo, codec, true);
}

Datum
generic_range_gt(FunctionCallInfo fcinfo, const IdCodec *codec)
{
	return make_since(fcinfo, codec, false);
}

/* Write the smallest (filler 0x00) or largest (0xFF) id of the type. */
static void
extreme_id(const IdCodec *codec, uint8 filler, uint8 *id)
{
	id_of_tick(codec, filler ? codec->time.last : codec->time.first, filler, id);
}

/*
 * Make an exclusive bound inclusive by moving it inwards by one id; leave an infinite
 * or inclusive bound alone.  Return false if there is no such id.
 */
static bool
close_bound(const IdCodec *codec, RangeBound *bound)
{
	uint8		buf[sizeof(int64)];
	uint8		id[ID_MAX_SIZE];
	uint8		extreme[ID_MAX_SIZE];

	if (bound->infinite || bound->inclusive)
		return true;
	memcpy(id, bytes_from_datum(codec, bound->val, buf), codec->size);
	extreme_id(codec, bound->lower ? 0xFF : 0x00, extreme);
	if (memcmp(id, extreme, codec->size) == 0)
		return false;
	/* this may wrap around: as bytes, a signed type's -1 and 0 are the extremes */
	bytes_add(id, codec->size, bound->lower);
	bound->val = datum_from_id(codec, id);
	bound->inclusive = true;
	return true;
}

/*
 * The canonical form is closed, [first,last], because the server's usual form, [),
 * cannot express a range that includes the largest id.
 */
Datum
generic_range_canonical(FunctionCallInfo fcinfo, const IdCodec *codec)
{
	RangeType  *range = PG_GETARG_RANGE_P(0);
	TypeCacheEntry *typcache = range_get_typcache(fcinfo, RangeTypeGetOid(range));
	RangeBound	lower;
	RangeBound	upper;
	bool		empty;

	range_deserialize(typcache, range, &lower, &upper, &empty);
	if (empty)
		PG_RETURN_RANGE_P(range);
	if (!close_bound(codec, &lower) || !close_bound(codec, &upper) ||
		range_cmp_bounds(typcache, &lower, &upper) > 0)
		PG_RETURN_RANGE_P(make_empty_range(typcache));
	PG_RETURN_RANGE_P(compat_range_serialize(typcache, &lower, &upper, false));
}

/*
 * Return the first or last id of a range, such that id >= first AND id <= last is
 * equivalent to id <@ range.  For an unbounded end, that is the first or last id of
 * the type.  For the empty range it is the opposite one, so that no id satisfies
 * both comparisons.
 */
static Datum
range_end(FunctionCallInfo fcinfo, const IdCodec *codec, bool first)
{
	RangeType  *range = PG_GETARG_RANGE_P(0);
	TypeCacheEntry *typcache = range_get_typcache(fcinfo, RangeTypeGetOid(range));
	RangeBound	lower;
	RangeBound	upper;
	bool		empty;
	uint8		id[ID_MAX_SIZE];

	range_deserialize(typcache, range, &lower, &upper, &empty);
	if (!empty && !(first ? lower : upper).infinite)
		return first ? lower.val : upper.val;
	extreme_id(codec, first == empty ? 0xFF : 0x00, id);
	return datum_from_id(codec, id);
}

Datum
generic_range_first(FunctionCallInfo fcinfo, const IdCodec *codec)
{
	return range_end(fcinfo, codec, true);
}

Datum
generic_range_last(FunctionCallInfo fcinfo, const IdCodec *codec)
{
	return range_end(fcinfo, codec, false);
}
