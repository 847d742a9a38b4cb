/*-------------------------------------------------------------------------
 *
 * words.c
 *	  The generators' words in shared memory.
 *
 * Shared memory.  One page, made by the first process that generates an id
 * (ShmemInitStruct works in any backend as long as the server's slack lasts;
 * with shared_preload_libraries it is made at server start).  Its name and size
 * never change; its first field is the version of its layout, so that libraries
 * of two versions cannot run two clocks at once after a package upgrade.
 *
 * Who may write what:
 *
 *	words[].last		anyone, by compare-and-swap, to what core/clockword.h allows
 *	words[].last, start	the holder of lock, when words are settled, advanced or restarted
 *	wall_ahead			anyone, by compare-and-swap
 *	mark, mark_written, renew_at, mark_slot, timeline, settled,
 *	restarts			the holder of lock
 *
 * Memory order, as a processor need not keep it by itself (ARM):
 *
 *	- A swap is a full barrier, and fails on a word that is not the latest.  So no
 *	  word needs more than that to be handed out once, and what is done with an
 *	  id, such as a commit that another process learns of, comes after its swap.
 *	- Who reads the word does that before the clock and renew_at: words_last().
 *	- settle() writes the words before mark and renew_at: write_mark().  Who sees
 *	  one of these and swaps afterwards swaps what settle() has written.
 *	- restart() writes mark and renew_at before the words.  Who sees a word of it
 *	  sees these: words_last() again.
 *	- advance() writes mark and renew_at before the words, too, and start before
 *	  last.  Who reads start after last therefore never takes a word for handed out
 *	  that advance() has set; restart() may show one for a moment.
 *	- A block's words are its process's own.  That it reads last, the clock and
 *	  renew_at, and swaps nothing, is as if it had been held up after reading them.
 *	- Who takes a block reads restarts before its swap, and restart() and advance()
 *	  count after their own: so a block that was swapped first has the lower number.
 *	- Of the other atomic variables each is read for itself, to be shown or
 *	  compared with the clock; and the rest is read and written under lock.
 *
 * Where the server emulates 64-bit atomics with a lock (some 32-bit machines), the
 * same holds.  Nothing here is called in a signal handler, so no process can wait
 * for such a lock that it holds itself.
 *
 * Words are settled by the first process that generates after a start or a
 * promotion (a crash restart makes new shared memory, and a server in recovery
 * does not generate): they begin at the mark, or where it stems from another
 * timeline, on which another server may have generated since, ahead of the clock.
 *
 * The mark is a time on disk: every id that was ever handed out begins before
 * it.  Whoever comes close to it moves it on, and while one process writes the
 * others go on up to the old one.
 *
 * No process is held up by another one longer than it wants to be: lock is only
 * ever tried, and who needs it, or a mark that another process is writing, sleeps
 * where it can be cancelled.  While it is held, nothing is sent to a client,
 * neither an error nor a line for the log.
 *
 * A child of fork() inside a backend never takes a lock, and never queues for one:
 * it has its parent's place in the server's lists, and a lock that it held when it
 * was killed would never be released.  It swaps words as everyone, and leaves what
 * needs the lock to others.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <signal.h>
#include <unistd.h>

#include "access/xlog.h"
#include "miscadmin.h"
#include "storage/ipc.h"
#include "storage/shmem.h"
#include "utils/wait_event.h"

#include "compat.h"
#include "core/mark.h"
#include "markfile.h"
#include "monitor.h"
#include "settings.h"
#include "words.h"

#define WORDS_SHARED_NAME	"idtypes"
#define WORDS_SHARED_SIZE	4096

/* Of the layout, and the number of words in it: one more generator makes it another version. */
#define WORDS_SHARED_VERSION (4 * 100 + GENERATORS)

StaticAssertDecl(sizeof(WordsShared) + PG_CACHE_LINE_SIZE <= WORDS_SHARED_SIZE,
				 "the generators' shared memory has a fixed size");

/* Shorter waits, in nanoseconds, spin: a sleep takes at least as long as this. */
#define SPIN_BELOW	INT64CONST(50000)

/* Longest sleep between two looks at what is waited for, in milliseconds. */
#define SLEEP_MS	1000

