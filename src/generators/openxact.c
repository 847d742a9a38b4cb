/*-------------------------------------------------------------------------
 *
 * openxact.c
 *	  Open transactions that have taken ids, for T_settled() and idtypes_generators().
 *
 * A slot belongs to one backend and one generator, and only that backend writes it, with one
 * store: a lower bound of the time of its transaction's ids, above the low bits of the local
 * transaction id.  A slot counts only while the backend's PGPROC shows that local transaction
 * id.  The server clears that id at the moment at which the transaction's rows become visible
 * (ProcArrayEndTransaction(), after the wait for synchronous standbys).  So nothing has to be
 * done at the end of a transaction, and a backend that dies leaves nothing behind.
 *
 * Nobody clears a slot.  A slot whose transaction has ended counts again while a transaction
 * of the same backend with the same low bits runs, which is one in four million: it then holds
 * readers back until that one ends.  A reader that cleared such slots could be held up before
 * it does so and clear the slot of a later transaction.  What an earlier backend of the same
 * PGPROC has left there is zeroed in openxact_attach(), before readers look at the slots.
 *
 * A backend that takes a word:
 *
 *	1. stores the slot: openxact_cover(), unless the slot covers the word already
 *	2. full barrier
 *	3. swaps last; or reads last and invalidations, and uses a word of its block if last is of the
 *	   same tick and invalidations has not changed
 *
 * The reader, settled_instant():
 *
 *	a. calls clockwords_bound(), which moves last to the end of the tick before the clock's and
 *	   then increments invalidations, or reads that last is of the clock's tick; all words that
 *	   are swapped in afterwards are of the tick that it returns, or later
 *	b. full barrier
 *	c. reads each slot, and the local transaction id in its PGPROC
 *	d. read barrier, then the prepared transactions
 *
 * If a word was swapped in before (a), the reader sees what was stored before the swap: the
 * slot and the local transaction id, in whatever order it reads the two.  Otherwise the word
 * is of the reader's tick or later.  A word of a block needs no swap.  There, the barriers (2)
 * and (b) decide: either the reader sees the slot and the id, or the backend sees that last has
 * left the block's tick or that invalidations has changed.  It need not read the clock again after
 * (2): it has read that before its slot is seen, as if it had been held up since.
 *
 * After idtypes_restart_generators(), words are lower than before.  A backend whose next word
 * is below those that its slot covers lowers the slot first.
 *
 * PREPARE detaches the transaction from its backend.  Before that, the backend copies its slots
 * to an entry, which counts while the transaction is in progress; for a moment, both count.
 * Entries do not survive a restart of the server, as prepared transactions do.  An entry is free
 * for another transaction when its own has ended.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/transam.h"
#include "access/twophase.h"
#include "access/xact.h"
#include "miscadmin.h"
#include "port/pg_bitutils.h"
#include "storage/procarray.h"
#include "storage/shmem.h"

#include "generators/openxact.h"

/*
 * A slot: time in units of 2.048 ms since 1970 above low bits of the local transaction id.  The
 * time lasts until 2255; later ids do not settle.
 */
#define SLOT_TAG_BITS	22
#define SLOT_TIME_BITS	(64 - SLOT_TAG_BITS)
#define SLOT_UNIT_BITS	11		/* a unit is 2^11 microseconds */

#define SLOT_TAG_MASK	((UINT64CONST(1) << SLOT_TAG_BITS) - 1)

/* The slots of a backend, in a cache line of their own, as long as one has room for them. */
#define SLOTS_ALIGN		64

typedef struct BackendSlots
{
	pg_atomic_uint64 slots[GENERATORS] pg_attribute_aligned(SLOTS_ALIGN);	/* 0 if empty */
} BackendSlots;

/* A prepared transaction, or one that is about to be prepared, that has taken ids. */
typedef struct PreparedXact
{
	pg_atomic_uint32 xid;		/* the entry is free unless this is in progress */
	Oid			database;
	pg_atomic_uint64 slots[GENERATORS];
} PreparedXact;

/* The shared memory.  The arrays follow it. */
typedef struct OpenXacts
{
	pg_atomic_uint32 recovered; /* 0 if no prepared transaction of before the start is left */
	pg_atomic_uint32 entries;	/* entries from this on were never used */
	BackendSlots *backends;		/* of allProcs with the same index */
	pg_atomic_uint64 *attached; /* a bit for each of them: its process has attached */
	PreparedXact *prepared;		/* max_prepared_xacts */
} OpenXacts;

OpenXactCover openxact_covers[GENERATORS];

static OpenXacts *open_xacts = NULL;	/* NULL if there is no memory for them */
static BackendSlots *own = NULL;	/* of this process */

static int
attached_words(void)
{
	return (MaxBackends + 63) / 64;
}

