/*-------------------------------------------------------------------------
 *
 * conjunction.c
 *	  The selectivity of a condition, given all others on the same column.
 *
 * The planner asks for the selectivity of one condition at a time and multiplies
 * the results, but two bounds on one column are not independent.  The server
 * pairs two bounds only if both operators use its own estimators, which cannot
 * interpolate between ids (stats.c).  So this file collects all conditions on the
 * column that the planner knows.  Conditions that hold together form a
 * conjunction.  The estimator returns the selectivity of the whole conjunction for
 * its tightest condition, and 1 for the others.
 *
 * The product is right wherever the planner multiplies all of them.  The planner
 * multiplies all of them for the rows of the table, and for an index on the column,
 * since each such index can use each of these conditions.  The special cases are:
 *
 * - The planner leaves a condition out of the index conditions if the predicate of
 *   a partial index implies it.  If the predicate implies the tightest condition,
 *   it also implies the looser ones; the reverse is not true.  So the condition
 *   with the tightest bound carries the selectivity.
 * - A row comparison never counts as the tightest if the conjunction has another
 *   condition, because only a B-tree can use a row comparison.
 * - "id <@ range" becomes two index conditions.  The first has the selectivity of
 *   the clause and the second 1, so that both forms get the same estimate.
 * - The planner counts a partial index's predicate in place of the conditions that
 *   it implies.  If the index contains the column, the predicate gets the
 *   selectivity of the equivalent clause of the table, otherwise its own.
 * - An arm of an OR, and the argument of a NOT, gets its selectivity among the
 *   rows that satisfy the conditions around it, because the planner multiplies by
 *   the selectivity of those anyway.
 *
 * The planner asks about each condition again for each path.  So the results for
 * a column are computed once in a planner run and cached: the conditions, by the
 * node of their id, and for each conjunction its bounds, its tightest condition
 * and its selectivity.
 *
 * The planner caches the result for a clause (norm_selec) and asks for the rows of
 * the table first, so the result must not depend on what the planner wants it for.
 * It depends neither on that nor on the order of the conditions.
 *
 * How the clause of a condition is found: the planner passes the operands to the
 * estimator, not the clause.  It makes new lists of the operands where it commutes
 * an index condition or asks about the first columns of a row comparison, and
 * contained_index_pair() makes new clauses; but the operands remain the same
 * nodes, and no two clauses share one.  So the clause is the one that contains the
 * same id node.  The planner does copy the nodes for index predicates, and for the
 * index condition made from a row comparison; there, the clause is the one that
 * find_equivalent() finds.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "optimizer/paths.h"
#include "parser/parsetree.h"
#include "utils/lsyscache.h"
#include "utils/rangetypes.h"

#include "planner/conjunction.h"
#include "planner/node_cache.h"
#include "server/compat.h"

/* A condition found in a clause. */
typedef struct Member
{
	IdCondition condition;
	struct Conjunction *conjunction;	/* to which it belongs */
} Member;

/* Conditions on a column that all hold for a row. */
typedef struct Conjunction
{
	struct Conjunction *outer;	/* the one around an arm of an OR or a NOT, or NULL */
	IndexOptInfo *index;		/* the partial index if this is its predicate, or NULL */
	Relids		relids;			/* required_relids of join clauses, otherwise NULL */
	List	   *members;		/* Members that can be combined, in order */
	/* results, valid if is_known */
	bool		is_known;
	const Member *tightest;		/* NULL if there are no members */
	IdBounds	bounds;			/* intersection of the members' bounds */
	Selectivity selectivity;	/* what the tightest member returns */
} Conjunction;

/* All conditions on a column, collected from the clauses its table had at that time. */
typedef struct Conditions
{
	Oid			estimator;
	int			restrictions;	/* length of baserestrictinfo at that time, */
	int			join_clauses;	/* and of joininfo */
	Conjunction *base;			/* from baserestrictinfo */
	List	   *joins;			/* Conjunctions from joininfo, one for each required_relids */
	bool		has_equivalents;	/* base's are cached for find_equivalent() */
} Conditions;

/* ----------
 * Collecting the conditions
 *
 * The caller has switched to root->planner_cxt, because the results are cached until the
 * planner run ends.
 * ----------
 */

static Conjunction *
make_conjunction(Conjunction *outer, IndexOptInfo *index, Relids relids)
{
	Conjunction *conjunction = palloc0(sizeof(Conjunction));

	conjunction->outer = outer;
	conjunction->index = index;
	conjunction->relids = relids;
	return conjunction;
}

