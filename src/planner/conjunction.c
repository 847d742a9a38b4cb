/*-------------------------------------------------------------------------
 *
 * conjunction.c
 *	  What one condition is worth among all that hold together with it.
 *
 * The planner asks for one condition at a time and multiplies the answers.  But
 * two bounds of one column are not independent.  The server pairs them where
 * both operators have its own estimators, which cannot interpolate between ids
 * (stats.c).  So here the condition is looked for among all that the planner
 * knows of the table, and those on the same column are taken together: one of
 * them, the leader, answers for the whole conjunction, and the others 1.
 *
 * That makes the product right wherever the planner takes all of them, which is
 * nearly everywhere: for the rows of the table, and for an index on the column,
 * as each index on it can use each of these conditions.  The rest:
 *
 * - The leader is the condition with the tightest bound.  Others may be left out
 *   of an index condition if a predicate says as much and the leader too.
 * - The leader is never a row comparison unless there is nothing else, because
 *   only a B-tree can use that.
 * - "id <@ range" becomes two index conditions.  The first is worth what the
 *   clause is worth and the second 1, so that the planner believes the same of
 *   both forms.
 * - What a partial index implies is not made an index condition again; its
 *   predicate is counted instead.  If the column is in the index, a predicate
 *   stands for the condition that it equals; if not, it stands for itself.
 * - An arm of an OR, and what is under a NOT, answers for what it leaves of the
 *   conditions around it, which are multiplied in anyway.
 *
 * The planner asks for each condition, and again for each path.  So what the
 * conditions of a column say is worked out once in a planner run and kept: the
 * conditions by the node of their id, and for each conjunction the window that
 * it leaves, its leader and what that is worth.
 *
 * The planner keeps the answer for a condition and asks for the rows of the
 * table first, so an answer must not depend on what it is wanted for.  Nor does
 * it, or the order of conditions, as the product is the same whoever leads.
 *
 * How a clause is found: the planner tells an estimator the operands, not the
 * clause.  It makes new lists of them, where it commutes an index condition or
 * asks for the first columns of a row comparison, and contained_index_pair()
 * makes new clauses.  But the operands stay the nodes that they are, and no two
 * clauses share one.  So the clause is the one that has the very node of the id.
 * Where the planner copies it, for predicates of indexes and for what an index
 * is searched with instead of a row comparison, the clause is the one that says
 * the same.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "common/hashfn.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "optimizer/paths.h"
#include "utils/datum.h"
#include "utils/rangetypes.h"

#include "planner/conjunction.h"
#include "planner/planner_cache.h"

/* A condition of a column that is a clause, or part of one. */
typedef struct Member
{
	IdCondition condition;
	struct Conjunction *conjunction;	/* that it stands in */
} Member;

/* Conditions of a column that hold together. */
typedef struct Conjunction
{
	struct Conjunction *outer;	/* of an arm of an OR: what holds around it; or NULL */
	IndexOptInfo *index;		/* whose predicate this is, or NULL */
	Relids		place;			/* of join clauses: where they are applied */
	List	   *members;		/* those that are taken together, in order */
	/* what follows from them, once that is worked out */
	bool		is_known;
	const Member *tightest;		/* NULL if there are no members */
	IdBounds	bounds;			/* what they leave */
	Selectivity selectivity;	/* what the leader is worth */
} Conjunction;

/* All conditions of a column, from the clauses that its table has had at a time. */
typedef struct Conditions
{
	Oid			estimator;
	int			restrictions;	/* how many clauses of the table there were, */
	int			joins;			/* and how many join clauses */
	Conjunction *base;			/* the clauses of the table */
	List	   *places;			/* conjunctions of its join clauses */
	bool		has_equivalents;	/* those of base are kept by what they say, too */
} Conditions;

/* ----------
 * What is kept in a planner run
 * ----------
 */

/* By what something is kept, and of what. */
typedef enum CacheKind
{
	BY_COLUMN,					/* Conditions: of a table, by a column */
	BY_ID,						/* Member: of Conditions, by the very node of its id */
	/* Member: of Conditions, the first one by what its id is compared with */
	BY_RANGE,					/* is in this range */
	BY_LOWER,					/* is beyond this bound, up to the next */
	BY_UPPER,
	BY_FIRST,					/* is beyond the inclusive end of this range, in a join clause */
	BY_LAST
} CacheKind;

typedef struct CacheKey
{
	const void *of;
	CacheKind	by;
	Node	   *node;
} CacheKey;

typedef struct CacheEntry
{
	CacheKey	key;
	void	   *value;
	uint32		hash;
	char		status;			/* of simplehash.h */
} CacheEntry;

static uint32
hash_address(const void *address)
{
	return hash_bytes((const unsigned char *) &address, sizeof(address));
}