/* In this order, each array is aligned. */
Size
openxact_size(void)
{
	Size		size = SLOTS_ALIGN + MAXALIGN(sizeof(OpenXacts));

	size = add_size(size, mul_size(MaxBackends, sizeof(BackendSlots)));
	size = add_size(size, mul_size(attached_words(), sizeof(pg_atomic_uint64)));
	return add_size(size, mul_size(max_prepared_xacts, sizeof(PreparedXact)));
}

OpenXacts *
openxact_allocate(void)
{
	OpenXacts  *shared = ShmemAllocNoError(openxact_size());

	if (shared == NULL)
		return NULL;
	shared->backends = (BackendSlots *) TYPEALIGN(SLOTS_ALIGN, shared + 1);
	shared->attached = (pg_atomic_uint64 *) (shared->backends + MaxBackends);
	shared->prepared = (PreparedXact *) (shared->attached + attached_words());
	pg_atomic_init_u32(&shared->recovered, 1);
	pg_atomic_init_u32(&shared->entries, 0);
	for (int i = 0; i < MaxBackends; i++)
		for (int generator = 0; generator < GENERATORS; generator++)
			pg_atomic_init_u64(&shared->backends[i].slots[generator], 0);
	for (int i = 0; i < attached_words(); i++)
		pg_atomic_init_u64(&shared->attached[i], 0);
	for (int i = 0; i < max_prepared_xacts; i++)
	{
		pg_atomic_init_u32(&shared->prepared[i].xid, InvalidTransactionId);
		for (int generator = 0; generator < GENERATORS; generator++)
			pg_atomic_init_u64(&shared->prepared[i].slots[generator], 0);
	}
	return shared;
}

/* The tag of a slot of the transaction with a local transaction id. */
static inline uint64
slot_tag(LocalTransactionId lxid)
{
	return lxid & SLOT_TAG_MASK;
}

/* Microseconds since 1970. */
static inline int64
slot_begins(uint64 slot)
{
	return (int64) (slot >> SLOT_TAG_BITS) << SLOT_UNIT_BITS;
}

/* A slot for ids that begin at "begins" (microseconds since 1970) or later. */
static inline uint64
make_slot(int64 begins, LocalTransactionId lxid)
{
	int64		units = Max(begins, 0) >> SLOT_UNIT_BITS;

	units = Min(units, (INT64CONST(1) << SLOT_TIME_BITS) - 1);
	return (uint64) units << SLOT_TAG_BITS | slot_tag(lxid);
}

/* ----------
 * Taking ids
 * ----------
 */

void
openxact_cover(Generator generator, uint64 word)
{
	LocalTransactionId lxid = compat_lxid(MyProc);

	if (likely(own != NULL))
		pg_atomic_write_u64(&own->slots[generator],
							make_slot(clockword_tick_begins(&generator_info[generator].layout,
															word), lxid));
	/* (2) */
	pg_memory_barrier();
	openxact_covers[generator] = (OpenXactCover) {.lxid = lxid,.floor = word};
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

/* Take an entry that is free, or of a transaction that has ended if "ended". */
static PreparedXact *
take_entry(TransactionId xid, bool ended)
{
	for (uint32 i = 0; i < max_prepared_xacts; i++)
	{
		PreparedXact *entry = &open_xacts->prepared[i];
		uint32		entries = pg_atomic_read_u32(&open_xacts->entries);
		uint32		old = pg_atomic_read_u32(&entry->xid);

		if ((old != InvalidTransactionId && (!ended || is_in_progress(old))) ||
			!pg_atomic_compare_exchange_u32(&entry->xid, &old, xid))
			continue;
		while (entries <= i &&
			   !pg_atomic_compare_exchange_u32(&open_xacts->entries, &entries, i + 1))
			;
		return entry;
	}
	return NULL;
}

/* Before PREPARE, copy the slots of the transaction to an entry. */
static void
copy_slots(void)
{
	uint64		tag = slot_tag(compat_lxid(MyProc));
	uint64		copies[GENERATORS];
	bool		any = false;
	TransactionId xid;
	PreparedXact *entry;

	for (int i = 0; i < GENERATORS; i++)
	{
		uint64		slot = pg_atomic_read_u64(&own->slots[i]);

		copies[i] = (slot & SLOT_TAG_MASK) == tag ? slot : 0;
		any |= copies[i] != 0;
	}
	if (!any)
		return;
	xid = GetTopTransactionId();
	entry = take_entry(xid, false);
	if (entry == NULL)
		entry = take_entry(xid, true);
	/* PREPARE would fail for the same reason */
	if (entry == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_OUT_OF_MEMORY),
				 errmsg("maximum number of prepared transactions reached"),
				 errhint("Increase max_prepared_transactions (currently %d).",
						 max_prepared_xacts)));
	entry->database = MyDatabaseId;
	for (int i = 0; i < GENERATORS; i++)
		pg_atomic_write_u64(&entry->slots[i], copies[i]);
	/* before the server detaches the transaction from this backend */
	pg_memory_barrier();
}

