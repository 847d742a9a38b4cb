/*-------------------------------------------------------------------------
 *
 * shared.h
 *	  The generators' shared memory: its layout, the rules for locks and memory order, and
 *	  attaching to it.
 *
 * The first process that generates an id allocates the shared memory
 * (ShmemInitStruct works in any backend until the server's slack is used up).  With
 * shared_preload_libraries the postmaster allocates it at server start.  Its name
 * and size never change.  Its first fields are the version of its layout, so that
 * libraries of two versions cannot run two clocks at once after a package upgrade, and
 * the version of the library, for the message.
 *
 * Processes that may write a field of SharedState:
 *
 *	words[].last		any process, by compare-and-swap, as core/clockword.h allows
 *	words[].last, start	the holder of lock, in the three ..._words() of reserve.c
 *	wall_ahead			any process, by compare-and-swap
 *	words[].invalidations
 *						any process, by addition
 *	mark, mark_written, renew_at, mark_half, timeline, initialized
 *						the holder of lock
 *
 * Memory order, on processors that reorder accesses (such as ARM):
 *
 *	- A compare-and-swap (below "swap") is a full barrier, and fails if last has
 *	  changed since the process read it.  No other barrier is needed to hand out a
 *	  clock word only once; and whatever a process does with an id, such as a commit
 *	  that another process can see, comes after the swap.
 *	- A process reads last before the clock, renew_at and mark: see shared_last().
 *	- initialize_words() writes words[] before mark and renew_at: see write_mark().  A process
 *	  that sees the new mark or renew_at, and swaps afterwards, swaps a value that
 *	  initialize_words() has written.
 *	- restart_words() writes mark and renew_at before words[].  A process that reads a last
 *	  written by restart_words() also sees this mark and renew_at: see shared_last().
 *	- advance_words() also writes mark and renew_at before words[], and start before last.
 *	  A process that reads start after last therefore never mistakes a last that
 *	  advance_words() has set for a word that was handed out.  During restart_words(), a process
 *	  can mistake one for a moment.
 *	- The words of a block belong to one process.  It reads last, the clock and
 *	  renew_at and hands out a word without a swap; that is equivalent to a delay of
 *	  the process after these reads.
 *	- A process that takes a block reads invalidations before its swap; restart_words(),
 *	  advance_words() and clockwords_bound() increment it after their swaps.  So a block that
 *	  was taken before such a swap carries the lower number.
 *	- A process stores its slot before it swaps last or uses a word of a block;
 *	  openxact.c says why the reader of the slots then misses none.
 *	- Each other atomic variable is read independently, for display or to compare it
 *	  with the clock.  All other fields are read and written under lock.
 *
 * The same holds if the server emulates 64-bit atomics with a spinlock (some 32-bit
 * machines).  No signal handler calls this code, so a process cannot wait for such
 * a spinlock that it holds itself.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_SHARED_H
#define IDTYPES_SHARED_H

#include "postgres.h"

#include "port/atomics.h"
#include "storage/condition_variable.h"
#include "storage/lwlock.h"

#include "core/generators.h"

/* The causes for which a call of a generator can wait. */
typedef enum WaitCause
{
	WAIT_COUNTER,				/* for the next tick: the ids of this one are used up */
	WAIT_CLOCK,					/* for the next tick: the clock is behind the last id */
	WAIT_MARK,					/* for a later mark */
	WAIT_CAUSES					/* number of causes */
} WaitCause;

/* The wait event of each WaitCause, and of writing the mark file; set by shared_attach(). */
#define WAIT_MARK_WRITE WAIT_CAUSES

extern uint32 shared_wait_events[WAIT_CAUSES + 1];

/* The number of random 64-bit numbers that each generator gets with the shared memory. */
#define SHARED_RANDOM	6

/* The shared variables of one generator, in a cache line of its own. */
typedef struct SharedClockWord
{
	/* last word handed out, or of the last block */
	pg_atomic_uint64 last pg_attribute_aligned(PG_CACHE_LINE_SIZE);
	pg_atomic_uint64 start;		/* last was set to this; words handed out since are greater */
	pg_atomic_uint64 generated; /* ids handed out, added by shared_report() */
	pg_atomic_uint64 waits[WAIT_CAUSES];	/* calls that had to wait */
	uint64		random[SHARED_RANDOM];	/* constant, see shared_random() */
	pg_atomic_uint32 invalidations;	/* of the blocks taken so far */
} SharedClockWord;

/* The version of the layout, which the number of generators changes, too. */
#define SHARED_STATE_VERSION (11 * 100 + GENERATORS)

typedef struct SharedState
{
	/* the first two fields never change, so that libraries of two versions see each other's */
	uint32		version;		/* of the layout, in the library that made it */
	char		library[20];	/* version of that library */
	pg_atomic_uint64 mark;		/* int64, us: on disk; 0 until the words are initialized */
	pg_atomic_uint64 renew_at;	/* int64, us: words that begin here or later call for a new mark */
	SharedClockWord words[GENERATORS];

	/* what follows is not needed to hand out a word */
	LWLock		lock;			/* held while the mark changes */
	ConditionVariable released; /* broadcast when lock is released */
	uint32		timeline;		/* WAL timeline at initialize_words() */
	int			mark_half;		/* half of the file that holds mark, or MARK_NO_HALF */
	int64		initialized;	/* us of the monotonic clock: last initialized or advanced */
	pg_atomic_uint64 mark_written;	/* int64, us: system clock when mark was written */
	pg_atomic_uint64 wall_ahead;	/* int64, us: system minus monotonic clock: clock_watch() */
	struct OpenXacts *open_xacts;	/* constant; NULL if there was no memory for it */
} SharedState;

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
	SharedState *shared;		/* NULL until shared_attach() */
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
 * requires that callers read last before the clock.  restart_words() in reserve.c requires that
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
