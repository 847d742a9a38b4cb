/*-------------------------------------------------------------------------
 *
 * contained.c
 *	  What is equivalent to "id <@ range": comparisons of ids, comparisons with an
 *	  instant, and "id ^@ prefix".
 *
 * There are two forms of comparisons of ids.  The pair
 *
 *		id >= T_range_first(range) AND id <= T_range_last(range)
 *
 * is equivalent to "id <@ range" for every range, including the empty one.  A
 * constant range that is not empty is also equivalent to
 *
 *		id >= first AND id < next
 *
 * where "next" is the id after the last, and where a comparison that is true for
 * all ids is left out.  The second form is used for constants because the planner
 * proves "id < next" both from "id <= last" and from "id < next", which is how
 * people write such conditions and how partitions are bounded.  It proves
 * "id <= last" only from "id <= last", since it does not know that no id lies
 * between "last" and "next".
 *
 * The ids whose instant is at or after a given instant form a range without an
 * upper end, and each of the other three comparisons also selects a range that is
 * unbounded on one side.  A range is used, not a comparison with an id, because the
 * instant may lie outside the format's time: the range is empty then, but no
 * comparison with an id is false for all ids.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/stratnum.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/rangetypes.h"
#include "utils/typcache.h"

#include "planner/contained.h"
#include "server/lookup.h"

/* ----------
 * Comparisons
 * ----------
 */

bool
are_contained_args(List *args)
{
	const IdType *type;
	Oid			id;

	if (list_length(args) != 2)
		return false;
	type = lookup_id_type_of_range(exprType(lsecond(args)));
	id = exprType(linitial(args));
	return type != NULL && (type->id->type_id == id || type->id->type_id == getBaseType(id));
}

bool
contained_is_all(Node *range)
{
	Const	   *constant = (Const *) range;
	const IdType *type = lookup_id_type_of_range(exprType(range));
	RangeBound	first;
	RangeBound	last;
	bool		empty;

	if (type == NULL || !IsA(range, Const))
		return false;
	if (constant->constisnull)
		return true;
	range_deserialize(type->range, DatumGetRangeTypeP(constant->constvalue), &first, &last, &empty);
	return !empty && lookup_is_unlimited(type, &first) && lookup_is_unlimited(type, &last);
}

Node *
contained_clause(Node *id, Node *range)
{
	const IdType *type = lookup_id_type_of_range(exprType(range));

	if (type == NULL || !OidIsValid(type->contained))
		return NULL;
	return (Node *) make_opclause(type->contained, BOOLOID, false, (Expr *) id, (Expr *) range,
								  InvalidOid, InvalidOid);
}

Node *
contained_range_of_end(Node *end, Oid rangetype)
{
	FuncExpr   *call = (FuncExpr *) end;

	if (IsA(end, FuncExpr) && list_length(call->args) == 1 &&
		exprType(linitial(call->args)) == rangetype)
		return linitial(call->args);
	return NULL;
}

/*
 * Append "id operator value" to a list.  The operator is the one of the type's
 * default B-tree operator family with that strategy.  Return false if there is
 * none, or if opfamily is valid and does not contain the operator.
 */
static bool
add_comparison(List **list, Node *id, StrategyNumber strategy, Expr *value,
			   const IdType *type, Oid opfamily)
{
	Oid			operator = type->comparison[strategy];
	OpExpr	   *comparison;

	if (!OidIsValid(operator) || (OidIsValid(opfamily) && !op_in_opfamily(operator, opfamily)))
		return false;
	comparison = (OpExpr *) make_opclause(operator, BOOLOID, false, (Expr *) id, value,
										  InvalidOid, InvalidOid);
	comparison->opfuncid = type->comparison_function[strategy];
	*list = lappend(*list, comparison);
	return true;
}

static Expr *
id_const(TypeCacheEntry *idtype, Datum id)
{
	return (Expr *) makeConst(idtype->type_id, -1, InvalidOid, idtype->typlen, id, false,
							  idtype->typbyval);
}

/*
 * Make a call of T_range_first() or T_range_last().  For a constant range, make its result,
 * which is that bound of the range if it has one.
 */
static Expr *
make_end(const IdType *type, Node *range, bool first)
{
	Oid			function = first ? type->range_first : type->range_last;
	Const	   *constant = (Const *) range;
	RangeBound	lower;
	RangeBound	upper;
	RangeBound *end = first ? &lower : &upper;
	bool		empty;

	if (!IsA(range, Const) || constant->constisnull)
		return (Expr *) makeFuncExpr(function, type->id->type_id, list_make1(copyObject(range)),
									 InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL);
	range_deserialize(type->range, DatumGetRangeTypeP(constant->constvalue), &lower, &upper,
					  &empty);
	return id_const(type->id, empty || end->infinite ?
					OidFunctionCall1(function, constant->constvalue) : end->val);
}

