/*-------------------------------------------------------------------------
 *
 * openxact.c
 *	  Open transactions that have taken ids, for T_settled() and idtypes_generators().
 *
 * A slot holds the transaction that wrote it (the low bits of its local transaction id), the
 * generators that it has used, and a lower bound of the time of its ids.  A slot counts only
 * while the backend's PGPROC shows the same local transaction id.  The server clears that at
 * the moment at which the transaction's rows become visible (ProcArrayEndTransaction(), after
 * the wait for synchronous standbys).  So nothing has to be done at the end of a transaction,
 * and a backend that dies leaves nothing behind.  Parallel workers generate no ids.
 *
 * A backend that takes a word:
 *
 *	1. stores the slot: openxact_cover(), unless the slot covers the word already
 *	2. full barrier
 *	3. swaps last; or reads last and restarts, and uses a word of its block if last is of the
 *	   same tick and restarts has not changed
 *
 * The reader, openxact_settled():
 *
 *	a. calls clockwords_bound(), which moves last to the end of the tick before the clock's and
 *	   then increments restarts, or reads that last is of the clock's tick; all words that
 *	   are swapped in afterwards are of the tick that it returns, or later
 *	b. full barrier
 *	c. reads each slot, then (read barrier) the local transaction id in its PGPROC
 *	d. read barrier, then the prepared transactions
 *
 * If a word was swapped in before (a), the reader sees the slot that was stored before the
 * swap; otherwise the word is of the reader's tick or later.  A word of a block needs no swap.
 * There, the barriers (2) and (b) decide: either the reader sees the slot, or the backend sees
 * that last has left the block's tick or that restarts has changed.
 *
 * The reader must read the slot before the transaction id: if the backend has begun another
 * transaction in between, the slot of that one was stored after the reader read it, and so
 * after (a).
 *
 * After idtypes_restart_generators(), words are lower than before.  A backend whose next word
 * is below those that its slot covers lowers the slot first.
 *
 * PREPARE detaches the transaction from its backend.  Before that, the backend copies the slot
 * to an entry, which counts while the transaction is in progress; for a moment, both count.
 * Entries do not survive a restart of the server, as prepared transactions do.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/transam.h"
#include "access/twophase.h"
#include "access/xact.h"
#include "miscadmin.h"
#include "storage/procarray.h"
#include "storage/shmem.h"

#include "server/epoch.h"
#include "generators/clockwords.h"
#include "generators/openxact.h"
#include "generators/shared_state.h"

/*
 * The fields of a slot, from the most significant: time in units of 2.048 ms since 1970, a bit
 * for each generator, low bits of the local transaction id.  The time lasts until 2255; later
 * ids do not settle.
 */
#define SLOT_TAG_BITS	14
#define SLOT_SET_BITS	8
#define SLOT_TIME_BITS	(64 - SLOT_SET_BITS - SLOT_TAG_BITS)
#define SLOT_UNIT_BITS	11		/* a unit is 2^11 microseconds */

#define SLOT_TAG_MASK	((UINT64CONST(1) << SLOT_TAG_BITS) - 1)
#define SLOT_SET_MASK	(((UINT64CONST(1) << SLOT_SET_BITS) - 1) << SLOT_TAG_BITS)
#define SLOT_BIT(generator) (UINT64CONST(1) << (SLOT_TAG_BITS + (generator)))

StaticAssertDecl(GENERATORS <= SLOT_SET_BITS, "a slot has a bit for each generator");

/* A prepared transaction, or one that is about to be prepared, that has taken ids. */
typedef struct PreparedXact
{
	pg_atomic_uint32 xid;		/* the entry is free unless this is in progress */
	Oid			database;
	pg_atomic_uint64 slot;
} PreparedXact;

/*
 * The shared memory.  Arrays follow it: a slot for each backend, and the entries of prepared
 * transactions.
 */
typedef struct OpenXacts
{
	pg_atomic_uint64 *slots;	/* of allProcs with the same index; 0 if empty */
	PreparedXact *prepared;
} OpenXacts;

OpenXactLocal openxact_local;

/* Where this process copies its slot at PREPARE from; NULL if it does not. */
static OpenXacts *copied_from = NULL;

/*
 * The number of entries: there is always a free one, since not only prepared transactions
 * take one, but also each backend that is about to prepare its transaction.
 */
static int
prepared_entries(void)
{
	return max_prepared_xacts > 0 ? max_prepared_xacts + MaxBackends : 0;
}

/* In this order, each array is aligned. */
Size
openxact_size(void)
{
	Size		size = MAXALIGN(sizeof(OpenXacts));

	size = add_size(size, mul_size(MaxBackends, sizeof(pg_atomic_uint64)));
	return add_size(size, mul_size(prepared_entries(), sizeof(PreparedXact)));
}

