/*-------------------------------------------------------------------------
 *
 * ranges.h
 *	  What the statistics of a column of ranges say about a column of ids.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_RANGES_H
#define IDTYPES_RANGES_H

#include "postgres.h"

#include "nodes/pathnodes.h"
#include "utils/selfuncs.h"
#include "utils/typcache.h"

/*
 * Of the pairs of an id of one column and a range of another, or of an
 * expression that may have been made from one, the fraction in which the id is
 * in the range.
 */
extern Selectivity ranges_selectivity(PlannerInfo *root, VariableStatData *ids,
									  TypeCacheEntry *range, VariableStatData *ranges);

/* Fraction of the ids that are in at least one of so many of the ranges. */
extern Selectivity ranges_cover(PlannerInfo *root, VariableStatData *ids,
								TypeCacheEntry *range, VariableStatData *ranges, double count);

/* Fraction of the ranges that hold at least one of so many of the ids. */
extern Selectivity ranges_hold(PlannerInfo *root, VariableStatData *ids,
							   TypeCacheEntry *range, VariableStatData *ranges, double count);

#endif							/* IDTYPES_RANGES_H */
