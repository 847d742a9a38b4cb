/*-------------------------------------------------------------------------
 *
 * bounds.c
 *	  The lower and upper bound that conditions set for the ids of a column.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "planner/bounds.h"
#include "planner/ranges.h"
#include "planner/stats.h"

void
bounds_init(IdBounds *bounds)
{
	memset(bounds, 0, sizeof(*bounds));
	bounds->lower.infinite = true;
	bounds->lower.lower = true;
	bounds->upper.infinite = true;
}

void
bounds_intersect(IdBounds *bounds, TypeCacheEntry *range, const IdBounds *other)
{
	if (range_cmp_bounds(range, &other->lower, &bounds->lower) > 0)
		bounds->lower = other->lower;
	if (range_cmp_bounds(range, &other->upper, &bounds->upper) < 0)
		bounds->upper = other->upper;
	if (other->empty || range_cmp_bounds(range, &bounds->lower, &bounds->upper) > 0)
		bounds->empty = true;
	bounds->unknown_lower |= other->unknown_lower;
	bounds->unknown_upper |= other->unknown_upper;
	if (other->range != NULL)
		bounds->range = other->range;
}

/*
 * For unknown bounds, use the server's defaults: a third of the rows for one
 * bound, half a percent for two.
 */
Selectivity
bounds_selectivity(PlannerInfo *root, VariableStatData *column, TypeCacheEntry *range,
				   const IdBounds *bounds)
{
	double		selectivity;

	if (bounds->empty)
		return 0.0;
	Assert(bounds->lower.lower && !bounds->upper.lower);
	selectivity = stats_bounds_selectivity(root, column, range, &bounds->lower, &bounds->upper);
	if (bounds->unknown_lower && bounds->unknown_upper)
	{
		double		unknown = DEFAULT_RANGE_INEQ_SEL;

		if (bounds->range != NULL)
		{
			VariableStatData ranges;

			examine_variable(root, bounds->range, 0, &ranges);
			unknown = ranges_selectivity(root, column, range, &ranges);
			ReleaseVariableStats(ranges);
		}
		selectivity = Min(selectivity, unknown);
	}
	else if (bounds->unknown_lower || bounds->unknown_upper)
	{
		if (bounds->lower.infinite == bounds->upper.infinite ||
			bounds->lower.infinite != bounds->unknown_lower)
			selectivity *= DEFAULT_INEQ_SEL;
		else
			selectivity = Min(selectivity, DEFAULT_RANGE_INEQ_SEL);
	}
	Assert(selectivity >= 0.0 && selectivity <= 1.0);
	return selectivity;
}
