/*-------------------------------------------------------------------------
 *
 * condition.c
 *	  Interpret a single clause as a condition on a column of ids.
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
#include "server/lookup.h"

Node *
strip_relabel(Node *node)
{
	while (node != NULL && IsA(node, RelabelType))
		node = (Node *) ((RelabelType *) node)->arg;
	return node;
}

/* ----------
 * Columns
 * ----------
 */

/* Set type and range of a column by its type; return false if the type is not one of ours. */
static bool
find_type(IdColumn *column, Oid type)
{
	column->type = lookup_id_type(type);
	if (column->type == NULL)
		return false;
	column->range = column->type->range;
	return true;
}

/*
 * This does what get_restriction_variable() does, except that it does not evaluate
 * the other side.  Evaluation may take long, and the value is not needed where
 * conjunction_selectivity() returns 1 or a cached result.
 */
bool
column_of_restriction(IdColumn *column, PlannerInfo *root, Oid estimator, List *args,
					  int varRelid)
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

	type = exprType(condition->other);
	if (type != column->range->type_id)
		type = getBaseType(type);
	if (type == column->range->type_id)
	{
		condition->strategy = CONTAINED_STRATEGY;
		return is_left;
	}
	if (type == TEXTOID)
	{
		condition->strategy = CONTAINED_STRATEGY;
		condition->other = prefix_range(column->type->id->type_id, right);
		return is_left && condition->other != NULL;
	}
	if (type == TIMESTAMPTZOID)
	{
		condition->strategy = instant_strategy(operator);
		condition->is_instant = true;
		return condition->strategy != InvalidStrategy;
	}
	if (type != column->range->rngelemtype->type_id || !OidIsValid(operator))
		return false;
	condition->strategy = lookup_strategy(column->type, operator);
	return condition->strategy != InvalidStrategy &&
		condition->strategy != BTEqualStrategyNumber;
}

/*
 * Get the operator of a clause (InvalidOid for a function call) and its operands.
 * Return false if the clause is not of a kind with two operands.
 */
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
 * True if the other side is constant during a scan of the column's table.  That
 * includes values from another table's row only if they are a range or an end of
 * one: two single bounds may come from two tables, and a scan may have the value
 * of one without the other.
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
 * Make a bound infinite if it excludes no id, because it is the first or last id
 * of the type.  This saves reading the end of an index, which may take long.
 */
static void
drop_extreme(const IdColumn *column, RangeBound *bound)
{
	if (lookup_is_unlimited(column->type, bound))
		bound->infinite = true;
}

/* condition_bounds() if the other side is known: a constant range or a constant id. */
static void
known_bounds(const IdColumn *column, const IdCondition *condition, Const *constant,
			 IdBounds *bounds)
{
	if (constant->constisnull)
		bounds->empty = true;
	else if (is_contained(condition) || condition->is_instant)
	{
		RangeType  *range = DatumGetRangeTypeP(constant->constvalue);

		/* the bounds of an empty range are not valid Datums */
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
 * condition_bounds() if the other side is unknown at plan time.  A range made by
 * instant_range() is unbounded on one side, so it sets one bound only.
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

/*
 * Mutator that replaces T_prefix(text) by T_try_prefix(text).  The planner must not raise the
 * error for text that is not a prefix, because the clause may never be executed.
 */
static Node *
try_prefixes(Node *node, void *context)
{
	const IdType *type = context;

	if (node == NULL)
		return NULL;
	node = expression_tree_mutator(node, try_prefixes, context);
	if (IsA(node, FuncExpr) && ((FuncExpr *) node)->funcid == type->prefix &&
		OidIsValid(type->try_prefix))
		((FuncExpr *) node)->funcid = type->try_prefix;
	return node;
}

void
condition_bounds(const IdColumn *column, const IdCondition *condition, IdBounds *bounds)
{
	Node	   *other = condition->other;

	if (!IsA(other, Const) && !contain_var_clause(other))
		other = estimate_expression_value(column->root,
										  try_prefixes(other, (void *) column->type));
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
