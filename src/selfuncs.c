/*-------------------------------------------------------------------------
 *
 * selfuncs.c
 *	  Row estimates of conditions on ids: < <= >= > and "id <@ range".
 *
 * The planner asks for one condition at a time and multiplies the answers.  But
 * two bounds of one column are not independent.  The server pairs them where
 * both operators have its own estimators, which cannot interpolate between ids
 * (stats.c).  So here the estimator looks for the condition that it is asked
 * about among all that the planner knows of the table, and answers for all
 * those on the same column together: one of them, the leader, answers for the
 * whole conjunction, and the others 1.
 *
 * That makes the product right wherever the planner takes all of them, which is
 * nearly everywhere: for the rows of the table, and for an index on the column,
 * as each index on it can use each of these conditions.  The rest:
 *
 * - The leader is the condition with the tightest bound.  Others may be left out
 *   of an index condition if a predicate says as much and the leader too.
 * - The leader is never a row comparison unless there is nothing else, because
 *   only a B-tree can use that.
 * - "id <@ range" becomes two index conditions, made by support.c.  The first
 *   is worth what the clause is worth and the second 1, so that the planner
 *   believes the same of both forms.
 * - What a partial index implies is not made an index condition again; its
 *   predicate is counted instead.  If the column is in the index, a predicate
 *   stands for the condition that it equals; if not, it stands for itself.
 * - An arm of an OR, and what is under a NOT, answers for what it leaves of the
 *   conditions around it, which are multiplied in anyway.
 *
 * The planner keeps the answer for a condition and asks for the rows of the
 * table first, so an answer must not depend on what it is wanted for.  Nor does
 * it, or the order of conditions, as the product is the same whoever leads.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/stratnum.h"
#include "catalog/pg_operator.h"
#include "fmgr.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"
#include "utils/fmgroids.h"
#include "utils/fmgrprotos.h"
#include "utils/lsyscache.h"
#include "utils/rangetypes.h"
#include "utils/selfuncs.h"
#include "utils/typcache.h"

#include "lookup.h"
#include "ranges.h"
#include "selfuncs.h"
#include "window.h"

PG_FUNCTION_INFO_V1(idtypes_sel);
PG_FUNCTION_INFO_V1(idtypes_joinsel);

/* A column of ids, and whose conditions on it are taken together. */
typedef struct IdColumn
{
	PlannerInfo *root;
	Oid			estimator;		/* operators with this restriction estimator */
	VariableStatData stats;
	TypeCacheEntry *range;		/* range type over the ids */
	Oid			opfamily;		/* of their B-trees */
} IdColumn;

/* Not a strategy of B-trees: id <@ other */
#define CONTAINED_STRATEGY 0

/* "id operator other" */
typedef struct Condition
{
	StrategyNumber strategy;	/* of a B-tree, or CONTAINED_STRATEGY */
	Node	   *other;
} Condition;

/* Clauses that hold together, and those around them. */
typedef struct Conjunction
{
	List	   *clauses;
	const struct Conjunction *outer;
} Conjunction;

/* ----------
 * Conditions
 * ----------
 */

static inline bool
is_lower_bound(StrategyNumber strategy)
{
	return strategy == BTGreaterStrategyNumber || strategy == BTGreaterEqualStrategyNumber;
}

static Node *
strip_relabel(Node *node)
{
	while (node != NULL && IsA(node, RelabelType))
		node = (Node *) ((RelabelType *) node)->arg;
	return node;
}

static Node *
strip_restrictinfo(Node *clause)
{
	if (!IsA(clause, RestrictInfo))
		return clause;
	/* whose parts have RestrictInfos too */
	return (Node *) (((RestrictInfo *) clause)->orclause ? ((RestrictInfo *) clause)->orclause :
					 ((RestrictInfo *) clause)->clause);
}

/*
 * What an operator and its arguments say about the column; false if they say
 * nothing that can be understood.  operator is InvalidOid for a call of the
 * function behind <@.
 */
