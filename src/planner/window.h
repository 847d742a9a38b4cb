/*-------------------------------------------------------------------------
 *
 * window.h
 *	  What conditions leave of a column of ids.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_WINDOW_H
#define IDTYPES_WINDOW_H

#include "postgres.h"

#include "nodes/pathnodes.h"
#include "utils/rangetypes.h"
#include "utils/selfuncs.h"
#include "utils/typcache.h"

/*
 * The bounds are those that the planner knows; one that it does not know, a
 * parameter say, narrows the window by an unknown measure.
 */
typedef struct IdWindow
{
	RangeBound	lower;
	RangeBound	upper;
	bool		empty;			/* nothing meets the conditions */
	bool		unknown_lower;
	bool		unknown_upper;
	Node	   *range;			/* of both unknown bounds, if it is one; or NULL */
} IdWindow;

/* The window of all ids. */
extern void window_init(IdWindow *window);

/* Leaves of a window what is in the other one too. */
extern void window_merge(IdWindow *window, TypeCacheEntry *range, const IdWindow *other);

/*
 * Fraction of the rows of a column's table whose id is in a window, 0 to 1.
 */
extern Selectivity window_selectivity(PlannerInfo *root, VariableStatData *column,
									  TypeCacheEntry *range, const IdWindow *window);

#endif							/* IDTYPES_WINDOW_H */
