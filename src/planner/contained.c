/*-------------------------------------------------------------------------
 *
 * contained.c
 *	  "id <@ range" as comparisons of the id.
 *
 * There are two forms.  The pair
 *
 *		id >= T_range_first(range) AND id <= T_range_last(range)
 *
 * is exactly "id <@ range" for every range, the empty one included.  Of a
 * constant that is not empty it is also
 *
 *		id >= first AND id < the id after the last
 *
 * without the comparison that holds for all ids.  The planner does not know that
 * nothing lies between the last id and the next.  So it proves this from both
 * "id <= last" and "id < next", which is how windows are written by hand and how
 * partitions are bounded, but the other form only from "id <= last".
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

bool
are_contained_args(List *args)
{
	return list_length(args) == 2 &&
		get_range_subtype(exprType(lsecond(args))) == getBaseType(exprType(linitial(args)));
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
 * Adds "id operator value" of a B-tree strategy to a list; false if there is no
 * such operator, or none in opfamily, which may be InvalidOid for any.
 */
static bool
add_comparison(List **list, Node *id, StrategyNumber strategy, Expr *value,
			   TypeCacheEntry *idtype, Oid opfamily)
{
	Oid			operator = get_opfamily_member(idtype->btree_opf, idtype->type_id,
											   idtype->type_id, strategy);
	OpExpr	   *comparison;

	if (!OidIsValid(operator) || (OidIsValid(opfamily) && !op_in_opfamily(operator, opfamily)))
		return false;
	comparison = (OpExpr *) make_opclause(operator, BOOLOID, false, (Expr *) id, value,
										  InvalidOid, InvalidOid);
	set_opfuncid(comparison);
	*list = lappend(*list, comparison);
	return true;
}

/* A call of the helper for one end of a range; NULL if that is missing. */
static Expr *
make_end(Node *range, bool first, TypeCacheEntry *idtype)
{
	Oid			helper = lookup_range_end(idtype->type_id, exprType(range), first);

	if (!OidIsValid(helper))
		return NULL;
	return (Expr *) makeFuncExpr(helper, idtype->type_id, list_make1(copyObject(range)),
								 InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL);
}

List *
contained_index_pair(Node *id, Node *range, Oid opfamily)
{
	TypeCacheEntry *rangetype = lookup_type_cache(exprType(range), TYPECACHE_RANGE_INFO);
	TypeCacheEntry *idtype = lookup_type_cache(rangetype->rngelemtype->type_id,
											   TYPECACHE_BTREE_OPFAMILY);
	Expr	   *first = make_end(range, true, idtype);
	Expr	   *last = make_end(range, false, idtype);
	List	   *result = NIL;

	if (first == NULL || last == NULL ||
		!add_comparison(&result, id, BTGreaterEqualStrategyNumber, first, idtype, opfamily) ||
		!add_comparison(&result, id, BTLessEqualStrategyNumber, last, idtype, opfamily))
		return NIL;
	Assert(contained_range_of_end((Node *) first, exprType(range)) != NULL &&
		   contained_range_of_end((Node *) last, exprType(range)) != NULL);
	return result;
}

Node *
contained_index_end(Node *id, Node *range, bool first, Oid opfamily)
{
	TypeCacheEntry *rangetype = lookup_type_cache(exprType(range), TYPECACHE_RANGE_INFO);
	TypeCacheEntry *idtype = lookup_type_cache(rangetype->rngelemtype->type_id,
											   TYPECACHE_BTREE_OPFAMILY);
	Node	   *end = (Node *) makeFuncExpr(first ? F_LOWER_ANYRANGE : F_UPPER_ANYRANGE,
											idtype->type_id, list_make1(copyObject(range)),
											InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL);
	List	   *result = NIL;

	if (IsA(range, Const))
		end = eval_const_expressions(NULL, end);
	if (!add_comparison(&result, id, first ? BTGreaterEqualStrategyNumber :
						BTLessEqualStrategyNumber, (Expr *) end, idtype, opfamily))
		return NULL;
	return linitial(result);
}

static Expr *
id_const(TypeCacheEntry *idtype, Datum id)
{
	return (Expr *) makeConst(idtype->type_id, -1, InvalidOid, idtype->typlen, id, false,
							  idtype->typbyval);
}

/* "id <@ range" of a constant range that is not empty. */
static List *
known_clauses(Node *id, TypeCacheEntry *rangetype, RangeType *range)
{
	TypeCacheEntry *idtype = lookup_type_cache(rangetype->rngelemtype->type_id,
											   TYPECACHE_BTREE_OPFAMILY);
	RangeBound	first;
	RangeBound	last;
	bool		empty;
	Datum		outside;
	List	   *result = NIL;

	range_deserialize(rangetype, range, &first, &last, &empty);
	Assert(!empty && (first.infinite || first.inclusive));
	if (lookup_adjacent_id(rangetype, &first, &outside) &&
		!add_comparison(&result, id, BTGreaterEqualStrategyNumber, id_const(idtype, first.val),
						idtype, InvalidOid))
		return NIL;
	if (lookup_adjacent_id(rangetype, &last, &outside) &&
		!add_comparison(&result, id, BTLessStrategyNumber, id_const(idtype, outside),
						idtype, InvalidOid))
		return NIL;
	return result;
}

List *
contained_clauses(Node *id, Node *range)
{
	Const	   *constant = (Const *) range;

	if (!IsA(range, Const))
		return contained_index_pair(id, range, InvalidOid);
	if (constant->constisnull)
		return NIL;
	if (!RangeIsEmpty(DatumGetRangeTypeP(constant->constvalue)))
		return known_clauses(id, lookup_type_cache(constant->consttype, TYPECACHE_RANGE_INFO),
							 DatumGetRangeTypeP(constant->constvalue));
	/* the ends of the empty range as constants */
	return (List *) eval_const_expressions(NULL, (Node *) contained_index_pair(id, range,
																			   InvalidOid));
}