static bool
read_operands(const IdColumn *column, Oid operator, Node *left, Node *right,
			  Condition *condition)
{
	Oid			type;

	if (equal(strip_relabel(left), column->stats.var))
		condition->other = right;
	else if (OidIsValid(operator) && equal(strip_relabel(right), column->stats.var))
	{
		condition->other = left;
		operator = get_commutator(operator);
	}
	else
		return false;

	type = getBaseType(exprType(condition->other));
	if (type == column->range->type_id)
	{
		condition->strategy = CONTAINED_STRATEGY;
		return condition->other == right;
	}
	if (type != column->range->rngelemtype->type_id || !OidIsValid(operator))
		return false;
	condition->strategy = get_op_opfamily_strategy(operator, column->opfamily);
	return condition->strategy != InvalidStrategy &&
		condition->strategy != BTEqualStrategyNumber;
}

/*
 * What a clause says about the column.  A row comparison is taken for that of
 * its first columns, as the server does.
 */
static bool
read_condition(const IdColumn *column, Node *clause, Condition *condition)
{
	if (IsA(clause, OpExpr))
	{
		OpExpr	   *expr = (OpExpr *) clause;

		return list_length(expr->args) == 2 &&
			get_oprrest(expr->opno) == column->estimator &&
			read_operands(column, expr->opno, linitial(expr->args), lsecond(expr->args),
						  condition);
	}
	if (IsA(clause, RowCompareExpr))
	{
		RowCompareExpr *expr = (RowCompareExpr *) clause;

		return get_oprrest(linitial_oid(expr->opnos)) == column->estimator &&
			read_operands(column, linitial_oid(expr->opnos), linitial(expr->largs),
						  linitial(expr->rargs), condition);
	}
	return false;
}

/*
 * The range if a condition compares with one end of it, as support.c writes
 * "id <@ range" where the range is no constant, and others with lower() and
 * upper(); otherwise NULL.  An id that a function makes of a range is taken for
 * its end whatever the function is called: to look it up would take longer than
 * the rest, and is done for each partition.
 */
static Node *
range_of_end(const IdColumn *column, StrategyNumber strategy, Node *other)
{
	FuncExpr   *call = (FuncExpr *) other;

	if (IsA(other, FuncExpr) && list_length(call->args) == 1 &&
		(strategy == BTGreaterEqualStrategyNumber || strategy == BTLessEqualStrategyNumber) &&
		exprType(linitial(call->args)) == column->range->type_id)
		return linitial(call->args);
	return NULL;
}

/*
 * True if a clause is a condition whose other side is the same for all rows of
 * a scan.  What comes from a row of another table is only taken together with
 * others if it is a range or an end of one: two bounds from there may come from
 * two tables, and need not be known at the same time.
 */
static bool
takes_part(const IdColumn *column, Node *clause, Condition *condition)
{
	if (!read_condition(column, clause, condition))
		return false;
	if (IsA(condition->other, Const) || IsA(condition->other, Param))
		return true;
	if (contain_volatile_functions(condition->other))
		return false;
	if (!contain_var_clause(condition->other))
		return true;
	return !bms_is_member(column->stats.rel->relid,
						  pull_varnos(column->root, condition->other)) &&
		(condition->strategy == CONTAINED_STRATEGY ||
		 range_of_end(column, condition->strategy, condition->other) != NULL);
}

/* The window that a condition leaves by itself. */
static void
read_window(const IdColumn *column, const Condition *condition, IdWindow *window)
{
	Node	   *other = contain_var_clause(condition->other) ? condition->other :
		estimate_expression_value(column->root, condition->other);
	Const	   *constant = (Const *) other;

	window_init(window);
	if (!IsA(other, Const))
	{
		window->unknown_lower = condition->strategy == CONTAINED_STRATEGY ||
			is_lower_bound(condition->strategy);
		window->unknown_upper = condition->strategy == CONTAINED_STRATEGY ||
			!is_lower_bound(condition->strategy);
		window->range = condition->strategy == CONTAINED_STRATEGY ? other :
			range_of_end(column, condition->strategy, other);
	}
	else if (constant->constisnull)
		window->empty = true;
	else if (condition->strategy == CONTAINED_STRATEGY)
	{
		RangeType  *range = DatumGetRangeTypeP(constant->constvalue);

		/* the bounds of an empty range are no ids */
		if (RangeIsEmpty(range))
			window->empty = true;
		else
			range_deserialize(column->range, range, &window->lower, &window->upper,
							  &window->empty);
	}
	else
	{
		RangeBound *bound = is_lower_bound(condition->strategy) ? &window->lower : &window->upper;

		bound->infinite = false;
		bound->val = constant->constvalue;
		bound->inclusive = condition->strategy == BTLessEqualStrategyNumber ||
			condition->strategy == BTGreaterEqualStrategyNumber;
	}
}

