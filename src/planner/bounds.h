/*-------------------------------------------------------------------------
 *
 * bounds.h
 *	  The lower and upper bound that conditions set for the ids of a column.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_BOUNDS_H
#define IDTYPES_BOUNDS_H

#include "postgres.h"

#include "nodes/pathnodes.h"
#include "utils/rangetypes.h"
#include "utils/selfuncs.h"
#include "utils/typcache.h"

/*
 * lower and upper are the bounds whose values are known at plan time.  A condition
 * may also have a bound whose value is unknown, such as a parameter; the flags
 * record that one exists.
 */
typedef struct IdBounds
{
	RangeBound	lower;
	RangeBound	upper;
	bool		empty;			/* no id satisfies the conditions */
	bool		unknown_lower;
	bool		unknown_upper;
	Node	   *range;			/* the expression whose ends are both unknown bounds, or NULL */
} IdBounds;

/* Set the bounds to those of all ids: both infinite. */
extern void bounds_init(IdBounds *bounds);

/* Intersect "bounds" with "other". */
extern void bounds_intersect(IdBounds *bounds, TypeCacheEntry *range, const IdBounds *other);

/* Estimate the fraction of the table's rows, 0 to 1, whose id is within the bounds. */
extern Selectivity bounds_selectivity(PlannerInfo *root, VariableStatData *column,
									  TypeCacheEntry *range, const IdBounds *bounds);

#endif							/* IDTYPES_BOUNDS_H */
