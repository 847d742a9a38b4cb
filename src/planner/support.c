/*-------------------------------------------------------------------------
 *
 * support.c
 *	  Planner support functions of "id <@ range", "id operator instant" and "id ^@ prefix".
 *
 * If the range is a constant, a pair of comparisons replaces the clause: in
 * queries, in the predicates of partial indexes and in CHECK constraints.  So
 * whatever the planner can prove from comparisons, it can prove from <@.  For uuid,
 * whose comparisons the server estimates, that is done only where there may be
 * something to prove.  Partition
 * pruning, constraint exclusion and non-heap access methods recognize only
 * comparisons.  For tables that need them, the pair also replaces the clause if the
 * range is an expression that costs little to evaluate twice.
 *
 * Otherwise the clause is kept, and the pair is what an index on the id is
 * searched with: B-tree, BRIN minmax and minmax-multi, GiST.
 *
 * "id ^@ prefix" is treated in the same way.  A clause that is kept calls its own function,
 * which reads the prefix only if there is an id, and reads it once if it is always the same.
 *
 * The planner enters this folder here and in estimator.c.  Each of these files uses
 * only files below it:
 *
 *	support.c		replace clauses by comparisons, and make index conditions
 *	estimator.c		the estimators of restrictions and of joins
 *	conjunction.c	the selectivity of a condition, given all others
 *	condition.c		interpret a single clause
 *	contained.c		what is equivalent to "id <@ range"
 *	bounds.c		lower and upper bound, and the rows between them
 *	ranges.c		estimates from a column of ranges
 *	stats.c			estimates from the histogram of the ids
 *	endpoint.c		the smallest and largest id now
 *	node_cache.c	what a planner run has found out
 *	lookup.c		the objects of a type: range type, functions
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/sysattr.h"
#include "access/table.h"
#include "catalog/pg_am.h"
#include "catalog/pg_class.h"
#include "catalog/pg_index.h"
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
#include "utils/rel.h"
#include "utils/selfuncs.h"
#include "utils/syscache.h"

#include "planner/condition.h"
#include "planner/contained.h"
#include "planner/estimator.h"

/*
 * Return the RTE of a column, or NULL if the node is not a column of this query.  A
 * column of an outer query is a parameter inside a sub-select, and pruning does not use it.
 *
 * The planner also simplifies the WHERE of an EXISTS while root is still the
 * outer query's, so the column may be looked up in the wrong range table.  Check
 * varno against that table; a wrong result is harmless, because all forms of the
 * clause are equivalent.
 */
static RangeTblEntry *
column_rte(PlannerInfo *root, Node *id)
{
	Var		   *var = (Var *) strip_relabel(id);

	if (root == NULL || !IsA(var, Var) || var->varlevelsup > 0 ||
		(int) var->varno < 1 || (int) var->varno > list_length(root->parse->rtable))
		return NULL;
	return rt_fetch(var->varno, root->parse->rtable);
}

/*
 * True if only plain comparisons help with a column of this table: pruning and
 * non-heap access methods do not know <@.
 */
static bool
needs_comparisons(const RangeTblEntry *rte)
{
	HeapTuple	tuple;
	Oid			access_method;

	if (rte == NULL || rte->rtekind != RTE_RELATION || rte->inh)
		return rte != NULL && rte->rtekind == RTE_RELATION;
	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(rte->relid));
	if (!HeapTupleIsValid(tuple))
		return false;
	access_method = ((Form_pg_class) GETSTRUCT(tuple))->relam;
	ReleaseSysCache(tuple);
	return OidIsValid(access_method) && access_method != HEAP_TABLE_AM_OID;
}

/*
 * True if an expression may be evaluated twice because it is not volatile and costs
 * little.  Both ends of a time range with time-zone arithmetic cost about twenty
 * operators.  A function in a procedural language costs a hundred unless its COST
 * says otherwise.
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

/* True if the predicate of an index contains the column. */
static bool
is_in_predicate(Oid index, AttrNumber column)
{
	HeapTuple	tuple = SearchSysCache1(INDEXRELID, ObjectIdGetDatum(index));
	bool		is_partial = HeapTupleIsValid(tuple) &&
		!heap_attisnull(tuple, Anum_pg_index_indpred, NULL);
	Bitmapset  *columns = NULL;
	Relation	relation;

	if (HeapTupleIsValid(tuple))
		ReleaseSysCache(tuple);
	if (!is_partial)
		return false;
	relation = index_open(index, AccessShareLock);
	pull_varattnos((Node *) RelationGetIndexPredicate(relation), 1, &columns);
	index_close(relation, NoLock);
	return bms_is_member(column - FirstLowInvalidHeapAttributeNumber, columns);
}

