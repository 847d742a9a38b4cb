/*-------------------------------------------------------------------------
 *
 * bounds.h
 *	  What conditions leave of a column of ids.
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
 * The bounds are those that the planner knows; one that it does not know, a
 * parameter say, narrows the window by an unknown measure.
 */
typedef struct IdBounds
{
	RangeBound	lower;
	RangeBound	upper;
	bool		empty;			/* nothing meets the conditions */
	bool		unknown_lower;
	bool		unknown_upper;
	Node	   *range;			/* of both unknown bounds, if it is one; or NULL */
} IdBounds;

/* The window of all ids. */
extern void bounds_init(IdBounds *bounds);

/* Leaves of a window what is in the other one too. */
extern void bounds_intersect(IdBounds *bounds, TypeCacheEntry *range, const IdBounds *other);

/*
 * Fraction of the rows of a column's table whose id is in a bounds, 0 to 1.
 */
extern Selectivity bounds_selectivity(PlannerInfo *root, VariableStatData *column,
									  TypeCacheEntry *range, const IdBounds *bounds);

#endif							/* IDTYPES_BOUNDS_H */
