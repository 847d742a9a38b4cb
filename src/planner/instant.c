/*-------------------------------------------------------------------------
 *
 * instant.c
 *	  Comparisons of an id with an instant, as "id <@ range".
 *
 * The ids whose instant is at or after a given instant form a range without an
 * upper end, and each of the other three comparisons also selects a range that is
 * open on one side.  A range is used, not a comparison with an id, because the
 * instant may lie outside the format's time: the range is empty then, but no
 * comparison with an id is false for all ids.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "utils/lsyscache.h"

#include "planner/contained.h"
#include "planner/instant.h"
#include "server/lookup.h"

int
instant_args(List *args, Node **id, Node **instant)
{
	if (list_length(args) != 2)
		return -1;
	for (int i = 0; i < 2; i++)
		if (exprType(list_nth(args, 1 - i)) == TIMESTAMPTZOID)
		{
			*id = list_nth(args, i);
			*instant = list_nth(args, 1 - i);
			return i;
		}
	return -1;
}

StrategyNumber
instant_strategy(Oid operator)
{
	char	   *name = get_opname(operator);
	StrategyNumber strategy = InvalidStrategy;

	if (name == NULL)
		return InvalidStrategy;
	if (strcmp(name, "<") == 0)
		strategy = BTLessStrategyNumber;
	else if (strcmp(name, "<=") == 0)
		strategy = BTLessEqualStrategyNumber;
	else if (strcmp(name, ">=") == 0)
		strategy = BTGreaterEqualStrategyNumber;
	else if (strcmp(name, ">") == 0)
		strategy = BTGreaterStrategyNumber;
	pfree(name);
	return strategy;
}

Node *
instant_range(Oid idtype, StrategyNumber strategy, Node *instant)
{
	const IdType *type = lookup_id_type(idtype);

	return type != NULL ?
		contained_range_of_call(type, type->range_of_instant[strategy], instant) : NULL;
}

StrategyNumber
instant_strategy_of_range(Node *range)
{
	Oid			function = IsA(range, FuncExpr) ? ((FuncExpr *) range)->funcid : InvalidOid;
	const IdType *type;

	if (!OidIsValid(function))
		return InvalidStrategy;
	type = lookup_id_type_of_range(exprType(range));
	for (StrategyNumber strategy = 1; type != NULL && strategy <= BTMaxStrategyNumber; strategy++)
		if (type->range_of_instant[strategy] == function)
			return strategy;
	return InvalidStrategy;
}
