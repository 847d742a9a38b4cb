/*-------------------------------------------------------------------------
 *
 * estimator.c
 *	  Row estimates of conditions on ids: < <= >= >, "id <@ range" and "id ^@ prefix".
 *
 * The head of support.c lists the files that this one uses.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_operator.h"
#include "fmgr.h"
#include "nodes/nodeFuncs.h"
#include "utils/fmgroids.h"
#include "utils/fmgrprotos.h"
#include "utils/lsyscache.h"
#include "utils/selfuncs.h"
#include "utils/typcache.h"

#include "planner/condition.h"
#include "planner/conjunction.h"
#include "planner/contained.h"
#include "planner/estimator.h"
#include "planner/ranges.h"

PG_FUNCTION_INFO_V1(idtypes_sel);
PG_FUNCTION_INFO_V1(idtypes_joinsel);

/* The server's default for "id <@ range", which has one bound if it is that of an instant. */
static Selectivity
default_selectivity(List *args)
{
	return instant_strategy_of_range(lsecond(args)) == InvalidStrategy ?
		DEFAULT_RANGE_INEQ_SEL : DEFAULT_INEQ_SEL;
}

Selectivity
contained_selectivity(PlannerInfo *root, List *args, int varRelid)
{
	IdColumn	column;
	IdCondition condition;
	Selectivity selectivity = default_selectivity(args);

	if (column_of_restriction(&column, root, InvalidOid, args, varRelid))
	{
		if (condition_read_args(&column, InvalidOid, linitial(args), lsecond(args), &condition))
			selectivity = condition_selectivity(&column, &condition);
		ReleaseVariableStats(column.stats);
	}
	return selectivity;
}

/*
 * idtypes_sel(root internal, operator oid, args internal, varRelid int) -> float8: the
 * restriction estimator of the operators, given all other conditions on the column
 */
Datum
idtypes_sel(PG_FUNCTION_ARGS)
{
	PlannerInfo *root = (PlannerInfo *) PG_GETARG_POINTER(0);
	Oid			operator = PG_GETARG_OID(1);
	List	   *args = (List *) PG_GETARG_POINTER(2);
	int			varRelid = PG_GETARG_INT32(3);
	IdColumn	column;
	IdCondition condition;
	bool		is_prefix = are_prefix_args(args);
	Selectivity selectivity = is_prefix ? DEFAULT_RANGE_INEQ_SEL : DEFAULT_INEQ_SEL;

	if (!column_of_restriction(&column, root, fcinfo->flinfo->fn_oid, args, varRelid))
	{
		if (!are_contained_args(args))
			PG_RETURN_FLOAT8(selectivity);
		/* for a column of ranges and a single id, use the server's own estimator */
		return OidFunctionCall4(F_RANGESEL, PointerGetDatum(root),
								ObjectIdGetDatum(OID_RANGE_ELEM_CONTAINED_OP),
								PointerGetDatum(args), Int32GetDatum(varRelid));
	}
	if (condition_read_args(&column, operator, linitial(args), lsecond(args), &condition))
	{
		/* support.c replaces "id ^@ constant": a constant is an element of an array */
		if (is_prefix && IsA(lsecond(args), Const))
			selectivity = condition_selectivity(&column, &condition);
		else
			selectivity = conjunction_selectivity(&column, &condition);
	}
	ReleaseVariableStats(column.stats);
	PG_RETURN_FLOAT8(selectivity);
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

	if (instant_strategy_of_range(lsecond(args)) != InvalidStrategy)
		return DEFAULT_INEQ_SEL;
	get_join_variables(root, args, sjinfo, &column, &ranges, &reversed);
	range = lookup_type_cache(exprType(lsecond(args)), TYPECACHE_RANGE_INFO);
	inner = reversed ? column.rel : ranges.rel;
	if ((jointype != JOIN_SEMI && jointype != JOIN_ANTI) || inner == NULL)
		selectivity = ranges_selectivity(root, &column, range, &ranges);
	/* for semi and anti joins, the fraction of the outer rows that have a match */
	else if (reversed)
		selectivity = ranges_hold(root, &column, range, &ranges, inner->rows);
	else
		selectivity = ranges_cover(root, &column, range, &ranges, inner->rows);
	ReleaseVariableStats(column);
	ReleaseVariableStats(ranges);
	return selectivity;
}

/*
 * If an operator compares an id with one end of a range, and another join clause
 * of the id's table compares it with the other end, return the arguments of the
 * equivalent "id <@ range", and set *is_lower if the operator gives the lower
 * bound.  Otherwise return NIL.
 *
 * On partitioned tables, support.c makes such a pair of a join clause "id <@ range".  As
 * two independent inequalities it would be taken for a ninth of all pairs of rows, where
 * the statistics of the ranges give the share that "id <@ range" gets on other tables.
 */
static List *
find_join_pair(PlannerInfo *root, Oid operator, List *args, bool *is_lower)
{
	for (int i = 0; i < 2; i++)
	{
		Node	   *id = list_nth(args, i);
		IdColumn	column;
		IdCondition condition;

		/* only a function call can be an end of a range: do not look at other clauses */
		if (IsA(list_nth(args, 1 - i), FuncExpr) &&
			column_of_join(&column, root, get_oprrest(operator), id) &&
			condition_read_args(&column, operator, linitial(args), lsecond(args), &condition) &&
			conjunction_has_other_end(&column, &condition))
		{
			*is_lower = is_lower_bound(&condition);
			return list_make2(id, condition_range(&column, &condition));
		}
	}
	return NIL;
}

/*
 * idtypes_joinsel(root, operator oid, args, jointype smallint, sjinfo) -> float8: the join
 * estimator of the operators.  A comparison gets the server's default, unless another join
 * clause compares the id with the other end of the same range.
 */
Datum
idtypes_joinsel(PG_FUNCTION_ARGS)
{
	PlannerInfo *root = (PlannerInfo *) PG_GETARG_POINTER(0);
	Oid			operator = PG_GETARG_OID(1);
	List	   *args = (List *) PG_GETARG_POINTER(2);
	JoinType	jointype = (JoinType) PG_GETARG_INT16(3);
	SpecialJoinInfo *sjinfo = (SpecialJoinInfo *) PG_GETARG_POINTER(4);
	bool		is_lower = true;

	if (are_prefix_args(args))
		PG_RETURN_FLOAT8(DEFAULT_RANGE_INEQ_SEL);
	if (!are_contained_args(args))
		args = list_length(args) == 2 ? find_join_pair(root, operator, args, &is_lower) : NIL;
	if (args == NIL)
		PG_RETURN_FLOAT8(DEFAULT_INEQ_SEL);
	/* of a pair, the lower bound gets the selectivity of both */
	PG_RETURN_FLOAT8(is_lower ? contained_join_selectivity(root, args, jointype, sjinfo) : 1.0);
}
