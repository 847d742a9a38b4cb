/*-------------------------------------------------------------------------
 *
 * stats.h
 *	  What the statistics of a column of ids say about a window of ids.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_STATS_H
#define IDTYPES_STATS_H

#include "postgres.h"

#include "nodes/pathnodes.h"
#include "utils/lsyscache.h"
#include "utils/rangetypes.h"
#include "utils/selfuncs.h"
#include "utils/typcache.h"

/*
 * Fraction of the rows of a column's table whose id lies between two bounds, 0
 * to 1.  A window of a single id, as the full text of one gives, is an equality:
 * a table may have many rows of one id.
 */
extern Selectivity stats_bounds_selectivity(PlannerInfo *root, VariableStatData *column,
											TypeCacheEntry *range, const RangeBound *lower,
											const RangeBound *upper);

/*
 * For each of many bounds of windows, the fraction of the rows whose id lies
 * before a lower bound, or not beyond an upper one.  False if there are no
 * statistics.
 *
 * The ends of the indexes of partitions are not looked up for that: there may be
 * hundreds of them, most of which hold none of the windows.
 */
extern bool stats_places(PlannerInfo *root, VariableStatData *column, TypeCacheEntry *range,
						 const RangeBound *bounds, int count, double *places);

/* Fraction of a column's rows that are NULL, 0 to 1. */
extern double stats_nulls(VariableStatData *column);

/*
 * Reads one kind of statistics about a column, of ids or of their ranges, if
 * there are any, their values are of the type expected and as many as their
 * numbers where both are asked for, and the user may see them: comparing values
 * could leak them.  The slot is to be freed in any case.
 */
extern bool stats_read(TypeCacheEntry *range, VariableStatData *column, int kind, int flags,
					   Oid type, AttStatsSlot *slot);

#endif							/* IDTYPES_STATS_H */
