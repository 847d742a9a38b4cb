/*-------------------------------------------------------------------------
 *
 * reserve.c
 *	  Reserving time for the generators' words: the mark, and all else that is
 *	  done under the lock.
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

#include "access/xlog.h"
#include "miscadmin.h"
#include "utils/wait_event.h"

#include "generators/clock.h"
#include "core/mark.h"
#include "server/epoch.h"
#include "server/report.h"
#include "generators/reserve.h"
#include "generators/shared_state.h"

/* Longest sleep between two looks at what is waited for, in milliseconds. */
#define SLEEP_MS	1000

/*
 * How long a child of fork() waits for what others are to do, in nanoseconds of the
 * monotonic clock.  Where nobody else generates, and its parent waits for it, it would
 * wait for ever, and nothing but a signal to it could end that.
 */
#define CHILD_PATIENCE	INT64CONST(10000000000)

/* ----------
 * Settling the words, and keeping the mark ahead of them
 *
 * All under the lock.
 * ----------
 */

/* Makes time up to an instant durable. */
static void
write_file(SharedState *state, int64 before, bool create)
{
	Mark		mark = {.before = before,.timeline = state->timeline};

	Assert(LWLockHeldByMeInMode(&state->lock, LW_EXCLUSIVE));
	Assert(!shared_in_child());
	pgstat_report_wait_start(shared_wait_events[WAIT_MARK_WRITE]);
	(create ? markfile_create : markfile_replace) (&mark, &state->mark_slot);
	pgstat_report_wait_end();
}

/*
 * Does so for words that begin at another instant and later, and lets everyone
 * know.
 */
static void
write_mark(SharedState *state, int64 before, int64 begins, bool create)
{
	int64		since = clock_mono();

	Assert(begins < before);
	write_file(state, before, create);
	clockwords_local.own_mark = before;
	clockwords_local.leave_until = mark_leave_until(before, begins, (clock_mono() - since) / 1000);
	pg_atomic_write_u64(&state->mark_written, (uint64) clock_wall());
	/* pairs with the swap of whoever sees the mark: of words as settle() has set them */
	pg_write_barrier();
	pg_atomic_write_u64(&state->shared.mark, (uint64) before);
	pg_atomic_write_u64(&state->shared.renew_at, (uint64) mark_renew_at(before, begins));
}

/*
 * Brings the words into use, unless that was done.  *ahead becomes how far ahead of
 * the clock they start because of the mark.
 */
static void
settle(SharedState *state, void *ahead)
{
	Mark		mark;
	int64		wall = clock_wall();
	int64		start;
	int64		begins;

	if (pg_atomic_read_u64(&state->shared.mark) != 0)
		return;
	markfile_read(&mark);
	state->timeline = GetWALInsertionTimeLine();
	start = mark_start(mark.before, mark.timeline != state->timeline, wall);
	begins = Max(start, wall);
	for (int i = 0; i < GENERATORS; i++)
	{
		uint64		before = clockword_before(&generator_info[i].layout, start);

		pg_atomic_write_u64(&state->shared.words[i].last, before);
		pg_atomic_write_u64(&state->shared.words[i].start, before);
	}
	state->settled = clock_mono() / 1000;
	write_mark(state, mark_for(begins, 0, wall), begins, true);
	*(int64 *) ahead = mark.before - wall;
}

/*
 * Moves the mark on, as write_mark(), to a later one.
 */
static void
raise_mark(SharedState *state, int64 before, int64 begins)
{
	uint64		mark = pg_atomic_read_u64(&state->shared.mark);
	uint64		renew_at = pg_atomic_read_u64(&state->shared.renew_at);

	Assert(mark != 0 && renew_at <= mark);
	/* meanwhile, the others need not look after it until they must */
	pg_atomic_write_u64(&state->shared.renew_at, mark);
	PG_TRY();
	{
		/* of the two slots the later mark counts */
		write_mark(state, Max(before, (int64) mark + 1), begins, false);
	}
	PG_CATCH();
	{
		pg_atomic_write_u64(&state->shared.renew_at, renew_at);
		PG_RE_THROW();
	}
	PG_END_TRY();
}

