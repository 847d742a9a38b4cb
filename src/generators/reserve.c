/*-------------------------------------------------------------------------
 *
 * reserve.c
 *	  Reserving time for the generators' clock words: the mark, and every other
 *	  action that needs the lock.
 *
 * The first process that generates after a server start or a promotion initializes
 * the clock words.  (A crash restart creates new shared memory, and a
 * server in recovery does not generate.)  They start at the mark or, if the mark was
 * written on another timeline, on which another server may have generated since, at
 * least a margin ahead of the clock.
 *
 * The mark is an instant on disk: every id that was ever handed out begins before
 * it.  A process whose word is close to the mark renews it, that is, writes a later
 * mark to the file.  Meanwhile, other processes hand out words up to the old mark.
 *
 * The lock is only acquired conditionally; a backend that must wait for it, or for a
 * mark that another process is writing, sleeps interruptibly.  The holder of the lock
 * sends nothing to a client, neither an error nor a log message.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xlog.h"
#include "miscadmin.h"
#include "utils/wait_event.h"

#include "generators/clock.h"
#include "core/mark.h"
#include "server/epoch.h"
#include "server/report.h"
#include "generators/reserve.h"
#include "generators/shared.h"

/* Longest sleep before a waiting process checks the lock and the mark again, in ms. */
#define SLEEP_MS	1000

/* ----------
 * Initializing the clock words, and keeping the mark ahead of them
 *
 * The caller of each of these functions holds the lock.
 * ----------
 */

/* Write the mark "before" to the file, durably; create a new file if "create". */
static void
write_file(SharedState *state, int64 before, bool create)
{
	Mark		mark = {.before = before,.timeline = state->timeline};

	Assert(LWLockHeldByMeInMode(&state->lock, LW_EXCLUSIVE));
	pgstat_report_wait_start(shared_wait_events[WAIT_MARK_WRITE]);
	(create ? markfile_create : markfile_replace) (&mark, &state->mark_half);
	pgstat_report_wait_end();
}

/*
 * Write the mark file and publish the new mark and renew_at in shared memory.  The mark
 * reserves time for words that begin at "begins" and later.
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
	/* publish initialize_words()'s words before the mark; pairs with the swap after reading it */
	pg_write_barrier();
	pg_atomic_write_u64(&state->mark, (uint64) before);
	pg_atomic_write_u64(&state->renew_at, (uint64) mark_renew_at(before, begins));
}

/*
 * Initialize the clock words, unless another process has done that.  If this process
 * initializes them, *ahead returns how far the mark in the file is ahead of the clock, in
 * microseconds; that is negative if the mark is behind.
 */
static void
initialize_words(SharedState *state, void *ahead)
{
	Mark		mark;
	int64		wall = clock_wall();
	int64		start;
	int64		begins;

	if (pg_atomic_read_u64(&state->mark) != 0)
		return;
	markfile_read(&mark);
	state->timeline = GetWALInsertionTimeLine();
	start = mark_start(mark.before, mark.timeline != state->timeline, wall);
	begins = Max(start, wall);
	for (int i = 0; i < GENERATORS; i++)
	{
		uint64		before = clockword_before(&generator_info[i].layout, start);

		pg_atomic_write_u64(&state->words[i].last, before);
		pg_atomic_write_u64(&state->words[i].start, before);
	}
	state->initialized = clock_mono() / 1000;
	write_mark(state, mark_for(begins, 0, wall), begins, true);
	*(int64 *) ahead = mark.before - wall;
}

/*
 * Renew the mark: like write_mark(), but over the older half of the existing file, and
 * always to a later mark than the current one.
 */
static void
raise_mark(SharedState *state, int64 before, int64 begins)
{
	uint64		mark = pg_atomic_read_u64(&state->mark);
	uint64		renew_at = pg_atomic_read_u64(&state->renew_at);

	Assert(mark != 0 && renew_at <= mark);
	/* during the write, other processes do not renew the mark; they use the old one up */
	pg_atomic_write_u64(&state->renew_at, mark);
	PG_TRY();
	{
		/* must be later than the current mark: of the two halves, the later mark is valid */
		write_mark(state, Max(before, (int64) mark + 1), begins, false);
	}
	PG_CATCH();
	{
		pg_atomic_write_u64(&state->renew_at, renew_at);
		PG_RE_THROW();
	}
	PG_END_TRY();
}