/* Remove the RestrictInfo around a clause. */
static Node *
strip_restrictinfo(Node *clause)
{
	RestrictInfo *info = (RestrictInfo *) clause;

	if (!IsA(clause, RestrictInfo))
		return clause;
	/* the arms of orclause have RestrictInfos of their own */
	return (Node *) (info->orclause != NULL ? info->orclause : info->clause);
}

/*
 * If a clause is a condition on the column, cache it, and add it to the conjunction if it
 * can be combined with others.
 */
static void
collect_condition(const IdColumn *column, Conditions *conditions, Conjunction *conjunction,
				  Node *clause)
{
	Datum		of = PointerGetDatum(conditions);
	Member	   *member = palloc(sizeof(Member));
	Node	   *range;

	if (!condition_read(column, clause, &member->condition))
	{
		pfree(member);
		return;
	}
	member->conjunction = conjunction;
	node_cache_add_first(column->root, of, BY_ID, member->condition.id, member);
	if (member->condition.together)
		conjunction->members = lappend(conjunction->members, member);
	if (conjunction->relids != NULL &&
		(range = condition_range(column, &member->condition)) != NULL)
		node_cache_add_first(column->root, of,
							 is_lower_bound(&member->condition) ? BY_FIRST : BY_LAST, range,
							 member);
}

/*
 * Collect the conditions in a clause that belongs to a conjunction.  The arguments
 * of an AND inside the clause form one inner conjunction.  Each arm of an OR, and
 * the argument of NOT, IS TRUE and the like, forms an inner conjunction of its own.
 */
static void
collect_clause(const IdColumn *column, Conditions *conditions, Conjunction *conjunction,
			   Node *clause)
{
	List	   *inside = NIL;
	Conjunction *inner = NULL;
	ListCell   *cell;

	check_stack_depth();
	CHECK_FOR_INTERRUPTS();
	clause = strip_restrictinfo(clause);
	if (IsA(clause, BoolExpr))
		inside = ((BoolExpr *) clause)->args;
	else if (IsA(clause, BooleanTest))
		inside = list_make1(((BooleanTest *) clause)->arg);
	else
		collect_condition(column, conditions, conjunction, clause);
	foreach(cell, inside)
	{
		if (inner == NULL || !is_andclause(clause))
			inner = make_conjunction(conjunction, conjunction->index, NULL);
		collect_clause(column, conditions, inner, lfirst(cell));
	}
}

static void
collect_clauses(const IdColumn *column, Conditions *conditions, Conjunction *conjunction,
				List *clauses)
{
	ListCell   *cell;

	foreach(cell, clauses)
		collect_clause(column, conditions, conjunction, lfirst(cell));
}

/* Find or make the conjunction of the join clauses with these required_relids. */
static Conjunction *
join_conjunction(Conditions *conditions, Relids relids)
{
	Conjunction *conjunction;
	ListCell   *cell;

	foreach(cell, conditions->joins)
	{
		conjunction = lfirst(cell);
		if (bms_equal(conjunction->relids, relids))
			return conjunction;
	}
	conjunction = make_conjunction(NULL, NULL, relids);
	conditions->joins = lappend(conditions->joins, conjunction);
	return conjunction;
}

/* Collect from the restrictions and join clauses of the table, and from index predicates. */
static Conditions *
collect_from_table(const IdColumn *column)
{
	RelOptInfo *rel = column->stats.rel;
	Conditions *conditions = palloc0(sizeof(Conditions));
	ListCell   *cell;

	conditions->estimator = column->estimator;
	conditions->restrictions = list_length(rel->baserestrictinfo);
	conditions->join_clauses = list_length(rel->joininfo);
	conditions->base = make_conjunction(NULL, NULL, NULL);
	collect_clauses(column, conditions, conditions->base, rel->baserestrictinfo);
	foreach(cell, rel->joininfo)
	{
		RestrictInfo *info = lfirst(cell);

		collect_clause(column, conditions, join_conjunction(conditions, info->required_relids),
					   (Node *) info);
	}
	foreach(cell, rel->indexlist)
	{
		IndexOptInfo *index = lfirst(cell);

		if (index->indpred != NIL)
			collect_clauses(column, conditions, make_conjunction(NULL, index, NULL),
							index->indpred);
	}
	return conditions;
}

/*
 * Return all conditions on a column of a base relation.  While the planner derives
 * clauses it adds them to the relation; then the conditions are collected again.
 */
