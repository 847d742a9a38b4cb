/*-------------------------------------------------------------------------
 *
 * selfuncs.c
 *	  Row estimates of "id <@ range".
 *
 * The server's own estimators of < and > cannot interpolate inside a
 * histogram bucket of a type they do not know: they take its middle.  For the
 * narrow windows and prefixes that ids are asked for, that answers one row or
 * two buckets full of them.  Here both ends of the range are placed inside
 * their buckets by the range type's subtype_diff, so nothing in this file
 * knows one type from another.
 *
 * Everything rests on one function: the fraction of the column's ids below a
 * given id.  A range holds the difference of two of those; a column of ranges
 * holds, on average, the mean of that over the histogram of its bounds.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_class.h"
#include "catalog/pg_operator.h"
#include "catalog/pg_statistic.h"
#include "fmgr.h"
#include "nodes/nodeFuncs.h"
#include "parser/parsetree.h"
#include "utils/fmgroids.h"
#include "utils/fmgrprotos.h"
#include "utils/lsyscache.h"
#include "utils/rangetypes.h"
#include "utils/selfuncs.h"
#include "utils/syscache.h"
#include "utils/typcache.h"

#include "selfuncs.h"

PG_FUNCTION_INFO_V1(idtypes_contained_sel);
PG_FUNCTION_INFO_V1(idtypes_contained_joinsel);

/*
 * What is known of a column of ids.  The slots have no values where the
 * statistics are missing or the user may not see them.
 */
typedef struct IdStats
{
	TypeCacheEntry *range;		/* the range type, for its order and its differences */
	VariableStatData *column;
	double		nulls;			/* fraction of rows without an id */
	double		growth;			/* fraction of rows that ANALYZE has not seen */
	AttStatsSlot common;		/* most common ids and their fractions */
	AttStatsSlot histogram;		/* the others: bounds of equally full buckets */
} IdStats;

/*
 * Reads one kind of statistics about a column, if there are any and the user
 * may see them.  Comparing values could otherwise leak them.
 */
static bool
read_slot(TypeCacheEntry *range, VariableStatData *column, int kind, int flags,
		  AttStatsSlot *slot)
{
	memset(slot, 0, sizeof(*slot));
	return HeapTupleIsValid(column->statsTuple) &&
		statistic_proc_security_check(column, range->rng_cmp_proc_finfo.fn_oid) &&
		statistic_proc_security_check(column, range->rng_subdiff_finfo.fn_oid) &&
		get_attstatsslot(slot, column->statsTuple, kind, InvalidOid, flags);
}

static double
null_fraction(VariableStatData *column)
{
	return HeapTupleIsValid(column->statsTuple) ?
		((Form_pg_statistic) GETSTRUCT(column->statsTuple))->stanullfrac : 0.0;
}

/*
 * How much of a column's table is newer than its statistics: pg_class has the
 * rows that ANALYZE or VACUUM counted, the planner those of today's size.
 */
static double
table_growth(PlannerInfo *root, VariableStatData *column)
{
	RelOptInfo *rel = column->rel;
	HeapTuple	tuple;
	double		counted;

	if (rel == NULL || rel->rtekind != RTE_RELATION || rel->tuples <= 0)
		return 0.0;
	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(planner_rt_fetch(rel->relid, root)->relid));
	if (!HeapTupleIsValid(tuple))
		return 0.0;
	counted = ((Form_pg_class) GETSTRUCT(tuple))->reltuples;
	ReleaseSysCache(tuple);
	return counted > 0 && counted < rel->tuples ? 1.0 - counted / rel->tuples : 0.0;
}

static void
id_stats_open(IdStats *stats, PlannerInfo *root, VariableStatData *column, Oid rangetype)
{
	stats->range = lookup_type_cache(rangetype, TYPECACHE_RANGE_INFO);
	stats->column = column;
	stats->nulls = null_fraction(column);
	stats->growth = table_growth(root, column);
	read_slot(stats->range, column, STATISTIC_KIND_MCV,
			  ATTSTATSSLOT_VALUES | ATTSTATSSLOT_NUMBERS, &stats->common);
	read_slot(stats->range, column, STATISTIC_KIND_HISTOGRAM, ATTSTATSSLOT_VALUES,
			  &stats->histogram);
}

