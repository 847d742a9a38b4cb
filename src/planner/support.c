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
 *	support.c		what stands for "id <@ range" and "id operator instant"
 *	estimator.c		the estimators: how many rows, of a table and of a join
 *	conjunction.c	one condition among all that hold together
 *	condition.c		what a single clause says of a column of ids
 *	contained.c		the pair of comparisons: made, and recognised
 *	instant.c		which range "id operator instant" stands for
 *	bounds.c		what conditions leave of the ids, and the rows in that
 *	ranges.c		windows that come from a column of ranges
 *	stats.c			the histogram
 *	endpoint.c		where ids begin and end at present
 *	planner_cache.c	what is kept for one planner run
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
#include "utils/selfuncs.h"
#include "utils/syscache.h"

#include "planner/contained.h"
#include "planner/estimator.h"
#include "planner/instant.h"

PG_FUNCTION_INFO_V1(idtypes_contained_support);
PG_FUNCTION_INFO_V1(idtypes_lt_support);
PG_FUNCTION_INFO_V1(idtypes_le_support);
PG_FUNCTION_INFO_V1(idtypes_ge_support);
PG_FUNCTION_INFO_V1(idtypes_gt_support);

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

/*
 * True if comparisons of an id are to replace a clause that says of it what they
 * say, with an expression that each of them contains.
 */
static bool
wants_comparisons(PlannerInfo *root, Node *id, Node *other)
{
	Node	   *var;

	for (var = id; IsA(var, RelabelType); var = (Node *) ((RelabelType *) var)->arg)
		;
	return IsA(var, Var) &&
		(IsA(other, Const) ||
		 (needs_comparisons(root, (Var *) var) && is_cheap_to_repeat(root, other)));
}

/* The comparisons that replace "id <@ range", or NULL if there are none. */
static Node *
comparisons(Node *id, Node *range)
{
	List	   *clauses = contained_clauses(id, range);
	ListCell   *cell;

	if (clauses == NIL)
		return NULL;
	/* what the planner will change in place must not be shared */
	foreach(cell, clauses)
		lfirst(cell) = copyObject(lfirst(cell));
	return list_length(clauses) == 1 ? linitial(clauses) : (Node *) make_andclause(clauses);
}

static Node *
simplify(SupportRequestSimplify *request)
{
	List	   *args = request->fcall->args;

	if (list_length(args) != 2 ||
		!wants_comparisons(request->root, linitial(args), lsecond(args)))
		return NULL;
	return comparisons(linitial(args), lsecond(args));
}

static Node *
simplify_instant(SupportRequestSimplify *request, StrategyNumber strategy)
{
	Node	   *id;
	Node	   *instant;
	Node	   *range;

	if (instant_args(request->fcall->args, &id, &instant) < 0 ||
		!wants_comparisons(request->root, id, instant))
		return NULL;
	range = instant_range(getBaseType(exprType(id)), strategy, instant);
	return range != NULL ? comparisons(id, range) : NULL;
}

/*
 * The arguments of the clause that an index condition is asked for; NIL unless
 * one of them is the index column and the other is the same for a whole scan.
 */
static List *
condition_args(SupportRequestIndexCondition *request)
{
	List	   *args = NIL;

	if (is_opclause(request->node))
		args = ((OpExpr *) request->node)->args;
	else if (is_funcclause(request->node))
		args = ((FuncExpr *) request->node)->args;
	if (list_length(args) != 2 || request->indexarg < 0 || request->indexarg > 1 ||
		!is_pseudo_constant_for_index(request->root, list_nth(args, 1 - request->indexarg),
									  request->index))
		return NIL;
	return args;
}

/*
 * Index conditions.  An index on the id takes the pair of comparisons.  An
 * index on a column of ranges, for a clause the other way round, takes the
 * server's own "range @> id", which our operator has no commutator link to.
 */
static Node *
index_condition(SupportRequestIndexCondition *request)
{
	List	   *args = condition_args(request);
	List	   *conditions = NIL;

	if (args == NIL)
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

/* The range has no end on one side, so one comparison says all. */
static Node *
instant_index_condition(SupportRequestIndexCondition *request, StrategyNumber strategy)
{
	List	   *args = condition_args(request);
	Node	   *id;
	Node	   *instant;
	Node	   *range;
	Node	   *condition;

	if (args == NIL || instant_args(args, &id, &instant) != request->indexarg)
		return NULL;
	range = instant_range(getBaseType(exprType(id)), strategy, instant);
	if (range == NULL || (IsA(range, Const) && contained_clauses(id, range) == NIL))
		return NULL;
	condition = contained_index_end(id, range, instant_is_since(strategy), request->opfamily);
	if (condition == NULL)
		return NULL;
	request->lossy = false;
	return (Node *) list_make1(condition);
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

/* A join by a function is estimated as the server estimates one by an inequality. */
static Node *
instant_function_selectivity(SupportRequestSelectivity *request, StrategyNumber strategy)
{
	request->selectivity = request->is_join ? DEFAULT_INEQ_SEL :
		instant_selectivity(request->root, request->args, strategy, request->varRelid);
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

/*
 * idtypes_lt_support(internal) -> internal and so on: of the comparisons of all
 * types with instants, and of those that commute to them.
 */
static Datum
instant_support(FunctionCallInfo fcinfo, StrategyNumber strategy)
{
	Node	   *request = (Node *) PG_GETARG_POINTER(0);
	Node	   *result = NULL;

	if (IsA(request, SupportRequestSimplify))
		result = simplify_instant((SupportRequestSimplify *) request, strategy);
	else if (IsA(request, SupportRequestIndexCondition))
		result = instant_index_condition((SupportRequestIndexCondition *) request, strategy);
	else if (IsA(request, SupportRequestSelectivity))
		result = instant_function_selectivity((SupportRequestSelectivity *) request, strategy);
	PG_RETURN_POINTER(result);
}

Datum
idtypes_lt_support(PG_FUNCTION_ARGS)
{
	return instant_support(fcinfo, BTLessStrategyNumber);
}

Datum
idtypes_le_support(PG_FUNCTION_ARGS)
{
	return instant_support(fcinfo, BTLessEqualStrategyNumber);
}

Datum
idtypes_ge_support(PG_FUNCTION_ARGS)
{
	return instant_support(fcinfo, BTGreaterEqualStrategyNumber);
}

Datum
idtypes_gt_support(PG_FUNCTION_ARGS)
{
	return instant_support(fcinfo, BTGreaterStrategyNumber);
}
