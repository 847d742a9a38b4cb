/*-------------------------------------------------------------------------
 *
 * endpoint.c
 *	  How far the ids of a column reach now.
 *
 * Ids carry their time.  So new rows come at the end, where the last hour is
 * asked for, and statistics are behind just there.  As for the server's own
 * types, the end of an index tells how far it goes.
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
#include "planner/planner_cache.h"

/*
 * Pages of the table with nothing but dead rows that are read at an end before
 * giving up: as many as the server's own get_actual_variable_endpoint() reads.
 * A standby cannot mark index entries as dead, so there each planning reads them.
 */
#define MOST_DEAD_PAGES 100

/* The entry of the table that a column belongs to, or NULL if there is no such table. */
static RangeTblEntry *
table_of(PlannerInfo *root, VariableStatData *column)
{
	RangeTblEntry *rte;

	if (column->rel == NULL || column->rel->rtekind != RTE_RELATION)
		return NULL;
	rte = planner_rt_fetch(column->rel->relid, root);
	/* one that has no parts, or is asked for without them, has no rows, and indexes of no use */
	return rte->inh || rte->relkind == RELKIND_PARTITIONED_TABLE ? NULL : rte;
}

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
	 * Takes rows that are not committed yet, or deleted but still of interest to
	 * somebody; the entries of others are marked dead by the scan itself and
	 * cost nothing the next time.
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

			/* from the index: versions of a row may differ, and not all of them match */
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

/* An end of an index, as it was found in this planner run. */
typedef struct IndexEnd
{
	struct IndexEnd *next;
	Oid			index;
	bool		last;
	bool		found;
	Datum		id;				/* if found */
} IndexEnd;

/*
 * Looks up an end of an index once in a planner run: the planner asks for it
 * with each path and condition, and dead rows make it cost thousands of buffers.
 */
static const IndexEnd *
find_end(PlannerInfo *root, Oid table, const IndexOptInfo *index, bool last,
		 TypeCacheEntry *idtype)
{
	IndexEnd  **ends = planner_cache_get(root, CACHE_ENDPOINTS, sizeof(IndexEnd *));
	IndexEnd   *end;
	Relation	heap;
	Relation	relation;
	MemoryContext old;

	for (end = *ends; end != NULL; end = end->next)
		if (end->index == index->indexoid && end->last == last)
			return end;

	/* the planner has locked both */
	heap = table_open(table, NoLock);
	relation = index_open(index->indexoid, NoLock);
	old = MemoryContextSwitchTo(root->planner_cxt);
	end = palloc0(sizeof(IndexEnd));
	end->index = index->indexoid;
	end->last = last;
	end->found = read_end(heap, relation, last == index->reverse_sort[0] ?
						  ForwardScanDirection : BackwardScanDirection, idtype, &end->id);
	end->next = *ends;
	*ends = end;
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
 * How many rows of a table were changed since ANALYZE, as the cumulative
 * statistics have it; 0 if they know nothing.
 *
 * pgstat_fetch_stat_tabentry() would keep its answer until the transaction ends:
 * the user would not see in pg_stat_all_tables what changes after a planning.
 */
static double
changed_since_analyze(Oid table)
{
	PgStat_EntryRef *entry = pgstat_get_entry_ref(PGSTAT_KIND_RELATION, MyDatabaseId, table,
												  false, NULL);
	double		changed;

	if (entry == NULL || entry->shared_entry->dropped)
		return 0;
	pgstat_lock_entry_shared(entry, false);
	changed = ((PgStatShared_Relation *) entry->shared_stats)->stats.mod_since_analyze;
	pgstat_unlock_entry(entry);
	return changed;
}

/*
 * pg_class has the rows that ANALYZE or VACUUM counted, the planner those of
 * today's size.  That VACUUM counted rows which ANALYZE has not seen, only the
 * cumulative statistics know, which do not tell insertions from updates.
 */
void
endpoint_new_rows(PlannerInfo *root, VariableStatData *column, double *grown, double *changed)
{
	RangeTblEntry *rte = table_of(root, column);
	HeapTuple	tuple;

	*grown = *changed = 0;
	if (rte == NULL)
		return;
	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(rte->relid));
	if (HeapTupleIsValid(tuple))
	{
		double		counted = ((Form_pg_class) GETSTRUCT(tuple))->reltuples;

		if (counted > 0)
			*grown = Max(0, column->rel->tuples - counted);
		ReleaseSysCache(tuple);
	}
	*changed = Max(*grown, changed_since_analyze(rte->relid));
}
