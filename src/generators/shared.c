/*-------------------------------------------------------------------------
 *
 * shared.c
 *	  Allocating and initializing the generators' shared memory, and attaching to it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <unistd.h>

#include "access/parallel.h"
#include "miscadmin.h"
#include "storage/ipc.h"
#include "storage/shmem.h"

#include "server/compat.h"
#include "generators/openxact.h"
#include "generators/shared.h"

#define SHARED_STATE_NAME	"idtypes"
#define SHARED_STATE_SIZE	4096

StaticAssertDecl(sizeof(SharedState) + PG_CACHE_LINE_SIZE <= SHARED_STATE_SIZE,
				 "the generators' shared memory has a fixed size");
StaticAssertDecl(sizeof(IDTYPES_VERSION) <= sizeof(((SharedState *) 0)->library),
				 "the library's version does not fit shared memory");

ClockWordsLocal	clockwords_local;
uint32		shared_wait_events[WAIT_CAUSES + 1];

void
shared_check_process(void)
{
	/* only the leader's transaction can store the ids, and T_settled() looks at that one */
	if (IsParallelWorker())
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_TRANSACTION_STATE),
				 errmsg("cannot generate identifiers in a parallel worker")));
	/* it has its parent's PGPROC, and if it were killed, nothing would release its locks */
	if ((int) getpid() != MyProcPid)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("cannot generate identifiers in a child process of a session"),
				 errhint("Generate them in the session itself, or in another session.")));
}

/*
 * Initialize the shared memory.  The caller holds AddinShmemInitLock.  The version is set
 * last, because it marks the memory as complete: if compat_new_tranche() throws an error,
 * the version remains 0.
 */
static void
init_state(SharedState *state, const uint64 random[GENERATORS][SHARED_RANDOM])
{
	memset(state, 0, sizeof(SharedState));
	LWLockInitialize(&state->lock, compat_new_tranche(SHARED_STATE_NAME));
	ConditionVariableInit(&state->released);
	pg_atomic_init_u64(&state->mark_written, 0);
	pg_atomic_init_u64(&state->wall_ahead, 0);
	pg_atomic_init_u64(&state->mark, 0);
	pg_atomic_init_u64(&state->renew_at, 0);
	for (int i = 0; i < GENERATORS; i++)
	{
		SharedClockWord *word = &state->words[i];

		pg_atomic_init_u64(&word->last, 0);
		pg_atomic_init_u64(&word->start, 0);
		pg_atomic_init_u64(&word->generated, 0);
		for (int cause = 0; cause < WAIT_CAUSES; cause++)
			pg_atomic_init_u64(&word->waits[cause], 0);
		pg_atomic_init_u32(&word->invalidations, 0);
		memcpy(word->random, random[i], sizeof(word->random));
	}
	strlcpy(state->library, IDTYPES_VERSION, sizeof(state->library));
	/* after all other allocations; without this memory, only T_settled() throws an error */
	state->open_xacts = openxact_allocate();
	state->version = SHARED_STATE_VERSION;
}

/*
 * Return the shared memory; allocate and initialize it if no process has.
 */
static SharedState *
find_state(void)
{
	SharedState *state;
	uint64		random[GENERATORS][SHARED_RANDOM];
	bool		found;

	/* drawn before initialization, which must not fail halfway */
	if (!pg_strong_random(random, sizeof(random)))
		ereport(ERROR,
				(errcode(ERRCODE_INTERNAL_ERROR),
				 errmsg("could not generate random values for identifier generators")));

	LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
	PG_TRY();
	{
		/* ShmemInitStruct aligns to less than a cache line on some majors */
		state = (SharedState *)
			TYPEALIGN(PG_CACHE_LINE_SIZE,
					  ShmemInitStruct(SHARED_STATE_NAME, SHARED_STATE_SIZE, &found));
		/*
		 * version 0: an earlier backend allocated the memory and then failed, e.g. for want
		 * of a tranche
		 */
		if (!found || state->version == 0)
			init_state(state, random);
	}
	PG_CATCH();
	{
		/* release here: the server sends the error to the client before it releases locks */
		HOLD_INTERRUPTS();
		LWLockRelease(AddinShmemInitLock);
		PG_RE_THROW();
	}
	PG_END_TRY();
	LWLockRelease(AddinShmemInitLock);
	return state;
}

static shmem_request_hook_type prev_shmem_request_hook = NULL;
static shmem_startup_hook_type prev_shmem_startup_hook = NULL;

static void
request_shmem(void)
{
	if (prev_shmem_request_hook)
		prev_shmem_request_hook();
	RequestAddinShmemSpace(SHARED_STATE_SIZE);
	RequestAddinShmemSpace(openxact_size());
}

/* Allocate the requested memory before other code can use it up. */
static void
startup_shmem(void)
{
	if (prev_shmem_startup_hook)
		prev_shmem_startup_hook();
	(void) find_state();
}

void
shared_request(void)
{
	prev_shmem_request_hook = shmem_request_hook;
	shmem_request_hook = request_shmem;
	prev_shmem_startup_hook = shmem_startup_hook;
	shmem_startup_hook = startup_shmem;
}

/* When the transaction has been aborted, and before the server gives up MyProc. */
static void
at_exit(int code, Datum arg)
{
	/* not in a child of fork(), which has detached */
	if (clockwords_local.shared == NULL)
		return;
	shared_report();
	openxact_detach();
}

static void
attach_context(void *arg)
{
	errcontext("attaching the identifier generators; with idtypes in shared_preload_libraries "
			   "their memory is reserved at server start");
}

void
shared_attach(void)
{
	ErrorContextCallback context = {.callback = attach_context,.previous = error_context_stack};
	SharedState *state;

	if (clockwords_local.shared != NULL)
		return;
	shared_check_process();
	error_context_stack = &context;
	state = find_state();
	error_context_stack = context.previous;

	if (state->version != SHARED_STATE_VERSION)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the identifier generators of this server belong to another version of "
						"the idtypes library"),
				 errdetail("They run with library version %.*s (layout %u); this session has "
						   "loaded version %s (layout %u).",
						   (int) sizeof(state->library), state->library,
						   state->version, IDTYPES_VERSION, SHARED_STATE_VERSION),
				 errhint("Restart the server to finish the upgrade.")));
	Assert(PointerIsAligned(state, pg_atomic_uint64) &&
		   (uintptr_t) state->words % PG_CACHE_LINE_SIZE == 0);
	shared_wait_events[WAIT_COUNTER] = compat_wait_event("IdtypesCounter");
	shared_wait_events[WAIT_CLOCK] = compat_wait_event("IdtypesClock");
	shared_wait_events[WAIT_MARK] = compat_wait_event("IdtypesMark");
	shared_wait_events[WAIT_MARK_WRITE] = compat_wait_event("IdtypesMarkWrite");
	compat_register_tranche(state->lock.tranche, SHARED_STATE_NAME);
	on_shmem_exit(at_exit, (Datum) 0);
	openxact_attach(state->open_xacts);
	clockwords_local.shared = state;
}

void
shared_report(void)
{
	for (int i = 0; i < GENERATORS; i++)
	{
		if (clockwords_local.pending[i] > 0)
			pg_atomic_fetch_add_u64(&clockwords_local.shared->words[i].generated,
									clockwords_local.pending[i]);
		clockwords_local.pending[i] = 0;
	}
}

void
shared_after_fork(void)
{
	memset(&clockwords_local, 0, sizeof(clockwords_local));
}
