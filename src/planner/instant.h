/*-------------------------------------------------------------------------
 *
 * instant.h
 *	  "id operator instant" as "id <@ range": which range that is.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_INSTANT_H
#define IDTYPES_INSTANT_H

#include "postgres.h"

#include "access/stratnum.h"
#include "nodes/pg_list.h"
#include "nodes/primnodes.h"

/* True if the ids that compare so with an instant are the later ones. */
static inline bool
instant_is_since(StrategyNumber strategy)
{
	return strategy == BTGreaterStrategyNumber || strategy == BTGreaterEqualStrategyNumber;
}

/*
 * Finds the id and the instant among the two arguments of a comparison; returns
 * the position of the id, 0 or 1, or -1 if the arguments are something else.
 */
extern int	instant_args(List *args, Node **id, Node **instant);

/*
 * The B-tree strategy of an operator that compares ids with instants, as its name
 * says it; InvalidStrategy if the name is another one.
 */
extern StrategyNumber instant_strategy(Oid operator);

/*
 * The range of the ids of a type that compare so with an instant: a constant of
 * one, otherwise a call of T_range_lt(timestamptz) or its like, which is NULL if
 * the instant is.  Returns NULL if that function is missing.
 */
extern Node *instant_range(Oid idtype, StrategyNumber strategy, Node *instant);

/*
 * The strategy that instant_range() has made a call for; InvalidStrategy for any
 * other range.  The function is known by its name's end and its argument's type.
 */
extern StrategyNumber instant_strategy_of_range(Node *range);

#endif							/* IDTYPES_INSTANT_H */