/* ----------
 * Conjunctions
 * ----------
 */

/*
 * True if one clause, with the window that it leaves by itself, is to answer
 * for the others rather than another one: it has the tightest bound, so that
 * nothing which the planner may leave out because of the others leads.
 */
static bool
leads(const IdColumn *column, Node *clause, const IdWindow *window,
	  Node *other, const IdWindow *others)
{
	int			tighter;

	if (IsA(clause, RowCompareExpr) != IsA(other, RowCompareExpr))
		return IsA(other, RowCompareExpr);
	tighter = range_cmp_bounds(column->range, &window->lower, &others->lower);
	return tighter > 0 ||
		(tighter == 0 && range_cmp_bounds(column->range, &window->upper, &others->upper) < 0);
}

/*
 * Narrows a window by all conditions of a conjunction; returns the clause that
 * leads, or NULL if there are none.
 */
static Node *
narrow(const IdColumn *column, IdWindow *window, const Conjunction *conjunction)
{
	Node	   *leader = NULL;
	IdWindow	leaders;
	ListCell   *cell;

	foreach(cell, conjunction->clauses)
	{
		Node	   *clause = strip_restrictinfo(lfirst(cell));
		Condition	condition;
		IdWindow	alone;

		if (!takes_part(column, clause, &condition))
			continue;
		read_window(column, &condition, &alone);
		if (leader == NULL || leads(column, clause, &alone, leader, &leaders))
		{
			leader = clause;
			leaders = alone;
		}
		window_merge(window, column->range, &alone);
	}
	return leader;
}

static Selectivity
selectivity_of(IdColumn *column, const IdWindow *window)
{
	return window_selectivity(column->root, &column->stats, column->range, window);
}

/* What a condition is worth by itself. */
static Selectivity
condition_selectivity(IdColumn *column, const Condition *condition)
{
	IdWindow	window;

	read_window(column, condition, &window);
	return selectivity_of(column, &window);
}

/* What a clause is worth that takes part in a conjunction. */
static Selectivity
share_of(IdColumn *column, const Conjunction *conjunction, Node *clause)
{
	IdWindow	window;
	IdWindow	around;
	bool		is_inside = false;
	Selectivity selectivity;
	Selectivity given;

	window_init(&window);
	if (clause != narrow(column, &window, conjunction))
		return 1.0;
	selectivity = selectivity_of(column, &window);

	window_init(&around);
	for (conjunction = conjunction->outer; conjunction != NULL; conjunction = conjunction->outer)
		if (narrow(column, &around, conjunction) != NULL)
			is_inside = true;
	if (!is_inside)
		return selectivity;
	given = selectivity_of(column, &around);
	window_merge(&window, column->range, &around);
	return given > 0 ? Min(1.0, selectivity_of(column, &window) / given) : 0.0;
}

/*
 * True if a clause is the one that the planner has given the arguments of, or
 * made them from.
 *
 * It hands out the list of arguments of the very clause.  That of a row
 * comparison is made for the purpose, and so is that of an index condition; but
 * those have the same node for the id.
 */
static bool
is_origin(Node *clause, List *args, bool is_same_list)
{
	List	   *operands;

	if (IsA(clause, OpExpr))
		operands = ((OpExpr *) clause)->args;
	else if (IsA(clause, FuncExpr))
		operands = ((FuncExpr *) clause)->args;
	else if (IsA(clause, RowCompareExpr))
		return linitial(((RowCompareExpr *) clause)->largs) == linitial(args);
	else
		return false;
	if (is_same_list)
		return operands == args;
	return list_length(operands) == 2 &&
		(linitial(operands) == linitial(args) || lsecond(operands) == linitial(args));
}

/*
 * What a condition is worth that is a clause of a conjunction or made from it;
 * false if it cannot be understood.
 */
