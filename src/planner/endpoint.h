/*-------------------------------------------------------------------------
 *
 * endpoint.h
 *	  How far the ids of a column reach now, which ANALYZE cannot know.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_ENDPOINT_H
#define IDTYPES_ENDPOINT_H

#include "postgres.h"

#include "nodes/pathnodes.h"
#include "utils/selfuncs.h"
#include "utils/typcache.h"

/*
 * Reads the smallest or the largest id of a column from the end of a B-tree
 * index that is not partial.  False if there is none, or if so many rows at its
 * end are dead that looking further would take too long.
 *
 * The value is that of a row which need not be visible to the user: the caller
 * has made sure that statistics of the column may be used.
 */
extern bool endpoint_read(PlannerInfo *root, VariableStatData *column, TypeCacheEntry *range,
						  bool last, Datum *id);

/*
 * By how many rows a column's table has grown since ANALYZE or VACUUM, as its
 * size shows, and how many were at most changed since ANALYZE; 0 if unknown.
 */
extern void endpoint_new_rows(PlannerInfo *root, VariableStatData *column, double *grown,
							  double *changed);

#endif							/* IDTYPES_ENDPOINT_H */
