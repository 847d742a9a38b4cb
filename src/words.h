/*-------------------------------------------------------------------------
 *
 * words.h
 *	  The generators' words in shared memory: times and counters that no two
 *	  callers get twice.
 *
 * A generator calls words_next() and composes its id of words_tick() and
 * words_counter().  What a word is, and when it may be handed out, is in
 * core/clockword.h; who may write what in shared memory, in words.c.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_WORDS_H
#define IDTYPES_WORDS_H

#include "postgres.h"

#include "port/atomics.h"
#include "storage/condition_variable.h"
#include "storage/lwlock.h"
#include "storage/spin.h"

#include "clock.h"
#include "compat.h"
#include "core/generators.h"
#include "core/permute.h"

/* What a call can have to wait for. */
typedef enum WaitCause
{
	WAIT_COUNTER,				/* the next tick, as this one's ids are used up */
	WAIT_CLOCK,					/* likewise, where the clock lies behind the ids */
	WAIT_MARK,					/* time beyond the mark */
	WAIT_CAUSES					/* number of causes */
} WaitCause;

/* One generator; a cache line of its own. */
typedef struct SharedWord
{
	pg_atomic_uint64 last;		/* last word handed out, or taken with a block */
	pg_atomic_uint64 start;		/* what last was set to: none up to there was handed out since */
	pg_atomic_uint64 generated; /* ids handed out, as processes report them */
	pg_atomic_uint64 waits[WAIT_CAUSES];	/* calls that had to wait */
	char		pad[PG_CACHE_LINE_SIZE - (3 + WAIT_CAUSES) * sizeof(pg_atomic_uint64)];
} SharedWord;

typedef struct WordsShared
{
	uint32		version;		/* WORDS_SHARED_VERSION of the library that made it */
	uint32		tid64_clock_id; /* drawn when the memory is made, 0 to 31 */
	PermuteKey	xid_key;		/* likewise */
	LWLock		lock;			/* held while the mark changes */
	ConditionVariable released; /* for those who wait for lock, or for the mark */
	uint32		timeline;		/* that the words were settled on */
	int			mark_slot;		/* of the file, that holds mark, or MARK_NO_SLOT */
	int64		settled;		/* us of the monotonic clock: when, or when advanced */
	pg_atomic_uint64 mark;		/* int64, us: durable; 0 until the words are settled */
	pg_atomic_uint64 mark_written;	/* int64, us: when that was */
	pg_atomic_uint64 renew_at;	/* int64, us: words that begin here or later need a look at mark */
	pg_atomic_uint32 restarts;	/* how often blocks that were taken before became void */
	pg_atomic_uint64 wall_ahead;	/* int64, us: system less monotonic clock, when last compared */
	SharedWord	words[GENERATORS] pg_attribute_aligned(PG_CACHE_LINE_SIZE);
} WordsShared;

/* Words that a process took at once. */
typedef struct WordBlock
{
	uint64		next;			/* the next one to hand out */
	uint64		end;			/* after the last one */
	uint32		restarts;		/* as of before they were taken */
} WordBlock;

/* What a process has for itself. */
typedef struct WordsLocal
{
	WordsShared *shared;		/* NULL until the first call */
	int64		reported_at;	/* when pending was last reported */
	uint64		pending[GENERATORS];	/* ids handed out and not reported yet */
	WordBlock	blocks[GENERATORS];
} WordsLocal;

extern WordsLocal words_local;

/* For _PG_init(): reserves the memory where the library is preloaded. */
extern void words_request_shmem(void);

/* In a child of fork(): forgets what is the parent's to hand out or to report. */
extern void words_after_fork(void);

/*
 * Attaches to the shared memory.  An ERROR if there is none left, if it belongs
 * to another version of the library, or in a child of fork().
 */
extern void words_attach(void);

/* Adds what this process handed out to the shared counts. */
extern void words_report(void);

/*
 * Takes words that lie ahead of the clock, and the mark, back to it.  from and
 * until are, for each generator, the stretch of time (in microseconds since 1970)
 * whose ids may then come again; equal if there is none.  May be called while
 * others generate.  Errors as of words_next(), before anything has changed; but one
 * of a disk that fails between two writes of the mark comes after, and what was done
 * then holds until the server is started again.
 */
extern void words_restart(int64 from[GENERATORS], int64 until[GENERATORS]);

/*
 * Sees to it that those of the generators that are selected hand out only later ticks
 * than the one that an instant (in microseconds since 1970) falls in: in every call
 * that begins after this has returned, also after a crash.  The tick after it must not
 * be the end of their formats.  starts is, for each of them, the instant at which the
 * first tick begins that it can still hand out.  May be called while others generate.
 * Returns whether that moved any.  Errors as of words_restart(), before anything has
 * changed.
 */
extern bool words_advance(int64 instant, const bool selected[GENERATORS],
						  int64 starts[GENERATORS]);