OpenXacts *
openxact_allocate(void)
{
	OpenXacts  *open = ShmemAllocNoError(openxact_size());

	if (open == NULL)
		return NULL;
	open->slots = (pg_atomic_uint64 *) ((char *) open + MAXALIGN(sizeof(OpenXacts)));
	open->prepared = (PreparedXact *) (open->slots + MaxBackends);
	for (int i = 0; i < MaxBackends; i++)
		pg_atomic_init_u64(&open->slots[i], 0);
	for (int i = 0; i < prepared_entries(); i++)
	{
		pg_atomic_init_u32(&open->prepared[i].xid, InvalidTransactionId);
		pg_atomic_init_u64(&open->prepared[i].slot, 0);
	}
	return open;
}

static inline int
number_of_proc(const PGPROC *proc)
{
	return proc - ProcGlobal->allProcs;
}

/* The local transaction id that a PGPROC shows now. */
static inline LocalTransactionId
read_lxid(const volatile PGPROC *proc)
{
	return compat_lxid(proc);
}

/* Microseconds since 1970. */
static inline int64
slot_begins(uint64 slot)
{
	return (int64) (slot >> (SLOT_SET_BITS + SLOT_TAG_BITS)) << SLOT_UNIT_BITS;
}

/* A slot for ids that begin at "begins" (microseconds since 1970) or later. */
static inline uint64
make_slot(int64 begins, uint64 set, uint64 tag)
{
	int64		units = Max(begins, 0) >> SLOT_UNIT_BITS;

	units = Min(units, (INT64CONST(1) << SLOT_TIME_BITS) - 1);
	return (uint64) units << (SLOT_SET_BITS + SLOT_TAG_BITS) | set | tag;
}

/* ----------
 * Taking ids
 * ----------
 */

void
openxact_cover(Generator generator, uint64 word)
{
	OpenXacts  *open = shared_state()->open;
	LocalTransactionId lxid = compat_lxid(MyProc);

	if (likely(open != NULL))
	{
		int64		begins = clockword_tick_begins(&generator_info[generator].layout, word);
		pg_atomic_uint64 *slot = &open->slots[number_of_proc(MyProc)];
		uint64		old;
		uint64		new;

		do
		{
			uint64		tag;

			old = pg_atomic_read_u64(slot);
			/* a child of fork() must not replace the slot of its parent's next transaction */
			pg_read_barrier();
			tag = read_lxid(MyProc) & SLOT_TAG_MASK;
			new = make_slot(begins, SLOT_BIT(generator), tag);
			/* this transaction's other generators, or a child of fork() */
			if (old != 0 && (old & SLOT_TAG_MASK) == tag)
				new = make_slot(Min(begins, slot_begins(old)),
								SLOT_BIT(generator) | (old & SLOT_SET_MASK), tag);
		} while (!pg_atomic_compare_exchange_u64(slot, &old, new));
		/* (2): a swap alone is no full barrier for later reads on all processors; on x86 it is */
#ifndef __x86_64__
		pg_memory_barrier();
#endif
	}

	if (openxact_local.lxid != lxid)
		memset(openxact_local.floor, 0xFF, sizeof(openxact_local.floor));
	openxact_local.lxid = lxid;
	openxact_local.floor[generator] = word;
}

/* ----------
 * Prepared transactions
 * ----------
 */

/*
 * True if a transaction is in progress.  TransactionIdIsInProgress() is also true for each id
 * after the latest, which is where an id that was left behind 2^31 transactions ago appears.
 */
static bool
is_in_progress(TransactionId xid)
{
	return TransactionIdIsInProgress(xid) && TransactionIdPrecedes(xid, ReadNextTransactionId());
}

/* Before PREPARE, copy the slot to an entry of the transaction. */
static void
copy_slot(OpenXacts *open)
{
	uint64		slot = pg_atomic_read_u64(&open->slots[number_of_proc(MyProc)]);
	int			entries = prepared_entries();
	TransactionId xid;

	if (slot == 0 || (slot & SLOT_TAG_MASK) != (compat_lxid(MyProc) & SLOT_TAG_MASK))
		return;
	xid = GetTopTransactionId();
	for (int i = 0; i < entries; i++)
	{
		PreparedXact *entry = &open->prepared[(xid + i) % entries];
		uint32		old = pg_atomic_read_u32(&entry->xid);

		if ((old == InvalidTransactionId || !is_in_progress(old)) &&
			pg_atomic_compare_exchange_u32(&entry->xid, &old, xid))
		{
			entry->database = MyDatabaseId;
			pg_atomic_write_u64(&entry->slot, slot);
			/* before the server detaches the transaction from this backend */
			pg_memory_barrier();
			return;
		}
	}
	elog(ERROR, "no entry is left for a prepared transaction");
}