/* As reserve_extend(). */
typedef struct MarkRequest
{
	Generator	generator;
	const ClockWordUse *use;
	bool		written;		/* by this process */
} MarkRequest;

/*
 * Moves the mark on for what comes after a word.
 */
static void
move_mark(SharedState *state, void *arg)
{
	MarkRequest *request = arg;
	const ClockWordLayout *layout = &generator_info[request->generator].layout;

	/*
	 * Read again: restart() may have taken the word back, or the clock may have been
	 * set right, since the caller did.  The mark would then lie where they were, and
	 * the next start with it.
	 */
	uint64		last = shared_last(&state->shared.words[request->generator]);
	int64		wall = clock_wall();
	int64		begins = clockword_begins(layout, request->use,
										  clockword_next(layout, request->use, last, wall));

	/* unless another process just did */
	request->written = begins >= (int64) pg_atomic_read_u64(&state->shared.renew_at);
	if (request->written)
		raise_mark(state, mark_for(begins, clock_mono() / 1000 - state->settled, wall), begins);
}

/* As reserve_advance(). */
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
advance(SharedState *state, void *arg)
{
	Advance    *request = arg;
	int64		begins = PG_INT64_MIN;

	Assert(LWLockHeldByMeInMode(&state->lock, LW_EXCLUSIVE));
	Assert(pg_atomic_read_u64(&state->shared.mark) != 0);
	/* how far words move: what others hand out meanwhile only makes that less */
	for (int i = 0; i < GENERATORS; i++)
	{
		const ClockWordLayout *layout = &generator_info[i].layout;
		uint64		past = clockword_past(layout, request->instant);

		if (request->selected[i] && pg_atomic_read_u64(&state->shared.words[i].last) < past)
			begins = Max(begins, clockword_tick_ends(layout, past));
	}
	request->moved = begins > PG_INT64_MIN;

	/* first, so that a crash takes no word back, and an error of the disk comes before any moves */
	if (begins > (int64) pg_atomic_read_u64(&state->shared.mark))
		raise_mark(state, mark_for(begins, 0, clock_wall()), begins);
	if (request->moved)
		state->settled = clock_mono() / 1000;

	for (int i = 0; i < GENERATORS; i++)
	{
		const ClockWordLayout *layout = &generator_info[i].layout;
		SharedClockWord *word = &state->shared.words[i];
		uint64		past = clockword_past(layout, request->instant);
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
		/* the last word of a tick leads to the next one; from no word, to the first that is used */
		request->starts[i] = Max(clockword_tick_begins(layout, Max(last, past) + 1),
								 id_tick_begins(&layout->time, layout->time.first));
		Assert(request->starts[i] > request->instant);
		Assert(!clockword_is_at_end(layout, past + 1));
	}

	/*
	 * After the swaps, as in restart(): blocks of that tick are void.  Also where no
	 * word was moved, as the last block of the tick may have brought it there.
	 */
	pg_atomic_fetch_add_u32(&state->shared.restarts, 1);
}

/* As reserve_restart(). */
typedef struct Stretches
{
	int64	   *from;
	int64	   *until;
} Stretches;

/*
 * Takes words that lie ahead of the clock back to it.
 */