static Conditions *
conditions_of(const IdColumn *column)
{
	RelOptInfo *rel = column->stats.rel;
	Datum		of = PointerGetDatum(rel);
	Conditions *conditions = node_cache_find(column->root, of, BY_COLUMN, column->stats.var);

	if (conditions == NULL || conditions->estimator != column->estimator ||
		conditions->restrictions != list_length(rel->baserestrictinfo) ||
		conditions->join_clauses != list_length(rel->joininfo))
	{
		conditions = collect_from_table(column);
		node_cache_set(column->root, of, BY_COLUMN, copyObject(column->stats.var), conditions);
	}
	return conditions;
}

/* ----------
 * Selectivities
 * ----------
 */

/*
 * True if "member", which sets "bounds", is to carry the selectivity of the
 * conjunction rather than "other", which sets "others".  The member with the
 * tighter bound does, unless only it is a row comparison.
 */
static bool
is_tighter(const IdColumn *column, const Member *member, const IdBounds *bounds,
		   const Member *other, const IdBounds *others)
{
	int			tighter;

	if (member->condition.is_row != other->condition.is_row)
		return other->condition.is_row;
	tighter = range_cmp_bounds(column->range, &bounds->lower, &others->lower);
	return tighter > 0 ||
		(tighter == 0 && range_cmp_bounds(column->range, &bounds->upper, &others->upper) < 0);
}

/* Find the tightest member of a conjunction, and the intersection of all bounds. */
static void
find_tightest(const IdColumn *column, Conjunction *conjunction)
{
	IdBounds	tightest_bounds;
	ListCell   *cell;

	bounds_init(&conjunction->bounds);
	foreach(cell, conjunction->members)
	{
		const Member *member = lfirst(cell);
		IdBounds	alone;

		CHECK_FOR_INTERRUPTS();
		condition_bounds(column, &member->condition, &alone);
		if (conjunction->tightest == NULL ||
			is_tighter(column, member, &alone, conjunction->tightest, &tightest_bounds))
		{
			conjunction->tightest = member;
			tightest_bounds = alone;
		}
		bounds_intersect(&conjunction->bounds, column->range, &alone);
	}
}

/*
 * At client_min_messages = debug2, say how conditions on a column that hold together are
 * estimated, for the question why a plan expects so many rows.
 */
static void
describe_conjunction(const IdColumn *column, const Conjunction *conjunction)
{
	Var		   *var = (Var *) column->stats.var;
	const IdBounds *bounds = &conjunction->bounds;
	RangeBound	lower = bounds->lower;
	RangeBound	upper = bounds->upper;
	RangeType  *known;
	RangeTblEntry *rte;
	Oid			output;
	bool		is_varlena;

	if (!message_level_is_interesting(DEBUG2) || !IsA(var, Var))
		return;
	rte = planner_rt_fetch(var->varno, column->root);
	getTypeOutputInfo(column->range->type_id, &output, &is_varlena);
	known = compat_make_range(column->range, &lower, &upper, bounds->empty);
	ereport(DEBUG2,
			(errmsg_internal("idtypes: the conditions on %s.%s select %g of its rows",
							 rte->eref->aliasname, get_rte_attribute_name(rte, var->varattno),
							 conjunction->selectivity),
			 errdetail_internal("Known bounds %s%s%s.",
								OidOutputFunctionCall(output, RangeTypePGetDatum(known)),
								bounds->unknown_lower ? ", unknown lower bound" : "",
								bounds->unknown_upper ? ", unknown upper bound" : "")));
}

/*
 * Compute the bounds and the selectivity of a conjunction, unless that has been
 * done.  Inside other conjunctions it is the selectivity among the rows that
 * satisfy those.
 */
static void
estimate_conjunction(IdColumn *column, Conjunction *conjunction)
{
	IdBounds	around;
	bool		is_inside = false;

	if (conjunction->is_known)
		return;
	find_tightest(column, conjunction);
	conjunction->is_known = true;
	if (conjunction->tightest == NULL)
		return;

	bounds_init(&around);
	for (Conjunction *outer = conjunction->outer; outer != NULL; outer = outer->outer)
	{
		estimate_conjunction(column, outer);
		if (outer->tightest != NULL)
		{
			bounds_intersect(&around, column->range, &outer->bounds);
			is_inside = true;
		}
	}
	if (is_inside)
	{
		IdBounds	both = conjunction->bounds;
		Selectivity given = column_selectivity(column, &around);

		bounds_intersect(&both, column->range, &around);
		conjunction->selectivity = given > 0 ?
			Min(1.0, column_selectivity(column, &both) / given) : 0.0;
	}
	else
	{
		conjunction->selectivity = column_selectivity(column, &conjunction->bounds);
		describe_conjunction(column, conjunction);
	}
}