/*
 * True if the planner may have something to prove from a constant range: the predicate of
 * a partial index on the column's table, or that no row satisfies the table's constraints.
 * Proofs recognize only comparisons.  Without root, the clause itself is a predicate or a
 * constraint.
 */
static bool
has_predicates(PlannerInfo *root, const RangeTblEntry *rte, AttrNumber column)
{
	Relation	table;
	List	   *indexes;
	ListCell   *cell;
	bool		result;

	if (rte == NULL || rte->rtekind != RTE_RELATION)
		return root == NULL;
	table = table_open(rte->relid, NoLock);
	result = constraint_exclusion == CONSTRAINT_EXCLUSION_ON &&
		(table->rd_rel->relchecks > 0 || table->rd_rel->relispartition);
	indexes = RelationGetIndexList(table);
	foreach(cell, indexes)
		result = result || is_in_predicate(lfirst_oid(cell), column);
	list_free(indexes);
	table_close(table, NoLock);
	return result;
}

/*
 * True if comparisons should replace a clause on "id".  Each of the comparisons
 * would contain the expression "other".
 *
 * A value of the same row prunes nothing, and it is compared faster by the clause.  The
 * clause also is what the predicates and expressions of indexes contain, which the
 * planner simplifies without a root.
 */
static bool
wants_comparisons(PlannerInfo *root, Node *id, Node *other)
{
	Var		   *var = (Var *) strip_relabel(id);
	RangeTblEntry *rte = column_rte(root, id);
	const IdType *type;

	if (!IsA(var, Var))
		return false;
	if (!IsA(other, Const))
		return needs_comparisons(rte) && !bms_is_member(var->varno, pull_varnos(root, other)) &&
			is_cheap_to_repeat(root, other);
	/* the server estimates a pair of its own comparisons of uuid far too low */
	type = lookup_id_type(exprType(id));
	return (type != NULL && type->is_estimated) || needs_comparisons(rte) ||
		has_predicates(root, rte, var->varattno);
}

/* Make the expression that replaces "id <@ range", or return NULL if there is none. */
static Node *
comparisons(Node *id, Node *range)
{
	List	   *clauses = contained_clauses(id, range);
	ListCell   *cell;

	if (clauses == NIL)
		return NULL;
	/* the planner changes the clauses in place, so they must not share nodes */
	foreach(cell, clauses)
		lfirst(cell) = copyObject(lfirst(cell));
	return list_length(clauses) == 1 ? linitial(clauses) : (Node *) make_andclause(clauses);
}

/*
 * True if a condition may replace the call: a support function can be attached to any
 * function, whatever it returns.
 */
static bool
is_condition(const FuncExpr *call)
{
	return call->funcresulttype == BOOLOID && !call->funcretset;
}

/*
 * Return the arguments of the "id <@ range" that is equivalent to a clause with these
 * arguments: "id <@ range" itself, "id ^@ prefix", or a comparison of an id with an instant,
 * whose B-tree strategy is given.  Return NIL if the arguments are others.  Set *position to
 * that of the id in the clause.
 */
static List *
contained_args(List *args, StrategyNumber strategy, int *position)
{
	Node	   *id;
	Node	   *instant;
	Node	   *range = NULL;

	*position = 0;
	if (are_contained_args(args))
		return args;
	if (are_prefix_args(args))
	{
		id = linitial(args);
		range = prefix_range(getBaseType(exprType(id)), lsecond(args));
	}
	else if ((*position = instant_args(args, &id, &instant)) >= 0)
		range = instant_range(getBaseType(exprType(id)), strategy, instant);
	return range != NULL ? list_make2(id, range) : NIL;
}

/*
 * Replace a clause by comparisons if that helps, and "id ^@ prefix" perhaps by "id <@ range";
 * otherwise return NULL.  A constant that is not a prefix is an error only if the clause is
 * executed.
 *
 * The conditions of row-level security and of a security barrier come before any function
 * of a column that is not leakproof, as that behind ^@.
 */
