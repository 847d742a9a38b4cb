/*-------------------------------------------------------------------------
 *
 * support.c
 *	  Planner support of "id <@ range": what makes it as good as
 *	  "id BETWEEN first AND last".
 *
 * Two things are done, both with the same pair of comparisons
 *
 *		id >= T_range_first(range) AND id <= T_range_last(range)
 *
 * which is exactly "id <@ range" for every range, the empty one included.
 *
 * As an index condition the pair serves any index whose operator family has
 * both comparisons: B-tree, BRIN minmax and minmax-multi, GiST.  The clause
 * itself stands, so its estimate (selfuncs.c) and its match with the predicate
 * of a partial index are kept.
 *
 * Where the id is a column of a table with partitions or children, the pair
 * replaces the clause: partition pruning and constraint exclusion understand
 * nothing else.  Plain tables gain nothing by that and are left alone.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/stratnum.h"
#include "catalog/pg_operator.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/pathnodes.h"
#include "nodes/supportnodes.h"
#include "optimizer/clauses.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rangetypes.h"
#include "utils/syscache.h"
#include "utils/typcache.h"

#include "selfuncs.h"

PG_FUNCTION_INFO_V1(idtypes_contained_support);

/* The function behind the operator is T_contained_by; its helpers are named alike. */
#define FUNCTION_SUFFIX "contained_by"

/* The two ends of a range. */
typedef struct RangeEnd
{
	const char *suffix;			/* T_range_first or T_range_last */
	StrategyNumber strategy;	/* B-tree strategy of the comparison with it */
	char		infinite;		/* flag of a range without that end */
} RangeEnd;

static const RangeEnd range_ends[] = {
	{"range_first", BTGreaterEqualStrategyNumber, RANGE_LB_INF},
	{"range_last", BTLessEqualStrategyNumber, RANGE_UB_INF}
};

/*
 * Finds T_range_first or T_range_last for the T_contained_by whose OID is
 * given: in the schema of that function, wherever the extension has been put
 * and whatever the search path is.  InvalidOid if there is none.
 */
static Oid
find_helper(Oid funcid, const char *suffix, Oid rangetype)
{
	HeapTuple	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(funcid));
	Form_pg_proc proc;
	NameData	name;
	int			stem;
	Oid			helper = InvalidOid;

	if (!HeapTupleIsValid(tuple))
		return InvalidOid;
	proc = (Form_pg_proc) GETSTRUCT(tuple);
	stem = strlen(NameStr(proc->proname)) - strlen(FUNCTION_SUFFIX);
	if (stem >= 0 && strcmp(NameStr(proc->proname) + stem, FUNCTION_SUFFIX) == 0)
	{
		snprintf(NameStr(name), NAMEDATALEN, "%.*s%s", stem, NameStr(proc->proname), suffix);
		helper = GetSysCacheOid3(PROCNAMEARGSNSP, Anum_pg_proc_oid, NameGetDatum(&name),
								 PointerGetDatum(buildoidvector(&rangetype, 1)),
								 ObjectIdGetDatum(proc->pronamespace));
	}
	ReleaseSysCache(tuple);
	return helper;
}

/*
 * One end of a range as an expression of the id type: a constant if the range
 * is one, otherwise a call of the helper.
 */
static Expr *
range_end_expr(Oid helper, Node *range, TypeCacheEntry *idtype)
{
	if (IsA(range, Const))
		return (Expr *) makeConst(idtype->type_id, -1, InvalidOid, idtype->typlen,
								  OidFunctionCall1(helper, ((Const *) range)->constvalue),
								  false, idtype->typbyval);
	return (Expr *) makeFuncExpr(helper, idtype->type_id, list_make1(copyObject(range)),
								 InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL);
}

/*
 * "id <@ range" as a list of comparisons of the id with the ends of the range;
 * an end that a constant range does not have is left out.  Every operator must
 * belong to opfamily, unless that is InvalidOid.
 *
 * Returns NIL if the clause cannot be put so, or if nothing would be left.
 */
static List *
make_comparisons(Oid funcid, Node *id, Node *range, Oid opfamily)
{
	Oid			rangetype = exprType(range);
	TypeCacheEntry *idtype;
	char		flags = 0;
	List	   *result = NIL;

	if (IsA(range, Const))
	{
		if (((Const *) range)->constisnull)
			return NIL;
		flags = range_get_flags(DatumGetRangeTypeP(((Const *) range)->constvalue));
	}
	idtype = lookup_type_cache(get_range_subtype(rangetype), TYPECACHE_BTREE_OPFAMILY);

	for (size_t i = 0; i < lengthof(range_ends); i++)
	{
		const RangeEnd *end = &range_ends[i];
		Oid			helper;
		Oid			operator;
		OpExpr	   *comparison;

		if (flags & end->infinite)
			continue;
		operator = get_opfamily_member(idtype->btree_opf, idtype->type_id, idtype->type_id,
									   end->strategy);
		if (!OidIsValid(operator) ||
			(OidIsValid(opfamily) && !op_in_opfamily(operator, opfamily)))
			return NIL;
		helper = find_helper(funcid, end->suffix, rangetype);
		if (!OidIsValid(helper))
			return NIL;
		comparison = (OpExpr *) make_opclause(operator, BOOLOID, false,
											  (Expr *) copyObject(id),
											  range_end_expr(helper, range, idtype),
											  InvalidOid, InvalidOid);
		set_opfuncid(comparison);
		result = lappend(result, comparison);
	}
	return result;
}

