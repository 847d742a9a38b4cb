/*-------------------------------------------------------------------------
 *
 * clockwords.c
 *	  The slow path of handing out clock words: waits, errors, and the mark.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/wait_event.h"

#include "generators/reserve.h"
#include "server/settings.h"
#include "generators/shared_state.h"
#include "generators/clockwords.h"

/* Spin for waits shorter than this, in nanoseconds; a sleep takes at least as long. */
#define SPIN_BELOW	INT64CONST(50000)

/*
 * Throw an error if the clock, or the word next, is outside the format's time.  A clock
 * before the format's epoch is an error only for a generator that has no last word yet;
 * any other generator continues from last.
 */
static void
check_range(const GeneratorInfo *info, int64 wall, uint64 last, uint64 next)
{
	const ClockWordLayout *layout = &info->layout;
	int64		first = id_tick_begins(&layout->time, layout->time.first);
	int64		end = id_tick_begins(&layout->time, layout->time.last);

	if ((wall < first && last == 0) || wall >= end)
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_FIELD_OVERFLOW),
				 errmsg("the system clock is out of range for generator \"%s\"", info->name),
				 errdetail("It generates ids for %lld to %lld seconds since 1970.",
						   (long long) (first / USECS_PER_SEC),
						   (long long) (end / USECS_PER_SEC))));
	if (clockword_is_at_end(layout, next))
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_FIELD_OVERFLOW),
				 errmsg("generator \"%s\" has come to the end of its time", info->name),
				 errdetail("It generates ids up to %lld seconds since 1970; the system clock has "
						   "been there or beyond.", (long long) (end / USECS_PER_SEC)),
				 errhint("If the clock is right now, idtypes_restart_generators() takes the "
						 "generators back to it.")));
}

/* A call of clockwords_next_slow(): its arguments, and its state between attempts. */
typedef struct Call
{
	Generator	generator;
	const ClockWordUse *use;
	SharedClockWord *word;
	bool		overflow_is_error;
	ClockWordWatch watch;
	bool		mark_moved;		/* this call wrote a mark, or waited for one */
	bool		counted[WAIT_CAUSES];
} Call;

/* Count a call that waits, at most once for each cause. */
static void
count_wait(Call *call, WaitCause cause)
{
	if (!call->counted[cause])
		pg_atomic_fetch_add_u64(&call->word->waits[cause], 1);
	call->counted[cause] = true;
}

/* Wait for ns nanoseconds, the result of clockword_pause(); if that is short, spin once. */
static void
wait_for_tick(int64 ns, WaitCause cause)
{
	if (ns < SPIN_BELOW)
		SPIN_DELAY();
	else
	{
		pgstat_report_wait_start(shared_wait_events[cause]);
		pg_usleep(ns / 1000 + 1);
		pgstat_report_wait_end();
	}
}

/*
 * Return true if the word next, after last, is due when the system clock shows wall.
 * Otherwise count this call as waiting, wait a moment and return false; the caller must
 * read last and the clock again and retry.  Throws an error instead of waiting if the
 * counter has overflowed and idtypes.on_overflow is error.
 */
static bool
wait_until_due(Call *call, uint64 last, uint64 next, int64 wall)
{
	const GeneratorInfo *info = &generator_info[call->generator];
	const ClockWordLayout *layout = &info->layout;
	int64		wait = clockword_wait(layout, clockword_begins(layout, call->use, next), wall);
	bool		first = (call->watch.since == 0);
	WaitCause	cause;
	int64		pace;

	if (wait <= 0)
		return true;
	pace = clockword_watch(layout, call->use, &call->watch, last, next, wall, clock_mono());
	if (first && call->watch.ahead)
		clock_watch(&shared_state()->wall_ahead);
	if (pace <= 0)
		return true;

	/*
	 * A wait because of a step of the clock is no overflow.  Nor is a wait at start, where
	 * no word of the tick was handed out.
	 */
	if (call->overflow_is_error && last > pg_atomic_read_u64(&call->word->start) &&
		clockword_overflows(layout, call->use, last, next, wall))
		ereport(ERROR,
				(errcode(ERRCODE_SEQUENCE_GENERATOR_LIMIT_EXCEEDED),
				 errmsg("generator \"%s\" has used up the ids of this instant", info->name),
				 errdetail("The next can be generated in " INT64_FORMAT " us.", wait),
				 errhint("Try again, or set idtypes.on_overflow to wait.")));
	cause = call->watch.ahead ? WAIT_CLOCK : WAIT_COUNTER;
	count_wait(call, cause);
	wait_for_tick(clockword_pause(wait, pace), cause);
	return false;
}

/*
 * Return true if time is reserved for a word that begins at "begins"; mark is the mark
 * that the caller has read.  Extend the mark if needed.  On false, the caller must read
 * the word, the clock and the mark again and retry.
 *
 * Extend the mark early at most once per call, so that backends share the work; extend it
 * again only if no id can be made without that.
 */
static bool
wait_until_reserved(Call *call, int64 begins, int64 mark)
{
	if (begins < mark && (call->mark_moved || clockwords_reserved(begins)))
		return true;
	if (begins >= mark)
		count_wait(call, WAIT_MARK);
	if (reserve_extend(call->generator, call->use, begins))
		count_wait(call, WAIT_MARK);
	call->mark_moved = true;
	return begins < (int64) pg_atomic_read_u64(&clockwords_local.shared->mark);
}

uint64
clockwords_next_slow(Generator generator, ClockWordUse use, const char *function)
{
	const GeneratorInfo *info = &generator_info[generator];
	const ClockWordLayout *layout = &info->layout;
	int64		called_at = clock_wall();
	Call		call = {
		.generator = generator,
		.use = &use,
		.overflow_is_error = setting_overflow_is_error()
	};
	uint64		last;
	uint64		next;
	int64		wall;

	shared_attach();
	call.word = &clockwords_local.shared->words[generator];
	for (;;)
	{
		int64		begins;
		int64		mark;

		CHECK_FOR_INTERRUPTS();
		if (reserve_settle(function))
		{
			call.mark_moved = true;
			count_wait(&call, WAIT_MARK);
		}
		/* pairs with the write barrier in write_mark(): after a mark, read initialized words */
		pg_read_barrier();
		last = shared_last(call.word);
		wall = clock_wall();
		mark = (int64) pg_atomic_read_u64(&clockwords_local.shared->mark);
		next = clockword_next(layout, &use, last, wall);
		check_range(info, wall, last, next);
		begins = clockword_begins(layout, &use, next);

		/*
		 * If writing the mark took longer than the time that it reserves, use the time of
		 * the call, or what follows the last word; otherwise a slow disk would make this
		 * loop for ever.
		 */
		if (call.mark_moved && begins >= mark)
		{
			next = clockword_next(layout, &use, last, Min(wall, called_at));
			begins = clockword_begins(layout, &use, next);
		}
		if (!wait_until_due(&call, last, next, wall) ||
			!wait_until_reserved(&call, begins, mark))
			continue;
		if (pg_atomic_compare_exchange_u64(&call.word->last, &last, next))
			break;
		clockwords_back_off();
	}
	clockwords_check(generator, &use, last, next);
	clockwords_count(generator, wall);
	return next;
}
