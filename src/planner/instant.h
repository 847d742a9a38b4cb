/*-------------------------------------------------------------------------
 *
 * instant.h
 *	  Comparisons of an id with an instant, as "id <@ range".
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_INSTANT_H
#define IDTYPES_INSTANT_H

#include "postgres.h"

#include "access/stratnum.h"
#include "nodes/pg_list.h"
#include "nodes/primnodes.h"

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

#endif							/* IDTYPES_INSTANT_H */