static void
restart(SharedState *state, void *arg)
{
	const Stretches *stretches = arg;
	int64		mark = (int64) pg_atomic_read_u64(&state->shared.mark);
	int64		wall;
	int64		begins;
	int64		limit;

	/* the same mark once more: a disk that fails, or is full, does so before anything changes */
	write_file(state, mark, true);
	wall = clock_wall();
	/* the next start would take a mark from before 1970 for a damaged one */
	if (wall < 0)
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_FIELD_OVERFLOW),
				 errmsg("identifier generators cannot be taken back to a time before 1970"),
				 errdetail("The system clock shows %s.", show_instant(timestamp_of_us(wall))),
				 errhint("Set the clock right, and call idtypes_restart_generators() again.")));
	begins = wall + GENERATOR_LEAD;
	limit = Min(mark_for(begins, 0, wall), mark);

	/*
	 * First nobody may go beyond what will be the mark.  Then every word changes, so
	 * that whoever has read one before this fails to swap it, and who reads one
	 * after it also sees that limit: the barrier pairs with shared_last()'s.
	 *
	 * The swap of one who has read before this still succeeds if the word has come
	 * to the very value that it read once more, which takes a clock that was set back
	 * to before that since.  What it swaps in is greater, so it repeats nothing that
	 * was handed out since, and later words follow it.  But it may lie as far ahead as
	 * the mark did when it was read: generators are ahead once more, until they are
	 * restarted again; and if the server crashes before anybody has moved the mark
	 * beyond that word, it may be handed out again, as what was made before this may.
	 */
	pg_atomic_write_u64(&state->shared.mark, (uint64) limit);
	pg_atomic_write_u64(&state->shared.renew_at, (uint64) limit);
	pg_memory_barrier();
	for (int i = 0; i < GENERATORS; i++)
	{
		const ClockWordLayout *layout = &generator_info[i].layout;
		SharedClockWord *word = &state->shared.words[i];
		uint64		last = pg_atomic_read_u64(&word->last);
		uint64		next;

		do
		{
			/* after last: what others hand out meanwhile must not seem to be ahead */
			pg_read_barrier();
			wall = Max(wall, clock_wall());
			next = clockword_is_ahead(layout, last, wall) ?
				clockword_before(layout, wall) : last + 1;
		} while (!pg_atomic_compare_exchange_u64(&word->last, &last, next));
		if (next < last || last <= pg_atomic_read_u64(&word->start))
			pg_atomic_write_u64(&word->start, next);
		stretches->from[i] = wall;
		stretches->until[i] = next < last ? clockword_tick_ends(layout, last) : wall;
		Assert(stretches->until[i] >= stretches->from[i]);
	}

	/*
	 * Blocks taken before the swaps are void: the clock may come to their tick again.
	 * Not before them, or one taken in between would seem to come after.
	 */
	pg_atomic_fetch_add_u32(&state->shared.restarts, 1);
	begins = wall + GENERATOR_LEAD;
	write_mark(state, mark_for(begins, 0, wall), begins, true);
}

/* ----------
 * The lock
 * ----------
 */

/*
 * Waits in a child until words that begin at an instant lie before the mark.  Its
 * parent's latch and wait events are not for it.
 */
static void
wait_in_child(SharedState *state, int64 begins)
{
	int64		since = clock_mono();

	while (begins >= (int64) pg_atomic_read_u64(&state->shared.mark))
	{
		CHECK_FOR_INTERRUPTS();
		if (kill(MyProcPid, 0) != 0 && errno == ESRCH)
			shared_refuse_child("Its session has ended.");
		/* unsigned, so that a clock set back ends it too */
		if ((uint64) (clock_mono() - since) >= CHILD_PATIENCE)
			shared_refuse_child("It waited for another session to move the mark, and none did.");
		pg_usleep(1000);
	}
}

/*
 * Takes the lock.  Or returns false, as soon as words that begin at an instant
 * lie before the mark, because then another process can do what is to be done.  Of
 * those who wait for a mark, that is who needs the next one.
 */
