/*-------------------------------------------------------------------------
 *
 * condition.c
 *	  What a single clause says of a column of ids.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "utils/lsyscache.h"
#include "utils/rangetypes.h"

#include "planner/condition.h"
#include "planner/contained.h"
#include "planner/instant.h"
#include "server/lookup.h"

Node *
strip_relabel(Node *node)
{
	while (node != NULL && IsA(node, RelabelType))
		node = (Node *) ((RelabelType *) node)->arg;
	return node;
}

Node *
strip_restrictinfo(Node *clause)
{
	RestrictInfo *info = (RestrictInfo *) clause;

	if (!IsA(clause, RestrictInfo))
		return clause;
	/* whose parts have RestrictInfos too */
	return (Node *) (info->orclause != NULL ? info->orclause : info->clause);
}

/* ----------
 * Columns
 * ----------
 */

static bool
find_type(IdColumn *column, Oid type)
{
	Oid			idtype = getBaseType(type);
	Oid			rangetype = lookup_range_type(idtype);

	if (!OidIsValid(rangetype))
		return false;
	column->range = lookup_type_cache(rangetype, TYPECACHE_RANGE_INFO);
	column->opfamily = lookup_type_cache(idtype, TYPECACHE_BTREE_OPFAMILY)->btree_opf;
	return true;
}

/*
 * As get_restriction_variable(), which would evaluate the other side: that may
 * take long, and is not wanted of conditions that do not lead.
 */
bool
column_open(IdColumn *column, PlannerInfo *root, Oid estimator, List *args, int varRelid)
{
	VariableStatData sides[2];
	bool		is_left;

	if (list_length(args) != 2)
		return false;
	examine_variable(root, linitial(args), varRelid, &sides[0]);
	examine_variable(root, lsecond(args), varRelid, &sides[1]);
	is_left = sides[0].rel != NULL;
	if (is_left != (sides[1].rel != NULL))
	{
		column->root = root;
		column->estimator = estimator;
		column->stats = sides[is_left ? 0 : 1];
		if (find_type(column, column->stats.vartype))
			return true;
	}
	ReleaseVariableStats(sides[0]);
	ReleaseVariableStats(sides[1]);
	return false;
}

bool
column_of_join(IdColumn *column, PlannerInfo *root, Oid estimator, Node *side)
{
	Var		   *var = (Var *) strip_relabel(side);

	if (!IsA(var, Var) || !find_type(column, exprType(side)))
		return false;
	column->root = root;
	column->estimator = estimator;
	memset(&column->stats, 0, sizeof(column->stats));
	column->stats.var = (Node *) var;
	column->stats.rel = find_base_rel(root, var->varno);
	return true;
}

Selectivity
column_selectivity(IdColumn *column, const IdBounds *bounds)
{
	return bounds_selectivity(column->root, &column->stats, column->range, bounds);
}

/* ----------
 * Conditions
 * ----------
 */

bool
condition_read_args(const IdColumn *column, Oid operator, Node *left, Node *right,
					IdCondition *condition)
{
	bool		is_left = equal(strip_relabel(left), column->stats.var);
	Oid			type;

	condition->id = is_left ? left : right;
	condition->other = is_left ? right : left;
	condition->is_instant = condition->is_row = condition->together = false;
	if (!is_left)
	{
		if (!OidIsValid(operator) || !equal(strip_relabel(right), column->stats.var))
			return false;
		operator = get_commutator(operator);
	}

	type = getBaseType(exprType(condition->other));
	if (type == column->range->type_id)
	{
		condition->strategy = CONTAINED_STRATEGY;
		return is_left;
	}
	if (type == TIMESTAMPTZOID)
	{
		condition->strategy = instant_strategy(operator);
		condition->is_instant = true;
		return condition->strategy != InvalidStrategy;
	}
	if (type != column->range->rngelemtype->type_id || !OidIsValid(operator))
		return false;
	condition->strategy = get_op_opfamily_strategy(operator, column->opfamily);
	return condition->strategy != InvalidStrategy &&
		condition->strategy != BTEqualStrategyNumber;
}

/* The operator of a clause, InvalidOid if it calls a function, and what that is applied to. */
static bool
clause_operands(Node *clause, Oid *operator, Node **left, Node **right)
{
	List	   *args;

	if (IsA(clause, RowCompareExpr))
	{
		*operator = linitial_oid(((RowCompareExpr *) clause)->opnos);
		*left = linitial(((RowCompareExpr *) clause)->largs);
		*right = linitial(((RowCompareExpr *) clause)->rargs);
		return true;
	}
	*operator = IsA(clause, OpExpr) ? ((OpExpr *) clause)->opno : InvalidOid;
	args = IsA(clause, OpExpr) ? ((OpExpr *) clause)->args :
		IsA(clause, FuncExpr) ? ((FuncExpr *) clause)->args : NIL;
	if (list_length(args) != 2)
		return false;
	*left = linitial(args);
	*right = lsecond(args);
	return true;
}

