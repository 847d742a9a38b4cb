/*-------------------------------------------------------------------------
 *
 * gist.c
 *	  GiST operator classes of ids, for constraints that combine an id with a
 *	  range: EXCLUDE (id WITH =, during WITH &&), the same with <>, and WITHOUT
 *	  OVERLAPS.
 *
 * The key of an index entry is the type's own range, [id,id] in a leaf, so that
 * the server's functions for ranges join, split and compare keys.  Strategies
 * have the R-tree numbers, which the server's gist_translate_cmptype_common()
 * (PostgreSQL 18) maps to comparison types.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/gist.h"
#include "access/stratnum.h"
#include "utils/sortsupport.h"

#include "server/compat.h"
#include "functions/generic_functions.h"
#include "server/lookup.h"

/* Return the type's range type, which is in the schema of the calling function. */
static TypeCacheEntry *
own_range(FunctionCallInfo fcinfo, const IdCodec *codec)
{
	const IdType *type;

	if (fcinfo->flinfo->fn_extra != NULL)
		return (TypeCacheEntry *) fcinfo->flinfo->fn_extra;
	type = lookup_id_type_beside(fcinfo->flinfo->fn_oid, codec->name);
	if (type == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("range type of %s not found", codec->name),
				 errhint("The extension's objects belong in one schema; move them with ALTER "
						 "EXTENSION ... SET SCHEMA.")));
	/* range_get_typcache() uses fn_extra as well; do not depend on what it puts there */
	return fcinfo->flinfo->fn_extra = range_get_typcache(fcinfo, type->range->type_id);
}

Datum
generic_gist_compress(FunctionCallInfo fcinfo, const IdCodec *codec)
{
	GISTENTRY  *entry = (GISTENTRY *) PG_GETARG_POINTER(0);
	GISTENTRY  *compressed;
	RangeBound	lower = {.inclusive = true,.lower = true};
	RangeBound	upper = {.inclusive = true};

	if (!entry->leafkey)
		PG_RETURN_POINTER(entry);
	lower.val = upper.val = entry->key;
	compressed = palloc(sizeof(GISTENTRY));
	gistentryinit(*compressed,
				  RangeTypePGetDatum(compat_range_serialize(own_range(fcinfo, codec),
															&lower, &upper, false)),
				  entry->rel, entry->page, entry->offset, false);
	PG_RETURN_POINTER(compressed);
}

/* Get both bounds of an entry's key; return the type cache entry of its range type. */
static TypeCacheEntry *
entry_bounds(FunctionCallInfo fcinfo, GISTENTRY *entry, RangeBound *lower, RangeBound *upper)
{
	RangeType  *key = DatumGetRangeTypeP(entry->key);
	TypeCacheEntry *typcache = range_get_typcache(fcinfo, RangeTypeGetOid(key));
	bool		empty;

	range_deserialize(typcache, key, lower, upper, &empty);
	Assert(!empty && !lower->infinite && !upper->infinite);
	return typcache;
}

PG_FUNCTION_INFO_V1(idtypes_gist_fetch);

/* Return the id of a leaf's key, for index-only scans. */
Datum
idtypes_gist_fetch(PG_FUNCTION_ARGS)
{
	GISTENTRY  *entry = (GISTENTRY *) PG_GETARG_POINTER(0);
	GISTENTRY  *fetched = palloc(sizeof(GISTENTRY));
	RangeBound	lower;
	RangeBound	upper;

	entry_bounds(fcinfo, entry, &lower, &upper);
	gistentryinit(*fetched, lower.val, entry->rel, entry->page, entry->offset, false);
	PG_RETURN_POINTER(fetched);
}

PG_FUNCTION_INFO_V1(idtypes_gist_consistent);

/*
 * True if an id within the entry's range may satisfy the operator; exact for a
 * leaf, whose range is one id.
 */
Datum
idtypes_gist_consistent(PG_FUNCTION_ARGS)
{
	GISTENTRY  *entry = (GISTENTRY *) PG_GETARG_POINTER(0);
	Datum		query = PG_GETARG_DATUM(1);
	StrategyNumber strategy = (StrategyNumber) PG_GETARG_UINT16(2);
	bool	   *recheck = (bool *) PG_GETARG_POINTER(4);
	RangeBound	lower;
	RangeBound	upper;
	TypeCacheEntry *typcache = entry_bounds(fcinfo, entry, &lower, &upper);
	FmgrInfo   *cmp = &typcache->rng_cmp_proc_finfo;
	int32		from = DatumGetInt32(FunctionCall2(cmp, lower.val, query));
	int32		upto = DatumGetInt32(FunctionCall2(cmp, upper.val, query));

	*recheck = false;
	switch (strategy)
	{
		case RTEqualStrategyNumber:
			PG_RETURN_BOOL(from <= 0 && upto >= 0);
		case RTNotEqualStrategyNumber:
			/* one bound differs, unless the query is the only id in the range */
			PG_RETURN_BOOL(from != 0 || upto != 0);
		case RTLessStrategyNumber:
			PG_RETURN_BOOL(from < 0);
		case RTLessEqualStrategyNumber:
			PG_RETURN_BOOL(from <= 0);
		case RTGreaterStrategyNumber:
			PG_RETURN_BOOL(upto > 0);
		case RTGreaterEqualStrategyNumber:
			PG_RETURN_BOOL(upto >= 0);
		default:
			elog(ERROR, "unrecognized strategy number: %d", strategy);
	}
}

/* Compare two leaf keys, by their ids. */
static int
compare_leaves(Datum a, Datum b, SortSupport ssup)
{
	RangeType  *keys[2] = {DatumGetRangeTypeP(a), DatumGetRangeTypeP(b)};
	RangeBound	lower[2];
	RangeBound	upper;
	bool		empty;
	TypeCacheEntry *typcache = ssup->ssup_extra;
	int			result;

	if (typcache == NULL)
		ssup->ssup_extra = typcache = lookup_type_cache(RangeTypeGetOid(keys[0]),
														TYPECACHE_RANGE_INFO);
	for (int i = 0; i < 2; i++)
		range_deserialize(typcache, keys[i], &lower[i], &upper, &empty);
	result = DatumGetInt32(FunctionCall2(&typcache->rng_cmp_proc_finfo,
										 lower[0].val, lower[1].val));

	/* a sort must not keep the copies that detoasting a packed value makes */
	if (PointerGetDatum(keys[0]) != a)
		pfree(keys[0]);
	if (PointerGetDatum(keys[1]) != b)
		pfree(keys[1]);
	return result;
}

PG_FUNCTION_INFO_V1(idtypes_gist_sortsupport);

/* Sort the leaf keys of an index build, which then fills its pages in the order of ids. */
Datum
idtypes_gist_sortsupport(PG_FUNCTION_ARGS)
{
	SortSupport ssup = (SortSupport) PG_GETARG_POINTER(0);

	ssup->comparator = compare_leaves;
	PG_RETURN_VOID();
}