static bool
clause_share(IdColumn *column, const Condition *condition, const Conjunction *conjunction,
			 Node *clause, Selectivity *share)
{
	Condition	whole;
	bool		is_first = true;

	if (IsA(clause, FuncExpr))
	{
		List	   *operands = ((FuncExpr *) clause)->args;

		if (list_length(operands) != 2 ||
			!read_operands(column, InvalidOid, linitial(operands), lsecond(operands), &whole))
			return false;
	}
	else if (!read_condition(column, clause, &whole))
		return false;

	if (whole.strategy == CONTAINED_STRATEGY && condition->strategy != CONTAINED_STRATEGY)
	{
		/* an index condition, the second one unless the first was left out */
		IdWindow	window;
		Datum		before;

		read_window(column, &whole, &window);
		is_first = is_lower_bound(condition->strategy) ||
			(IsA(whole.other, Const) && !lookup_outside(column->range, &window.lower, &before));
	}
	else if (whole.other != condition->other)
		return false;

	if (!is_first)
		*share = 1.0;
	else if (takes_part(column, clause, &whole))
		*share = share_of(column, conjunction, clause);
	else
		*share = condition_selectivity(column, &whole);
	return true;
}

static bool find_share_below(IdColumn *column, List *args, bool is_same_list,
							 const Condition *condition, const Conjunction *conjunction,
							 Node *clause, Selectivity *share);

/*
 * What an operator with these arguments, which are this condition, is worth if
 * its place is in this conjunction; false if it is elsewhere.
 */
static bool
find_share(IdColumn *column, List *args, bool is_same_list, const Condition *condition,
		   const Conjunction *conjunction, Selectivity *share)
{
	ListCell   *cell;

	foreach(cell, conjunction->clauses)
	{
		Node	   *clause = strip_restrictinfo(lfirst(cell));

		if (IsA(clause, BoolExpr) || IsA(clause, BooleanTest))
		{
			if (find_share_below(column, args, is_same_list, condition, conjunction, clause,
								 share))
				return true;
		}
		else if (is_origin(clause, args, is_same_list) &&
				 clause_share(column, condition, conjunction, clause, share))
			return true;
	}
	return false;
}

/*
 * The same for a clause inside a conjunction: what an AND holds is a conjunction
 * again, each arm of an OR, and what is under a NOT or IS TRUE, one for itself.
 *
 * An OR of thousands of arms is searched for each of them.  So nothing is
 * allocated before the place is found, and since the planner asks for one arm
 * after the other, the search begins where the last one ended.  A place is found
 * wherever it begins.
 */
static bool
find_share_below(IdColumn *column, List *args, bool is_same_list, const Condition *condition,
				 const Conjunction *conjunction, Node *clause, Selectivity *share)
{
	Conjunction inner = {.outer = conjunction};

	clause = strip_restrictinfo(clause);
	if (IsA(clause, BooleanTest))
		return find_share_below(column, args, is_same_list, condition, conjunction,
								(Node *) ((BooleanTest *) clause)->arg, share);
	if (IsA(clause, BoolExpr) && !is_andclause(clause))
	{
		static int	last_arm = 0;
		List	   *arms = ((BoolExpr *) clause)->args;
		int			begin = last_arm;

		for (int i = 0; i < list_length(arms); i++)
		{
			int			arm = (begin + i) % list_length(arms);

			if (find_share_below(column, args, is_same_list, condition, conjunction,
								 list_nth(arms, arm), share))
			{
				last_arm = arm;
				return true;
			}
		}
		return false;
	}
	if (is_andclause(clause))
		inner.clauses = ((BoolExpr *) clause)->args;
	else if (is_origin(clause, args, is_same_list))
		inner.clauses = list_make1(clause);
	return find_share(column, args, is_same_list, condition, &inner, share);
}

/*
 * The condition among those of the table that says the same, or NULL.
 */
static Node *
find_twin(const IdColumn *column, const Condition *condition, List *clauses)
{
	ListCell   *cell;

	foreach(cell, clauses)
	{
		Node	   *clause = strip_restrictinfo(lfirst(cell));
		Condition	other;

		if (takes_part(column, clause, &other) &&
			(other.strategy == CONTAINED_STRATEGY) ==
			(condition->strategy == CONTAINED_STRATEGY) &&
			is_lower_bound(other.strategy) == is_lower_bound(condition->strategy) &&
			equal(other.other, condition->other))
			return clause;
	}
	return NULL;
}