/*
 * How long a child of fork() waits for what others are to do, in nanoseconds of the
 * monotonic clock.  Where nobody else generates, and its parent waits for it, it would
 * wait for ever, and nothing but a signal to it could end that.
 */
#define CHILD_PATIENCE	INT64CONST(10000000000)

WordsLocal	words_local;

/* Wait events, for the causes and for who writes the mark. */
#define WAIT_MARK_WRITE WAIT_CAUSES
static uint32 wait_events[WAIT_CAUSES + 1];

/* ----------
 * Children of fork()
 * ----------
 */

/*
 * Whether this process is a child of a backend.  Asks the system, so that it holds
 * however the child was made; off the common path, as that takes a system call.
 */
static bool
in_child(void)
{
	return (int) getpid() != MyProcPid;
}

/* Refuses what needs the lock. */
static void
refuse_child(const char *detail)
{
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("a child process of a session cannot take the lock of the identifier "
					"generators"),
			 errdetail_internal("%s", detail),
			 errhint("Do this in the session itself, or in another session.")));
}

/*
 * Waits in a child until words that begin at an instant lie before the mark.  Its
 * parent's latch and wait events are not for it.
 */
static void
wait_in_child(WordsShared *shared, int64 begins)
{
	int64		since = clock_mono();

	while (begins >= (int64) pg_atomic_read_u64(&shared->mark))
	{
		CHECK_FOR_INTERRUPTS();
		if (kill(MyProcPid, 0) != 0 && errno == ESRCH)
			refuse_child("Its session has ended.");
		/* unsigned, so that a clock set back ends it too */
		if ((uint64) (clock_mono() - since) >= CHILD_PATIENCE)
			refuse_child("It waited for another session to move the mark, and none did.");
		pg_usleep(1000);
	}
}

/* ----------
 * Attaching
 * ----------
 */

static void
make_shared(WordsShared *shared, const PermuteKey *key, uint8 clock_id)
{
	memset(shared, 0, sizeof(WordsShared));
	shared->xid_key = *key;
	shared->tid64_clock_id = clock_id % 32;
	LWLockInitialize(&shared->lock, compat_new_tranche(WORDS_SHARED_NAME));
	ConditionVariableInit(&shared->released);
	pg_atomic_init_u64(&shared->mark, 0);
	pg_atomic_init_u64(&shared->mark_written, 0);
	pg_atomic_init_u64(&shared->renew_at, 0);
	pg_atomic_init_u32(&shared->restarts, 0);
	pg_atomic_init_u64(&shared->wall_ahead, 0);
	for (int i = 0; i < GENERATORS; i++)
	{
		SharedWord *word = &shared->words[i];

		pg_atomic_init_u64(&word->last, 0);
		pg_atomic_init_u64(&word->start, 0);
		pg_atomic_init_u64(&word->generated, 0);
		for (int cause = 0; cause < WAIT_CAUSES; cause++)
			pg_atomic_init_u64(&word->waits[cause], 0);
	}
	shared->version = WORDS_SHARED_VERSION;
}

/*
 * Finds the shared memory, or makes it.
 */
static WordsShared *
find_shared(void)
{
	WordsShared *shared;
	PermuteKey	key;
	uint8		clock_id;
	bool		found;

	/* what it takes to make it, as that must not fail halfway */
	if (!pg_strong_random(&key, sizeof(key)) || !pg_strong_random(&clock_id, sizeof(clock_id)))
		ereport(ERROR,
				(errcode(ERRCODE_INTERNAL_ERROR),
				 errmsg("could not generate random values for identifier generators")));

	LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
	PG_TRY();
	{
		/* ShmemInitStruct aligns to less than a cache line on some majors */
		shared = (WordsShared *)
			TYPEALIGN(PG_CACHE_LINE_SIZE,
					  ShmemInitStruct(WORDS_SHARED_NAME, WORDS_SHARED_SIZE, &found));
		/* without a version: the server had no more names of locks for who came first */
		if (!found || shared->version == 0)
			make_shared(shared, &key, clock_id);
	}
	PG_CATCH();
	{
		/* the error goes to the client before the server releases anything */
		HOLD_INTERRUPTS();
		LWLockRelease(AddinShmemInitLock);
		PG_RE_THROW();
	}
	PG_END_TRY();
	LWLockRelease(AddinShmemInitLock);
	return shared;
}