/* The arguments and the result of reserve_renew(). */
typedef struct MarkRequest
{
	Generator	generator;
	const ClockWordUse *use;
	bool		written;		/* true if this process wrote the mark */
} MarkRequest;

/*
 * Renew the mark for the next word of a generator, unless another process just has.
 */
static void
renew_mark(SharedState *state, void *arg)
{
	MarkRequest *request = arg;
	const ClockWordLayout *layout = &generator_info[request->generator].layout;

	/*
	 * Read the word and the clock again: since the caller read them, restart_words() may have
	 * set the word back, or the clock may have been set right.  The old values would put
	 * the mark, and with it the next server start, too far ahead.
	 */
	uint64		last = shared_last(&state->words[request->generator]);
	int64		wall = clock_wall();
	int64		begins = clockword_begins(layout, request->use,
										  clockword_next(layout, request->use, last, wall));

	/* false if another process just wrote a mark */
	request->written = begins >= (int64) pg_atomic_read_u64(&state->renew_at);
	if (request->written)
		raise_mark(state, mark_for(begins, clock_mono() / 1000 - state->initialized, wall), begins);
}

/* The arguments and the result of reserve_advance(). */
typedef struct Advance
{
	int64		instant;
	const bool *selected;
	int64	   *starts;
	bool		moved;
} Advance;

/*
 * Advance each selected generator to the end of the tick that contains "instant", unless
 * it is past it.
 */
static void
advance_words(SharedState *state, void *arg)
{
	Advance    *request = arg;
	int64		begins = PG_INT64_MIN;

	Assert(LWLockHeldByMeInMode(&state->lock, LW_EXCLUSIVE));
	Assert(pg_atomic_read_u64(&state->mark) != 0);
	/* the largest advance; words that other processes hand out meanwhile only reduce it */
	for (int i = 0; i < GENERATORS; i++)
	{
		const ClockWordLayout *layout = &generator_info[i].layout;
		uint64		past = clockword_past(layout, request->instant);

		if (request->selected[i] && pg_atomic_read_u64(&state->words[i].last) < past)
			begins = Max(begins, clockword_tick_ends(layout, past));
	}
	request->moved = begins > PG_INT64_MIN;

	/* before the words: so a crash undoes no advance, and a failing write changes nothing */
	if (begins > (int64) pg_atomic_read_u64(&state->mark))
		raise_mark(state, mark_for(begins, 0, clock_wall()), begins);
	if (request->moved)
		state->initialized = clock_mono() / 1000;

	for (int i = 0; i < GENERATORS; i++)
	{
		const ClockWordLayout *layout = &generator_info[i].layout;
		SharedClockWord *word = &state->words[i];
		uint64		past = clockword_past(layout, request->instant);
		uint64		last = pg_atomic_read_u64(&word->last);

		if (!request->selected[i])
			continue;

		/*
		 * Set start before last (the swap orders the two), or a reader could think that
		 * words up to "past" had been handed out.  If another process advances last beyond
		 * "past" before our swap, the two look as after an earlier advance.
		 */
		if (last < past)
			pg_atomic_write_u64(&word->start, past);
		while (last < past && !pg_atomic_compare_exchange_u64(&word->last, &last, past))
			;
		/* last + 1 is of the next tick if last ends its tick; both may be before the first tick */
		request->starts[i] = Max(clockword_tick_begins(layout, Max(last, past) + 1),
								 id_tick_begins(&layout->time, layout->time.first));
		Assert(request->starts[i] > request->instant);
		Assert(!clockword_is_at_end(layout, past + 1));

		/*
		 * Invalidate the blocks of that tick, after the swap as in restart_words().  Do this even
		 * if the word was not advanced, because the last block of the tick may have advanced
		 * it.
		 */
		pg_atomic_fetch_add_u32(&word->invalidations, 1);
	}
}