/* Adds to a hash what most expressions differ by that are not equal(). */
static bool
hash_node(Node *node, uint32 *hash)
{
	uint32		own = 0;

	if (node == NULL)
		return false;
	if (IsA(node, Const))
	{
		Const	   *constant = (Const *) node;

		if (!constant->constisnull)
			own = datum_image_hash(constant->constvalue, constant->constbyval,
								   constant->constlen);
	}
	else if (IsA(node, Param))
		own = ((Param *) node)->paramid;
	else if (IsA(node, Var))
		own = hash_combine(((Var *) node)->varno, ((Var *) node)->varattno);
	else if (IsA(node, FuncExpr))
		own = ((FuncExpr *) node)->funcid;
	else if (IsA(node, OpExpr))
		own = ((OpExpr *) node)->opno;
	*hash = hash_combine(*hash, hash_combine(nodeTag(node), own));
	return expression_tree_walker(node, hash_node, hash);
}

static uint32
hash_key(CacheKey key)
{
	uint32		hash = hash_combine(hash_address(key.of), key.by);

	if (key.by == BY_ID)
		return hash_combine(hash, hash_address(key.node));
	hash_node(key.node, &hash);
	return hash;
}

static bool
is_same_key(CacheKey a, CacheKey b)
{
	return a.of == b.of && a.by == b.by &&
		(a.node == b.node || (a.by != BY_ID && equal(a.node, b.node)));
}

#define SH_PREFIX cache
#define SH_ELEMENT_TYPE CacheEntry
#define SH_KEY_TYPE CacheKey
#define SH_KEY key
#define SH_HASH_KEY(table, key) hash_key(key)
#define SH_EQUAL(table, a, b) is_same_key(a, b)
#define SH_STORE_HASH
#define SH_GET_HASH(table, entry) (entry)->hash
#define SH_SCOPE static inline
#define SH_DECLARE
#define SH_DEFINE
#include "lib/simplehash.h"

static cache_hash *
cache_table(PlannerInfo *root)
{
	cache_hash **table = planner_cache_get(root, CACHE_CONDITIONS, sizeof(cache_hash *));

	if (*table == NULL)
		*table = cache_create(root->planner_cxt, 8, NULL);
	return *table;
}

/* What is kept by a node; NULL if nothing is. */
static void *
find_cached(PlannerInfo *root, const void *of, CacheKind by, Node *node)
{
	CacheEntry *entry = cache_lookup(cache_table(root), (CacheKey) {of, by, node});

	return entry != NULL ? entry->value : NULL;
}

/* Where something is kept by a node, which must exist as long as the planner run; NULL at first. */
static void **
cache_slot(PlannerInfo *root, const void *of, CacheKind by, Node *node)
{
	bool		found;
	CacheEntry *entry = cache_insert(cache_table(root), (CacheKey) {of, by, node}, &found);

	if (!found)
		entry->value = NULL;
	return &entry->value;
}

static void
cache_add_first(PlannerInfo *root, const void *of, CacheKind by, Node *node, void *value)
{
	void	  **slot = cache_slot(root, of, by, node);

	if (*slot == NULL)
		*slot = value;
}

/* ----------
 * Which conditions there are
 * ----------
 */

static Conjunction *
make_conjunction(Conjunction *outer, IndexOptInfo *index, Relids place)
{
	Conjunction *conjunction = palloc0(sizeof(Conjunction));

	conjunction->outer = outer;
	conjunction->index = index;
	conjunction->place = place;
	return conjunction;
}

static void
collect_condition(const IdColumn *column, Conditions *conditions, Conjunction *conjunction,
				  Node *clause)
{
	Member	   *member = palloc(sizeof(Member));
	Node	   *range;

	if (!condition_read(column, clause, &member->condition))
	{
		pfree(member);
		return;
	}
	member->conjunction = conjunction;
	cache_add_first(column->root, conditions, BY_ID, member->condition.id, member);
	if (member->condition.together)
		conjunction->members = lappend(conjunction->members, member);
	if (conjunction->place != NULL &&
		(range = condition_range(column, &member->condition)) != NULL)
		cache_add_first(column->root, conditions,
						is_lower_bound(&member->condition) ? BY_FIRST : BY_LAST, range, member);
}

/*
 * Collects the conditions that are in a clause of a conjunction.  What an AND in
 * it holds is a conjunction again, each arm of an OR, and what is under a NOT or
 * IS TRUE, one for itself.
 */
static void
collect(const IdColumn *column, Conditions *conditions, Conjunction *conjunction, Node *clause)
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
		collect(column, conditions, inner, lfirst(cell));
	}
}

static void
collect_list(const IdColumn *column, Conditions *conditions, Conjunction *conjunction,
			 List *clauses)
{
	ListCell   *cell;

	foreach(cell, clauses)
		collect(column, conditions, conjunction, lfirst(cell));
}

