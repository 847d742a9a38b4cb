/*-------------------------------------------------------------------------
 *
 * estimator.h
 *	  Row estimates of conditions on ids.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_ESTIMATOR_H
#define IDTYPES_ESTIMATOR_H

#include "postgres.h"

#include "nodes/pathnodes.h"

/*
 * Estimate the selectivity of "id <@ range" with these arguments, for which
 * are_contained_args() is true, as a restriction or as a join clause, regardless of other
 * conditions on the id.
 */
extern Selectivity contained_selectivity(PlannerInfo *root, List *args, int varRelid);
extern Selectivity contained_join_selectivity(PlannerInfo *root, List *args, JoinType jointype,
											  SpecialJoinInfo *sjinfo);

#endif							/* IDTYPES_ESTIMATOR_H */
