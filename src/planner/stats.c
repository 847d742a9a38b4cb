/*-------------------------------------------------------------------------
 *
 * stats.c
 *	  Estimates from the statistics of a column of ids.
 *
 * The server's own estimators cannot interpolate inside a histogram bucket of a
 * type that they do not know: they assume its middle.  For the narrow ranges and
 * prefixes that queries on ids use, this gives either one row or two buckets of
 * rows.  Here, the range type's subtype_diff locates both bounds inside their
 * buckets, so this file does not distinguish between types.
 *
 * Everything is based on place_of(), which returns the place of an id in the
 * histogram, counted in buckets.  The rows between two bounds are the difference
 * of their places.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "access/htup_details.h"
#include "catalog/pg_statistic.h"
#include "utils/hsearch.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/syscache.h"

#include "planner/endpoint.h"
#include "planner/stats.h"

/*
 * ANALYZE samples about 300 rows per bucket, so about 1/300 of a bucket lies beyond
 * the outermost ids that it saw, at either end; this allows for three times that.
 */
#define SAMPLE_SLACK 0.01

/* Farther away than any id is; keeps arithmetic finite if ids are too close to distinguish. */
#define MOST_BUCKETS 1e15

typedef struct IdStats
{
	PlannerInfo *root;
	VariableStatData *column;
	TypeCacheEntry *range;		/* the range type, for its order and its differences */
	double		nulls;			/* fraction of rows without an id */
	/*
	 * These have no values if there are no statistics or the user may not see them.  Their
	 * values are in the cache.
	 */
	AttStatsSlot common;		/* most common ids and their fractions */
	AttStatsSlot histogram;		/* of the other ids: bounds of buckets with equal numbers of rows */
	double		equal;			/* fraction of the histogram's rows that have the same id */
	/* the places of the smallest and largest id now, exact once first_known, last_known */
	bool		first_known;
	bool		last_known;
	double		first;			/* in buckets */
	double		last;
	double		pace_first;		/* rate of ids before the histogram, relative to its first tenth */
	double		pace_last;		/* rate of ids after it, relative to its last tenth */
} IdStats;

/* ----------
 * Statistics
 * ----------
 */

/* True if a column has statistics that the user may see: comparing them could leak them. */
static bool
may_read(TypeCacheEntry *range, VariableStatData *column)
{
	return HeapTupleIsValid(column->statsTuple) &&
		OidIsValid(range->rng_subdiff_finfo.fn_oid) &&
		statistic_proc_security_check(column, range->rng_cmp_proc_finfo.fn_oid) &&
		statistic_proc_security_check(column, range->rng_subdiff_finfo.fn_oid);
}

bool
stats_read(TypeCacheEntry *range, VariableStatData *column, int kind, int flags, Oid type,
		   AttStatsSlot *slot)
{
	memset(slot, 0, sizeof(*slot));
	if (!may_read(range, column) ||
		!get_attstatsslot(slot, column->statsTuple, kind, InvalidOid, flags))
		return false;
	/*
	 * A relabelled column's own type may have another order, and imported
	 * statistics may contain anything.
	 */
	if ((flags & ATTSTATSSLOT_VALUES) == 0 ||
		(getBaseType(slot->valuetype) == type &&
		 ((flags & ATTSTATSSLOT_NUMBERS) == 0 || slot->nnumbers == slot->nvalues)))
		return true;
	free_attstatsslot(slot);
	memset(slot, 0, sizeof(*slot));
	return false;
}

double
stats_nulls(VariableStatData *column)
{
	double		nulls = 0.0;

	if (HeapTupleIsValid(column->statsTuple))
		nulls = ((Form_pg_statistic) GETSTRUCT(column->statsTuple))->stanullfrac;
	CLAMP_PROBABILITY(nulls);
	return nulls;
}

