/*-------------------------------------------------------------------------
 *
 * ranges.c
 *	  Estimates for "id <@ range" from the statistics of a column of ranges.
 *
 * ANALYZE stores the quantiles of the lower bounds and those of the upper bounds,
 * each sorted separately.  This file takes a sample of these quantiles and locates
 * each in the histogram of the ids.  A pair of quantiles need not be a range of the
 * column, but that does not matter for what the average range contains, because the
 * mean of the differences is the difference of the means.
 *
 * The planner asks about the same ranges for each of hundreds of partitions, and
 * several times for each.  So the sample of the last column of ranges, located
 * among the last column of ids, is cached during a planner run.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "access/htup_details.h"
#include "catalog/pg_statistic.h"
#include "utils/datum.h"
#include "utils/rangetypes.h"

#include "planner/node_cache.h"
#include "planner/ranges.h"
#include "planner/stats.h"

/* Size of the sample; its cost is paid for each partition. */
#define MOST_SAMPLES 32

/* Identifies the statistics of a column of a table or of an index. */
typedef struct StatsKey
{
	Oid			relation;		/* InvalidOid if there are no statistics */
	AttrNumber	column;
	bool		inherited;
} StatsKey;

/* A sample of the ranges, and where they lie among the ids */
typedef struct Ranges
{
	StatsKey	of;
	StatsKey	among;
	bool		located;		/* false if there are no statistics of the ranges or the ids */
	double		filled;			/* fraction of the rows whose range is neither NULL nor empty */
	int			count;
	RangeBound	bounds[2 * MOST_SAMPLES];	/* lower, upper, lower, ... */
	double		below[2 * MOST_SAMPLES];	/* fraction of the ids below each bound */
} Ranges;

/* Identify the statistics of a column; relation is InvalidOid if the column has none. */
static StatsKey
key_of(const VariableStatData *column)
{
	StatsKey	key = {0};

	if (HeapTupleIsValid(column->statsTuple))
	{
		Form_pg_statistic form = (Form_pg_statistic) GETSTRUCT(column->statsTuple);

		key.relation = form->starelid;
		key.column = form->staattnum;
		key.inherited = form->stainherit;
	}
	return key;
}

/* True if both are known and identify the same statistics. */
static bool
is_same(StatsKey a, StatsKey b)
{
	return OidIsValid(a.relation) && a.relation == b.relation && a.column == b.column &&
		a.inherited == b.inherited;
}

/*
 * Read a sample of the quantiles, including the first and the last, and copy the bounds
 * into the memory context.
 */
static void
read_sample(Ranges *sample, MemoryContext context, TypeCacheEntry *range,
			VariableStatData *ranges)
{
	TypeCacheEntry *idtype = range->rngelemtype;
	AttStatsSlot slot;

	sample->of = key_of(ranges);
	sample->among.relation = InvalidOid;
	sample->count = 0;
	sample->filled = 1.0 - stats_nulls(ranges);
	if (stats_read(range, ranges, STATISTIC_KIND_BOUNDS_HISTOGRAM, ATTSTATSSLOT_VALUES,
				   range->type_id, &slot) && slot.nvalues >= 2)
	{
		MemoryContext old = MemoryContextSwitchTo(context);

		sample->count = Min(slot.nvalues, MOST_SAMPLES);
		for (int i = 0; i < sample->count; i++)
		{
			int			which = (int64) i * (slot.nvalues - 1) / (sample->count - 1);
			RangeBound *ends = &sample->bounds[2 * i];
			bool		empty;

			range_deserialize(range, DatumGetRangeTypeP(slot.values[which]),
							  &ends[0], &ends[1], &empty);
			if (empty)
			{
				/* ANALYZE does not store empty ranges here; imported statistics may */
				sample->count = 0;
				break;
			}
			for (int end = 0; end < 2; end++)
				if (!ends[end].infinite)
					ends[end].val = datumCopy(ends[end].val, idtype->typbyval, idtype->typlen);
		}
		MemoryContextSwitchTo(old);
	}
	free_attstatsslot(&slot);
	if (stats_read(range, ranges, STATISTIC_KIND_RANGE_LENGTH_HISTOGRAM, ATTSTATSSLOT_NUMBERS,
				   InvalidOid, &slot) && slot.nnumbers > 0)
		sample->filled *= 1.0 - slot.numbers[0];
	CLAMP_PROBABILITY(sample->filled);
	free_attstatsslot(&slot);
}

/*
 * For a column of a partition or inheritance child, get the statistics of the
 * topmost parent's column.  Return false if there are none; otherwise the caller
 * must release *whole.
 */
