/*-------------------------------------------------------------------------
 *
 * window.c
 *	  What conditions leave of a column of ids.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "planner/ranges.h"
#include "planner/stats.h"
#include "planner/window.h"

void
window_init(IdWindow *window)
{
	memset(window, 0, sizeof(*window));
	window->lower.infinite = true;
	window->lower.lower = true;
	window->upper.infinite = true;
}

void
window_merge(IdWindow *window, TypeCacheEntry *range, const IdWindow *other)
{
	if (range_cmp_bounds(range, &other->lower, &window->lower) > 0)
		window->lower = other->lower;
	if (range_cmp_bounds(range, &other->upper, &window->upper) < 0)
		window->upper = other->upper;
	if (other->empty || range_cmp_bounds(range, &window->lower, &window->upper) > 0)
		window->empty = true;
	window->unknown_lower |= other->unknown_lower;
	window->unknown_upper |= other->unknown_upper;
	if (other->range != NULL)
		window->range = other->range;
}

/*
 * What is unknown narrows what is known as the server has it narrow a column:
 * one bound to a third, two bounds to half a percent of all rows.
 */
Selectivity
window_selectivity(PlannerInfo *root, VariableStatData *column, TypeCacheEntry *range,
				   const IdWindow *window)
{
	double		selectivity;

	if (window->empty)
		return 0.0;
	Assert(window->lower.lower && !window->upper.lower);
	selectivity = stats_bounds_selectivity(root, column, range, &window->lower, &window->upper);
	if (window->unknown_lower && window->unknown_upper)
	{
		double		unknown = DEFAULT_RANGE_INEQ_SEL;

		if (window->range != NULL)
		{
			VariableStatData ranges;

			examine_variable(root, window->range, 0, &ranges);
			unknown = ranges_selectivity(root, column, range, &ranges);
			ReleaseVariableStats(ranges);
		}
		selectivity = Min(selectivity, unknown);
	}
	else if (window->unknown_lower || window->unknown_upper)
	{
		if (window->lower.infinite == window->upper.infinite ||
			window->lower.infinite != window->unknown_lower)
			selectivity *= DEFAULT_INEQ_SEL;
		else
			selectivity = Min(selectivity, DEFAULT_RANGE_INEQ_SEL);
	}
	Assert(selectivity >= 0.0 && selectivity <= 1.0);
	return selectivity;
}
