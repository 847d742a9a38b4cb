/*-------------------------------------------------------------------------
 *
 * clock.h
 *	  The generators' words in shared memory: times and counters that no two
 *	  callers get twice.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_CLOCK_H
#define IDTYPES_CLOCK_H

#include "postgres.h"

#include <time.h>

#include "port/atomics.h"
#include "storage/lwlock.h"
#include "storage/spin.h"
#include "utils/timestamp.h"

#include "core/generators.h"
#include "core/permute.h"

/* One generator; a cache line of its own. */
typedef struct ClockWord
{
	pg_atomic_uint64 last;		/* last word handed out, or taken with a block */
	pg_atomic_uint64 off;		/* int64: see core/word.h; only ever raised */
	pg_atomic_uint64 generated; /* ids handed out, as backends report them */
	pg_atomic_uint64 waits;		/* calls that had to wait */
	pg_atomic_uint64 unused;	/* what last was before any id was handed out */
	char		pad[PG_CACHE_LINE_SIZE - 5 * sizeof(pg_atomic_uint64)];
} ClockWord;

typedef struct ClockShared
{
	uint32		version;		/* CLOCK_SHARED_VERSION of the library that made it */
	uint32		tid64_clock_id; /* drawn at start, 0 to 31; set once, before base */
	PermuteKey	xid_key;		/* likewise */
	LWLock		lock;			/* held while base or mark change */
	pg_atomic_uint32 base;		/* timeline that the words are good for, or CLOCK_BASE_* */
	pg_atomic_uint64 mark;		/* int64: durable; every word handed out begins before it */
	pg_atomic_uint64 renew;		/* int64: who begins a word here or later moves the mark on */
	pg_atomic_uint64 fast_until;	/* int64: renew, or 0 if all must take the slow path */
	pg_atomic_uint64 wall_ahead;	/* int64: system less monotonic clock, when last looked at */
	ClockWord	words[GENERATORS] pg_attribute_aligned(PG_CACHE_LINE_SIZE);
} ClockShared;

/* NULL until the first call in this process. */
extern ClockShared *clock_shared;

/* For each generator, ids that this process handed out and has not reported yet. */
extern uint64 clock_pending[GENERATORS];
extern int64 clock_reported_at;

/* For _PG_init(): reserves the memory where the library is preloaded. */
extern void clock_request_shmem(void);

/*
 * Attaches, and makes sure that the words and what is drawn at start are good
 * for use.  An ERROR if there is no shared memory left, if it belongs to another
 * version of the library, or if the mark cannot be read or written.
 */
extern void clock_settle(void);

/* Adds what this process handed out to the shared counts. */
extern void clock_report(void);

/* As clock_next(), for whatever that leaves to it. */
extern uint64 clock_next_slow(Generator generator, const WordUse *use);

/*
 * Counts an id.  Reports the counts once a second; unsigned, so that a clock
 * set back reports too.
 */
static inline void
clock_count(Generator generator, int64 wall)
{
	clock_pending[generator]++;
	if (unlikely((uint64) (wall - clock_reported_at) >= USECS_PER_SEC))
	{
		clock_reported_at = wall;
		clock_report();
	}
}

/* Microseconds of the system clock since 1970. */
static inline int64
clock_wall(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return (int64) ts.tv_sec * USECS_PER_SEC + ts.tv_nsec / 1000;
}

/*
 * Who loses a swap leaves the winner alone with the cache line for a while, in
 * which that one makes some more ids.  Where SPIN_DELAY() takes 40 ns, that is
 * another ten or twenty, and two backends at once got 1.2 to 1.6 times as many ids
 * as when the line moved between them for each.
 */
#define CLOCK_BACKOFF	32

static inline void
clock_back_off(void)
{
	for (int i = 0; i < CLOCK_BACKOFF; i++)
		SPIN_DELAY();
}

/*
 * The next word of a generator: greater than every one handed out before, by
 * any process of the server.  May wait, or raise the overflow error.
 *
 * This is the common path, where the clock is in order: two reads, the clock,
 * one compare-and-swap.  Everything else, the first call of a process included,
 * is clock_next_slow().
 */
static pg_attribute_always_inline uint64
clock_next(Generator generator, const WordUse *use)
{
	const WordLayout *layout = &generator_info[generator].layout;

	if (likely(clock_shared != NULL))
	{
		ClockWord  *word = &clock_shared->words[generator];

		for (;;)
		{
			uint64		last = pg_atomic_read_u64(&word->last);
			int64		wall = clock_wall();
			uint64		next = word_next(layout, use, last, wall);
			int64		begins = word_begins(layout, use, next);

			/* the end of the format's time is left to the slow path */
			if (unlikely(wall >= id_tick_begins(&layout->time, layout->time.last) - layout->lead ||
						 word_wait(layout, begins, wall) > 0 ||
						 begins >= (int64) pg_atomic_read_u64(&clock_shared->fast_until)))
				break;
			if (likely(pg_atomic_compare_exchange_u64(&word->last, &last, next)))
			{
				clock_count(generator, wall);
				return next;
			}
			clock_back_off();
		}
	}
	return clock_next_slow(generator, use);
}

/* Words that a process took at once. */
typedef struct ClockBlock
{
	uint64		next;			/* the next one to hand out */
	uint64		end;			/* after the last one */
} ClockBlock;

/*
 * As clock_next(), for ids that need not rise within a tick: the shared word
 * moves on by use->step at once, from use->start = step - 1 on, and this process
 * hands out the words up to there one after the other, as long as the tick lasts.
 * So two backends at once need not wait for each other, and one alone does
 * without a swap per id.
 */
static pg_attribute_always_inline uint64
clock_next_of_block(Generator generator, const WordUse *use, ClockBlock *block)
{
	const WordLayout *layout = &generator_info[generator].layout;

	if (likely(block->next < block->end))
	{
		uint64		last = pg_atomic_read_u64(&clock_shared->words[generator].last);
		int64		wall = clock_wall();

		if (likely(word_is_current(layout, block->next, last, wall) &&
				   word_begins(layout, use, block->next) <
				   (int64) pg_atomic_read_u64(&clock_shared->fast_until)))
		{
			clock_count(generator, wall);
			return block->next++;
		}
	}
	block->end = clock_next(generator, use) + 1;
	block->next = block->end - use->step;
	return block->next++;
}

/* The tick in a word, for composing an id. */
static inline int64
clock_tick(Generator generator, uint64 word)
{
	return (int64) (word >> generator_info[generator].layout.counter_bits);
}

/* The counter in a word. */
static inline uint64
clock_counter(Generator generator, uint64 word)
{
	return word & ((UINT64CONST(1) << generator_info[generator].layout.counter_bits) - 1);
}

#endif							/* IDTYPES_CLOCK_H */