List *
contained_index_pair(Node *id, Node *range, Oid opfamily)
{
	const IdType *type = lookup_id_type_of_range(exprType(range));
	Expr	   *first;
	Expr	   *last;
	List	   *result = NIL;

	if (type == NULL || !OidIsValid(type->range_first) || !OidIsValid(type->range_last))
		return NIL;
	first = make_end(type, range, true);
	last = make_end(type, range, false);
	if (!add_comparison(&result, id, BTGreaterEqualStrategyNumber, first, type, opfamily) ||
		!add_comparison(&result, id, BTLessEqualStrategyNumber, last, type, opfamily))
		return NIL;
	Assert(IsA(range, Const) ||
		   (contained_range_of_end((Node *) first, exprType(range)) != NULL &&
			contained_range_of_end((Node *) last, exprType(range)) != NULL));
	return result;
}

List *
contained_index_end(Node *id, Node *range, bool first, Oid opfamily)
{
	const IdType *type = lookup_id_type_of_range(exprType(range));
	Expr	   *end;
	List	   *result = NIL;

	if (type == NULL)
		return NIL;
	end = (Expr *) makeFuncExpr(first ? F_LOWER_ANYRANGE : F_UPPER_ANYRANGE, type->id->type_id,
								list_make1(copyObject(range)), InvalidOid, InvalidOid,
								COERCE_EXPLICIT_CALL);
	if (IsA(range, Const))
		end = (Expr *) eval_const_expressions(NULL, (Node *) end);
	add_comparison(&result, id, first ? BTGreaterEqualStrategyNumber :
				   BTLessEqualStrategyNumber, end, type, opfamily);
	return result;
}

/* contained_clauses() for a constant range that is not empty: make the second form. */
static List *
known_clauses(Node *id, const IdType *type, RangeType *range)
{
	RangeBound	first;
	RangeBound	last;
	bool		empty;
	Datum		outside;
	List	   *result = NIL;

	range_deserialize(type->range, range, &first, &last, &empty);
	Assert(!empty && (first.infinite || first.inclusive));
	if (!lookup_is_unlimited(type, &first) &&
		!add_comparison(&result, id, BTGreaterEqualStrategyNumber, id_const(type->id, first.val),
						type, InvalidOid))
		return NIL;
	if (lookup_adjacent_id(type->range, &last, &outside) &&
		!add_comparison(&result, id, BTLessStrategyNumber, id_const(type->id, outside),
						type, InvalidOid))
		return NIL;
	return result;
}

List *
contained_clauses(Node *id, Node *range)
{
	Const	   *constant = (Const *) range;
	const IdType *type;

	if (!IsA(range, Const))
		return contained_index_pair(id, range, InvalidOid);
	type = lookup_id_type_of_range(constant->consttype);
	if (type == NULL || constant->constisnull)
		return NIL;
	if (!RangeIsEmpty(DatumGetRangeTypeP(constant->constvalue)))
		return known_clauses(id, type, DatumGetRangeTypeP(constant->constvalue));
	return contained_index_pair(id, range, InvalidOid);
}

/* ----------
 * Ranges that are equivalent to other conditions
 * ----------
 */

/*
 * Make the range that a function of the type, with one argument, returns.  For a constant
 * argument it is a constant, which is null if the argument or the result is; otherwise it
 * is a call.  Return NULL if the function is InvalidOid.
 */
static Node *
range_of_call(const IdType *type, Oid function, Node *argument)
{
	Oid			range = type->range->type_id;
	Const	   *constant = (Const *) argument;
	LOCAL_FCINFO(fcinfo, 1);
	FmgrInfo	flinfo;
	Datum		value;

	if (!OidIsValid(function))
		return NULL;
	if (!IsA(argument, Const))
		return (Node *) makeFuncExpr(function, range, list_make1(argument), InvalidOid,
									 InvalidOid, COERCE_EXPLICIT_CALL);
	if (constant->constisnull)
		return (Node *) makeNullConst(range, -1, InvalidOid);
	fmgr_info(function, &flinfo);
	InitFunctionCallInfoData(*fcinfo, &flinfo, 1, InvalidOid, NULL, NULL);
	fcinfo->args[0].value = constant->constvalue;
	fcinfo->args[0].isnull = false;
	value = FunctionCallInvoke(fcinfo);
	return (Node *) makeConst(range, -1, InvalidOid, type->range->typlen, value, fcinfo->isnull,
							  type->range->typbyval);
}

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
	static const char *const names[] = {NULL, "<", "<=", NULL, ">=", ">"};	/* by strategy */
	char	   *name = get_opname(operator);
	StrategyNumber strategy = name != NULL ? BTMaxStrategyNumber : InvalidStrategy;

	while (strategy != InvalidStrategy &&
		   (names[strategy] == NULL || strcmp(name, names[strategy]) != 0))
		strategy--;
	return strategy;
}

Node *
instant_range(Oid idtype, StrategyNumber strategy, Node *instant)
{
	const IdType *type = lookup_id_type(idtype);

	return type != NULL ? range_of_call(type, type->range_of_instant[strategy], instant) : NULL;
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

bool
are_prefix_args(List *args)
{
	return list_length(args) == 2 && getBaseType(exprType(lsecond(args))) == TEXTOID;
}

Node *
prefix_range(Oid idtype, Node *prefix)
{
	const IdType *type = lookup_id_type(idtype);

	return type != NULL ?
		range_of_call(type, IsA(prefix, Const) ? type->try_prefix : type->prefix, prefix) : NULL;
}