static void
at_xact_event(XactEvent event, void *arg)
{
	if (event == XACT_EVENT_PRE_PREPARE)
		copy_slot(copied_from);
}

void
openxact_attach(OpenXacts *open)
{
	if (open == NULL || max_prepared_xacts == 0)
		return;
	if (copied_from == NULL)
		RegisterXactCallback(at_xact_event, NULL);
	copied_from = open;
}

/* Read the prepared transactions of this database that have taken ids of a generator. */
static void
read_prepared(OpenXacts *open, Generator generator, int64 *begins, int *pid)
{
	for (int i = 0; i < prepared_entries(); i++)
	{
		PreparedXact *entry = &open->prepared[i];
		TransactionId xid = pg_atomic_read_u32(&entry->xid);
		uint64		slot;

		if (xid == InvalidTransactionId)
			continue;
		pg_read_barrier();
		slot = pg_atomic_read_u64(&entry->slot);
		if ((slot & SLOT_BIT(generator)) == 0 || entry->database != MyDatabaseId ||
			slot_begins(slot) >= *begins)
			continue;
		/* last: while it is in progress, no other transaction uses the entry */
		pg_read_barrier();
		if (is_in_progress(xid))
		{
			*begins = slot_begins(slot);
			*pid = 0;
		}
	}
}

/*
 * True if a prepared transaction of this database may have taken ids without having an entry:
 * one that the server has recovered at its start.
 */
static bool
any_unknown(void)
{
	for (int i = 0; i < max_prepared_xacts; i++)
	{
		volatile PGPROC *proc = &PreparedXactProcs[i];
		TransactionId xid = proc->xid;

		if (xid != InvalidTransactionId && proc->databaseId == MyDatabaseId &&
			compat_xact_was_recovered(proc) && is_in_progress(xid))
			return true;
	}
	return false;
}

/* ----------
 * Reading
 * ----------
 */

/* Read the slots.  A slot of a transaction that has ended is cleared, or its tag would recur. */
static void
read_slots(OpenXacts *open, Generator generator, int64 *begins, int *pid)
{
	for (int i = 0; i < MaxBackends; i++)
	{
		volatile PGPROC *proc = &ProcGlobal->allProcs[i];
		uint64		slot = pg_atomic_read_u64(&open->slots[i]);
		LocalTransactionId lxid;

		if (slot == 0)
			continue;
		pg_read_barrier();
		lxid = read_lxid(proc);
		if (!LocalTransactionIdIsValid(lxid) || (lxid & SLOT_TAG_MASK) != (slot & SLOT_TAG_MASK))
			(void) pg_atomic_compare_exchange_u64(&open->slots[i], &slot, 0);
		else if ((slot & SLOT_BIT(generator)) != 0 && slot_begins(slot) < *begins &&
				 proc->databaseId == MyDatabaseId)
		{
			*begins = slot_begins(slot);
			*pid = proc->pid;
		}
	}
}

bool
openxact_oldest(Generator generator, int64 *begins, int *pid)
{
	OpenXacts  *open = shared_state()->open;

	*begins = PG_INT64_MAX;
	if (open == NULL)
		return false;
	read_slots(open, generator, begins, pid);
	/* after the slots: a transaction that is prepared meanwhile is found in its entry */
	pg_read_barrier();
	read_prepared(open, generator, begins, pid);
	return *begins != PG_INT64_MAX;
}

bool
openxact_settled(Generator generator, const char *function, TimestampTz *instant)
{
	const IdTime *time = &generator_info[generator].layout.time;
	OpenXacts  *open;
	int64		tick;
	int64		begins;
	int			pid;

	if (IsolationUsesXactSnapshot())
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("%s needs the isolation level READ COMMITTED", function),
				 errdetail("The snapshot of this transaction is older than the result, and may not "
						   "show rows below it."),
				 errhint("Use READ COMMITTED, or read up to a watermark that another transaction "
						 "has stored in a row.")));
	tick = clockwords_bound(generator, function);
	open = shared_state()->open;
	if (open == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("%s is not available", function),
				 errdetail("The server had no shared memory left for it when the first id was "
						   "generated."),
				 errhint("Add idtypes to shared_preload_libraries, and restart the server.")));
	/* (b) */
	pg_memory_barrier();
	if (openxact_oldest(generator, &begins, &pid))
		tick = Min(tick, id_tick_at(time, begins));
	*instant = timestamp_of_us(id_tick_begins(time, Max(tick, time->first)));
	return max_prepared_xacts == 0 || !any_unknown();
}