static shmem_request_hook_type prev_shmem_request_hook = NULL;
static shmem_startup_hook_type prev_shmem_startup_hook = NULL;

static void
request_shmem(void)
{
	if (prev_shmem_request_hook)
		prev_shmem_request_hook();
	RequestAddinShmemSpace(WORDS_SHARED_SIZE);
}

/* Takes what was requested, before anyone else does. */
static void
startup_shmem(void)
{
	if (prev_shmem_startup_hook)
		prev_shmem_startup_hook();
	find_shared();
}

void
words_request_shmem(void)
{
	prev_shmem_request_hook = shmem_request_hook;
	shmem_request_hook = request_shmem;
	prev_shmem_startup_hook = shmem_startup_hook;
	shmem_startup_hook = startup_shmem;
}

static void
report_at_exit(int code, Datum arg)
{
	words_report();
}

static void
attach_context(void *arg)
{
	errcontext("attaching the identifier generators; with idtypes in shared_preload_libraries "
			   "their memory is reserved at server start");
}

void
words_attach(void)
{
	ErrorContextCallback context = {.callback = attach_context,.previous = error_context_stack};
	WordsShared *shared;

	if (words_local.shared != NULL)
		return;
	if (in_child())
		refuse_child("The session had not generated an id before it called fork().");
	error_context_stack = &context;
	shared = find_shared();
	error_context_stack = context.previous;

	if (shared->version != WORDS_SHARED_VERSION)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the identifier generators of this server belong to another version of "
						"the idtypes library"),
				 errdetail("Shared memory has layout %u, this library uses %u.",
						   shared->version, WORDS_SHARED_VERSION),
				 errhint("Restart the server to finish the upgrade.")));
	wait_events[WAIT_COUNTER] = compat_wait_event("IdtypesCounter");
	wait_events[WAIT_CLOCK] = compat_wait_event("IdtypesClock");
	wait_events[WAIT_MARK] = compat_wait_event("IdtypesMark");
	wait_events[WAIT_MARK_WRITE] = compat_wait_event("IdtypesMarkWrite");
	compat_register_tranche(shared->lock.tranche, WORDS_SHARED_NAME);
	before_shmem_exit(report_at_exit, (Datum) 0);
	words_local.shared = shared;
}

void
words_report(void)
{
	for (int i = 0; i < GENERATORS; i++)
	{
		if (words_local.pending[i] > 0)
			pg_atomic_fetch_add_u64(&words_local.shared->words[i].generated,
									words_local.pending[i]);
		words_local.pending[i] = 0;
	}
}

void
words_after_fork(void)
{
	/* what this process waits for is not what its parent waits for */
	pgstat_reset_wait_event_storage();
	memset(words_local.pending, 0, sizeof(words_local.pending));
	memset(words_local.blocks, 0, sizeof(words_local.blocks));
}

/* ----------
 * Settling the words, and keeping the mark ahead of them
 *
 * All under the lock.
 * ----------
 */

/* Makes time up to an instant durable. */
static void
write_file(WordsShared *shared, int64 before, bool create)
{
	Mark		mark = {.before = before,.timeline = shared->timeline};

	pgstat_report_wait_start(wait_events[WAIT_MARK_WRITE]);
	(create ? markfile_create : markfile_replace) (&mark, &shared->mark_slot);
	pgstat_report_wait_end();
}

/*
 * Does so for words that begin at another instant and later, and lets everyone
 * know.
 */
static void
write_mark(WordsShared *shared, int64 before, int64 begins, bool create)
{
	write_file(shared, before, create);
	pg_atomic_write_u64(&shared->mark_written, (uint64) clock_wall());
	/* pairs with the swap of whoever sees the mark: of words as settle() has set them */
	pg_write_barrier();
	pg_atomic_write_u64(&shared->mark, (uint64) before);
	pg_atomic_write_u64(&shared->renew_at, (uint64) mark_renew_at(before, begins));
}

/*
 * Brings the words into use, unless that was done.  *ahead becomes how far ahead of
 * the clock they start because of the mark.
 */
