/*-------------------------------------------------------------------------
 *
 * clockwords.h
 *	  Handing out the generators' clock words.  A clock word is a time and a counter;
 *	  no two callers get the same word.
 *
 * A generator calls clockwords_next() and composes its id from clockwords_tick() and
 * clockwords_counter().  core/clockword.h defines clock words and when one may be
 * handed out, reserve.c reserves time for them, and shared.h has the rules of
 * access to shared memory.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_CLOCKWORDS_H
#define IDTYPES_CLOCKWORDS_H

#include "postgres.h"

#include <unistd.h>

#include "storage/spin.h"

#include "generators/clock.h"
#include "server/compat.h"
#include "generators/openxact.h"
#include "generators/shared.h"

/* The slow path of clockwords_next(), with the same arguments and result. */
extern uint64 clockwords_next_slow(Generator generator, ClockWordUse use, const char *function);

/*
 * Return a tick such that every word of a generator that any process swaps in from now on is
 * of this tick or later.  That is the tick of the system clock, if the last word is not later:
 * then the last word moves to the end of the tick before.  If the last word is ahead of the
 * clock, which has been set back, its tick ends as if an id were needed, so that this result
 * grows even when the clock does not reach it.  No id is taken.  Waits, and throws errors, as
 * clockwords_next() does, but an overflow is no error.
 */
extern int64 clockwords_bound(Generator generator, const char *function);

/*
 * Count an id that was handed out when the system clock showed wall.  Add the counts
 * to those in shared memory once a second.  The comparison is unsigned, so that this
 * also happens after the clock was set back.
 */
static inline void
clockwords_count(Generator generator, int64 wall)
{
	clockwords_local.pending[generator]++;
	if (unlikely((uint64) (wall - clockwords_local.reported_at) >= USECS_PER_SEC))
	{
		clockwords_local.reported_at = wall;
		shared_report();
	}
}

/*
 * After losing a compare-and-swap, spin before retrying: the winner keeps the cache
 * line long enough for ten or twenty more ids, where SPIN_DELAY() takes 40 ns.  With
 * two backends this gained 20 to 60 %.
 */
#define CLOCKWORDS_BACKOFF	32

static inline void
clockwords_back_off(void)
{
	for (int i = 0; i < CLOCKWORDS_BACKOFF; i++)
		SPIN_DELAY();
}

/*
 * True if this process may hand out a word that begins at "begins" without renewing
 * the mark first.  From renew_at on, one process renews the mark early, while the others
 * continue.  The process that wrote the current mark renews it only from leave_until on:
 * a session that generates alone on a slow disk would otherwise write one mark after
 * another.  The caller has read the last word by shared_last() before.
 */
static inline bool
clockwords_reserved(int64 begins)
{
	SharedState *shared = clockwords_local.shared;

	return likely(begins < (int64) pg_atomic_read_u64(&shared->renew_at)) ||
		(begins < clockwords_local.leave_until &&
		 clockwords_local.own_mark == (int64) pg_atomic_read_u64(&shared->mark));
}

/* The tick of a word, for composing an id. */
static inline int64
clockwords_tick(Generator generator, uint64 word)
{
	return (int64) (word >> generator_info[generator].layout.counter_bits);
}

/* The counter of a word. */
static inline uint64
clockwords_counter(Generator generator, uint64 word)
{
	return word & ((UINT64CONST(1) << generator_info[generator].layout.counter_bits) - 1);
}

/* Check what callers that build an id from this word, handed out after last, rely on. */
static inline void
clockwords_check(Generator generator, const ClockWordUse *use, uint64 last, uint64 word)
{
	Assert(word > last);
	Assert(clockwords_tick(generator, word) >= generator_info[generator].layout.time.first);
	Assert(!clockword_is_at_end(&generator_info[generator].layout, word));
	Assert(clockwords_counter(generator, word) <= use->limit);
	Assert(((word ^ use->start) & ((UINT64CONST(1) << use->low_bits) - 1)) == 0);
}

