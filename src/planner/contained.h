/*-------------------------------------------------------------------------
 *
 * contained.h
 *	  "id <@ range" as comparisons of the id: how they are made, and recognised.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_CONTAINED_H
#define IDTYPES_CONTAINED_H

#include "postgres.h"

#include "nodes/pg_list.h"
#include "nodes/primnodes.h"

/*
 * True if these are the arguments of an operator or a function that says that an
 * id is in a range of a type over its type.  A domain over ranges is no such
 * type: the server's own estimator refuses it.
 */
extern bool are_contained_args(List *args);

/*
 * The comparisons that may stand for the clause "id <@ range", or NIL if there
 * are none: of a constant range without those that hold for all ids.
 */
extern List *contained_clauses(Node *id, Node *range);

/*
 * The two comparisons, both in opfamily, that an index on the id is searched
 * with for "id <@ range", or NIL if there are none:
 *
 *		id >= T_range_first(range) AND id <= T_range_last(range)
 *
 * There are always both, and in both the id is the very node that is given.
 */
extern List *contained_index_pair(Node *id, Node *range, Oid opfamily);

/*
 * The one comparison, in opfamily, that an index on the id is searched with for
 * "id <@ range" where nothing is known to lie beyond the other end of the range:
 *
 *		id >= lower(range) or id <= upper(range)
 *
 * NULL if there is no such comparison.  lower() and upper() of an empty range are
 * NULL, which no id compares with.  The id is the very node that is given.
 */
extern Node *contained_index_end(Node *id, Node *range, bool first, Oid opfamily);

/*
 * The range that an id is an end of if contained_index_pair() has made it, or
 * somebody with lower() or upper(); otherwise NULL.
 *
 * An id that a function makes of a range is taken for its end whatever the
 * function is called: to look it up would take longer than the rest, and is done
 * for each partition.
 */
extern Node *contained_range_of_end(Node *end, Oid rangetype);

#endif							/* IDTYPES_CONTAINED_H */
