/*-------------------------------------------------------------------------
 *
 * condition.h
 *	  What a single clause says of a column of ids.
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

/* A column of ids, and whose conditions on it are understood. */
typedef struct IdColumn
{
	PlannerInfo *root;
	Oid			estimator;		/* operators with this restriction estimator */
	VariableStatData stats;
	TypeCacheEntry *range;		/* range type over the ids */
	Oid			opfamily;		/* of their B-trees */
} IdColumn;

/* Not a strategy of B-trees: id <@ other */
#define CONTAINED_STRATEGY 0

/* "id operator other": a bound of the ids or of the instants in them, or both in a range */
typedef struct IdCondition
{
	StrategyNumber strategy;	/* of a B-tree, or CONTAINED_STRATEGY */
	Node	   *id;				/* as it stands in the clause */
	Node	   *other;
	bool		is_instant;		/* other is an instant */
	bool		is_row;			/* the first columns of a row comparison */
	bool		together;		/* can be taken together with others: see condition_read() */
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
 * Finds the column among the arguments of an operator; false if there is none,
 * or if its type is none of ours: nothing keeps an estimator from being attached
 * to another operator.  The caller releases column->stats.
 */
extern bool column_open(IdColumn *column, PlannerInfo *root, Oid estimator, List *args,
						int varRelid);

/*
 * The same for one side of a join, which must be a column of a table; without
 * statistics, so that there is nothing to release.
 */
extern bool column_of_join(IdColumn *column, PlannerInfo *root, Oid estimator, Node *side);

/*
 * What an operator and its arguments say of the column; false if they say
 * nothing that can be understood.  operator is InvalidOid for a call of the
 * function behind <@.
 */
extern bool condition_read_args(const IdColumn *column, Oid operator, Node *left, Node *right,
								IdCondition *condition);

/*
 * What a clause says of the column: a comparison, "id <@ range" or a call of the
 * function behind it.  A row comparison is taken for that of its first columns,
 * as the server does.
 *
 * A condition can be taken together with others if its other side is the same
 * for all rows of a scan.  A call of the function is estimated by itself.
 */
extern bool condition_read(const IdColumn *column, Node *clause, IdCondition *condition);

/* The range that the other side is an end of, inclusive; otherwise NULL. */
extern Node *condition_range(const IdColumn *column, const IdCondition *condition);

/* The window that a condition leaves by itself. */
extern void condition_bounds(const IdColumn *column, const IdCondition *condition,
							 IdBounds *bounds);

/* The fraction of the rows that a window of the column holds. */
extern Selectivity column_selectivity(IdColumn *column, const IdBounds *bounds);

/* What a condition is worth by itself. */
extern Selectivity condition_selectivity(IdColumn *column, const IdCondition *condition);

/* What a clause is without what the planner has wrapped around it. */
extern Node *strip_relabel(Node *node);
extern Node *strip_restrictinfo(Node *clause);

#endif							/* IDTYPES_CONDITION_H */
