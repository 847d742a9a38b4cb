/*-------------------------------------------------------------------------
 *
 * shared_state.h
 *	  The complete layout of the generators' shared memory, for shared.c, which
 *	  initializes it, and reserve.c and clockwords.c, which use it.
 *
 * The first process that generates an id allocates the shared memory
 * (ShmemInitStruct works in any backend until the server's slack is used up).  With
 * shared_preload_libraries the postmaster allocates it at server start.  Its name
 * and size never change.  Its first fields are the version of its layout, so that
 * libraries of two versions cannot run two clocks at once after a package upgrade, and
 * the version of the library, for the message.
 *
 * Processes that may write a field (ClockWordsShared is in shared.h):
 *
 *	words[].last		any process, by compare-and-swap, as core/clockword.h allows
 *	words[].last, start	the holder of lock, in initialize(), advance() and restart()
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
 *	- initialize() writes words[] before mark and renew_at: see write_mark().  A process
 *	  that sees the new mark or renew_at, and swaps afterwards, swaps a value that
 *	  initialize() has written.
 *	- restart() writes mark and renew_at before words[].  A process that reads a last
 *	  written by restart() also sees this mark and renew_at: see shared_last().
 *	- advance() also writes mark and renew_at before words[], and start before last.
 *	  A process that reads start after last therefore never mistakes a last that
 *	  advance() has set for a word that was handed out.  During restart(), a process
 *	  can mistake one for a moment.
 *	- The words of a block belong to one process.  It reads last, the clock and
 *	  renew_at and hands out a word without a swap; that is equivalent to a delay of
 *	  the process after these reads.
 *	- A process that takes a block reads invalidations before its swap; restart(),
 *	  advance() and clockwords_bound() increment it after their swaps.  So a block that
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
#ifndef IDTYPES_SHARED_STATE_H
#define IDTYPES_SHARED_STATE_H

#include "postgres.h"

#include "storage/condition_variable.h"
#include "storage/lwlock.h"

#include "generators/shared.h"

/* The version of the layout, which the number of generators changes, too. */
#define SHARED_STATE_VERSION (11 * 100 + GENERATORS)

typedef struct SharedState
{
	ClockWordsShared shared;			/* its version first */
	LWLock		lock;			/* held while the mark changes */
	ConditionVariable released; /* broadcast when lock is released */
	uint32		timeline;		/* WAL timeline at initialize() */
	int			mark_half;		/* half of the file that holds mark, or MARK_NO_HALF */
	int64		initialized;	/* us of the monotonic clock: last initialize() or advance() */
	pg_atomic_uint64 mark_written;	/* int64, us: system clock when mark was written */
	pg_atomic_uint64 wall_ahead;	/* int64, us: system minus monotonic clock: clock_watch() */
	struct OpenXacts *open;		/* constant; NULL if there was no memory for it */
} SharedState;

/* The shared state.  The caller has attached to it. */
static inline SharedState *
shared_state(void)
{
	Assert(clockwords_local.shared != NULL);
	return (SharedState *) clockwords_local.shared;
}

/* The wait event of each WaitCause, and of writing the mark file; set by shared_attach(). */
#define WAIT_MARK_WRITE WAIT_CAUSES

extern uint32 shared_wait_events[WAIT_CAUSES + 1];

#endif							/* IDTYPES_SHARED_STATE_H */