static void
settle(WordsShared *shared, void *ahead)
{
	Mark		mark;
	int64		wall = clock_wall();
	int64		start;
	int64		begins;

	if (pg_atomic_read_u64(&shared->mark) != 0)
		return;
	markfile_read(&mark);
	shared->timeline = GetWALInsertionTimeLine();
	start = mark_start(mark.before, mark.timeline != shared->timeline, wall);
	begins = Max(start, wall);
	for (int i = 0; i < GENERATORS; i++)
	{
		uint64		before = word_before(&generator_info[i].layout, start);

		pg_atomic_write_u64(&shared->words[i].last, before);
		pg_atomic_write_u64(&shared->words[i].start, before);
	}
	shared->settled = clock_mono() / 1000;
	write_mark(shared, mark_for(begins, 0, wall), begins, true);
	*(int64 *) ahead = mark.before - wall;
}

/*
 * Moves the mark on, as write_mark(), to a later one.
 */
static void
raise_mark(WordsShared *shared, int64 before, int64 begins)
{
	uint64		mark = pg_atomic_read_u64(&shared->mark);
	uint64		renew_at = pg_atomic_read_u64(&shared->renew_at);

	/* meanwhile, the others need not look after it until they must */
	pg_atomic_write_u64(&shared->renew_at, mark);
	PG_TRY();
	{
		/* of the two slots the later mark counts */
		write_mark(shared, Max(before, (int64) mark + 1), begins, false);
	}
	PG_CATCH();
	{
		pg_atomic_write_u64(&shared->renew_at, renew_at);
		PG_RE_THROW();
	}
	PG_END_TRY();
}

/* Who asks for the mark to be moved on. */
typedef struct MarkRequest
{
	SharedWord *word;
	const WordLayout *layout;
	const WordUse *use;
} MarkRequest;

/*
 * Moves the mark on for what comes after a word.
 */
static void
move_mark(WordsShared *shared, void *arg)
{
	const MarkRequest *request = arg;

	/*
	 * Read again: restart() may have taken the word back, or the clock may have been
	 * set right, since the caller did.  The mark would then lie where they were, and
	 * the next start with it.
	 */
	uint64		last = words_last(request->word);
	int64		wall = clock_wall();
	int64		begins = word_begins(request->layout, request->use,
									 word_next(request->layout, request->use, last, wall));

	/* unless another process just did */
	if (begins >= (int64) pg_atomic_read_u64(&shared->renew_at))
		raise_mark(shared, mark_for(begins, clock_mono() / 1000 - shared->settled, wall), begins);
}

/* As words_advance(). */
typedef struct Advance
{
	int64		instant;
	const bool *selected;
	int64	   *starts;
	bool		moved;
} Advance;

/*
 * Takes words that have not come to the end of the tick of an instant there.
 */
static void
advance(WordsShared *shared, void *arg)
{
	Advance    *request = arg;
	int64		begins = PG_INT64_MIN;

	/* how far words move: what others hand out meanwhile only makes that less */
	for (int i = 0; i < GENERATORS; i++)
	{
		const WordLayout *layout = &generator_info[i].layout;
		uint64		past = word_past(layout, request->instant);

		if (request->selected[i] && pg_atomic_read_u64(&shared->words[i].last) < past)
			begins = Max(begins, word_tick_ends(layout, past));
	}
	request->moved = begins > PG_INT64_MIN;

	/* first, so that a crash takes no word back, and an error of the disk comes before any moves */
	if (begins > (int64) pg_atomic_read_u64(&shared->mark))
		raise_mark(shared, mark_for(begins, 0, clock_wall()), begins);
	if (request->moved)
		shared->settled = clock_mono() / 1000;

	for (int i = 0; i < GENERATORS; i++)
	{
		const WordLayout *layout = &generator_info[i].layout;
		SharedWord *word = &shared->words[i];
		uint64		past = word_past(layout, request->instant);
		uint64		last = pg_atomic_read_u64(&word->last);

		if (!request->selected[i])
			continue;

		/*
		 * start before the swap, which is a barrier: so nobody takes for handed out
		 * what was not.  If others go beyond it before the swap, that is what a word
		 * looks like that was moved before.
		 */
		if (last < past)
			pg_atomic_write_u64(&word->start, past);
		while (last < past && !pg_atomic_compare_exchange_u64(&word->last, &last, past))
			;
		/* the last word of a tick leads to the next one */
		request->starts[i] = word_tick_begins(layout, Max(last, past) + 1);
	}

	/*
	 * After the swaps, as in restart(): blocks of that tick are void.  Also where no
	 * word was moved, as the last block of the tick may have brought it there.
	 */
	pg_atomic_fetch_add_u32(&shared->restarts, 1);
}

