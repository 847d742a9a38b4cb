/*-------------------------------------------------------------------------
 *
 * endpoint.c
 *	  The smallest and largest id that a column has now.
 *
 * Ids begin with their time, so new rows have the largest ids.  Queries for the
 * last hour ask for just those ids, and the histogram of the last ANALYZE does not
 * reach them.  As the server does for its own types
 * (get_actual_variable_endpoint()), this file reads the end of an index.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/skey.h"
#include "access/table.h"
#include "access/tableam.h"
#include "catalog/pg_am.h"
#include "catalog/pg_class.h"
#include "executor/tuptable.h"
#include "miscadmin.h"
#include "optimizer/optimizer.h"
#include "optimizer/paths.h"
#include "parser/parsetree.h"
#include "utils/datum.h"
#include "utils/lsyscache.h"
#include "utils/pgstat_internal.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"
#include "utils/syscache.h"

#include "server/compat.h"
#include "planner/endpoint.h"
#include "planner/node_cache.h"

/*
 * How many table pages with only dead rows to read before giving up: as many as
 * the server's own get_actual_variable_endpoint() reads.  A standby cannot mark
 * index entries as dead, so every planner run there reads these pages again.
 */
#define MOST_DEAD_PAGES 100

/* Return the RTE of the column's table, or NULL if the column belongs to no table with rows. */
static RangeTblEntry *
table_of(PlannerInfo *root, VariableStatData *column)
{
	RangeTblEntry *rte;

	if (column->rel == NULL || column->rel->rtekind != RTE_RELATION)
		return NULL;
	rte = planner_rt_fetch(column->rel->relid, root);
	/* A partitioned parent has no rows of its own. */
	return rte->inh || rte->relkind == RELKIND_PARTITIONED_TABLE ? NULL : rte;
}

/*
 * Read the first id that is not NULL from an index in a direction, and copy it into the
 * current memory context.  Return false if there is none, or after MOST_DEAD_PAGES.
 */
static bool
read_end(Relation table, Relation index, ScanDirection direction, TypeCacheEntry *idtype,
		 Datum *id)
{
	TupleTableSlot *slot = table_slot_create(table, NULL);
	SnapshotData snapshot;
	ScanKeyData not_null;
	IndexScanDesc scan;
	ItemPointer row;
	BlockNumber page = InvalidBlockNumber;
	int			dead_pages = 0;
	bool		found = false;

	/*
	 * This snapshot also accepts rows that are not committed yet, and deleted rows
	 * that another transaction may still see.  The scan marks the index entries of
	 * all other rows as dead, so the next scan skips them.
	 */
	InitNonVacuumableSnapshot(snapshot, GlobalVisTestFor(table));
	ScanKeyEntryInitialize(&not_null, SK_ISNULL | SK_SEARCHNOTNULL, 1, InvalidStrategy,
						   InvalidOid, InvalidOid, InvalidOid, (Datum) 0);
	scan = compat_index_beginscan(table, index, &snapshot, 1);
	scan->xs_want_itup = true;
	index_rescan(scan, &not_null, 1, NULL, 0);

	while ((row = index_getnext_tid(scan, direction)) != NULL)
	{
		BlockNumber block = ItemPointerGetBlockNumber(row);

		if (index_fetch_heap(scan, slot))
		{
			bool		isnull;
			Datum		value = index_getattr(scan->xs_itup, 1, scan->xs_itupdesc, &isnull);

			/* take the index's value: the visible version of the row may hold another one */
			*id = datumCopy(value, idtype->typbyval, idtype->typlen);
			found = true;
			break;
		}
		CHECK_FOR_INTERRUPTS();
		if (block != page && ++dead_pages > MOST_DEAD_PAGES)
			break;
		page = block;
	}
	index_endscan(scan);
	ExecDropSingleTupleTableSlot(slot);
	return found;
}

/* One end of an index, cached for this planner run. */
typedef struct IndexEnd
{
	bool		found;
	Datum		id;				/* if found */
} IndexEnd;

/*
 * Return one end of an index, reading it at most once in a planner run.  The
 * planner asks for estimates for each path and condition, and with dead rows at
 * that end each read might cost thousands of buffers.
 */