static bool
is_index_column(const IdColumn *column, IndexOptInfo *index)
{
	for (int i = 0; i < index->nkeycolumns; i++)
		if (match_index_to_operand(column->stats.var, i, index))
			return true;
	return false;
}

/*
 * What an operator with these arguments, which are this condition, is worth to
 * the planner.
 */
static Selectivity
condition_share(IdColumn *column, List *args, const Condition *condition)
{
	RelOptInfo *rel = column->stats.rel;
	Conjunction of_table = {.clauses = rel->baserestrictinfo};
	Selectivity share;
	ListCell   *cell;
	Node	   *twin;

	for (int is_same_list = 1; is_same_list >= 0; is_same_list--)
	{
		Relids		scope = NULL;

		if (find_share(column, args, is_same_list, condition, &of_table, &share))
			return share;

		/* of join clauses those hold together that are applied at the same place */
		foreach(cell, rel->joininfo)
		{
			Conjunction joined = {.outer = NULL};
			ListCell   *other;

			if (scope != NULL &&
				bms_equal(scope, ((RestrictInfo *) lfirst(cell))->required_relids))
				continue;
			scope = ((RestrictInfo *) lfirst(cell))->required_relids;
			foreach(other, rel->joininfo)
				if (bms_equal(scope, ((RestrictInfo *) lfirst(other))->required_relids))
					joined.clauses = lappend(joined.clauses, lfirst(other));
			if (find_share(column, args, is_same_list, condition, &joined, &share))
				return share;
		}
	}

	/* the predicate of a partial index */
	twin = find_twin(column, condition, rel->baserestrictinfo);
	foreach(cell, rel->indexlist)
	{
		IndexOptInfo *index = lfirst(cell);
		Conjunction predicate = {.clauses = index->indpred};

		if (find_share(column, args, true, condition, &predicate, &share))
		{
			if (twin != NULL && is_index_column(column, index))
				break;
			return share;
		}
	}

	/* or the first column of a row comparison */
	return twin != NULL ? share_of(column, &of_table, twin) :
		condition_selectivity(column, condition);
}

/* ----------
 * Estimators
 * ----------
 */

/*
 * Finds out what belongs to the type of a column's ids; false if it is none of
 * ours: nothing keeps an estimator from being attached to another operator.
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
 * Finds the column among the arguments of an operator; false if there is none.
 *
 * As get_restriction_variable(), which would evaluate the other side: that may
 * take long, and is not wanted of conditions that do not lead.
 */
static bool
open_column(IdColumn *column, PlannerInfo *root, Oid estimator, List *args, int varRelid)
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

Selectivity
contained_selectivity(PlannerInfo *root, List *args, int varRelid)
{
	IdColumn	column;
	Condition	condition;
	Selectivity selectivity = DEFAULT_RANGE_INEQ_SEL;

	if (open_column(&column, root, InvalidOid, args, varRelid))
	{
		if (read_operands(&column, InvalidOid, linitial(args), lsecond(args), &condition))
			selectivity = condition_selectivity(&column, &condition);
		ReleaseVariableStats(column.stats);
	}
	return selectivity;
}

/*
 * True if an operator says that an id is in a range of a type over its type.
 * Not that of a domain: the server's estimator refuses those.
 */
static bool
is_contained(List *args)
{
	return list_length(args) == 2 &&
		get_range_subtype(exprType(lsecond(args))) == getBaseType(exprType(linitial(args)));
}

/* idtypes_sel(root internal, operator oid, args internal, varRelid int) -> float8 */
Datum
idtypes_sel(PG_FUNCTION_ARGS)
{
	PlannerInfo *root = (PlannerInfo *) PG_GETARG_POINTER(0);
	Oid			operator = PG_GETARG_OID(1);
	List	   *args = (List *) PG_GETARG_POINTER(2);
	int			varRelid = PG_GETARG_INT32(3);
	IdColumn	column;
	Condition	condition;
	Selectivity selectivity;
	bool		understood;

	if (!open_column(&column, root, fcinfo->flinfo->fn_oid, args, varRelid))
	{
		if (!is_contained(args))
			PG_RETURN_FLOAT8(DEFAULT_INEQ_SEL);
		/* a column of ranges and one id: the server's own estimator does that */
		return OidFunctionCall4(F_RANGESEL, PointerGetDatum(root),
								ObjectIdGetDatum(OID_RANGE_ELEM_CONTAINED_OP),
								PointerGetDatum(args), Int32GetDatum(varRelid));
	}
	understood = read_operands(&column, operator, linitial(args), lsecond(args), &condition);
	if (understood)
		selectivity = condition_share(&column, args, &condition);
	ReleaseVariableStats(column.stats);
	PG_RETURN_FLOAT8(understood ? selectivity : DEFAULT_INEQ_SEL);
}

