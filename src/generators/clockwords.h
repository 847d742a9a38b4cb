/*-------------------------------------------------------------------------
 *
 * clockwords.h
 *	  Handing out the generators' words: times and counters that no two callers
 *	  get twice.
 *
 * A generator calls clockwords_next() and composes its id of clockwords_tick() and
 * clockwords_counter().  What a word is, and when it may be handed out, is in
 * core/clockword.h; how time is reserved for words, in reserve.c; and who may write
 * what in shared memory, in shared_state.h.
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
#include "generators/shared.h"

/* As clockwords_next(), for whatever that leaves to it. */
extern uint64 clockwords_next_slow(Generator generator, ClockWordUse use, const char *function);

/*
 * Counts an id.  Reports the counts once a second; unsigned, so that a clock
 * set back reports too.
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
 * Who loses a swap leaves the winner alone with the cache line for a while, in
 * which that one makes some more ids.  Where SPIN_DELAY() takes 40 ns, that is
 * another ten or twenty, and two backends at once got 1.2 to 1.6 times as many ids
 * as when the line moved between them for each.
 */
#define CLOCKWORDS_BACKOFF	32

static inline void
clockwords_back_off(void)
{
	for (int i = 0; i < CLOCKWORDS_BACKOFF; i++)
		SPIN_DELAY();
}

/*
 * Whether this process may hand out a word that begins at an instant without extending
 * the mark first.  From renew_at on, a process extends the mark early, while the others go
 * on.  The process that wrote the present mark does so only from leave_until on: a session
 * that generates alone on a slow disk would otherwise write one mark after another.  The
 * caller has read the last word before, by shared_last().
 */
static inline bool
clockwords_reserved(int64 begins)
{
	ClockWordsShared *shared = clockwords_local.shared;

	return likely(begins < (int64) pg_atomic_read_u64(&shared->renew_at)) ||
		(begins < clockwords_local.leave_until &&
		 clockwords_local.own_mark == (int64) pg_atomic_read_u64(&shared->mark));
}

/* The tick in a word, for composing an id. */
static inline int64
clockwords_tick(Generator generator, uint64 word)
{
	return (int64) (word >> generator_info[generator].layout.counter_bits);
}

/* The counter in a word. */
static inline uint64
clockwords_counter(Generator generator, uint64 word)
{
	return word & ((UINT64CONST(1) << generator_info[generator].layout.counter_bits) - 1);
}

/* Asserts what who composes an id relies on, of a word that is handed out after another. */
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
 * The next word of a generator: greater than every one handed out before, by
 * any process of the server.  May wait, where it can be cancelled.  Errors: the
 * counter has overflowed and the settings ask for an error, the format's time has
 * come to its end or not begun, and those of shared_attach() and reserve_settle(),
 * which gets function.
 *
 * This is the common path, where the clock is in order: two reads, the clock,
 * one compare-and-swap.  Everything else, the first call of a process included,
 * is clockwords_next_slow().  use goes by value, so that what is constant of it folds.
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

			/* the end of the format's time is left to the slow path */
			if (unlikely(wall >= id_tick_begins(&layout->time, layout->time.last) - layout->lead ||
						 clockword_wait(layout, begins, wall) > 0 ||
						 !clockwords_reserved(begins)))
				break;
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
 * As clockwords_next(), for ids that need not rise within a tick: the shared word
 * moves on by use.step at once, from use.start = step - 1 on, and this process
 * hands out the words up to there one after the other, as long as the tick lasts
 * and the generators are not restarted: others may then come to that tick anew.
 * So two backends at once need not wait for each other, and one alone does
 * without a swap per id.
 */
static pg_always_inline uint64
clockwords_next_of_block(Generator generator, ClockWordUse use, const char *function)
{
	const ClockWordLayout *layout = &generator_info[generator].layout;
	ClockWordBlock *block = &clockwords_local.blocks[generator];
	uint32		restarts;

	Assert(use.step > 0 && use.start == use.step - 1 && use.low_bits == 0);
	if (likely(block->next < block->end))
	{
		uint64		last = shared_last(&clockwords_local.shared->words[generator]);
		int64		wall = clock_wall();

		if (likely(clockword_is_current(layout, block->next, last, wall) &&
				   clockwords_reserved(clockword_begins(layout, &use, block->next)) &&
				   block->restarts == pg_atomic_read_u32(&clockwords_local.shared->restarts)))
		{
			Assert(block->owner == getpid());
			clockwords_count(generator, wall);
			return block->next++;
		}
	}
	shared_attach();
	/* before the swap: if the generators are restarted meanwhile, the block is void */
	restarts = pg_atomic_read_u32(&clockwords_local.shared->restarts);
	/* may raise an error: the block before then stays as void as it was */
	block->end = clockwords_next(generator, use, function) + 1;
	block->next = block->end - use.step;
	block->restarts = restarts;
#ifdef USE_ASSERT_CHECKING
	block->owner = getpid();
#endif
	Assert(clockword_same_tick(layout, block->next, block->end - 1));
	return block->next++;
}

#endif							/* IDTYPES_CLOCKWORDS_H */