static Node *
simplify(SupportRequestSimplify *request, StrategyNumber strategy)
{
	int			position;
	List	   *args = contained_args(request->fcall->args, strategy, &position);
	Node	   *result = NULL;
	Node	   *id;
	Node	   *range;
	const RangeTblEntry *rte;

	if (args == NIL || !is_condition(request->fcall))
		return NULL;
	id = linitial(args);
	range = lsecond(args);
	if (IsA(range, Const) && ((Const *) range)->constisnull)
		return NULL;
	if (wants_comparisons(request->root, id, range))
		result = comparisons(id, range);
	if (result != NULL || !are_prefix_args(request->fcall->args))
		return result;
	rte = column_rte(request->root, id);
	return IsA(range, Const) ||
		(rte != NULL && (rte->securityQuals != NIL || rte->security_barrier) &&
		 !contain_var_clause(range)) ? contained_clause(id, range) : NULL;
}

/*
 * Return the arguments of the clause for which an index condition is requested, or
 * NIL unless one of them is the index column and the other is constant during a
 * scan.
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
 * Make the index conditions for a clause.  For an index on the id they are the pair of
 * comparisons, or one of these, since the range of an instant is unbounded on one side.  For
 * an index on a column of ranges the condition is the server's own "range @> id", which is
 * not linked to our operator as commutator.
 */
static Node *
index_condition(SupportRequestIndexCondition *request, StrategyNumber strategy)
{
	int			position;
	List	   *args = contained_args(condition_args(request), strategy, &position);
	List	   *conditions = NIL;
	Node	   *id;
	Node	   *range;

	if (args == NIL)
		return NULL;
	id = linitial(args);
	range = lsecond(args);
	if (request->indexarg == position)
	{
		if (contained_is_all(range))
			return NULL;
		conditions = strategy == CONTAINED_STRATEGY ?
			contained_index_pair(id, range, request->opfamily) :
			contained_index_end(id, range, instant_is_since(strategy), request->opfamily);
	}
	else if (op_in_opfamily(OID_RANGE_CONTAINS_ELEM_OP, request->opfamily))
		conditions = list_make1(make_opclause(OID_RANGE_CONTAINS_ELEM_OP, BOOLOID, false,
											  (Expr *) range, (Expr *) id,
											  InvalidOid, InvalidOid));

	if (conditions != NIL)
		request->lossy = false;
	return (Node *) conditions;
}

/* Estimate a call of the function behind an operator in the same way as the operator. */
static Node *
selectivity(SupportRequestSelectivity *request, StrategyNumber strategy)
{
	int			position;
	List	   *args = contained_args(request->args, strategy, &position);

	if (args == NIL)
		return NULL;
	request->selectivity = request->is_join ?
		contained_join_selectivity(request->root, args, request->jointype, request->sjinfo) :
		contained_selectivity(request->root, args, request->varRelid);
	return (Node *) request;
}

/* The body of all support functions. */
static Datum
support(FunctionCallInfo fcinfo, StrategyNumber strategy)
{
	Node	   *request = (Node *) PG_GETARG_POINTER(0);
	Node	   *result = NULL;

	if (IsA(request, SupportRequestSimplify))
		result = simplify((SupportRequestSimplify *) request, strategy);
	else if (IsA(request, SupportRequestIndexCondition))
		result = index_condition((SupportRequestIndexCondition *) request, strategy);
	else if (IsA(request, SupportRequestSelectivity))
		result = selectivity((SupportRequestSelectivity *) request, strategy);
	PG_RETURN_POINTER(result);
}

/*
 * The support functions (internal) -> internal, shared by all types.  "strategy" is the
 * B-tree strategy of an operator that compares an id on the left with an instant; its
 * commutator has the same support function.  For <@ and ^@ it is CONTAINED_STRATEGY.
 */
#define SUPPORT_FUNCTION(name, strategy) \
	PG_FUNCTION_INFO_V1(name); \
	Datum \
	name(PG_FUNCTION_ARGS) \
	{ \
		return support(fcinfo, strategy); \
	} \
	extern int	no_such_variable

SUPPORT_FUNCTION(idtypes_contained_support, CONTAINED_STRATEGY);
SUPPORT_FUNCTION(idtypes_starts_with_support, CONTAINED_STRATEGY);
SUPPORT_FUNCTION(idtypes_lt_support, BTLessStrategyNumber);
SUPPORT_FUNCTION(idtypes_le_support, BTLessEqualStrategyNumber);
SUPPORT_FUNCTION(idtypes_ge_support, BTGreaterEqualStrategyNumber);
SUPPORT_FUNCTION(idtypes_gt_support, BTGreaterStrategyNumber);
