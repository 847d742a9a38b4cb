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
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

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
	Oid			function = lookup_range_of_instant(idtype, strategy);
	Oid			rangetype;
	TypeCacheEntry *range;

	if (!OidIsValid(function))
		return NULL;
	rangetype = get_func_rettype(function);
	if (!IsA(instant, Const))
		return (Node *) makeFuncExpr(function, rangetype, list_make1(instant),
									 InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL);
	range = lookup_type_cache(rangetype, 0);
	if (((Const *) instant)->constisnull)
		return (Node *) makeNullConst(rangetype, -1, InvalidOid);
	return (Node *) makeConst(rangetype, -1, InvalidOid, range->typlen,
							  OidFunctionCall1(function, ((Const *) instant)->constvalue),
							  false, range->typbyval);
}

StrategyNumber
instant_strategy_of_range(Node *range)
{
	FuncExpr   *call = (FuncExpr *) range;
	char	   *name;
	size_t		len;
	StrategyNumber strategy;

	if (!IsA(range, FuncExpr) || list_length(call->args) != 1 ||
		exprType(linitial(call->args)) != TIMESTAMPTZOID)
		return InvalidStrategy;
	name = get_func_name(call->funcid);
	if (name == NULL)
		return InvalidStrategy;
	len = strlen(name);
	for (strategy = BTMaxStrategyNumber; strategy > InvalidStrategy; strategy--)
	{
		const char *suffix = lookup_range_suffix(strategy);

		if (suffix != NULL && len > strlen(suffix) &&
			strcmp(name + len - strlen(suffix), suffix) == 0)
			break;
	}
	pfree(name);
	return strategy;
}