static bool
acquire(SharedState *state, int64 begins)
{
	bool		locked;

	Assert(!LWLockHeldByMe(&state->lock));
	if (shared_in_child())
	{
		wait_in_child(state, begins);
		return false;
	}
	while (!(locked = LWLockConditionalAcquire(&state->lock, LW_EXCLUSIVE)) &&
		   begins >= (int64) pg_atomic_read_u64(&state->shared.mark))
	{
		ConditionVariableTimedSleep(&state->released, SLEEP_MS, shared_wait_events[WAIT_MARK]);
		if (begins < (int64) pg_atomic_read_u64(&state->shared.mark))
			break;
	}
	ConditionVariableCancelSleep();
	return locked;
}

static void
release(SharedState *state)
{
	LWLockRelease(&state->lock);
	ConditionVariableBroadcast(&state->released);
}

/*
 * Does something under the lock.  Returns false if acquire() does.
 */
static bool
do_locked(SharedState *state, int64 begins, void (*action) (SharedState *, void *), void *arg)
{
	if (!acquire(state, begins))
		return false;
	PG_TRY();
	{
		action(state, arg);
	}
	PG_CATCH();
	{
		/*
		 * The error goes to the client before the server releases anything.  And
		 * errfinish() has allowed interrupts, which LWLockRelease() does not expect.
		 */
		HOLD_INTERRUPTS();
		release(state);
		PG_RE_THROW();
	}
	PG_END_TRY();
	release(state);
	return true;
}

bool
reserve_settle(const char *function)
{
	SharedState *state = shared_state();
	int64		ahead = 0;

	if (likely(pg_atomic_read_u64(&state->shared.mark) != 0))
		return false;
	if (RecoveryInProgress())
		ereport(ERROR,
				(errcode(ERRCODE_READ_ONLY_SQL_TRANSACTION),
				 errmsg("cannot execute %s during recovery", function),
				 errdetail("A server in recovery is a copy of another one, whose ids it would "
						   "repeat."),
				 errhint("Generate ids on the primary.")));
	if (!do_locked(state, 0, settle, &ahead))
		return true;
	clock_watch(&state->wall_ahead);
	if (ahead > 2 * MARK_RESERVE)
		ereport(LOG_SERVER_ONLY,
				(errmsg("identifier generators start %.3f s ahead of the system clock",
						(double) ahead / USECS_PER_SEC),
				 errdetail("File \"%s\" says that ids up to that time may have been handed out.",
						   MARK_FILE)));
	return true;
}

bool
reserve_extend(Generator generator, const ClockWordUse *use, int64 begins)
{
	SharedState *state = shared_state();
	MarkRequest request = {.generator = generator,.use = use};

	if (do_locked(state, begins, move_mark, &request))
		clock_watch(&state->wall_ahead);
	return request.written;
}

bool
reserve_mark(Mark *mark, int64 *written)
{
	SharedState *state = shared_state();

	mark->before = (int64) pg_atomic_read_u64(&state->shared.mark);
	/* pairs with write_mark()'s: the timeline is of that mark, or a later one */
	pg_read_barrier();
	mark->timeline = state->timeline;
	*written = (int64) pg_atomic_read_u64(&state->mark_written);
	if (mark->before != 0)
		return true;
	*written = 0;
	return markfile_read(mark);
}

/* Does something to words that are settled, for an SQL function. */
static void
administer(const char *function, void (*action) (SharedState *, void *), void *arg)
{
	shared_attach();
	if (shared_in_child())
		shared_refuse_child(psprintf("%s needs it.", function));
	(void) reserve_settle(function);
	/* no mark lies beyond that */
	(void) do_locked(shared_state(), PG_INT64_MAX, action, arg);
}

void
reserve_restart(int64 from[GENERATORS], int64 until[GENERATORS])
{
	administer("idtypes_restart_generators()", restart,
			   &(Stretches) {.from = from,.until = until});
}

bool
reserve_advance(int64 instant, const bool selected[GENERATORS], int64 starts[GENERATORS])
{
	Advance		request = {.instant = instant,.selected = selected,.starts = starts};

	administer("idtypes_advance_generators()", advance, &request);
	return request.moved;
}
