/*-------------------------------------------------------------------------
 *
 * contained.h
 *	  What is equivalent to "id <@ range": comparisons of ids, comparisons with an
 *	  instant, and "id ^@ prefix".
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_CONTAINED_H
#define IDTYPES_CONTAINED_H

#include "postgres.h"

#include "access/stratnum.h"
#include "nodes/pg_list.h"
#include "nodes/primnodes.h"
#include "server/lookup.h"

/*
 * True if the arguments are an id of one of our types and a range of its range type, as
 * those of <@ and of the function behind it are.  False for a domain over the range
 * type, which the server's own estimator does not accept.
 */
extern bool are_contained_args(List *args);

/* True if a range is a constant that needs no index: it contains all ids, or is null. */
extern bool contained_is_all(Node *range);

/*
 * Make the comparisons that may replace the clause "id <@ range".  For a constant
 * range, comparisons that are true for all ids are left out.  Return NIL if no
 * comparisons can be made, as for a range that is not over one of our types, or if none is
 * left.
 */
extern List *contained_clauses(Node *id, Node *range);

/*
 * Make the two index conditions, both with operators of opfamily, that are
 * equivalent to "id <@ range":
 *
 *		id >= T_range_first(range) AND id <= T_range_last(range)
 *
 * Return NIL unless both can be made.  Both contain the node "id" itself, not a
 * copy, because conjunction.c finds the clause by that node.
 */
extern List *contained_index_pair(Node *id, Node *range, Oid opfamily);

/*
 * Make the single index condition, with an operator of opfamily, that is
 * equivalent to "id <@ range" for a range that is unbounded on one side:
 *
 *		id >= lower(range) (if first) or id <= upper(range)
 *
 * Return NIL if opfamily has no such operator.  For an empty range, lower() and
 * upper() are NULL, so the condition selects no rows.  The condition contains the
 * node "id" itself, not a copy.
 */
extern List *contained_index_end(Node *id, Node *range, bool first, Oid opfamily);

/* Make the clause "id <@ range".  Return NULL if the range is not over one of our types. */
extern Node *contained_clause(Node *id, Node *range);

/*
 * If the expression is an end of a range, made by contained_index_pair() or written
 * in a query as lower() or upper(), return that range, otherwise NULL.
 *
 * Any function of one range is assumed to return an end of it: looking the
 * function up would take longer than the rest of the estimate, for each partition.
 */
extern Node *contained_range_of_end(Node *end, Oid rangetype);

/* True for > and >=: the range then starts at the instant and has no upper end. */
static inline bool
instant_is_since(StrategyNumber strategy)
{
	return strategy == BTGreaterStrategyNumber || strategy == BTGreaterEqualStrategyNumber;
}

/*
 * Find the id and the instant among the two arguments of a comparison.  Return
 * the position of the id, 0 or 1, or -1 if neither argument is a timestamptz.
 */
extern int	instant_args(List *args, Node **id, Node **instant);

/*
 * Derive the B-tree strategy of an operator that compares ids with instants from
 * its name.  Return InvalidStrategy if the name is not one of < <= >= >.
 */
extern StrategyNumber instant_strategy(Oid operator);

/*
 * Make the range of the ids for which "id operator instant" is true.  For a
 * constant instant the range is a constant, otherwise a call of
 * T_range_lt(timestamptz), T_range_le, T_range_ge or T_range_gt.  A null instant
 * gives a null range.  Return NULL if the type is not one of ours, or has no such
 * function.
 */
extern Node *instant_range(Oid idtype, StrategyNumber strategy, Node *instant);

/*
 * If the range is a call that instant_range() makes, return its strategy,
 * otherwise InvalidStrategy.
 */
extern StrategyNumber instant_strategy_of_range(Node *range);

/* True if the second of two arguments is text, as that of ^@ is. */
extern bool are_prefix_args(List *args);

/*
 * Make the range of the ids whose text starts with a prefix.  For a constant prefix the
 * range is a constant, which is null if the text is not a prefix: the planner must not
 * raise an error for a clause that may never be executed.  Otherwise it is a call of
 * T_prefix(text).  Return NULL if the type is not one of ours, or has no such function.
 */
extern Node *prefix_range(Oid idtype, Node *prefix);

#endif							/* IDTYPES_CONTAINED_H */
