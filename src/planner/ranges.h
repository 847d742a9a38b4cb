/*-------------------------------------------------------------------------
 *
 * ranges.h
 *	  Estimates for "id <@ range" from the statistics of a column of ranges.
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
 * Estimate the fraction of all pairs of an id and a range in which the range
 * contains the id.  "ranges" is a column of ranges, or an expression whose
 * statistics are unknown.
 */
extern Selectivity ranges_selectivity(PlannerInfo *root, VariableStatData *ids,
									  TypeCacheEntry *range, VariableStatData *ranges);

/*
 * Estimate the fraction of the ids that are in at least one of "count" ranges, which
 * are taken at random from the column of ranges.
 */
extern Selectivity ranges_cover(PlannerInfo *root, VariableStatData *ids,
								TypeCacheEntry *range, VariableStatData *ranges, double count);

/*
 * Estimate the fraction of the ranges that contain at least one of "count" ids, which
 * are taken at random from the column of ids.
 */
extern Selectivity ranges_hold(PlannerInfo *root, VariableStatData *ids,
							   TypeCacheEntry *range, VariableStatData *ranges, double count);

#endif							/* IDTYPES_RANGES_H */