/* The conjunction of the join clauses that are applied at the same place. */
static Conjunction *
conjunction_at(Conditions *conditions, Relids place)
{
	Conjunction *conjunction;
	ListCell   *cell;

	foreach(cell, conditions->places)
	{
		conjunction = lfirst(cell);
		if (bms_equal(conjunction->place, place))
			return conjunction;
	}
	conjunction = make_conjunction(NULL, NULL, place);
	conditions->places = lappend(conditions->places, conjunction);
	return conjunction;
}

static Conditions *
collect_all(const IdColumn *column)
{
	RelOptInfo *rel = column->stats.rel;
	Conditions *conditions = palloc0(sizeof(Conditions));
	ListCell   *cell;

	conditions->estimator = column->estimator;
	conditions->restrictions = list_length(rel->baserestrictinfo);
	conditions->joins = list_length(rel->joininfo);
	conditions->base = make_conjunction(NULL, NULL, NULL);
	collect_list(column, conditions, conditions->base, rel->baserestrictinfo);
	foreach(cell, rel->joininfo)
	{
		RestrictInfo *info = lfirst(cell);

		collect(column, conditions, conjunction_at(conditions, info->required_relids),
				(Node *) info);
	}
	foreach(cell, rel->indexlist)
	{
		IndexOptInfo *index = lfirst(cell);

		if (index->indpred != NIL)
			collect_list(column, conditions, make_conjunction(NULL, index, NULL), index->indpred);
	}
	return conditions;
}

/*
 * All conditions of a column of a base relation.  Its clauses may become more
 * while the planner derives them; then they are collected anew.
 */
static Conditions *
conditions_of(const IdColumn *column)
{
	RelOptInfo *rel = column->stats.rel;
	Conditions *conditions = find_cached(column->root, rel, BY_COLUMN, column->stats.var);

	if (conditions == NULL || conditions->estimator != column->estimator ||
		conditions->restrictions != list_length(rel->baserestrictinfo) ||
		conditions->joins != list_length(rel->joininfo))
	{
		conditions = collect_all(column);
		*cache_slot(column->root, rel, BY_COLUMN, copyObject(column->stats.var)) = conditions;
	}
	return conditions;
}

/* ----------
 * Shares
 * ----------
 */

/*
 * True if one condition, with the window that it leaves by itself, is to answer
 * for the others rather than another one: it has the tightest bound, so that
 * nothing which the planner may leave out because of the others leads.
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

/* Finds the leader of a conjunction, and the window that all its members leave. */
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

/* Works out, once, what a conjunction leaves of the column and what its leader is worth. */
static void
work_out(IdColumn *column, Conjunction *conjunction)
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
		work_out(column, outer);
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
		conjunction->selectivity = column_selectivity(column, &conjunction->bounds);
}

/* What a condition is worth that is a member of a conjunction, or was made from one. */
static Selectivity
member_selectivity(IdColumn *column, const IdCondition *condition, const Member *member)
{
	const IdCondition *whole = &member->condition;

	/* the second of a pair */
	if (is_contained(whole) && !is_contained(condition) && !is_lower_bound(condition))
		return 1.0;
	if (!whole->together)
		return condition_selectivity(column, whole);
	work_out(column, member->conjunction);
	return member == member->conjunction->tightest ? member->conjunction->selectivity : 1.0;
}

/* ----------
 * Copies of clauses
 * ----------
 */

static CacheKind
said_by(const IdCondition *condition)
{
	return is_contained(condition) ? BY_RANGE :
		is_lower_bound(condition) ? BY_LOWER : BY_UPPER;
}

/*
 * The first clause of the table that says the same as a condition, or NULL.  One
 * of the two may leave out its bound: of (id, n) < (a, b) an index is searched
 * with id <= a.
 */
static const Member *
find_equivalent(const IdColumn *column, Conditions *conditions, const IdCondition *condition)
{
	ListCell   *cell;

	if (!conditions->has_equivalents)
	{
		foreach(cell, conditions->base->members)
		{
			Member	   *member = lfirst(cell);

			cache_add_first(column->root, conditions, said_by(&member->condition),
							member->condition.other, member);
		}
		conditions->has_equivalents = true;
	}
	return find_cached(column->root, conditions, said_by(condition), condition->other);
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
	/* that of a join has no clauses of its own, and may go before the planner run ends */
	if (!IS_SIMPLE_REL(column->stats.rel))
		return condition_selectivity(column, condition);

	old = MemoryContextSwitchTo(column->root->planner_cxt);
	conditions = conditions_of(column);
	member = find_cached(column->root, conditions, BY_ID, condition->id);
	/* not a clause of the table: a predicate, or an index condition of a row comparison */
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
		find_cached(column->root, conditions_of(column),
					is_lower_bound(condition) ? BY_LAST : BY_FIRST, range) != NULL;

	MemoryContextSwitchTo(old);
	return found;
}
