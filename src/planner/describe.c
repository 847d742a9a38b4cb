/*-------------------------------------------------------------------------
 *
 * describe.c
 *	  The debug messages about estimates, for the question why a plan expects so many
 *	  rows.  stats.c adds where bounds lie in the histogram.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "nodes/makefuncs.h"
#include "parser/parsetree.h"
#include "utils/lsyscache.h"

#include "planner/describe.h"
#include "server/compat.h"

/* Return the text of a value, quoted as in SQL. */
static char *
quoted(Oid type, Datum value)
{
	Oid			output;
	bool		is_varlena;

	getTypeOutputInfo(type, &output, &is_varlena);
	return psprintf("'%s'", OidOutputFunctionCall(output, value));
}

/* Return the text of what an id is compared with. */
static char *
operand(Node *node)
{
	if (IsA(node, Const))
		return ((Const *) node)->constisnull ? "NULL" :
			quoted(((Const *) node)->consttype, ((Const *) node)->constvalue);
	return IsA(node, Param) ? psprintf("$%d", ((Param *) node)->paramid) : "(expression)";
}

/* Return the text of a condition. */
static char *
clause(const IdColumn *column, const IdCondition *condition)
{
	static const char *const operators[] = {
		[CONTAINED_STRATEGY] = "<@",
		[BTLessStrategyNumber] = "<",
		[BTLessEqualStrategyNumber] = "<=",
		[BTGreaterEqualStrategyNumber] = ">=",
		[BTGreaterStrategyNumber] = ">"
	};
	Var		   *var = (Var *) column->stats.var;
	char	   *id = "(expression)";

	if (IsA(var, Var) && IS_SIMPLE_REL(column->stats.rel))
	{
		RangeTblEntry *rte = planner_rt_fetch(var->varno, column->root);

		id = psprintf("%s.%s", rte->eref->aliasname, get_rte_attribute_name(rte, var->varattno));
	}
	return psprintf("%s %s %s", id, operators[condition->strategy], operand(condition->other));
}

void
describe_estimate(const IdColumn *column, const IdCondition *condition,
				  const IdCondition *tightest, const IdBounds *bounds, Selectivity selectivity)
{
	TypeCacheEntry *range = column->range;
	RangeBound	lower = bounds->lower;
	RangeBound	upper = bounds->upper;

	ereport(DESCRIBE_LEVEL,
			(errmsg_internal("idtypes: selectivity %g for %s", selectivity,
							 clause(column, condition)),
			 errdetail_internal("Known bounds %s%s%s.%s%s",
								quoted(range->type_id, RangeTypePGetDatum(
									   compat_make_range(range, &lower, &upper, bounds->empty))),
								bounds->unknown_lower ? ", unknown lower bound" : "",
								bounds->unknown_upper ? ", unknown upper bound" : "",
								tightest != NULL ? " Tightest condition: " : "",
								tightest != NULL ? clause(column, tightest) : "")));
}
