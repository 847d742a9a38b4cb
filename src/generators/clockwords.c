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
#include "generators/settings.h"
#include "generators/shared.h"
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

/* A call that needs the next word: its arguments, and its state between attempts. */
typedef struct Call
{
	Generator	generator;
	const ClockWordUse *use;
	const char *function;		/* name of the SQL function */
	int64		called_at;		/* us of the system clock */
	SharedClockWord *word;
	bool		overflow_is_error;
	ClockWordWatch watch;
	bool		mark_moved;		/* this call wrote a mark, or waited for one */
	bool		counted[WAIT_CAUSES];

	/* what the latest attempt has read, in this order, and its result */
	uint64		last;
	int64		wall;
	int64		mark;
	uint64		next;
	int64		begins;			/* us: when next begins */
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
 * Return true if the next word of a call is due.  Otherwise count the call as waiting, wait
 * a moment and return false; the caller must begin another attempt.  Throws an error instead
 * of waiting if the counter has overflowed and that is to be an error.
 */
static bool
wait_until_due(Call *call)
{
	const GeneratorInfo *info = &generator_info[call->generator];
	const ClockWordLayout *layout = &info->layout;
	int64		wait = clockword_wait(layout, call->begins, call->wall);
	bool		first = (call->watch.since == 0);
	WaitCause	cause;
	int64		pace;

	if (wait <= 0)
		return true;
	pace = clockword_watch(layout, call->use, &call->watch, call->last, call->next,
						   call->wall, clock_mono());
	if (first && call->watch.ahead)
		clock_watch(&clockwords_local.shared->wall_ahead);
	if (pace <= 0)
		return true;

	/*
	 * A wait because of a step of the clock is no overflow.  Nor is a wait at start, where
	 * no word of the tick was handed out.
	 */
	if (call->overflow_is_error && call->last > pg_atomic_read_u64(&call->word->start) &&
		clockword_overflows(layout, call->use, call->last, call->next, call->wall))
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
 * Return true if time is reserved for the next word of a call.  Renew the mark if needed.
 * On false, the caller must begin another attempt.
 *
 * Renew the mark early at most once per call, so that backends share the work; renew it
 * again only if no id can be made without that.
 */
static bool
wait_until_reserved(Call *call)
{
	if (call->begins < call->mark && (call->mark_moved || clockwords_reserved(call->begins)))
		return true;
	if (call->begins >= call->mark)
		count_wait(call, WAIT_MARK);
	if (reserve_renew(call->generator, call->use, call->begins))
		count_wait(call, WAIT_MARK);
	call->mark_moved = true;
	return call->begins < (int64) pg_atomic_read_u64(&clockwords_local.shared->mark);
}

/* Begin a call. */
static Call
begin_call(Generator generator, const ClockWordUse *use, const char *function)
{
	int64		called_at = clock_wall();

	shared_attach();
	return (Call) {
		.generator = generator,
		.use = use,
		.function = function,
		.called_at = called_at,
		.word = &clockwords_local.shared->words[generator]
	};
}

/* Begin an attempt: read the last word, the clock and the mark, and compute the next word. */
static void
begin_attempt(Call *call)
{
	const GeneratorInfo *info = &generator_info[call->generator];
	const ClockWordLayout *layout = &info->layout;

	CHECK_FOR_INTERRUPTS();
	if (reserve_initialize(call->function))
	{
		call->mark_moved = true;
		count_wait(call, WAIT_MARK);
	}
	/* pairs with the write barrier in write_mark(): after a mark, read initialized words */
	pg_read_barrier();
	call->last = shared_last(call->word);
	call->wall = clock_wall();
	call->mark = (int64) pg_atomic_read_u64(&clockwords_local.shared->mark);
	call->next = clockword_next(layout, call->use, call->last, call->wall);
	check_range(info, call->wall, call->last, call->next);
	call->begins = clockword_begins(layout, call->use, call->next);

	/*
	 * If writing the mark took longer than the time that it reserves, use the time of
	 * the call, or what follows the last word; otherwise a slow disk would make the caller
	 * loop for ever.
	 */
	if (call->mark_moved && call->begins >= call->mark)
	{
		call->next = clockword_next(layout, call->use, call->last,
									Min(call->wall, call->called_at));
		call->begins = clockword_begins(layout, call->use, call->next);
	}
}

uint64
clockwords_next_slow(Generator generator, ClockWordUse use, const char *function)
{
	Call		call = begin_call(generator, &use, function);

	call.overflow_is_error = setting_overflow_is_error();
	for (;;)
	{
		begin_attempt(&call);
		if (!wait_until_due(&call) || !wait_until_reserved(&call))
			continue;
		if (unlikely(!openxact_is_covered(generator, call.next)))
			openxact_cover(generator, call.next);
		if (pg_atomic_compare_exchange_u64(&call.word->last, &call.last, call.next))
			break;
		clockwords_back_off();
	}
	clockwords_check(generator, &use, call.last, call.next);
	clockwords_count(generator, call.wall);
	return call.next;
}

int64
clockwords_bound(Generator generator, const char *function)
{
	const ClockWordLayout *layout = &generator_info[generator].layout;
	/* the next word is the first of a tick */
	const ClockWordUse use = {
		.step = UINT64CONST(1) << layout->counter_bits,
		.fine_bits = layout->counter_bits
	};
	Call		call = begin_call(generator, &use, function);

	for (;;)
	{
		begin_attempt(&call);
		/* the tick of last has words left: end it, or leave that to the clock */
		if (call.last + 1 < call.next)
		{
			if (call.begins > call.wall &&
				clockword_tick_begins(layout, call.last) <= call.wall)
				return clockwords_tick(generator, call.last);
			if (!wait_until_due(&call))
				continue;
		}
		if (!wait_until_reserved(&call))
			continue;

		/*
		 * Move last to the end of the tick before, not to the next word: the first word of a
		 * tick has a random counter in some formats.
		 */
		if (call.last + 1 == call.next ||
			pg_atomic_compare_exchange_u64(&call.word->last, &call.last, call.next - 1))
			break;
		clockwords_back_off();
	}

	/* after the swap; invalidate blocks, whose tick may still be that of last */
	pg_atomic_fetch_add_u32(&call.word->invalidations, 1);
	return clockwords_tick(generator, call.next);
}