/*
 * Return the next word of a generator, greater than every word that any process of
 * the server got before.  May wait; the wait can be cancelled.  Throws an error if the
 * counter has overflowed and idtypes.on_overflow is error, and if the format's time has
 * ended or not begun; also throws the errors of shared_attach() and reserve_initialize(),
 * which gets function, the name of the SQL function.
 *
 * This is the fast path: two reads of shared memory, the clock, and one
 * compare-and-swap.  clockwords_next_slow() serves every call that has to attach, wait
 * or renew the mark.  use is passed by value so that its constant members fold once
 * this is inlined.
 */
static pg_always_inline uint64
clockwords_next(Generator generator, ClockWordUse use, const char *function)
{
	const ClockWordLayout *layout = &generator_info[generator].layout;

	if (likely(clockwords_local.shared != NULL))
	{
		SharedClockWord *word = &clockwords_local.shared->words[generator];

		for (;;)
		{
			uint64		last = shared_last(word);
			int64		wall = clock_wall();
			uint64		next = clockword_next(layout, &use, last, wall);
			int64		begins = clockword_begins(layout, &use, next);

			/* the slow path also reports the end of the format's time */
			if (unlikely(wall >= id_tick_begins(&layout->time, layout->time.last) - layout->lead ||
						 clockword_wait(layout, begins, wall) > 0 ||
						 !clockwords_reserved(begins)))
				break;
			if (unlikely(!openxact_is_covered(generator, next)))
				openxact_cover(generator, next);
			if (likely(pg_atomic_compare_exchange_u64(&word->last, &last, next)))
			{
				clockwords_check(generator, &use, last, next);
				clockwords_count(generator, wall);
				return next;
			}
			clockwords_back_off();
		}
	}
	return clockwords_next_slow(generator, use, function);
}

/*
 * Like clockwords_next(), for ids that need not rise within a tick.  Take a block of
 * use.step words with one swap; hand them out one by one, in this call and later ones.
 * The caller passes use.start = use.step - 1, so that the shared word is the last word of
 * the block.  A block becomes invalid when its tick ends, and when the generators are
 * restarted or advanced, because other processes may then reach the same tick again.
 * With blocks, concurrent backends seldom compete for the cache line, and a single
 * backend needs no swap per id.
 */
static pg_always_inline uint64
clockwords_next_of_block(Generator generator, ClockWordUse use, const char *function)
{
	const ClockWordLayout *layout = &generator_info[generator].layout;
	ClockWordBlock *block = &clockwords_local.blocks[generator];
	uint32		invalidations;

	Assert(use.step > 0 && use.start == use.step - 1 && use.low_bits == 0);
	if (likely(block->next < block->end))
	{
		SharedClockWord *word = &clockwords_local.shared->words[generator];
		uint64		last = shared_last(word);
		int64		wall = clock_wall();
		bool		valid = clockword_is_current(layout, block->next, last, wall) &&
			clockwords_reserved(clockword_begins(layout, &use, block->next)) &&
			block->invalidations == pg_atomic_read_u32(&word->invalidations);

		Assert(block->owner == getpid());
		if (unlikely(valid && !openxact_is_covered(generator, block->next)))
		{
			openxact_cover(generator, block->next);
			/* a reader that missed the slot has moved last on, or invalidated the block */
			valid = clockword_same_tick(layout, block->next, shared_last(word)) &&
				block->invalidations == pg_atomic_read_u32(&word->invalidations);
		}
		if (likely(valid))
		{
			clockwords_count(generator, wall);
			return block->next++;
		}
	}
	shared_attach();
	/* read before the swap: a restart of generators in between makes the block invalid */
	invalidations = pg_atomic_read_u32(&clockwords_local.shared->words[generator].invalidations);
	/* this may throw; the old block is used up or stale then, which is safe to keep */
	block->end = clockwords_next(generator, use, function) + 1;
	block->next = block->end - use.step;
	block->invalidations = invalidations;
#ifdef USE_ASSERT_CHECKING
	block->owner = getpid();
#endif
	Assert(clockword_same_tick(layout, block->next, block->end - 1));
	return block->next++;
}

#endif							/* IDTYPES_CLOCKWORDS_H */
