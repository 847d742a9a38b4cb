/*-------------------------------------------------------------------------
 *
 * conjunction.h
 *	  What one condition is worth among all that hold together with it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_CONJUNCTION_H
#define IDTYPES_CONJUNCTION_H

#include "postgres.h"

#include "planner/condition.h"

/*
 * What a condition is worth to the planner, which multiplies this by what the
 * others on the same column are worth.  The condition's id must be the node that
 * the planner has given to the estimator: by that its clause is found.  If it is
 * in none, the condition is worth what it is by itself.
 */
extern Selectivity conjunction_selectivity(IdColumn *column, const IdCondition *condition);

/*
 * True if a condition compares the id with one end of a range, and a join clause
 * of the column's table compares it with the other.
 */
extern bool conjunction_has_other_end(const IdColumn *column, const IdCondition *condition);

#endif							/* IDTYPES_CONJUNCTION_H */
