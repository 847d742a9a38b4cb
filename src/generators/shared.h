/*-------------------------------------------------------------------------
 *
 * shared.h
 *	  The generators' shared memory: attaching to it, and the part of it that
 *	  handing out words needs.
 *
 * All of it, and who may write what, is in shared_state.h.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_SHARED_H
#define IDTYPES_SHARED_H

#include "postgres.h"

#include "port/atomics.h"

#include "core/generators.h"

/* What a call can have to wait for. */
typedef enum WaitCause
{
	WAIT_COUNTER,				/* the next tick, as this one's ids are used up */
	WAIT_CLOCK,					/* likewise, where the clock lies behind the ids */
	WAIT_MARK,					/* time beyond the mark */
	WAIT_CAUSES					/* number of causes */
} WaitCause;

/* 64-bit numbers that are drawn for each generator when the shared memory is created. */
#define SHARED_RANDOM	6

/* One generator; a cache line of its own. */
typedef struct SharedClockWord
{
	pg_atomic_uint64 last;		/* last word handed out, or taken with a block */
	pg_atomic_uint64 start;		/* what last was set to: none up to there was handed out since */
	pg_atomic_uint64 generated; /* ids handed out, as processes report them */
	pg_atomic_uint64 waits[WAIT_CAUSES];	/* calls that had to wait */
	uint64		random[SHARED_RANDOM];	/* constant; for what the generator keys or chooses by it */
	char		pad[PG_CACHE_LINE_SIZE - (3 + WAIT_CAUSES + SHARED_RANDOM) * sizeof(uint64)];
} SharedClockWord;

/* What all generators share. */
typedef struct ClockWordsShared
{
	uint32		version;		/* of the layout, in the library that made it */
	pg_atomic_uint64 mark;		/* int64, us: durable; 0 until the words are settled */
	pg_atomic_uint64 renew_at;	/* int64, us: words that begin here or later need a look at mark */
	pg_atomic_uint32 restarts;	/* how often blocks that were taken before became void */
	SharedClockWord words[GENERATORS] pg_attribute_aligned(PG_CACHE_LINE_SIZE);
} ClockWordsShared;

/* Words that a process took at once. */
typedef struct ClockWordBlock
{
	uint64		next;			/* the next one to hand out */
	uint64		end;			/* after the last one */
	uint32		restarts;		/* as of before they were taken */
#ifdef USE_ASSERT_CHECKING
	int			owner;			/* the process that took them */
#endif
} ClockWordBlock;

/* What a process has for itself. */
typedef struct ClockWordsLocal
{
	ClockWordsShared *shared;		/* NULL until the first call */
	int64		own_mark;		/* us: the last mark that this process wrote */
	int64		leave_until;	/* us: before that, it leaves the next one to others */
	int64		reported_at;	/* when pending was last reported */
	uint64		pending[GENERATORS];	/* ids handed out and not reported yet */
	ClockWordBlock blocks[GENERATORS];
} ClockWordsLocal;

extern ClockWordsLocal clockwords_local;

/* For _PG_init(): reserves the memory where the library is preloaded. */
extern void shared_request(void);

/* In a child of fork(): forgets what is the parent's to hand out or to report. */
extern void shared_after_fork(void);

/*
 * Attaches to the shared memory.  An ERROR if there is none left, if it belongs
 * to another version of the library, or in a child of fork().
 */
extern void shared_attach(void);

/* Adds what this process handed out to the shared counts. */
extern void shared_report(void);

/*
 * The last word of a generator, as of before anything that the caller reads next.
 * core/clockword.h asks for that of the clock; and restart() in reserve.c counts on it
 * of renew_at and mark, with a barrier between its two writes as well.  Where the processor
 * keeps reads in order anyway, as on x86, this is no instruction.
 */
static inline uint64
shared_last(SharedClockWord *word)
{
	uint64		last = pg_atomic_read_u64(&word->last);

	pg_read_barrier();
	return last;
}

/*
 * SHARED_RANDOM numbers that were drawn for a generator when the shared memory was created;
 * they stay the same until the server restarts, and are secret.  The caller has attached.
 */
static inline const uint64 *
shared_random(Generator generator)
{
	Assert(clockwords_local.shared != NULL);
	return clockwords_local.shared->words[generator].random;
}

#endif							/* IDTYPES_SHARED_H */
