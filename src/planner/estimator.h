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

#include "access/stratnum.h"
#include "nodes/pathnodes.h"

/*
 * Estimate the selectivity of "id <@ range" with these arguments, as a restriction
 * or as a join clause, regardless of other conditions on the id.
 */
extern Selectivity contained_selectivity(PlannerInfo *root, List *args, int varRelid);
extern Selectivity contained_join_selectivity(PlannerInfo *root, List *args, JoinType jointype,
											  SpecialJoinInfo *sjinfo);

/*
 * Estimate the selectivity of a call of the function behind a comparison of an id
 * with an instant, regardless of other conditions on the id.  The strategy is that
 * of the operator with the id on the left.
 */
extern Selectivity instant_selectivity(PlannerInfo *root, List *args, StrategyNumber strategy,
									   int varRelid);

#endif							/* IDTYPES_ESTIMATOR_H */