/* As words_restart(). */
typedef struct Stretches
{
	int64	   *from;
	int64	   *until;
} Stretches;

/*
 * Takes words that lie ahead of the clock back to it.
 */
static void
restart(WordsShared *shared, void *arg)
{
	const Stretches *stretches = arg;
	int64		mark = (int64) pg_atomic_read_u64(&shared->mark);
	int64		wall;
	int64		begins;
	int64		limit;

	/* the same mark once more: a disk that fails, or is full, does so before anything changes */
	write_file(shared, mark, true);
	wall = clock_wall();
	begins = wall + GENERATOR_LEAD;
	limit = Min(mark_for(begins, 0, wall), mark);

	/*
	 * First nobody may go beyond what will be the mark.  Then every word changes, so
	 * that whoever has read one before this fails to swap it, and who reads one
	 * after it also sees that limit: the barrier pairs with words_last()'s.
	 *
	 * The swap of one who has read before this still succeeds if the word has come
	 * to the very value that it read once more, which takes a clock that was set back
	 * to before that since.  What it swaps in is greater, so it repeats nothing that
	 * was handed out since, and later words follow it.  But it may lie as far ahead as
	 * the mark did when it was read: generators are ahead once more, until they are
	 * restarted again; and if the server crashes before anybody has moved the mark
	 * beyond that word, it may be handed out again, as what was made before this may.
	 */
	pg_atomic_write_u64(&shared->mark, (uint64) limit);
	pg_atomic_write_u64(&shared->renew_at, (uint64) limit);
	pg_memory_barrier();
	for (int i = 0; i < GENERATORS; i++)
	{
		const WordLayout *layout = &generator_info[i].layout;
		SharedWord *word = &shared->words[i];
		uint64		last = pg_atomic_read_u64(&word->last);
		uint64		next;

		do
		{
			/* after last: what others hand out meanwhile must not seem to be ahead */
			pg_read_barrier();
			wall = Max(wall, clock_wall());
			next = word_is_ahead(layout, last, wall) ? word_before(layout, wall) : last + 1;
		} while (!pg_atomic_compare_exchange_u64(&word->last, &last, next));
		if (next < last || last <= pg_atomic_read_u64(&word->start))
			pg_atomic_write_u64(&word->start, next);
		stretches->from[i] = wall;
		stretches->until[i] = next < last ? word_tick_ends(layout, last) : wall;
	}

	/*
	 * Blocks taken before the swaps are void: the clock may come to their tick again.
	 * Not before them, or one taken in between would seem to come after.
	 */
	pg_atomic_fetch_add_u32(&shared->restarts, 1);
	begins = wall + GENERATOR_LEAD;
	write_mark(shared, mark_for(begins, 0, wall), begins, true);
}

/* ----------
 * The lock
 * ----------
 */

/*
 * Takes the lock.  Or returns false, as soon as words that begin at an instant
 * lie before the mark, because then another process can do what is to be done.  Of
 * those who wait for a mark, that is who needs the next one.
 */
static bool
acquire(WordsShared *shared, int64 begins)
{
	bool		locked;

	if (in_child())
	{
		wait_in_child(shared, begins);
		return false;
	}
	while (!(locked = LWLockConditionalAcquire(&shared->lock, LW_EXCLUSIVE)) &&
		   begins >= (int64) pg_atomic_read_u64(&shared->mark))
	{
		ConditionVariableTimedSleep(&shared->released, SLEEP_MS, wait_events[WAIT_MARK]);
		if (begins < (int64) pg_atomic_read_u64(&shared->mark))
			break;
	}
	ConditionVariableCancelSleep();
	return locked;
}