static bool
examine_whole(PlannerInfo *root, const VariableStatData *part, VariableStatData *whole)
{
	Var		   *var = (Var *) part->var;
	bool		is_part = false;

	if (part->rel == NULL || part->rel->reloptkind != RELOPT_OTHER_MEMBER_REL ||
		!IsA(var, Var))
		return false;
	var = copyObject(var);
	for (AppendRelInfo *link = root->append_rel_array[var->varno];
		 link != NULL && OidIsValid(link->parent_reloid) &&
		 var->varattno > 0 && var->varattno <= link->num_child_cols;
		 link = root->append_rel_array[var->varno])
	{
		var->varno = link->parent_relid;
		var->varattno = link->parent_colnos[var->varattno - 1];
		is_part = true;
	}
	if (!is_part || var->varattno <= 0)
		return false;
	examine_variable(root, (Node *) var, 0, whole);
	if (HeapTupleIsValid(whole->statsTuple))
		return true;
	ReleaseVariableStats(*whole);
	return false;
}

/*
 * Return a sample of the ranges, located among the ids.  For ids of a partition,
 * use the statistics of the whole partitioned table if there are any.  All
 * partitions then get the same estimate, which is right for their sum, and their
 * own statistics need not be read.  The sample is the cached one: the next call may
 * change it.
 */
static const Ranges *
locate_ranges(PlannerInfo *root, VariableStatData *ids, TypeCacheEntry *range,
			  VariableStatData *ranges)
{
	Ranges	   *sample = node_cache_find(root, (Datum) 0, RANGES, NULL);
	VariableStatData whole;
	bool		is_part = examine_whole(root, ids, &whole);
	StatsKey	among;

	if (is_part)
		ids = &whole;
	among = key_of(ids);
	if (sample == NULL)
	{
		sample = MemoryContextAllocZero(root->planner_cxt, sizeof(Ranges));
		node_cache_set(root, (Datum) 0, RANGES, NULL, sample);
	}
	if (!is_same(sample->of, key_of(ranges)))
		read_sample(sample, root->planner_cxt, range, ranges);
	if (!is_same(sample->among, among))
	{
		sample->among = among;
		sample->located = sample->count > 0 &&
			stats_fractions_below(root, ids, range, sample->bounds, 2 * sample->count,
								  sample->below);
	}
	/* ranges_cover() and others divide by the count */
	Assert(!sample->located || sample->count >= 2);
	if (is_part)
		ReleaseVariableStats(whole);
	return sample;
}

/* Return the fraction of the ids that the i-th range of the sample contains. */
static inline double
width(const Ranges *sample, int i)
{
	return Max(0, sample->below[2 * i + 1] - sample->below[2 * i]);
}

Selectivity
ranges_selectivity(PlannerInfo *root, VariableStatData *ids, TypeCacheEntry *range,
				   VariableStatData *ranges)
{
	const Ranges *sample = locate_ranges(root, ids, range, ranges);
	double		sum = 0.0;

	if (!sample->located)
		return DEFAULT_RANGE_INEQ_SEL * sample->filled;
	for (int i = 0; i < sample->count; i++)
		sum += width(sample, i);
	return Min(1.0, sample->filled * sum / sample->count);
}

/*
 * Each step from one quantile to the next covers the same number of ranges,
 * "each", whose upper ends lie in that step.  The ids that these ranges add to the
 * covered ones are those between the two upper ends.  If the ranges lie there at
 * random, one range of width w leaves a fraction exp(-w/g) of a step of width g
 * uncovered.
 */
Selectivity
ranges_cover(PlannerInfo *root, VariableStatData *ids, TypeCacheEntry *range,
			 VariableStatData *ranges, double count)
{
	const Ranges *sample = locate_ranges(root, ids, range, ranges);
	double		each;
	double		covered;

	if (!sample->located)
		return Min(1.0, DEFAULT_RANGE_INEQ_SEL * sample->filled * count);
	each = sample->filled * count / sample->count;
	covered = Min(1.0, each) * width(sample, 0);
	for (int i = 1; i < sample->count; i++)
	{
		double		step = sample->below[2 * i + 1] - sample->below[2 * i - 1];
		double		ranged = each * (width(sample, i - 1) + width(sample, i)) / 2;

		if (step > 0)
			covered += step * (1.0 - exp(-ranged / step));
	}
	return Min(1.0, covered);
}

Selectivity
ranges_hold(PlannerInfo *root, VariableStatData *ids, TypeCacheEntry *range,
			VariableStatData *ranges, double count)
{
	const Ranges *sample = locate_ranges(root, ids, range, ranges);
	double		sum = 0.0;

	if (!sample->located)
		return Min(1.0, DEFAULT_RANGE_INEQ_SEL * sample->filled * count);
	for (int i = 0; i < sample->count; i++)
		sum += 1.0 - exp(-count * width(sample, i));
	return sample->filled * sum / sample->count;
}