/* As words_next(), for whatever that leaves to it. */
extern uint64 words_next_slow(Generator generator, WordUse use, const char *function);

/*
 * Counts an id.  Reports the counts once a second; unsigned, so that a clock
 * set back reports too.
 */
static inline void
words_count(Generator generator, int64 wall)
{
	words_local.pending[generator]++;
	if (unlikely((uint64) (wall - words_local.reported_at) >= USECS_PER_SEC))
	{
		words_local.reported_at = wall;
		words_report();
	}
}

/*
 * Who loses a swap leaves the winner alone with the cache line for a while, in
 * which that one makes some more ids.  Where SPIN_DELAY() takes 40 ns, that is
 * another ten or twenty, and two backends at once got 1.2 to 1.6 times as many ids
 * as when the line moved between them for each.
 */
#define WORDS_BACKOFF	32

static inline void
words_back_off(void)
{
	for (int i = 0; i < WORDS_BACKOFF; i++)
		SPIN_DELAY();
}

/*
 * The last word of a generator, as of before anything that the caller reads next.
 * core/clockword.h asks for that of the clock; and restart() in words.c counts on it of
 * renew_at, with a barrier between its two writes as well.  Where the processor
 * keeps reads in order anyway, as on x86, this is no instruction.
 */
static inline uint64
words_last(SharedWord *word)
{
	uint64		last = pg_atomic_read_u64(&word->last);

	pg_read_barrier();
	return last;
}

/*
 * The next word of a generator: greater than every one handed out before, by
 * any process of the server.  May wait, where it can be cancelled.  Errors: the
 * server is in recovery (function is what its message calls the SQL function), the
 * counter has overflowed and the settings ask for an error, the format's time has
 * come to its end or not begun, those of words_attach() and of reading and
 * writing the mark; and in a child of fork(), which does neither, that nobody else
 * does.
 *
 * This is the common path, where the clock is in order: two reads, the clock,
 * one compare-and-swap.  Everything else, the first call of a process included,
 * is words_next_slow().  use goes by value, so that what is constant of it folds.
 */
static pg_always_inline uint64
words_next(Generator generator, WordUse use, const char *function)
{
	const WordLayout *layout = &generator_info[generator].layout;

	if (likely(words_local.shared != NULL))
	{
		SharedWord *word = &words_local.shared->words[generator];

		for (;;)
		{
			uint64		last = words_last(word);
			int64		wall = clock_wall();
			uint64		next = word_next(layout, &use, last, wall);
			int64		begins = word_begins(layout, &use, next);

			/* the end of the format's time is left to the slow path */
			if (unlikely(wall >= id_tick_begins(&layout->time, layout->time.last) - layout->lead ||
						 word_wait(layout, begins, wall) > 0 ||
						 begins >= (int64) pg_atomic_read_u64(&words_local.shared->renew_at)))
				break;
			if (likely(pg_atomic_compare_exchange_u64(&word->last, &last, next)))
			{
				words_count(generator, wall);
				return next;
			}
			words_back_off();
		}
	}
	return words_next_slow(generator, use, function);
}

/*
 * As words_next(), for ids that need not rise within a tick: the shared word
 * moves on by use.step at once, from use.start = step - 1 on, and this process
 * hands out the words up to there one after the other, as long as the tick lasts
 * and the generators are not restarted: others may then come to that tick anew.
 * So two backends at once need not wait for each other, and one alone does
 * without a swap per id.
 */
static pg_always_inline uint64
words_next_of_block(Generator generator, WordUse use, const char *function)
{
	const WordLayout *layout = &generator_info[generator].layout;
	WordBlock  *block = &words_local.blocks[generator];
	uint32		restarts;

	if (likely(block->next < block->end))
	{
		uint64		last = words_last(&words_local.shared->words[generator]);
		int64		wall = clock_wall();

		if (likely(word_is_current(layout, block->next, last, wall) &&
				   word_begins(layout, &use, block->next) <
				   (int64) pg_atomic_read_u64(&words_local.shared->renew_at) &&
				   block->restarts == pg_atomic_read_u32(&words_local.shared->restarts)))
		{
			words_count(generator, wall);
			return block->next++;
		}
	}
	words_attach();
	/* before the swap: if the generators are restarted meanwhile, the block is void */
	restarts = pg_atomic_read_u32(&words_local.shared->restarts);
	/* may raise an error: the block before then stays as void as it was */
	block->end = words_next(generator, use, function) + 1;
	block->next = block->end - use.step;
	block->restarts = restarts;
	return block->next++;
}

/* The tick in a word, for composing an id. */
static inline int64
words_tick(Generator generator, uint64 word)
{
	return (int64) (word >> generator_info[generator].layout.counter_bits);
}

/* The counter in a word. */
static inline uint64
words_counter(Generator generator, uint64 word)
{
	return word & ((UINT64CONST(1) << generator_info[generator].layout.counter_bits) - 1);
}

#endif							/* IDTYPES_WORDS_H */