/*
 * Set a word that is ahead of the system clock back to it, and a word of which nothing was
 * handed out forward to it.  Increment any other word, so that the swap of a backend that
 * has read it fails.  But keep a word that ends its tick: incremented, it would begin the
 * next tick, whose first counter is the generator's to choose.  Return the word that this
 * one replaces, and in *wall the time of the clock if that is later.
 */
static uint64
set_word_back(const ClockWordLayout *layout, SharedClockWord *word, int64 *wall)
{
	uint64		start = pg_atomic_read_u64(&word->start);
	uint64		last = pg_atomic_read_u64(&word->last);
	uint64		next;

	do
	{
		uint64		before;

		/* the clock after last: words handed out meanwhile must not seem to be ahead */
		pg_read_barrier();
		*wall = Max(*wall, clock_wall());
		before = clockword_before(layout, *wall);
		if (clockword_is_ahead(layout, last, *wall) || (last <= start && last < before))
			next = before;
		else
			next = clockword_ends_tick(layout, last) ? last : last + 1;
	} while (!pg_atomic_compare_exchange_u64(&word->last, &last, next));
	if (next < last || last <= start)
		pg_atomic_write_u64(&word->start, next);
	return last;
}

/* The results of reserve_restart(). */
typedef struct Stretches
{
	int64	   *from;
	int64	   *until;
} Stretches;

/*
 * Set clock words that are ahead of the system clock, and the mark, back to it.
 */
static void
restart_words(SharedState *state, void *arg)
{
	const Stretches *stretches = arg;
	int64		mark = (int64) pg_atomic_read_u64(&state->mark);
	int64		wall;
	int64		begins;
	int64		limit;

	/* write the current mark again: a full or failing disk throws before anything changes */
	write_file(state, mark, true);
	wall = clock_wall();
	/* a mark before 1970 would look damaged to the next server start */
	if (wall < 0)
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_FIELD_OVERFLOW),
				 errmsg("identifier generators cannot be taken back to a time before 1970"),
				 errdetail("The system clock shows %s.", show_instant(timestamp_of_us(wall))),
				 errhint("Set the clock right, and call idtypes_restart_generators() again.")));
	begins = wall + GENERATOR_LEAD;
	limit = Min(mark_for(begins, 0, wall), mark);

	/*
	 * First publish the future mark as a limit, then change the words.  A backend that
	 * read a word before the change fails to swap it.  A backend that reads a word after
	 * the change also sees the limit: the memory barrier pairs with the read barrier in
	 * shared_last().
	 *
	 * This leaves two cases in which a backend that read the word before us succeeds: the
	 * word ended its tick and was kept, or it returned to the same value (ABA).  Both take
	 * a clock set back since that backend read it.  No id is repeated, because the word
	 * that it swaps in is greater than those handed out since, and later words follow it.
	 * But that word may be as far ahead as the mark was when the backend read it: the
	 * generator is ahead again, until the next restart of generators; and if the server
	 * crashes before a process has renewed the mark beyond that word, the word may be
	 * handed out again, like the words before this call.
	 */
	pg_atomic_write_u64(&state->mark, (uint64) limit);
	pg_atomic_write_u64(&state->renew_at, (uint64) limit);
	pg_memory_barrier();
	for (int i = 0; i < GENERATORS; i++)
	{
		const ClockWordLayout *layout = &generator_info[i].layout;
		SharedClockWord *word = &state->words[i];
		uint64		last = set_word_back(layout, word, &wall);

		stretches->from[i] = wall;
		stretches->until[i] = clockword_is_ahead(layout, last, wall) ?
			clockword_tick_ends(layout, last) : wall;
		Assert(stretches->until[i] >= stretches->from[i]);

		/*
		 * Invalidate the blocks that were taken before the swap: the clock may reach their
		 * tick again.  Increment after the swap, or a block that was taken between the
		 * increment and the swap would seem valid.
		 */
		pg_atomic_fetch_add_u32(&word->invalidations, 1);
	}
	begins = wall + GENERATOR_LEAD;
	write_mark(state, mark_for(begins, 0, wall), begins, true);
}

/* ----------
 * The lock
 * ----------
 */

