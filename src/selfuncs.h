/*-------------------------------------------------------------------------
 *
 * selfuncs.h
 *	  Row estimates of conditions on ids.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_SELFUNCS_H
#define IDTYPES_SELFUNCS_H

#include "postgres.h"

#include "nodes/pathnodes.h"

/*
 * Fraction of the rows for which "id <@ range" holds, whose arguments these
 * are: by itself, whatever else is known of the id.
 */
extern Selectivity contained_selectivity(PlannerInfo *root, List *args, int varRelid);
extern Selectivity contained_join_selectivity(PlannerInfo *root, List *args, JoinType jointype,
											  SpecialJoinInfo *sjinfo);

#endif							/* IDTYPES_SELFUNCS_H */
