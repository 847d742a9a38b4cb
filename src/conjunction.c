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

#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "optimizer/paths.h"
#include "utils/rangetypes.h"

#include "conjunction.h"

/* ----------
 * The clause of a condition
 * ----------
 */

/* True if a node is an operand of a clause, of a row comparison one of the first two. */
static bool
has_operand(Node *clause, Node *node)
{
	List	   *args;

	if (IsA(clause, RowCompareExpr))
		return linitial(((RowCompareExpr *) clause)->largs) == node ||
			linitial(((RowCompareExpr *) clause)->rargs) == node;
	if (IsA(clause, OpExpr))
		args = ((OpExpr *) clause)->args;
	else if (IsA(clause, FuncExpr))
		args = ((FuncExpr *) clause)->args;
	else
		return false;
	return list_length(args) == 2 && (linitial(args) == node || lsecond(args) == node);
}

static Node *find_below(Node *clause, Node *id, List **around);

/*
 * Finds the clause with this very node of an id among clauses that hold
 * together, and inside of them; NULL if it is not there.  Adds to *around the
 * lists of clauses that hold where it stands, the nearest first.
 *
 * Nothing is allocated before it is found: many are looked at for each.
 */
static Node *
find_clause(List *clauses, Node *id, List **around)
{
	ListCell   *cell;

	foreach(cell, clauses)
	{
		Node	   *found = find_below(lfirst(cell), id, around);

		if (found != NULL)
		{
			*around = lappend(*around, clauses);
			return found;
		}
	}
	return NULL;
}

/* The same in an arm of an OR, which is a conjunction for itself. */
static Node *
find_in_arm(Node *arm, Node *id, List **around)
{
	Node	   *found = find_below(arm, id, around);

	if (found != NULL && *around == NIL)
		*around = list_make1(list_make1(found));
	return found;
}

/*
 * The same among all arms.
 *
 * The planner asks for one after the other, and there may be thousands.  So the
 * search begins where the last one ended, whatever that one was for.  A clause
 * is found wherever the search begins.
 */
static int	last_arm = 0;

static Node *
find_in_arms(List *arms, Node *id, List **around)
{
	int			count = list_length(arms);
	int			begin = last_arm % count;

	for (int i = 0; i < count; i++)
	{
		int			arm = (begin + i) % count;
		Node	   *found = find_in_arm(list_nth(arms, arm), id, around);

		if (found != NULL)
		{
			last_arm = arm;
			return found;
		}
	}
	return NULL;
}

/*
 * The same in a single clause: what an AND holds is a conjunction again, each
 * arm of an OR, and what is under a NOT or IS TRUE, one for itself.
 */
static Node *
find_below(Node *clause, Node *id, List **around)
{
	clause = strip_restrictinfo(clause);
	if (is_andclause(clause))
		return find_clause(((BoolExpr *) clause)->args, id, around);
	if (IsA(clause, BoolExpr))
		return find_in_arms(((BoolExpr *) clause)->args, id, around);
	if (IsA(clause, BooleanTest))
		return find_in_arm((Node *) ((BooleanTest *) clause)->arg, id, around);
	return has_operand(clause, id) ? clause : NULL;
}

/*
 * The same among the join clauses of a table, of which those hold together that
 * are applied at the same place.
 */
static Node *
find_join_clause(RelOptInfo *rel, Node *id, List **around)
{
	ListCell   *cell;

	foreach(cell, rel->joininfo)
	{
		Relids		place = ((RestrictInfo *) lfirst(cell))->required_relids;
		Node	   *found = find_below(lfirst(cell), id, around);
		List	   *together = NIL;
		ListCell   *other;

		if (found == NULL)
			continue;
		foreach(other, rel->joininfo)
			if (bms_equal(place, ((RestrictInfo *) lfirst(other))->required_relids))
				together = lappend(together, lfirst(other));
		*around = lappend(*around, together);
		return found;
	}
	return NULL;
}