static const IndexEnd *
find_end(PlannerInfo *root, Oid table, const IndexOptInfo *index, bool last,
		 TypeCacheEntry *idtype)
{
	Datum		key = ObjectIdGetDatum(index->indexoid);
	CacheKind	kind = last ? LAST_ID : FIRST_ID;
	IndexEnd   *end = node_cache_find(root, key, kind, NULL);
	Relation	heap;
	Relation	relation;
	MemoryContext old;

	if (end != NULL)
		return end;

	/* the planner has already locked the table and its indexes */
	heap = table_open(table, NoLock);
	relation = index_open(index->indexoid, NoLock);
	old = MemoryContextSwitchTo(root->planner_cxt);
	end = palloc0(sizeof(IndexEnd));
	end->found = read_end(heap, relation, last == index->reverse_sort[0] ?
						  ForwardScanDirection : BackwardScanDirection, idtype, &end->id);
	node_cache_set(root, key, kind, NULL, end);
	MemoryContextSwitchTo(old);
	index_close(relation, NoLock);
	table_close(heap, NoLock);
	return end;
}

bool
endpoint_read(PlannerInfo *root, VariableStatData *column, TypeCacheEntry *range, bool last,
			  Datum *id)
{
	RangeTblEntry *rte = table_of(root, column);
	Oid			opfamily;
	ListCell   *cell;

	if (rte == NULL)
		return false;
	opfamily = lookup_type_cache(range->rngelemtype->type_id,
								 TYPECACHE_BTREE_OPFAMILY)->btree_opf;
	foreach(cell, column->rel->indexlist)
	{
		IndexOptInfo *index = lfirst(cell);

		if (index->relam == BTREE_AM_OID && index->indpred == NIL && !index->hypothetical &&
			index->sortopfamily[0] == opfamily &&
			match_index_to_operand(column->var, 0, index))
		{
			const IndexEnd *end = find_end(root, rte->relid, index, last, range->rngelemtype);

			*id = end->id;
			return end->found;
		}
	}
	return false;
}

/*
 * Read from the cumulative statistics the rows of a table that were changed since ANALYZE,
 * and the dead rows.  Both are 0 if the statistics have no entry.
 *
 * pgstat_fetch_stat_tabentry() would cache the entry until the transaction ends, so
 * after planning a query, pg_stat_all_tables would show outdated values.
 */
static void
read_changes(Oid table, double *changed, double *dead)
{
	PgStat_EntryRef *entry = pgstat_get_entry_ref(PGSTAT_KIND_RELATION, MyDatabaseId, table,
												  false, NULL);
	PgStat_StatTabEntry *stats;

	*changed = *dead = 0;
	if (entry == NULL || entry->shared_entry->dropped)
		return;
	stats = &((PgStatShared_Relation *) entry->shared_stats)->stats;
	pgstat_lock_entry_shared(entry, false);
	*changed = stats->mod_since_analyze;
	*dead = stats->dead_tuples;
	pgstat_unlock_entry(entry);
}

/*
 * pg_class.reltuples is what ANALYZE or VACUUM counted, and rel->tuples is the
 * planner's estimate from the current size.  When VACUUM counted rows that ANALYZE
 * has not seen, only the cumulative statistics show it, and they do not
 * distinguish insertions from updates.  Updates leave dead rows, which need space, too.
 */
void
endpoint_new_rows(PlannerInfo *root, VariableStatData *column, double *grown, double *changed)
{
	RangeTblEntry *rte = table_of(root, column);
	HeapTuple	tuple;
	double		dead;

	*grown = *changed = 0;
	if (rte == NULL)
		return;
	read_changes(rte->relid, changed, &dead);
	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(rte->relid));
	if (HeapTupleIsValid(tuple))
	{
		double		counted = ((Form_pg_class) GETSTRUCT(tuple))->reltuples;

		if (counted > 0)
			*grown = Max(0, column->rel->tuples - counted - dead);
		ReleaseSysCache(tuple);
	}
	*changed = Max(*grown, *changed);
}
