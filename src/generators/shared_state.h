/*-------------------------------------------------------------------------
 *
 * shared_state.h
 *	  All of the generators' shared memory, for shared.c, which makes it, and
 *	  reserve.c and clockwords.c, which use it.
 *
 * One state, made by the first process that generates an id (ShmemInitStruct
 * works in any backend as long as the server's slack lasts; with
 * shared_preload_libraries it is made at server start).  Its name and size never
 * change; its first field is the version of its layout, so that libraries of two
 * versions cannot run two clocks at once after a package upgrade.
 *
 * Who may write what (ClockWordsShared is in shared.h):
 *
 *	words[].last		anyone, by compare-and-swap, to what core/clockword.h allows
 *	words[].last, start	the holder of lock, when words are settled, advanced or restarted
 *	wall_ahead			anyone, by compare-and-swap
 *	mark, mark_written, renew_at, mark_slot, timeline, settled,
 *	restarts			the holder of lock
 *
 * Memory order, as a processor need not keep it by itself (ARM):
 *
 *	- A swap is a full barrier, and fails on a word that is not the latest.  So no
 *	  word needs more than that to be handed out once, and what is done with an
 *	  id, such as a commit that another process learns of, comes after its swap.
 *	- A backend reads the word before the clock, renew_at and mark: shared_last().
 *	- settle() writes the words before mark and renew_at: write_mark().  Who sees
 *	  one of these and swaps afterwards swaps what settle() has written.
 *	- restart() writes mark and renew_at before the words.  Who sees a word of it
 *	  sees these: shared_last() again.
 *	- advance() writes mark and renew_at before the words, too, and start before
 *	  last.  Who reads start after last therefore never takes a word for handed out
 *	  that advance() has set; restart() may show one for a moment.
 *	- A block's words are its process's own.  That it reads last, the clock and
 *	  renew_at, and swaps nothing, is as if it had been held up after reading them.
 *	- Who takes a block reads restarts before its swap, and restart() and advance()
 *	  count after their own: so a block that was swapped first has the lower number.
 *	- Of the other atomic variables each is read for itself, to be shown or
 *	  compared with the clock; and the rest is read and written under lock.
 *
 * Where the server emulates 64-bit atomics with a lock (some 32-bit machines), the
 * same holds.  Nothing here is called in a signal handler, so no process can wait
 * for such a lock that it holds itself.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_SHARED_STATE_H
#define IDTYPES_SHARED_STATE_H

#include "postgres.h"

#include "storage/condition_variable.h"
#include "storage/lwlock.h"

#include "generators/shared.h"

/* Of the layout, and the number of words in it: one more generator makes it another version. */
#define SHARED_STATE_VERSION (7 * 100 + GENERATORS)

typedef struct SharedState
{
	ClockWordsShared shared;			/* its version first */
	LWLock		lock;			/* held while the mark changes */
	ConditionVariable released; /* for those who wait for lock, or for the mark */
	uint32		timeline;		/* that the words were settled on */
	int			mark_slot;		/* of the file, that holds mark, or MARK_NO_SLOT */
	int64		settled;		/* us of the monotonic clock: when, or when advanced */
	pg_atomic_uint64 mark_written;	/* int64, us: when that was */
	pg_atomic_uint64 wall_ahead;	/* int64, us: system less monotonic clock, when last compared */
} SharedState;

/* That of this server, once this process is attached. */
static inline SharedState *
shared_state(void)
{
	Assert(clockwords_local.shared != NULL);
	return (SharedState *) clockwords_local.shared;
}

/* Wait events, for the causes and for who writes the mark; known once attached. */
#define WAIT_MARK_WRITE WAIT_CAUSES

extern uint32 shared_wait_events[WAIT_CAUSES + 1];

/*
 * Whether this process is a child of a backend.  Asks the system, so that it holds
 * however the child was made; off the common path, as that takes a system call.
 */
extern bool shared_in_child(void);

/* Refuses what needs the lock, in a child. */
extern _Noreturn void shared_refuse_child(const char *detail);

#endif							/* IDTYPES_SHARED_STATE_H */