Node *
condition_range(const IdColumn *column, const IdCondition *condition)
{
	if (condition->strategy == BTGreaterEqualStrategyNumber ||
		condition->strategy == BTLessEqualStrategyNumber)
		return contained_range_of_end(condition->other, column->range->type_id);
	return NULL;
}

/*
 * What comes from a row of another table is only taken together with others if
 * it is a range or an end of one: two bounds from there may come from two
 * tables, and need not be known at the same time.
 */
static bool
is_same_for_scan(const IdColumn *column, const IdCondition *condition)
{
	if (IsA(condition->other, Const) || IsA(condition->other, Param))
		return true;
	if (contain_volatile_functions(condition->other))
		return false;
	if (!contain_var_clause(condition->other))
		return true;
	return !bms_is_member(column->stats.rel->relid,
						  pull_varnos(column->root, condition->other)) &&
		(is_contained(condition) || condition_range(column, condition) != NULL);
}

bool
condition_read(const IdColumn *column, Node *clause, IdCondition *condition)
{
	Oid			operator;
	Node	   *left;
	Node	   *right;

	if (!clause_operands(clause, &operator, &left, &right) ||
		(OidIsValid(operator) && get_oprrest(operator) != column->estimator) ||
		!condition_read_args(column, operator, left, right, condition))
		return false;
	condition->is_row = IsA(clause, RowCompareExpr);
	condition->together = OidIsValid(operator) && is_same_for_scan(column, condition);
	return true;
}

/*
 * A bound that is the first or the last id of all leaves out nothing, and counts
 * as none, as a range that is open there does: to look up where the ids begin or
 * end may take long.
 */
static void
drop_extreme(const IdColumn *column, RangeBound *bound)
{
	Datum		outside;

	if (!lookup_adjacent_id(column->range, bound, &outside))
		bound->infinite = true;
}

/* The window of a constant range, which stands for the condition, or of a comparison with an id. */
static void
known_bounds(const IdColumn *column, const IdCondition *condition, Const *constant,
			 IdBounds *bounds)
{
	if (constant->constisnull)
		bounds->empty = true;
	else if (constant->consttype == column->range->type_id)
	{
		RangeType  *range = DatumGetRangeTypeP(constant->constvalue);

		/* the bounds of an empty range are no ids */
		if (RangeIsEmpty(range))
		{
			bounds->empty = true;
			return;
		}
		range_deserialize(column->range, range, &bounds->lower, &bounds->upper, &bounds->empty);
		drop_extreme(column, &bounds->lower);
		drop_extreme(column, &bounds->upper);
	}
	else
	{
		RangeBound *bound = is_lower_bound(condition) ? &bounds->lower : &bounds->upper;

		bound->infinite = false;
		bound->val = constant->constvalue;
		bound->inclusive = condition->strategy == BTLessEqualStrategyNumber ||
			condition->strategy == BTGreaterEqualStrategyNumber;
		drop_extreme(column, bound);
	}
}

/*
 * The window of a condition whose other side is not known.  Of a range that
 * instant_range() has made, only one end is a bound.
 */
static void
unknown_bounds(const IdColumn *column, const IdCondition *condition, Node *other,
			   IdBounds *bounds)
{
	StrategyNumber of_instant = InvalidStrategy;

	bounds->unknown_lower = is_contained(condition) || is_lower_bound(condition);
	bounds->unknown_upper = is_contained(condition) || !is_lower_bound(condition);
	bounds->range = is_contained(condition) ? other : condition_range(column, condition);
	if (bounds->range != NULL)
		of_instant = instant_strategy_of_range(bounds->range);
	if (of_instant != InvalidStrategy)
	{
		if (instant_is_since(of_instant))
			bounds->unknown_upper = false;
		else
			bounds->unknown_lower = false;
		bounds->range = NULL;
	}
}

void
condition_bounds(const IdColumn *column, const IdCondition *condition, IdBounds *bounds)
{
	Node	   *other = condition->other;

	if (!IsA(other, Const) && !contain_var_clause(other))
		other = estimate_expression_value(column->root, other);
	if (condition->is_instant && IsA(other, Const))
		other = instant_range(column->range->rngelemtype->type_id, condition->strategy, other);
	bounds_init(bounds);
	if (other != NULL && IsA(other, Const))
		known_bounds(column, condition, (Const *) other, bounds);
	else
		unknown_bounds(column, condition, other, bounds);
}

Selectivity
condition_selectivity(IdColumn *column, const IdCondition *condition)
{
	IdBounds	bounds;

	condition_bounds(column, condition, &bounds);
	return column_selectivity(column, &bounds);
}