static void
at_xact_event(XactEvent event, void *arg)
{
	if (event == XACT_EVENT_PRE_PREPARE && own != NULL)
		copy_slots();
}

void
openxact_attach(OpenXacts *shared)
{
	static bool registered = false;
	int			number = MyProc - ProcGlobal->allProcs;

	if (shared == NULL)
		return;
	if (!registered)
		RegisterXactCallback(at_xact_event, NULL);
	registered = true;
	open_xacts = shared;
	own = &shared->backends[number];
	for (int i = 0; i < GENERATORS; i++)
		pg_atomic_write_u64(&own->slots[i], 0);
	/* a full barrier */
	pg_atomic_fetch_or_u64(&shared->attached[number / 64], UINT64CONST(1) << number % 64);
}

void
openxact_detach(void)
{
	int			number = MyProc - ProcGlobal->allProcs;

	if (own == NULL)
		return;
	own = NULL;
	pg_atomic_fetch_and_u64(&open_xacts->attached[number / 64], ~(UINT64CONST(1) << number % 64));
}

bool
openxact_available(void)
{
	return open_xacts != NULL;
}

/* ----------
 * Reading
 * ----------
 */

/* Take the slot of a process for the oldest one if it counts, and is older. */
static inline void
read_slot(int number, Generator generator, int64 *begins, int *pid)
{
	volatile PGPROC *proc = &ProcGlobal->allProcs[number];
	uint64		slot = pg_atomic_read_u64(&open_xacts->backends[number].slots[generator]);
	LocalTransactionId lxid;

	if (slot == 0 || slot_begins(slot) >= *begins)
		return;
	lxid = compat_lxid(proc);
	if (!LocalTransactionIdIsValid(lxid) || slot_tag(lxid) != (slot & SLOT_TAG_MASK) ||
		proc->databaseId != MyDatabaseId)
		return;
	*begins = slot_begins(slot);
	*pid = proc->pid;
}

static void
read_slots(Generator generator, int64 *begins, int *pid)
{
	for (int i = 0; i < attached_words(); i++)
	{
		uint64		attached = pg_atomic_read_u64(&open_xacts->attached[i]);

		for (; attached != 0; attached &= attached - 1)
			read_slot(64 * i + pg_rightmost_one_pos64(attached), generator, begins, pid);
	}
}

/* Read the prepared transactions of this database that have taken ids of a generator. */
static void
read_prepared(Generator generator, int64 *begins, int *pid)
{
	int			entries = pg_atomic_read_u32(&open_xacts->entries);

	for (int i = 0; i < entries; i++)
	{
		PreparedXact *entry = &open_xacts->prepared[i];
		TransactionId xid = pg_atomic_read_u32(&entry->xid);
		uint64		slot;

		if (xid == InvalidTransactionId)
			continue;
		pg_read_barrier();
		slot = pg_atomic_read_u64(&entry->slots[generator]);
		if (slot == 0 || slot_begins(slot) >= *begins || entry->database != MyDatabaseId)
			continue;
		/* last: while it is in progress, no other transaction uses the entry */
		pg_read_barrier();
		if (is_in_progress(xid))
		{
			*begins = slot_begins(slot);
			*pid = 0;
		}
		else
			/* free it; unlike that of a slot, this swap cannot meet a later use: xids differ */
			pg_atomic_compare_exchange_u32(&entry->xid, &xid, InvalidTransactionId);
	}
}

bool
openxact_oldest(Generator generator, int64 *begins, int *pid)
{
	*begins = PG_INT64_MAX;
	if (open_xacts == NULL)
		return false;
	read_slots(generator, begins, pid);
	/* after the slots: a transaction that is prepared meanwhile is found in its entry */
	pg_read_barrier();
	read_prepared(generator, begins, pid);
	return *begins != PG_INT64_MAX;
}

bool
openxact_any_unknown(void)
{
	bool		any = false;

	if (max_prepared_xacts == 0 || pg_atomic_read_u32(&open_xacts->recovered) == 0)
		return false;
	for (int i = 0; i < max_prepared_xacts; i++)
	{
		volatile PGPROC *proc = &PreparedXactProcs[i];
		TransactionId xid = proc->xid;

		if (xid == InvalidTransactionId || !compat_xact_was_recovered(proc) ||
			!is_in_progress(xid))
			continue;
		if (proc->databaseId == MyDatabaseId)
			return true;
		any = true;
	}
	/* after recovery, there will be no further ones */
	if (!any)
		pg_atomic_write_u32(&open_xacts->recovered, 0);
	return false;
}
