/*-------------------------------------------------------------------------
 *
 * condition.h
 *	  Interpret a single clause as a condition on a column of ids.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_CONDITION_H
#define IDTYPES_CONDITION_H

#include "postgres.h"

#include "access/stratnum.h"
#include "nodes/pathnodes.h"
#include "utils/selfuncs.h"
#include "utils/typcache.h"

#include "planner/bounds.h"
#include "server/lookup.h"

/* A column of ids, and the estimator whose operators are interpreted. */
typedef struct IdColumn
{
	PlannerInfo *root;
	Oid			estimator;		/* restriction estimator of the operators to interpret */
	VariableStatData stats;
	TypeCacheEntry *range;		/* range type over the id type */
	const IdType *type;
} IdColumn;

/* The strategy of id <@ other, which no B-tree has */
#define CONTAINED_STRATEGY 0

/*
 * "id operator other": other is an id or an instant, which sets one bound, or a
 * range, which sets both.  That of "id ^@ prefix" is T_prefix(prefix).
 */
typedef struct IdCondition
{
	StrategyNumber strategy;	/* B-tree strategy with the id on the left, or CONTAINED_STRATEGY */
	Node	   *id;				/* the node in the clause */
	Node	   *other;			/* a node in the clause, but for ^@ */
	bool		is_instant;		/* other is a timestamptz */
	bool		is_row;			/* from the first columns of a row comparison */
	bool		together;		/* can be combined with others: see condition_read() */
} IdCondition;

static inline bool
is_contained(const IdCondition *condition)
{
	return condition->strategy == CONTAINED_STRATEGY;
}

/* True for a lower bound, false for an upper one. */
static inline bool
is_lower_bound(const IdCondition *condition)
{
	Assert(!is_contained(condition));
	return condition->strategy == BTGreaterStrategyNumber ||
		condition->strategy == BTGreaterEqualStrategyNumber;
}

/*
 * Find the column among the arguments of an operator.  Return false if not exactly
 * one argument belongs to a relation, or if its type is not one of ours (users may
 * attach an estimator to any operator).  If the result is true, the caller must
 * release column->stats.
 */
extern bool column_of_restriction(IdColumn *column, PlannerInfo *root, Oid estimator,
								  List *args, int varRelid);

/*
 * Set up *column for one side of a join clause.  Return false if that side is not
 * a column of ids.  column->stats has no statistics and need not be released.
 */
extern bool column_of_join(IdColumn *column, PlannerInfo *root, Oid estimator, Node *side);

/*
 * Interpret an operator and its arguments as a condition on the column.  Return
 * false if that is not possible.  operator is InvalidOid for a call of the
 * function behind <@.  condition->is_row and together are set to false.
 */
extern bool condition_read_args(const IdColumn *column, Oid operator, Node *left, Node *right,
								IdCondition *condition);

/*
 * Interpret a clause as a condition on the column: a comparison, "id <@ range" or
 * a call of the function behind <@.  As in the server, a row comparison is
 * estimated as the comparison of its first columns.
 *
 * condition->together is set if the condition can be combined with others, which
 * requires that its other side is constant during a scan.  A function call is
 * never combined.
 */
extern bool condition_read(const IdColumn *column, Node *clause, IdCondition *condition);

/*
 * If the condition is id >= or <= an end of a range, such as its lower(), return the
 * range, otherwise NULL.
 */
extern Node *condition_range(const IdColumn *column, const IdCondition *condition);

/* Compute the bounds that a single condition sets. */
extern void condition_bounds(const IdColumn *column, const IdCondition *condition,
							 IdBounds *bounds);

/* Estimate the fraction of the rows whose id is within the bounds. */
static inline Selectivity
column_selectivity(IdColumn *column, const IdBounds *bounds)
{
	return bounds_selectivity(column->root, &column->stats, column->range, bounds);
}

/* Estimate the selectivity of a single condition, regardless of others. */
extern Selectivity condition_selectivity(IdColumn *column, const IdCondition *condition);

/* Remove the RelabelTypes around a node. */
extern Node *strip_relabel(Node *node);

#endif							/* IDTYPES_CONDITION_H */
