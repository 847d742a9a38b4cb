/*-------------------------------------------------------------------------
 *
 * support.c
 *	  Planner support of "id <@ range": what makes it as good as a pair of
 *	  comparisons.
 *
 * Where the range is a constant, the pair replaces the clause: in queries, in the
 * predicates of partial indexes and in CHECK constraints, so that whatever the
 * planner proves from comparisons, it proves from <@.  Partition pruning,
 * constraint exclusion and tables that are no heaps understand nothing else.
 * For those the pair also replaces the clause where the range is an expression
 * that costs little to evaluate twice.
 *
 * Otherwise the clause stands, and the pair is what an index on the id is
 * searched with: B-tree, BRIN minmax and minmax-multi, GiST.
 *
 * This is where the planner begins.  Each of these files uses only files below
 * it:
 *
 *	support.c		what stands for "id <@ range"
 *	selfuncs.c		the estimators: how many rows, of a table and of a join
 *	conjunction.c	one condition among all that hold together
 *	condition.c		what a single clause says of a column of ids
 *	contained.c		the pair of comparisons: made, and recognised
 *	window.c		what conditions leave of the ids, and the rows in that
 *	ranges.c		windows that come from a column of ranges
 *	stats.c			the histogram
 *	extent.c		where ids begin and end at present
 *	planning.c		what is kept for one planner run
 *	lookup.c		what belongs to a type
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_am.h"
#include "catalog/pg_class.h"
#include "catalog/pg_operator.h"
#include "fmgr.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/pathnodes.h"
#include "nodes/supportnodes.h"
#include "optimizer/clauses.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "contained.h"
#include "selfuncs.h"

PG_FUNCTION_INFO_V1(idtypes_contained_support);

/*
 * True for a column of a table which only comparisons find the way in: one that
 * has partitions or inheritance children, or another access method than heap.
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
needs_comparisons(PlannerInfo *root, Var *var)
{
	RangeTblEntry *rte;
	HeapTuple	tuple;
	Oid			access_method;

	if (root == NULL || var->varlevelsup > 0 ||
		(int) var->varno < 1 || (int) var->varno > list_length(root->parse->rtable))
		return false;
	rte = rt_fetch(var->varno, root->parse->rtable);
	if (rte->rtekind != RTE_RELATION || rte->inh)
		return rte->rtekind == RTE_RELATION;
	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(rte->relid));
	if (!HeapTupleIsValid(tuple))
		return false;
	access_method = ((Form_pg_class) GETSTRUCT(tuple))->relam;
	ReleaseSysCache(tuple);
	return OidIsValid(access_method) && access_method != HEAP_TABLE_AM_OID;
}

/*
 * True if an expression may as well be evaluated twice: it gives the same
 * again and costs little.  Both ends of a window with time-zone arithmetic come
 * to some twenty operators; a function in a procedural language counts as a
 * hundred, unless its owner says otherwise.
 */
#define MOST_OPERATORS 50

static bool
is_cheap_to_repeat(PlannerInfo *root, Node *node)
{
	QualCost	cost;

	if (IsA(node, Const) || IsA(node, Param) || IsA(node, Var))
		return true;
	if (contain_volatile_functions(node) || contain_subplans(node))
		return false;
	cost_qual_eval_node(&cost, node, root);
	return cost.startup + cost.per_tuple <= MOST_OPERATORS * cpu_operator_cost;
}

static Node *
simplify(SupportRequestSimplify *request)
{
	List	   *args = request->fcall->args;
	Node	   *id;
	Node	   *range;
	Node	   *var;
	List	   *comparisons;
	ListCell   *cell;

	if (list_length(args) != 2)
		return NULL;
	id = linitial(args);
	range = lsecond(args);
	for (var = id; IsA(var, RelabelType); var = (Node *) ((RelabelType *) var)->arg)
		;
	if (!IsA(var, Var) ||
		!(IsA(range, Const) || (needs_comparisons(request->root, (Var *) var) &&
								is_cheap_to_repeat(request->root, range))))
		return NULL;

	comparisons = contained_clauses(id, range);
	if (comparisons == NIL)
		return NULL;
	/* what the planner will change in place must not be shared */
	foreach(cell, comparisons)
		lfirst(cell) = copyObject(lfirst(cell));
	return list_length(comparisons) == 1 ? linitial(comparisons) :
		(Node *) make_andclause(comparisons);
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
	{
		/* a constant range may hold all ids */
		if (!IsA(lsecond(args), Const) || contained_clauses(linitial(args), lsecond(args)) != NIL)
			conditions = contained_index_pair(linitial(args), lsecond(args), request->opfamily);
	}
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