Selectivity
contained_join_selectivity(PlannerInfo *root, List *args, JoinType jointype,
						   SpecialJoinInfo *sjinfo)
{
	VariableStatData column;
	VariableStatData ranges;
	TypeCacheEntry *range;
	RelOptInfo *inner;
	bool		reversed;
	double		selectivity;

	if (!is_contained(args))
		return DEFAULT_RANGE_INEQ_SEL;
	get_join_variables(root, args, sjinfo, &column, &ranges, &reversed);
	range = lookup_type_cache(exprType(lsecond(args)), TYPECACHE_RANGE_INFO);
	inner = reversed ? column.rel : ranges.rel;
	if ((jointype != JOIN_SEMI && jointype != JOIN_ANTI) || inner == NULL)
		selectivity = ranges_selectivity(root, &column, range, &ranges);
	/* the part of the outer rows that have a match */
	else if (reversed)
		selectivity = ranges_hold(root, &column, range, &ranges, inner->rows);
	else
		selectivity = ranges_cover(root, &column, range, &ranges, inner->rows);
	ReleaseVariableStats(column);
	ReleaseVariableStats(ranges);
	return selectivity;
}

/*
 * If an operator compares an id of a table with one end of a range, and another
 * join clause of the table with the other end, sets *contained to the arguments
 * of the "id <@ range" that these are, and *is_lower.
 */
static bool
find_join_pair(PlannerInfo *root, Oid operator, List *args, List **contained, bool *is_lower)
{
	for (int i = 0; i < 2; i++)
	{
		Node	   *id = list_nth(args, i);
		Node	   *end = list_nth(args, 1 - i);
		IdColumn	column;
		Condition	condition;
		Node	   *range;
		ListCell   *cell;

		if (!IsA(end, FuncExpr) || list_length(((FuncExpr *) end)->args) != 1 ||
			!IsA(strip_relabel(id), Var) || !find_type(&column, exprType(id)))
			continue;
		column.root = root;
		column.estimator = get_oprrest(operator);
		column.stats.var = strip_relabel(id);
		column.stats.rel = find_base_rel(root, ((Var *) column.stats.var)->varno);
		if (!read_operands(&column, operator, linitial(args), lsecond(args), &condition) ||
			(range = range_of_end(&column, condition.strategy, condition.other)) == NULL)
			continue;

		foreach(cell, column.stats.rel->joininfo)
		{
			Node	   *clause = strip_restrictinfo(lfirst(cell));
			Condition	other;

			if (read_condition(&column, clause, &other) &&
				is_lower_bound(other.strategy) != is_lower_bound(condition.strategy) &&
				equal(range_of_end(&column, other.strategy, other.other), range))
			{
				*contained = list_make2(id, range);
				*is_lower = is_lower_bound(condition.strategy);
				return true;
			}
		}
	}
	return false;
}

/* idtypes_joinsel(root, operator oid, args, jointype smallint, sjinfo) -> float8 */
Datum
idtypes_joinsel(PG_FUNCTION_ARGS)
{
	PlannerInfo *root = (PlannerInfo *) PG_GETARG_POINTER(0);
	Oid			operator = PG_GETARG_OID(1);
	List	   *args = (List *) PG_GETARG_POINTER(2);
	JoinType	jointype = (JoinType) PG_GETARG_INT16(3);
	SpecialJoinInfo *sjinfo = (SpecialJoinInfo *) PG_GETARG_POINTER(4);
	bool		is_lower = true;

	if (list_length(args) == 2 && !is_contained(args) &&
		!find_join_pair(root, operator, args, &args, &is_lower))
		PG_RETURN_FLOAT8(DEFAULT_INEQ_SEL);
	PG_RETURN_FLOAT8(is_lower ? contained_join_selectivity(root, args, jointype, sjinfo) : 1.0);
}