/*
 * True for a column of a table that has partitions or inheritance children.
 *
 * A column of an outer query is not meant: inside a sub-select it is a mere
 * parameter, which selects no partition.
 *
 * The planner also simplifies the WHERE of an EXISTS while root is still the
 * outer query's.  Then the column is looked up in the wrong range table: the
 * number must be checked, a wrong answer does no harm as both forms of the
 * clause mean the same.
 */
static bool
is_inherited_column(PlannerInfo *root, Node *node)
{
	Var		   *var;
	RangeTblEntry *rte;

	while (IsA(node, RelabelType))
		node = (Node *) ((RelabelType *) node)->arg;
	var = (Var *) node;
	if (root == NULL || !IsA(node, Var) || var->varlevelsup > 0 ||
		(int) var->varno < 1 || (int) var->varno > list_length(root->parse->rtable))
		return false;
	rte = rt_fetch(var->varno, root->parse->rtable);
	return rte->rtekind == RTE_RELATION && rte->inh;
}

/*
 * True if an expression may as well be evaluated twice: it gives the same
 * again and costs little.  The limit is the one that the server sets itself
 * for arguments of inlined SQL functions.
 */
static bool
is_cheap_to_repeat(PlannerInfo *root, Node *node)
{
	QualCost	cost;

	if (IsA(node, Const) || IsA(node, Param) || IsA(node, Var))
		return true;
	if (contain_volatile_functions(node) || contain_subplans(node))
		return false;
	cost_qual_eval_node(&cost, node, root);
	return cost.startup + cost.per_tuple <= 10 * cpu_operator_cost;
}

static Node *
simplify(SupportRequestSimplify *request)
{
	List	   *args = request->fcall->args;
	List	   *comparisons;

	if (list_length(args) != 2 || !is_inherited_column(request->root, linitial(args)) ||
		!is_cheap_to_repeat(request->root, lsecond(args)))
		return NULL;
	comparisons = make_comparisons(request->fcall->funcid, linitial(args), lsecond(args),
								   InvalidOid);
	switch (list_length(comparisons))
	{
		case 0:
			return NULL;
		case 1:
			return linitial(comparisons);
		default:
			return (Node *) make_andclause(comparisons);
	}
}

/*
 * Index conditions.  An index on the id takes the pair of comparisons.  An
 * index on a column of ranges, for a clause the other way round, takes the
 * server's own "range @> id", which our operator has no commutator link to.
 */
static Node *
index_condition(SupportRequestIndexCondition *request)
{
	List	   *args = NIL;
	List	   *conditions = NIL;

	if (is_opclause(request->node))
		args = ((OpExpr *) request->node)->args;
	else if (is_funcclause(request->node))
		args = ((FuncExpr *) request->node)->args;
	if (list_length(args) != 2 || request->indexarg < 0 || request->indexarg > 1 ||
		!is_pseudo_constant_for_index(request->root, list_nth(args, 1 - request->indexarg),
									  request->index))
		return NULL;

	if (request->indexarg == 0)
		conditions = make_comparisons(request->funcid, linitial(args), lsecond(args),
									  request->opfamily);
	else if (op_in_opfamily(OID_RANGE_CONTAINS_ELEM_OP, request->opfamily))
		conditions = list_make1(make_opclause(OID_RANGE_CONTAINS_ELEM_OP, BOOLOID, false,
											  lsecond(args), linitial(args),
											  InvalidOid, InvalidOid));

	if (conditions != NIL)
		request->lossy = false;
	return (Node *) conditions;
}

/* The function called without its operator is estimated as the operator is. */
static Node *
selectivity(SupportRequestSelectivity *request)
{
	if (list_length(request->args) != 2)
		return NULL;
	request->selectivity = request->is_join ?
		contained_join_selectivity(request->root, request->args, request->jointype,
								   request->sjinfo) :
		contained_selectivity(request->root, request->args, request->varRelid);
	return (Node *) request;
}

/* T_contained_support(internal) -> internal, of all types */
Datum
idtypes_contained_support(PG_FUNCTION_ARGS)
{
	Node	   *request = (Node *) PG_GETARG_POINTER(0);
	Node	   *result = NULL;

	if (IsA(request, SupportRequestSimplify))
		result = simplify((SupportRequestSimplify *) request);
	else if (IsA(request, SupportRequestIndexCondition))
		result = index_condition((SupportRequestIndexCondition *) request);
	else if (IsA(request, SupportRequestSelectivity))
		result = selectivity((SupportRequestSelectivity *) request);
	PG_RETURN_POINTER(result);
}