static void
release(WordsShared *shared)
{
	LWLockRelease(&shared->lock);
	ConditionVariableBroadcast(&shared->released);
}

/*
 * Does something under the lock.  Returns false if acquire() does.
 */
static bool
do_locked(WordsShared *shared, int64 begins, void (*action) (WordsShared *, void *), void *arg)
{
	if (!acquire(shared, begins))
		return false;
	PG_TRY();
	{
		action(shared, arg);
	}
	PG_CATCH();
	{
		/*
		 * The error goes to the client before the server releases anything.  And
		 * errfinish() has allowed interrupts, which LWLockRelease() does not expect.
		 */
		HOLD_INTERRUPTS();
		release(shared);
		PG_RE_THROW();
	}
	PG_END_TRY();
	release(shared);
	return true;
}

/*
 * Settles the words, unless that was done.  Returns true if that took a while.
 */
static bool
settle_words(WordsShared *shared, const char *function)
{
	int64		ahead = 0;

	if (likely(pg_atomic_read_u64(&shared->mark) != 0))
		return false;
	if (RecoveryInProgress())
		ereport(ERROR,
				(errcode(ERRCODE_READ_ONLY_SQL_TRANSACTION),
				 errmsg("cannot execute %s during recovery", function),
				 errdetail("A server in recovery is a copy of another one, whose ids it would "
						   "repeat."),
				 errhint("Generate ids on the primary.")));
	if (!do_locked(shared, 0, settle, &ahead))
		return true;
	monitor_clock();
	if (ahead > 2 * MARK_RESERVE)
		ereport(LOG_SERVER_ONLY,
				(errmsg("identifier generators start %.3f s ahead of the system clock",
						(double) ahead / USECS_PER_SEC),
				 errdetail("File \"%s\" says that ids up to that time may have been handed out.",
						   MARK_FILE)));
	return true;
}

/*
 * Sees to it that the mark is moved on, by this process or another one, for a word
 * that begins close to it or beyond.  In the second case that has been done when
 * this returns, or another attempt is called for.
 */
static void
extend_mark(WordsShared *shared, int64 begins, MarkRequest request)
{
	if (do_locked(shared, begins, move_mark, &request))
		monitor_clock();
}

/* Does something to words that are settled, for an SQL function. */
static void
administer(const char *function, void (*action) (WordsShared *, void *), void *arg)
{
	words_attach();
	if (in_child())
		refuse_child(psprintf("%s needs it.", function));
	(void) settle_words(words_local.shared, function);
	/* no mark lies beyond that */
	(void) do_locked(words_local.shared, PG_INT64_MAX, action, arg);
}

void
words_restart(int64 from[GENERATORS], int64 until[GENERATORS])
{
	administer("idtypes_restart_generators()", restart,
			   &(Stretches) {.from = from,.until = until});
}

bool
words_advance(int64 instant, const bool selected[GENERATORS], int64 starts[GENERATORS])
{
	Advance		request = {.instant = instant,.selected = selected,.starts = starts};

	administer("idtypes_advance_generators()", advance, &request);
	return request.moved;
}

/* ----------
 * The next word, off the common path
 * ----------
 */

/*
 * A clock before the format's epoch matters only to a word that has never been
 * in use: any other one goes on from where it is.
 */
static void
check_range(const GeneratorInfo *info, int64 wall, uint64 last, uint64 next)
{
	const WordLayout *layout = &info->layout;
	int64		first = id_tick_begins(&layout->time, layout->time.first);
	int64		end = id_tick_begins(&layout->time, layout->time.last);

	if ((wall < first && last == 0) || wall >= end)
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_FIELD_OVERFLOW),
				 errmsg("the system clock is out of range for generator \"%s\"", info->name),
				 errdetail("It generates ids for %lld to %lld seconds since 1970.",
						   (long long) (first / USECS_PER_SEC),
						   (long long) (end / USECS_PER_SEC))));
	if (word_is_at_end(layout, next))
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_FIELD_OVERFLOW),
				 errmsg("generator \"%s\" has come to the end of its time", info->name),
				 errdetail("It generates ids up to %lld seconds since 1970; the system clock has "
						   "been there or beyond.", (long long) (end / USECS_PER_SEC)),
				 errhint("If the clock is right now, idtypes_restart_generators() takes the "
						 "generators back to it.")));
}

