/*-------------------------------------------------------------------------
 *
 * contained.h
 *	  Make and recognize the comparisons that are equivalent to "id <@ range".
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_CONTAINED_H
#define IDTYPES_CONTAINED_H

#include "postgres.h"

#include "nodes/pg_list.h"
#include "nodes/primnodes.h"
#include "server/lookup.h"

/*
 * True if the arguments are an id of one of our types and a range of its range type, as
 * those of <@ and of the function behind it are.  False for a domain over the range
 * type, which the server's own estimator does not accept.
 */
extern bool are_contained_args(List *args);

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
 * equivalent to "id <@ range" for a range that is open on one side:
 *
 *		id >= lower(range) (if first) or id <= upper(range)
 *
 * Return NULL if opfamily has no such operator.  For an empty range, lower() and
 * upper() are NULL, so the condition selects no rows.  The condition contains the
 * node "id" itself, not a copy.
 */
extern Node *contained_index_end(Node *id, Node *range, bool first, Oid opfamily);

/*
 * Make the range that a function of the type, with one argument, returns.  For a constant
 * argument it is a constant, which is null if the argument or the result is; otherwise it
 * is a call.  Return NULL if the function is InvalidOid.
 */
extern Node *contained_range_of_call(const IdType *type, Oid function, Node *argument);

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

#endif							/* IDTYPES_CONTAINED_H */
