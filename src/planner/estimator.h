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
 * Fraction of the rows for which "id <@ range" holds, whose arguments these
 * are: by itself, whatever else is known of the id.
 */
extern Selectivity contained_selectivity(PlannerInfo *root, List *args, int varRelid);
extern Selectivity contained_join_selectivity(PlannerInfo *root, List *args, JoinType jointype,
											  SpecialJoinInfo *sjinfo);

/*
 * Fraction of the rows for which a comparison of an id with an instant holds, by
 * itself: of a call of the function behind the operator.
 */
extern Selectivity instant_selectivity(PlannerInfo *root, List *args, StrategyNumber strategy,
									   int varRelid);

#endif							/* IDTYPES_ESTIMATOR_H */