/* Counts a wait of a call, once for each cause. */
static void
count_wait(SharedWord *word, WaitCause cause, bool counted[WAIT_CAUSES])
{
	if (!counted[cause])
		pg_atomic_fetch_add_u64(&word->waits[cause], 1);
	counted[cause] = true;
}

/* Waits for a number of nanoseconds, which word_pause() says. */
static void
wait_for_tick(int64 ns, WaitCause cause)
{
	if (ns < SPIN_BELOW)
		SPIN_DELAY();
	else
	{
		pgstat_report_wait_start(wait_events[cause]);
		pg_usleep(ns / 1000 + 1);
		pgstat_report_wait_end();
	}
}

uint64
words_next_slow(Generator generator, WordUse use, const char *function)
{
	const GeneratorInfo *info = &generator_info[generator];
	const WordLayout *layout = &info->layout;
	WordsShared *shared;
	SharedWord *word;
	uint64		last;
	uint64		next;
	int64		wall;
	int64		called_at = clock_wall();
	bool		mark_moved = false; /* by this call, or another process while it waited */
	WordWatch	watch = {0};
	bool		overflow_is_error = setting_overflow_is_error();
	bool		counted[WAIT_CAUSES] = {false};

	words_attach();
	shared = words_local.shared;
	word = &shared->words[generator];
	for (;;)
	{
		int64		begins;
		int64		mark;
		int64		wait;

		CHECK_FOR_INTERRUPTS();
		mark_moved |= settle_words(shared, function);
		/* pairs with write_mark()'s: now that there is a mark, words are settled */
		pg_read_barrier();
		last = words_last(word);
		wall = clock_wall();
		mark = (int64) pg_atomic_read_u64(&shared->mark);
		next = word_next(layout, &use, last, wall);
		check_range(info, wall, last, next);
		begins = word_begins(layout, &use, next);

		/*
		 * A disk may take longer to move the mark on than the mark then lies ahead.
		 * Whoever has waited for that is content with the time of its call, or what
		 * follows the last word: or else it would wait for ever.
		 */
		if (mark_moved && begins >= mark)
		{
			next = word_next(layout, &use, last, Min(wall, called_at));
			begins = word_begins(layout, &use, next);
		}
		wait = word_wait(layout, begins, wall);

		if (wait > 0)
		{
			bool		first = (watch.since == 0);
			int64		pace = word_watch(layout, &use, &watch, last, next, wall, clock_mono());

			if (first && watch.ahead)
				monitor_clock();
			if (pace > 0)
			{
				WaitCause	cause = watch.ahead ? WAIT_CLOCK : WAIT_COUNTER;

				/*
				 * Having to wait because of a step of the clock is no overflow; nor is it
				 * where none of this tick was handed out, as words begin behind it.
				 */
				if (overflow_is_error && last > pg_atomic_read_u64(&word->start) &&
					word_overflows(layout, &use, last, next, wall))
					ereport(ERROR,
							(errcode(ERRCODE_SEQUENCE_GENERATOR_LIMIT_EXCEEDED),
							 errmsg("generator \"%s\" has used up the ids of this instant",
									info->name),
							 errdetail("The next can be generated in " INT64_FORMAT " us.", wait),
							 errhint("Try again, or set idtypes.on_overflow to wait.")));
				count_wait(word, cause, counted);
				wait_for_tick(word_pause(wait, pace), cause);
				continue;
			}
		}
		/* once in a call, so that the work goes round, unless there is no id without */
		if (begins >= mark ||
			(!mark_moved && begins >= (int64) pg_atomic_read_u64(&shared->renew_at)))
		{
			if (begins >= mark)
				count_wait(word, WAIT_MARK, counted);
			extend_mark(shared, begins,
						(MarkRequest) {.word = word,.layout = layout,.use = &use});
			mark_moved = true;
			if (begins >= (int64) pg_atomic_read_u64(&shared->mark))
				continue;
		}
		if (pg_atomic_compare_exchange_u64(&word->last, &last, next))
			break;
		words_back_off();
	}
	words_count(generator, wall);
	return next;
}