/*
 * Acquire the lock and return true; or return false without it as soon as the mark is
 * past "begins" (microseconds since 1970), because another backend has done the work.
 * With PG_INT64_MAX, wait for the lock however far the mark moves.  The holder must check
 * whether the work is still to be done: the mark may have moved before it got the lock.
 * The wait can be cancelled.
 */
static bool
acquire_lock(SharedState *state, int64 begins)
{
	bool		locked;

	Assert(!LWLockHeldByMe(&state->lock));
	while (!(locked = LWLockConditionalAcquire(&state->lock, LW_EXCLUSIVE)) &&
		   begins >= (int64) pg_atomic_read_u64(&state->mark))
	{
		ConditionVariableTimedSleep(&state->released, SLEEP_MS, shared_wait_events[WAIT_MARK]);
		if (begins < (int64) pg_atomic_read_u64(&state->mark))
			break;
	}
	ConditionVariableCancelSleep();
	return locked;
}

/* Release the lock, and wake the processes that wait for it or for the mark. */
static void
release_lock(SharedState *state)
{
	LWLockRelease(&state->lock);
	ConditionVariableBroadcast(&state->released);
}

/*
 * Call "action" with the lock held, and release the lock even if it throws.  Return false
 * without calling it if acquire_lock() returns false.
 */
static bool
do_locked(SharedState *state, int64 begins, void (*action) (SharedState *, void *), void *arg)
{
	if (!acquire_lock(state, begins))
		return false;
	PG_TRY();
	{
		action(state, arg);
	}
	PG_CATCH();
	{
		/*
		 * Release here: the server sends the error to the client before it releases
		 * locks.  errfinish() has reset the holdoff count of interrupts, which
		 * LWLockRelease() decrements.
		 */
		HOLD_INTERRUPTS();
		release_lock(state);
		PG_RE_THROW();
	}
	PG_END_TRY();
	release_lock(state);
	return true;
}

bool
reserve_initialize(const char *function)
{
	SharedState *state = clockwords_local.shared;
	int64		ahead = 0;

	if (likely(pg_atomic_read_u64(&state->mark) != 0))
		return false;
	if (RecoveryInProgress())
		ereport(ERROR,
				(errcode(ERRCODE_READ_ONLY_SQL_TRANSACTION),
				 errmsg("cannot execute %s during recovery", function),
				 errdetail("A server in recovery is a copy of another one, whose ids it would "
						   "repeat."),
				 errhint("Generate ids on the primary.")));
	if (!do_locked(state, 0, initialize_words, &ahead))
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
reserve_renew(Generator generator, const ClockWordUse *use, int64 begins)
{
	SharedState *state = clockwords_local.shared;
	MarkRequest request = {.generator = generator,.use = use};

	if (do_locked(state, begins, renew_mark, &request))
		clock_watch(&state->wall_ahead);
	return request.written;
}

bool
reserve_mark(Mark *mark, int64 *written)
{
	SharedState *state = clockwords_local.shared;

	mark->before = (int64) pg_atomic_read_u64(&state->mark);
	/* pairs with the write barrier in write_mark(): the timeline is as new as the mark */
	pg_read_barrier();
	mark->timeline = state->timeline;
	*written = (int64) pg_atomic_read_u64(&state->mark_written);
	if (mark->before != 0)
		return true;
	*written = 0;
	return markfile_read(mark);
}

/* Initialize the clock words if needed, and call "action" under the lock. */
static void
administer_generators(const char *function, void (*action) (SharedState *, void *), void *arg)
{
	shared_attach();
	(void) reserve_initialize(function);
	/* PG_INT64_MAX: never give up waiting for the lock */
	(void) do_locked(clockwords_local.shared, PG_INT64_MAX, action, arg);
}

void
reserve_restart(int64 from[GENERATORS], int64 until[GENERATORS])
{
	administer_generators("idtypes_restart_generators()", restart_words,
			   &(Stretches) {.from = from,.until = until});
}

bool
reserve_advance(int64 instant, const bool selected[GENERATORS], int64 starts[GENERATORS])
{
	Advance		request = {.instant = instant,.selected = selected,.starts = starts};

	administer_generators("idtypes_advance_generators()", advance_words, &request);
	return request.moved;
}