/*
 * Return the selectivity of a condition.  "member" is the condition of its clause,
 * or of the clause from which contained_index_pair() made it.
 */
static Selectivity
member_selectivity(IdColumn *column, const IdCondition *condition, const Member *member)
{
	const IdCondition *whole = &member->condition;
	Conjunction *conjunction = member->conjunction;

	/* the second index condition made from <@; the first has the selectivity of both */
	if (is_contained(whole) && !is_contained(condition) && !is_lower_bound(condition))
		return 1.0;
	/* the planner multiplies this one by the others, which do not count it */
	if (!whole->together)
		return condition_selectivity(column, whole);
	estimate_conjunction(column, conjunction);
	return member == conjunction->tightest ? conjunction->selectivity : 1.0;
}

/* ----------
 * Conditions that the planner copied
 * ----------
 */

static CacheKind
expression_kind(const IdCondition *condition)
{
	return is_contained(condition) ? BY_RANGE :
		is_lower_bound(condition) ? BY_LOWER : BY_UPPER;
}

/*
 * Find the first clause of the table that is equivalent to a condition, or return
 * NULL.  < counts as <= and > as >=, because the index condition that the planner
 * makes from (id, n) < (a, b) is id <= a.
 */
static const Member *
find_equivalent(const IdColumn *column, Conditions *conditions, const IdCondition *condition)
{
	Datum		of = PointerGetDatum(conditions);
	ListCell   *cell;

	if (!conditions->has_equivalents)
	{
		foreach(cell, conditions->base->members)
		{
			Member	   *member = lfirst(cell);

			node_cache_add_first(column->root, of, expression_kind(&member->condition),
								 member->condition.other, member);
		}
		conditions->has_equivalents = true;
	}
	return node_cache_find(column->root, of, expression_kind(condition), condition->other);
}

static bool
is_index_column(const IdColumn *column, IndexOptInfo *index)
{
	for (int i = 0; i < index->nkeycolumns; i++)
		if (match_index_to_operand(column->stats.var, i, index))
			return true;
	return false;
}

Selectivity
conjunction_selectivity(IdColumn *column, const IdCondition *condition)
{
	MemoryContext old;
	Conditions *conditions;
	const Member *member;
	Selectivity selectivity;

	CHECK_FOR_INTERRUPTS();
	/*
	 * A join relation has no baserestrictinfo, and GEQO may free it before the
	 * planner run ends.
	 */
	if (!IS_SIMPLE_REL(column->stats.rel))
		return condition_selectivity(column, condition);

	old = MemoryContextSwitchTo(column->root->planner_cxt);
	conditions = conditions_of(column);
	member = node_cache_find(column->root, PointerGetDatum(conditions), BY_ID, condition->id);
	/*
	 * These nodes are not those of a clause of the table: of an index condition made from a
	 * row comparison the planner copied them, and an index predicate has its own.  It counts
	 * the predicate in place of the clauses that it implies, which are out of the index
	 * conditions then.  So if the index has the column, the predicate gets what the
	 * equivalent clause would have contributed.  On another index the clause is counted
	 * as well, so there the predicate is estimated alone.
	 */
	if (member == NULL || member->conjunction->index != NULL)
	{
		const Member *equivalent = find_equivalent(column, conditions, condition);

		if (equivalent != NULL &&
			(member == NULL || is_index_column(column, member->conjunction->index)))
			member = equivalent;
	}
	selectivity = member != NULL ? member_selectivity(column, condition, member) :
		condition_selectivity(column, condition);
	MemoryContextSwitchTo(old);
	return selectivity;
}

bool
conjunction_has_other_end(const IdColumn *column, const IdCondition *condition)
{
	MemoryContext old = MemoryContextSwitchTo(column->root->planner_cxt);
	Node	   *range = condition_range(column, condition);
	bool		found = range != NULL &&
		node_cache_find(column->root, PointerGetDatum(conditions_of(column)),
						is_lower_bound(condition) ? BY_LAST : BY_FIRST, range) != NULL;

	MemoryContextSwitchTo(old);
	return found;
}