/*
 * A cache of the statistics that this backend has read.  pg_statistic keeps the ids in
 * compressed arrays, and to read these takes a fifth of the time that it takes to plan a
 * simple query.
 *
 * An entry is valid for one version of the row of pg_statistic, so a change of that
 * needs no callback.  The transaction and the address do not identify the version: if
 * a transaction runs ANALYZE twice, VACUUM FULL may move the second version to the address
 * of the first.  So the entry also has the command that made the version.
 *
 * The cache is emptied when it takes more than CACHE_LIMIT bytes, which are the
 * statistics of hundreds of columns.
 */
#define CACHE_LIMIT (1024 * 1024)

typedef struct CachedStats
{
	struct
	{
		Oid			relation;
		Oid			type;		/* id type to which the values must belong */
		int32		column;
		int32		inherited;
	}			key;
	TransactionId xmin;			/* identify the version of the row */
	CommandId	command;
	ItemPointerData row;
	AttStatsSlot common;
	AttStatsSlot histogram;
} CachedStats;

static HTAB *cache = NULL;
static MemoryContext cache_context = NULL;

/* Make the cache, or make it anew if it takes too much memory. */
static void
prepare_cache(void)
{
	HASHCTL		control = {.keysize = sizeof(((CachedStats *) NULL)->key),
		.entrysize = sizeof(CachedStats)
	};

	if (cache_context == NULL)
		cache_context = AllocSetContextCreate(CacheMemoryContext, "idtypes statistics",
											  ALLOCSET_DEFAULT_SIZES);
	else if (cache != NULL && MemoryContextMemAllocated(cache_context, true) > CACHE_LIMIT)
	{
		cache = NULL;
		MemoryContextReset(cache_context);
	}
	if (cache == NULL)
	{
		control.hcxt = cache_context;
		cache = hash_create("idtypes statistics", 16, &control,
							HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
	}
}

/* Drop the values of an entry.  It is in order at any time, as reading may raise an error. */
static void
clear_cached(CachedStats *cached)
{
	ItemPointerSetInvalid(&cached->row);
	memset(&cached->common, 0, sizeof(cached->common));
	memset(&cached->histogram, 0, sizeof(cached->histogram));
}

static void
read_cached(CachedStats *cached, TypeCacheEntry *range, VariableStatData *column)
{
	AttStatsSlot old[] = {cached->common, cached->histogram};
	MemoryContext caller = MemoryContextSwitchTo(cache_context);
	Oid			type = range->rngelemtype->type_id;

	clear_cached(cached);
	free_attstatsslot(&old[0]);
	free_attstatsslot(&old[1]);
	stats_read(range, column, STATISTIC_KIND_MCV, ATTSTATSSLOT_VALUES | ATTSTATSSLOT_NUMBERS,
			   type, &cached->common);
	stats_read(range, column, STATISTIC_KIND_HISTOGRAM, ATTSTATSSLOT_VALUES, type,
			   &cached->histogram);
	cached->xmin = HeapTupleHeaderGetRawXmin(column->statsTuple->t_data);
	cached->command = HeapTupleHeaderGetRawCommandId(column->statsTuple->t_data);
	cached->row = column->statsTuple->t_self;
	MemoryContextSwitchTo(caller);
}

/* Find the statistics of a column in the cache, or read them into it. */
static const CachedStats *
find_cached(TypeCacheEntry *range, VariableStatData *column)
{
	HeapTuple	tuple = column->statsTuple;
	Form_pg_statistic form = (Form_pg_statistic) GETSTRUCT(tuple);
	CachedStats wanted = {.key = {form->starelid, range->rngelemtype->type_id,
	form->staattnum, form->stainherit}};
	CachedStats *cached;
	bool		found;

	prepare_cache();
	cached = hash_search(cache, &wanted.key, HASH_ENTER, &found);
	if (!found)
		clear_cached(cached);
	/* a row that another extension's hook has made may say something else each time */
	if (column->freefunc != ReleaseSysCache ||
		!ItemPointerEquals(&cached->row, &tuple->t_self) ||
		cached->xmin != HeapTupleHeaderGetRawXmin(tuple->t_data) ||
		cached->command != HeapTupleHeaderGetRawCommandId(tuple->t_data))
		read_cached(cached, range, column);
	return cached;
}

/* Read the statistics of a column, as far as it has any. */
static void
find_statistics(IdStats *stats, PlannerInfo *root, VariableStatData *column,
				TypeCacheEntry *range)
{
	stats->root = root;
	stats->column = column;
	stats->range = range;
	stats->nulls = stats_nulls(column);
	stats->first_known = stats->last_known = false;
	stats->pace_first = stats->pace_last = 1;
	memset(&stats->common, 0, sizeof(stats->common));
	memset(&stats->histogram, 0, sizeof(stats->histogram));
	if (may_read(range, column))
	{
		const CachedStats *cached = find_cached(range, column);

		stats->common = cached->common;
		stats->histogram = cached->histogram;
	}
	stats->first = 0;
	stats->last = stats->histogram.nvalues - 1;
	stats->equal = 0;
	if (stats->histogram.nvalues >= 2)
	{
		bool		is_default;
		double		others = get_variable_numdistinct(column, &is_default) -
			stats->common.nvalues;

		if (others > 1)
			stats->equal = 1 / others;
	}
}

static int
compare_ids(const IdStats *stats, Datum a, Datum b)
{
	return DatumGetInt32(FunctionCall2Coll(&stats->range->rng_cmp_proc_finfo,
										   stats->range->rng_collation, a, b));
}

/* a - b */
static double
subtract_ids(const IdStats *stats, Datum a, Datum b)
{
	return DatumGetFloat8(FunctionCall2Coll(&stats->range->rng_subdiff_finfo,
											stats->range->rng_collation, a, b));
}

/* Return (id - from) / (to - from), limited to MOST_BUCKETS. */
static double
proportion(const IdStats *stats, Datum from, Datum to, Datum id)
{
	double		part = subtract_ids(stats, id, from);
	double		whole = subtract_ids(stats, to, from);
	double		result = part / whole;

	if (part == 0 || isnan(result))
		return 0;
	return Max(-MOST_BUCKETS, Min(result, MOST_BUCKETS));
}

/*
 * Return the place of an id in the histogram, in buckets: 0 is its first bound.
 *
 * Outside of the histogram, ids are assumed to continue at the rate of its first or
 * last tenth, because a single bucket may lie in a burst of ids or in a pause.
 */
static double
place_of(const IdStats *stats, Datum id)
{
	const Datum *bounds = stats->histogram.values;
	int			buckets = stats->histogram.nvalues - 1;
	int			tenth = Max(1, buckets / 10);
	int			low = 0;
	int			high = buckets;

	Assert(buckets >= 1);
	if (compare_ids(stats, id, bounds[0]) < 0)
		return tenth * proportion(stats, bounds[0], bounds[tenth], id);
	if (compare_ids(stats, id, bounds[buckets]) > 0)
		return buckets - tenth + tenth * proportion(stats, bounds[buckets - tenth],
													bounds[buckets], id);
	while (high - low > 1)
	{
		int			middle = (low + high) / 2;

		if (compare_ids(stats, bounds[middle], id) < 0)
			low = middle;
		else
			high = middle;
	}
	return low + Min(1.0, proportion(stats, bounds[low], bounds[high], id));
}

/* Return how many buckets "rows" new rows of the table fill. */
static double
buckets_of_rows(const IdStats *stats, double rows)
{
	return (stats->histogram.nvalues - 1) * rows / Max(1, stats->column->rel->tuples - rows);
}

/*
 * Estimate how many buckets of ids lie beyond one end of the histogram; the result
 * is negative if the outermost ids of the histogram are gone.  Set *pace to the
 * rate of ids out there, relative to that of the outermost tenth.
 *
 * The end of an index gives the outermost id.  Beyond the end there cannot be more rows
 * than were changed since ANALYZE, except for a negligible number.  If that is
 * less than the distance suggests, the rows came at a slower rate.  If it is much
 * less, the index has an id far away from all others, for example of next year,
 * which says nothing about the others.  Then, and without an index, only the rows by which
 * the table has grown count, and they are taken for the last ones.
 */
#define SLOWEST_PACE 0.1

static double
beyond_end(const IdStats *stats, bool last, double *pace)
{
	int			buckets = stats->histogram.nvalues - 1;
	double		grown;
	double		changed;
	double		known;
	double		reach;
	double		most;
	Datum		id;

	*pace = 1;
	endpoint_new_rows(stats->root, stats->column, &grown, &changed);
	known = Max(SAMPLE_SLACK, last ? buckets_of_rows(stats, grown) : 0);
	if (!endpoint_read(stats->root, stats->column, stats->range, last, &id))
		return known;

	/* updates count as changes as well: they must not make more than half of the rows seem new */
	changed = Max(grown, Min(changed, stats->column->rel->tuples / 2));
	reach = last ? place_of(stats, id) - buckets : -place_of(stats, id);
	most = Max(1, buckets_of_rows(stats, changed));
	if (reach <= most)
		return reach;
	if (most < reach * SLOWEST_PACE)
		return known;
	*pace = most / reach;
	return most;
}

/*
 * If the place lies in the first bucket or before it, set stats->first to the place
 * of the smallest id now; if it lies in the last bucket or beyond, set stats->last
 * to that of the largest.  This reads the end of an index, at most once for each end.
 * The server does the same for its own types.
 */
static void
find_end(IdStats *stats, double place)
{
	int			buckets = stats->histogram.nvalues - 1;

	if (stats->column->rel == NULL)
		return;
	if (place < 1 && !stats->first_known)
	{
		stats->first = -beyond_end(stats, false, &stats->pace_first);
		stats->first_known = true;
	}
	if (place > buckets - 1 && !stats->last_known)
	{
		stats->last = buckets + beyond_end(stats, true, &stats->pace_last);
		stats->last_known = true;
	}
}

/*
 * Estimate which fraction of the column's ids lies before a bound, among those that are not
 * in the list of most common values.  "place" is the position of the bound in the histogram.
 * The caller has called find_end() for the places of all bounds.
 *
 * The buckets hold equal numbers of rows, so that the fraction is a proportion of places.
 * The whole is what lies between the outermost ids now: new rows do not lie in the buckets
 * of the last ANALYZE, and those beyond an end may have come at a slower rate.
 *
 * The id of a bound is assumed to be in the table, as in the server's own estimates.
 * Its rows lie before the bound, unless the bound is an inclusive lower or an
 * exclusive upper one.
 */
static double
fraction_before(const IdStats *stats, const RangeBound *bound, double place)
{
	int			buckets = stats->histogram.nvalues - 1;
	double		others;

	if (place < 0)
		place *= stats->pace_first;
	else if (place > buckets)
		place = buckets + (place - buckets) * stats->pace_last;
	if (place < stats->first)
		return 0;
	if (place > stats->last)
		return 1;
	/* if all ids are the same, there is no distance to divide by */
	others = (place - stats->first) / Max(stats->last - stats->first, SAMPLE_SLACK);
	return (bound->lower == bound->inclusive ? 0 : stats->equal) + (1 - stats->equal) * others;
}

/*
 * Return the fraction of the histogram's ids that lie between two bounds.  There
 * must be a histogram.  The fractions before the bounds are subtracted, so that an id that
 * many rows have counts once, as far as each bound includes it.
 */
static double
buckets_between(IdStats *stats, const RangeBound *lower, const RangeBound *upper)
{
	double		from = lower->infinite ? 0 : place_of(stats, lower->val);
	double		upto = upper->infinite ? 0 : place_of(stats, upper->val);

	/* both calls come first, because fraction_before() depends on both ends */
	if (!lower->infinite)
		find_end(stats, from);
	if (!upper->infinite)
		find_end(stats, upto);
	return Max(0, (upper->infinite ? 1 : fraction_before(stats, upper, upto)) -
			   (lower->infinite ? 0 : fraction_before(stats, lower, from)));
}

static bool
is_within(const IdStats *stats, Datum id, const RangeBound *lower, const RangeBound *upper)
{
	RangeBound	from = {.val = id,.inclusive = true,.lower = true};
	RangeBound	upto = {.val = id,.inclusive = true};

	return range_cmp_bounds(stats->range, lower, &from) <= 0 &&
		range_cmp_bounds(stats->range, &upto, upper) <= 0;
}

/* Return the fraction of the table's rows whose id lies between two bounds. */
static double
selectivity_between(IdStats *stats, const RangeBound *lower, const RangeBound *upper)
{
	double		others = 1.0 - stats->nulls;
	double		common = 0.0;
	double		part = 1.0;

	for (int i = 0; i < stats->common.nvalues; i++)
	{
		if (is_within(stats, stats->common.values[i], lower, upper))
			common += stats->common.numbers[i];
		others -= stats->common.numbers[i];
	}
	if (stats->histogram.nvalues >= 2)
		part = buckets_between(stats, lower, upper);
	else if (!lower->infinite && !upper->infinite)
		part = DEFAULT_RANGE_INEQ_SEL;
	else if (!lower->infinite || !upper->infinite)
		part = DEFAULT_INEQ_SEL;

	return common + Max(0, others) * part;
}

/* True if the bounds admit exactly one id and at least one of them is inclusive. */
static bool
is_single(const IdStats *stats, const RangeBound *lower, const RangeBound *upper)
{
	return !lower->infinite && !upper->infinite && (lower->inclusive || upper->inclusive) &&
		subtract_ids(stats, upper->val, lower->val) ==
		(lower->inclusive ? 0 : 1) + (upper->inclusive ? 0 : 1);
}

Selectivity
stats_bounds_selectivity(PlannerInfo *root, VariableStatData *column, TypeCacheEntry *range,
						 const RangeBound *lower, const RangeBound *upper)
{
	IdStats		stats;
	double		selectivity;

	if (lower->infinite && upper->infinite)
		return 1.0 - stats_nulls(column);
	find_statistics(&stats, root, column, range);
	if (is_single(&stats, lower, upper))
		selectivity = var_eq_const(column, lookup_type_cache(range->rngelemtype->type_id,
															 TYPECACHE_EQ_OPR)->eq_opr,
								   range->rng_collation,
								   lower->inclusive ? lower->val : upper->val,
								   false, true, false);
	else
		selectivity = selectivity_between(&stats, lower, upper);
	CLAMP_PROBABILITY(selectivity);
	return selectivity;
}

bool
stats_fractions_below(PlannerInfo *root, VariableStatData *column, TypeCacheEntry *range,
					  const RangeBound *bounds, int count, double *fractions)
{
	const RangeBound all = {.infinite = true,.lower = true};
	IdStats		stats;
	bool		known;

	find_statistics(&stats, root, column, range);
	known = stats.histogram.nvalues >= 2 || stats.common.nvalues > 0;
	if (column->rel != NULL && column->rel->reloptkind == RELOPT_OTHER_MEMBER_REL)
		stats.first_known = stats.last_known = true;
	for (int i = 0; known && i < count; i++)
	{
		RangeBound	end = bounds[i];

		/* turn each bound into an upper one: before a lower bound, or up to an upper one */
		if (end.lower)
			end.inclusive = !end.inclusive;
		end.lower = false;
		fractions[i] = bounds[i].lower && bounds[i].infinite ? 0 :
			selectivity_between(&stats, &all, &end);
	}
	return known;
}
