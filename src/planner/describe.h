/*-------------------------------------------------------------------------
 *
 * describe.h
 *	  The debug messages about estimates.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_DESCRIBE_H
#define IDTYPES_DESCRIBE_H

#include "postgres.h"

#include "planner/condition.h"

/* The level of the messages; what they need is computed only if one would be seen. */
#define DESCRIBE_LEVEL DEBUG2

/*
 * Say at that level which selectivity a condition got, from which bounds.  "tightest" is
 * the tightest condition of the conjunction that the bounds are those of, or NULL if the
 * condition was estimated alone.
 */
extern void describe_estimate(const IdColumn *column, const IdCondition *condition,
							  const IdCondition *tightest, const IdBounds *bounds,
							  Selectivity selectivity);

#endif							/* IDTYPES_DESCRIBE_H */
