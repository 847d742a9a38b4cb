/*-------------------------------------------------------------------------
 *
 * conjunction.h
 *	  The selectivity of a condition, given all others on the same column.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_CONJUNCTION_H
#define IDTYPES_CONJUNCTION_H

#include "postgres.h"

#include "planner/condition.h"

/*
 * Estimate the selectivity of a condition such that the product over all conditions
 * on the column, which the planner computes, is right.  condition->id must be the
 * node that the planner passed to the estimator, because the clause is found by
 * it.  If no clause is found, return the selectivity of the condition alone.
 */
extern Selectivity conjunction_selectivity(IdColumn *column, const IdCondition *condition);

/*
 * True if the condition compares the id with one end of a range, and a join clause
 * of the column's table compares the id with the other end of the same range.
 */
extern bool conjunction_has_other_end(const IdColumn *column, const IdCondition *condition);

#endif							/* IDTYPES_CONJUNCTION_H */
