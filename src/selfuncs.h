/*-------------------------------------------------------------------------
 *
 * selfuncs.h
 *	  Row estimates of "id <@ range", for the operator and for its function.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_SELFUNCS_H
#define IDTYPES_SELFUNCS_H

#include "postgres.h"

#include "nodes/pathnodes.h"

/*
 * Fraction of the rows for which args (an id and a range) hold, as the
 * restriction and the join estimator of an operator would be asked for it.
 */
extern Selectivity contained_selectivity(PlannerInfo *root, List *args, int varRelid);
extern Selectivity contained_join_selectivity(PlannerInfo *root, List *args, JoinType jointype,
											  SpecialJoinInfo *sjinfo);

#endif							/* IDTYPES_SELFUNCS_H */
