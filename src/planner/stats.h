/*-------------------------------------------------------------------------
 *
 * stats.h
 *	  Estimates from the statistics of a column of ids.
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
 * Estimate the fraction of the table's rows, 0 to 1, whose id lies between two
 * bounds.  Bounds that admit a single id, such as the prefix range of an id's full
 * text, are estimated as an equality, since a table may have many rows with one id.
 */
extern Selectivity stats_bounds_selectivity(PlannerInfo *root, VariableStatData *column,
											TypeCacheEntry *range, const RangeBound *lower,
											const RangeBound *upper);

/*
 * For each of "count" bounds, estimate the fraction of the rows whose id lies
 * before a lower bound, or up to an upper bound.  Return false if there are no
 * statistics.
 *
 * For a partition this does not read the end of an index: there may be hundreds of
 * partitions, and most of them contain no id between the bounds.
 */
extern bool stats_fractions_below(PlannerInfo *root, VariableStatData *column,
								  TypeCacheEntry *range, const RangeBound *bounds, int count,
								  double *fractions);

/* Return the fraction of the column's rows that are NULL, 0 to 1. */
extern double stats_nulls(VariableStatData *column);

/*
 * Read one kind of statistics about a column of ids or of ranges into *slot.
 * Return false if there are none, if the user may not see them (comparing values
 * could leak them), if the values are not of the given type, or if the flags ask
 * for values and numbers and their counts differ.  The caller must free the slot in
 * any case.
 */
extern bool stats_read(TypeCacheEntry *range, VariableStatData *column, int kind, int flags,
					   Oid type, AttStatsSlot *slot);

#endif							/* IDTYPES_STATS_H */