static void
id_stats_close(IdStats *stats)
{
	free_attstatsslot(&stats->common);
	free_attstatsslot(&stats->histogram);
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

/*
 * Fraction of the histogram's ids that lie below an id; there must be a
 * histogram.  Outside of it the result may be a little less than 0 or more
 * than 1: only differences count.
 *
 * ANALYZE samples some 300 rows a bucket, so that about 1/300 of a bucket lies
 * beyond the outermost ids it saw, at either end; SAMPLE_SLACK allows three
 * times that.
 *
 * Ids carry their time, so the rows that were added since ANALYZE lie past the
 * last bucket, and that is where the last hour is asked for.  They are taken
 * to arrive at the pace of the last bucket until the growth of the table is
 * used up.
 */
#define SAMPLE_SLACK 0.01

static double
fraction_below(const IdStats *stats, Datum id)
{
	const Datum *bounds = stats->histogram.values;
	int			buckets = stats->histogram.nvalues - 1;
	int			low = 0;
	int			high = buckets;
	double		analyzed = 1.0 - stats->growth;
	double		position;

	/* the bucket of the id, or the nearest one */
	while (high - low > 1)
	{
		int			middle = (low + high) / 2;

		if (compare_ids(stats, bounds[middle], id) < 0)
			low = middle;
		else
			high = middle;
	}

	/* in buckets; infinite if the nearest one has no width */
	position = subtract_ids(stats, id, bounds[low]);
	if (position != 0)
		position /= subtract_ids(stats, bounds[high], bounds[low]);
	position += low;

	if (position <= buckets)
		return analyzed * Max(position, -SAMPLE_SLACK) / buckets;
	return analyzed + Min(analyzed * (position - buckets) / buckets,
						  Max(stats->growth, analyzed * SAMPLE_SLACK / buckets));
}

/*
 * Fraction of a table's rows whose id is in a range.
 */
static double
range_selectivity(const IdStats *stats, const RangeType *range)
{
	RangeBound	lower;
	RangeBound	upper;
	bool		empty;
	double		others = 1.0 - stats->nulls;
	double		selectivity = 0.0;
	double		part;

	range_deserialize(stats->range, range, &lower, &upper, &empty);
	if (empty)
		return 0.0;

	/* the range type is discrete, its finite bounds belong to the range */
	for (int i = 0; i < stats->common.nvalues; i++)
	{
		Datum		id = stats->common.values[i];

		if ((lower.infinite || compare_ids(stats, lower.val, id) <= 0) &&
			(upper.infinite || compare_ids(stats, id, upper.val) <= 0))
			selectivity += stats->common.numbers[i];
		others -= stats->common.numbers[i];
	}

	if (lower.infinite && upper.infinite)
		part = 1.0;
	else if (stats->histogram.nvalues >= 2 && OidIsValid(stats->range->rng_subdiff_finfo.fn_oid))
		part = (upper.infinite ? 1.0 : fraction_below(stats, upper.val)) -
			(lower.infinite ? 0.0 : fraction_below(stats, lower.val));
	else
		part = lower.infinite || upper.infinite ? DEFAULT_INEQ_SEL : DEFAULT_RANGE_INEQ_SEL;

	selectivity += others * part;
	CLAMP_PROBABILITY(selectivity);
	return selectivity;
}

/*
 * The same for a range that holds a single id, as the full text of one does:
 * that is an equality, and a table may have many rows of one id.
 */
static double
constant_selectivity(const IdStats *stats, const RangeType *range)
{
	RangeBound	lower;
	RangeBound	upper;
	bool		empty;

	range_deserialize(stats->range, range, &lower, &upper, &empty);
	if (!empty && !lower.infinite && !upper.infinite &&
		compare_ids(stats, lower.val, upper.val) == 0)
	{
		Oid			idtype = stats->range->rngelemtype->type_id;

		return var_eq_const(stats->column, lookup_type_cache(idtype, TYPECACHE_EQ_OPR)->eq_opr,
							stats->range->rng_collation, lower.val, false, true, false);
	}
	return range_selectivity(stats, range);
}

/*
 * The mean over a column of ranges, without those that are NULL or empty.
 * Its histogram keeps the quantiles of the lower and of the upper bounds, each
 * on its own; as the mean of differences is the difference of means, that they
 * are no real ranges does not matter.
 */
static double
average_selectivity(const IdStats *stats, VariableStatData *ranges)
{
	AttStatsSlot bounds;
	AttStatsSlot empties;
	double		sum = 0.0;
	double		selectivity = DEFAULT_RANGE_INEQ_SEL;

	if (read_slot(stats->range, ranges, STATISTIC_KIND_BOUNDS_HISTOGRAM, ATTSTATSSLOT_VALUES,
				  &bounds) && bounds.nvalues > 0)
	{
		for (int i = 0; i < bounds.nvalues; i++)
			sum += range_selectivity(stats, DatumGetRangeTypeP(bounds.values[i]));
		selectivity = sum / bounds.nvalues;
	}
	free_attstatsslot(&bounds);

	if (read_slot(stats->range, ranges, STATISTIC_KIND_RANGE_LENGTH_HISTOGRAM,
				  ATTSTATSSLOT_NUMBERS, &empties) && empties.nnumbers > 0)
		selectivity *= 1.0 - empties.numbers[0];
	free_attstatsslot(&empties);

	selectivity *= 1.0 - null_fraction(ranges);
	CLAMP_PROBABILITY(selectivity);
	return selectivity;
}

/*
 * The range type of "id <@ range", or InvalidOid if the arguments are something
 * else: nothing keeps an estimator from being attached to another operator.
 * Elements of arrays may still be of a domain.
 */
static Oid
range_type_of(List *args)
{
	Oid			rangetype;

	if (list_length(args) != 2)
		return InvalidOid;
	rangetype = getBaseType(exprType(lsecond(args)));
	return getBaseType(exprType(linitial(args))) == get_range_subtype(rangetype) ?
		rangetype : InvalidOid;
}

Selectivity
contained_selectivity(PlannerInfo *root, List *args, int varRelid)
{
	Oid			rangetype = range_type_of(args);
	VariableStatData column;
	VariableStatData ranges;
	IdStats		stats;
	Node	   *other;
	bool		id_is_column;
	double		selectivity;

	if (!OidIsValid(rangetype) ||
		!get_restriction_variable(root, args, varRelid, &column, &other, &id_is_column))
		return DEFAULT_RANGE_INEQ_SEL;

	if (!id_is_column)
	{
		/* a column of ranges and one id: the server's own estimator does that */
		ReleaseVariableStats(column);
		return DatumGetFloat8(OidFunctionCall4(F_RANGESEL, PointerGetDatum(root),
											   ObjectIdGetDatum(OID_RANGE_ELEM_CONTAINED_OP),
											   PointerGetDatum(args), Int32GetDatum(varRelid)));
	}

	id_stats_open(&stats, root, &column, rangetype);
	if (!IsA(other, Const))
	{
		/* unknown yet, but it may come from a column of ranges (nested loop) */
		examine_variable(root, other, 0, &ranges);
		selectivity = average_selectivity(&stats, &ranges);
		ReleaseVariableStats(ranges);
	}
	else if (((Const *) other)->constisnull)
		selectivity = 0.0;
	else
		selectivity = constant_selectivity(&stats,
										   DatumGetRangeTypeP(((Const *) other)->constvalue));
	id_stats_close(&stats);
	ReleaseVariableStats(column);
	return selectivity;
}

Selectivity
contained_join_selectivity(PlannerInfo *root, List *args, JoinType jointype,
						   SpecialJoinInfo *sjinfo)
{
	Oid			rangetype = range_type_of(args);
	VariableStatData column;
	VariableStatData ranges;
	IdStats		stats;
	bool		reversed;
	double		selectivity;

	if (!OidIsValid(rangetype))
		return DEFAULT_RANGE_INEQ_SEL;
	get_join_variables(root, args, sjinfo, &column, &ranges, &reversed);
	id_stats_open(&stats, root, &column, rangetype);
	selectivity = average_selectivity(&stats, &ranges);
	id_stats_close(&stats);

	if (jointype == JOIN_SEMI || jointype == JOIN_ANTI)
	{
		/* one match among the inner rows is enough */
		RelOptInfo *inner = reversed ? column.rel : ranges.rel;

		if (inner != NULL)
			selectivity *= inner->rows;
		CLAMP_PROBABILITY(selectivity);
	}
	ReleaseVariableStats(column);
	ReleaseVariableStats(ranges);
	return selectivity;
}

/* idtypes_contained_sel(root internal, operator oid, args internal, varRelid int) -> float8 */
Datum
idtypes_contained_sel(PG_FUNCTION_ARGS)
{
	PlannerInfo *root = (PlannerInfo *) PG_GETARG_POINTER(0);
	List	   *args = (List *) PG_GETARG_POINTER(2);
	int			varRelid = PG_GETARG_INT32(3);

	PG_RETURN_FLOAT8(contained_selectivity(root, args, varRelid));
}

/* idtypes_contained_joinsel(root, operator oid, args, jointype smallint, sjinfo) -> float8 */
Datum
idtypes_contained_joinsel(PG_FUNCTION_ARGS)
{
	PlannerInfo *root = (PlannerInfo *) PG_GETARG_POINTER(0);
	List	   *args = (List *) PG_GETARG_POINTER(2);
	JoinType	jointype = (JoinType) PG_GETARG_INT16(3);
	SpecialJoinInfo *sjinfo = (SpecialJoinInfo *) PG_GETARG_POINTER(4);

	PG_RETURN_FLOAT8(contained_join_selectivity(root, args, jointype, sjinfo));
}
