/*-------------------------------------------------------------------------
 *
 * shared.h
 *	  The generators' shared memory: attaching to it, and the part of it that
 *	  handing out clock words needs.
 *
 * shared_state.h has the rest of it, and the rules for locks and memory order.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_SHARED_H
#define IDTYPES_SHARED_H

#include "postgres.h"

#include "port/atomics.h"

#include "core/generators.h"

/* The causes for which a call of a generator can wait. */
typedef enum WaitCause
{
	WAIT_COUNTER,				/* for the next tick: the ids of this one are used up */
	WAIT_CLOCK,					/* for the next tick: the clock is behind the last id */
	WAIT_MARK,					/* for a later mark */
	WAIT_CAUSES					/* number of causes */
} WaitCause;

/* The number of random 64-bit numbers that each generator gets with the shared memory. */
#define SHARED_RANDOM	6

/* The shared variables of one generator, in a cache line of its own. */
typedef struct SharedClockWord
{
	pg_atomic_uint64 last;		/* last word handed out, or of the last block */
	pg_atomic_uint64 start;		/* last was set to this; words handed out since are greater */
	pg_atomic_uint64 generated; /* ids handed out, added by shared_report() */
	pg_atomic_uint64 waits[WAIT_CAUSES];	/* calls that had to wait */
	uint64		random[SHARED_RANDOM];	/* constant, see shared_random() */
	pg_atomic_uint32 invalidations;	/* of the blocks taken so far */
	char		pad[PG_CACHE_LINE_SIZE - (3 + WAIT_CAUSES + SHARED_RANDOM) * sizeof(uint64) -
					sizeof(uint32)];
} SharedClockWord;

/* The part of SharedState that the fast path needs. */
typedef struct ClockWordsShared
{
	/* the first two fields never change, so that libraries of two versions see each other's */
	uint32		version;		/* of the layout, in the library that made it */
	char		library[20];	/* version of that library */
	pg_atomic_uint64 mark;		/* int64, us: on disk; 0 until initialize() initializes the words */
	pg_atomic_uint64 renew_at;	/* int64, us: words that begin here or later call for a new mark */
	SharedClockWord words[GENERATORS] pg_attribute_aligned(PG_CACHE_LINE_SIZE);
} ClockWordsShared;

/* A block of words that a process took with one swap. */
typedef struct ClockWordBlock
{
	uint64		next;			/* the next word to hand out */
	uint64		end;			/* one past the last word */
	uint32		invalidations;		/* of the generator, read before the swap */
#ifdef USE_ASSERT_CHECKING
	int			owner;			/* process id that took the block */
#endif
} ClockWordBlock;

/* The backend-local state of the generators. */
typedef struct ClockWordsLocal
{
	ClockWordsShared *shared;		/* NULL until shared_attach() */
	int64		own_mark;		/* us: the last mark that this process wrote */
	int64		leave_until;	/* us: up to here, it leaves the next mark to others */
	int64		reported_at;	/* us of the system clock: last report of pending */
	uint64		pending[GENERATORS];	/* ids handed out, not yet in generated */
	ClockWordBlock blocks[GENERATORS];
} ClockWordsLocal;

extern ClockWordsLocal clockwords_local;

/* Reserve the shared memory; called by _PG_init() if the library is preloaded. */
extern void shared_request(void);

/*
 * In a child of fork(): detach, and drop the blocks and counts, which belong to the parent.
 * The next call of a generator attaches, and so is refused.
 */
extern void shared_after_fork(void);

/*
 * Throw an error if this process must not generate ids, because it is a parallel worker or
 * a child of fork().  Called where a process begins to, not for each id.
 */
extern void shared_check_process(void);

/*
 * Attach to the shared memory, unless this process has.  Throws an error if the server
 * has no shared memory left, if another version of the library has initialized it, or
 * that of shared_check_process().
 */
extern void shared_attach(void);

/* Add the number of ids that this process has handed out to the shared counts. */
extern void shared_report(void);

/*
 * Read the last word of a generator, with a read barrier after it.  core/clockword.h
 * requires that callers read last before the clock.  restart() in reserve.c requires that
 * callers read last before renew_at and mark; its memory barrier between writing mark and
 * last pairs with this one.  On processors that keep reads in order, such as x86, the
 * barrier is no instruction.
 */
static inline uint64
shared_last(SharedClockWord *word)
{
	uint64		last = pg_atomic_read_u64(&word->last);

	pg_read_barrier();
	return last;
}

/*
 * Return the SHARED_RANDOM numbers that were drawn for a generator when the shared memory
 * was created.  They stay the same until the server restarts, and are secret.  The caller
 * has attached.
 */
static inline const uint64 *
shared_random(Generator generator)
{
	Assert(clockwords_local.shared != NULL);
	return clockwords_local.shared->words[generator].random;
}

#endif							/* IDTYPES_SHARED_H */
