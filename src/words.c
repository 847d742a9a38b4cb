/*-------------------------------------------------------------------------
 *
 * words.c
 *	  Handing out the generators' words, off the common path.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/wait_event.h"

#include "reserve.h"
#include "settings.h"
#include "shared_page.h"
#include "words.h"

/* Shorter waits, in nanoseconds, spin: a sleep takes at least as long as this. */
#define SPIN_BELOW	INT64CONST(50000)

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
		pgstat_report_wait_start(shared_wait_events[cause]);
		pg_usleep(ns / 1000 + 1);
		pgstat_report_wait_end();
	}
}

uint64
words_next_slow(Generator generator, WordUse use, const char *function)
{
	const GeneratorInfo *info = &generator_info[generator];
	const WordLayout *layout = &info->layout;
	SharedPage *page;
	SharedWord *word;
	uint64		last;
	uint64		next;
	int64		wall;
	int64		called_at = clock_wall();
	bool		mark_moved = false; /* by this call, or another process while it waited */
	WordWatch	watch = {0};
	bool		overflow_is_error = setting_overflow_is_error();
	bool		counted[WAIT_CAUSES] = {false};

	shared_attach();
	page = shared_page();
	word = &page->shared.words[generator];
	for (;;)
	{
		int64		begins;
		int64		mark;
		int64		wait;

		CHECK_FOR_INTERRUPTS();
		mark_moved |= reserve_settle(function);
		/* pairs with write_mark()'s: now that there is a mark, words are settled */
		pg_read_barrier();
		last = shared_last(word);
		wall = clock_wall();
		mark = (int64) pg_atomic_read_u64(&page->mark);
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
				clock_watch(&page->wall_ahead);
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
			(!mark_moved && begins >= (int64) pg_atomic_read_u64(&page->shared.renew_at)))
		{
			if (begins >= mark)
				count_wait(word, WAIT_MARK, counted);
			reserve_extend(generator, &use, begins);
			mark_moved = true;
			if (begins >= (int64) pg_atomic_read_u64(&page->mark))
				continue;
		}
		if (pg_atomic_compare_exchange_u64(&word->last, &last, next))
			break;
		words_back_off();
	}
	words_check(generator, &use, last, next);
	words_count(generator, wall);
	return next;
}