/* ----------
 * Shares
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
narrow(const IdColumn *column, IdWindow *window, List *clauses)
{
	Node	   *leader = NULL;
	IdWindow	leaders;
	ListCell   *cell;

	foreach(cell, clauses)
	{
		Node	   *clause = strip_restrictinfo(lfirst(cell));
		IdCondition condition;
		IdWindow	alone;

		if (!condition_takes_part(column, clause, &condition))
			continue;
		condition_window(column, &condition, &alone);
		if (leader == NULL || leads(column, clause, &alone, leader, &leaders))
		{
			leader = clause;
			leaders = alone;
		}
		window_merge(window, column->range, &alone);
	}
	return leader;
}

/* What a clause is worth that takes part in the first of the conjunctions around it. */
static Selectivity
share_of(IdColumn *column, Node *clause, List *around)
{
	IdWindow	window;
	IdWindow	outer;
	bool		is_inside = false;
	Selectivity selectivity;
	Selectivity given;
	ListCell   *cell;

	window_init(&window);
	if (clause != narrow(column, &window, linitial(around)))
		return 1.0;
	selectivity = column_selectivity(column, &window);

	window_init(&outer);
	for_each_from(cell, around, 1)
		if (narrow(column, &outer, lfirst(cell)) != NULL)
			is_inside = true;
	if (!is_inside)
		return selectivity;
	given = column_selectivity(column, &outer);
	window_merge(&window, column->range, &outer);
	return given > 0 ? Min(1.0, column_selectivity(column, &window) / given) : 0.0;
}

/* What a condition is worth that is a clause, or was made from it. */
static Selectivity
clause_share(IdColumn *column, const IdCondition *condition, Node *clause, List *around)
{
	IdCondition whole;

	if (IsA(clause, FuncExpr))
	{
		List	   *args = ((FuncExpr *) clause)->args;

		if (!condition_read_args(column, InvalidOid, linitial(args), lsecond(args), &whole))
			return condition_selectivity(column, condition);
	}
	else if (!condition_read(column, clause, &whole))
		return condition_selectivity(column, condition);

	Assert(is_contained(&whole) || whole.other == condition->other);
	/* the second of a pair */
	if (is_contained(&whole) && !is_contained(condition) && !is_lower_bound(condition))
		return 1.0;
	return condition_takes_part(column, clause, &whole) ? share_of(column, clause, around) :
		condition_selectivity(column, &whole);
}

/* ----------
 * Copies of clauses
 * ----------
 */

/* The clause among those of the table that says the same as a condition, or NULL. */
static Node *
find_twin(const IdColumn *column, const IdCondition *condition)
{
	ListCell   *cell;

	foreach(cell, column->stats.rel->baserestrictinfo)
	{
		Node	   *clause = strip_restrictinfo(lfirst(cell));
		IdCondition other;

		if (condition_takes_part(column, clause, &other) && condition_twins(&other, condition))
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
 * What a condition is worth that is no clause of the table, but may be a copy of
 * one: what an index is searched with for a row comparison, or the predicate of
 * a partial index.
 */
static Selectivity
copy_share(IdColumn *column, const IdCondition *condition)
{
	RelOptInfo *rel = column->stats.rel;
	Node	   *twin = find_twin(column, condition);
	ListCell   *cell;

	foreach(cell, rel->indexlist)
	{
		IndexOptInfo *index = lfirst(cell);
		List	   *around = NIL;
		Node	   *clause = find_clause(index->indpred, condition->id, &around);

		if (clause != NULL && (twin == NULL || !is_index_column(column, index)))
			return clause_share(column, condition, clause, around);
	}
	return twin != NULL ? share_of(column, twin, list_make1(rel->baserestrictinfo)) :
		condition_selectivity(column, condition);
}

Selectivity
conjunction_share(IdColumn *column, const IdCondition *condition)
{
	RelOptInfo *rel = column->stats.rel;
	List	   *around = NIL;
	Node	   *clause = find_clause(rel->baserestrictinfo, condition->id, &around);
	Selectivity share;

	if (clause == NULL)
		clause = find_join_clause(rel, condition->id, &around);
	if (clause == NULL)
		return copy_share(column, condition);
	share = clause_share(column, condition, clause, around);
	list_free(around);
	return share;
}
