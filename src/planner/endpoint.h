/*-------------------------------------------------------------------------
 *
 * endpoint.h
 *	  The smallest and largest id that a column has now, and the rows that came
 *	  after ANALYZE.
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
 * Read the smallest or (last) the largest id of a column from the end of a B-tree
 * index that is not partial.  Return false if there is no such index, or if so
 * many rows at its end are dead that reading on would take too long.
 *
 * The row need not be visible to the user, so the caller must have checked that
 * the user may see the column's statistics.
 */
extern bool endpoint_read(PlannerInfo *root, VariableStatData *column, TypeCacheEntry *range,
						  bool last, Datum *id);

/*
 * Estimate from the table's size how many rows it has gained since ANALYZE or
 * VACUUM (*grown), and give an upper limit of the rows changed since ANALYZE
 * (*changed).  Both are 0 if unknown.
 */
extern void endpoint_new_rows(PlannerInfo *root, VariableStatData *column, double *grown,
							  double *changed);

#endif							/* IDTYPES_ENDPOINT_H */
