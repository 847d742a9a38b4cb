/*-------------------------------------------------------------------------
 *
 * reserve.h
 *	  Reserving time for the generators' words: the mark, and all else that is
 *	  done under the lock.
 *
 * A process has attached to the shared memory before it calls these, but for the
 * last two, which do that themselves.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_RESERVE_H
#define IDTYPES_RESERVE_H

#include "postgres.h"

#include "core/generators.h"
#include "generators/markfile.h"

/*
 * Settles the words, unless that was done.  Returns true if that took a while.  Who
 * reads a word next needs a read barrier before.  Errors: the server is in recovery
 * (function is what its message calls the SQL function), those of reading and writing
 * the mark; and in a child of fork(), which does neither, that nobody else does.
 */
extern bool reserve_settle(const char *function);

/*
 * Extends the mark, or lets another process do it, for a word of this use that begins
 * close to it or beyond.  If the word lies beyond it, the caller must check the mark again
 * and retry.  Returns whether this process wrote the mark.  Errors as of
 * reserve_settle().
 */
extern bool reserve_extend(Generator generator, const ClockWordUse *use, int64 begins);

/*
 * The mark and when it was written, in microseconds since 1970.  Before words are
 * settled, the mark in the file, and 0; false if there is no file either.
 */
extern bool reserve_mark(Mark *mark, int64 *written);

/*
 * Takes words that lie ahead of the clock, and the mark, back to it.  from and
 * until are, for each generator, the stretch of time (in microseconds since 1970)
 * whose ids may then come again; equal if there is none.  May be called while
 * others generate.  Errors as of reserve_settle(), before anything has changed; but one
 * of a disk that fails between two writes of the mark comes after, and what was done
 * then holds until the server is started again.
 */
extern void reserve_restart(int64 from[GENERATORS], int64 until[GENERATORS]);

/*
 * Sees to it that those of the generators that are selected hand out only later ticks
 * than the one that an instant (in microseconds since 1970) falls in: in every call
 * that begins after this has returned, also after a crash.  The tick after it must not
 * be the end of their formats.  starts is, for each of them, the instant at which the
 * first tick begins that it can still hand out.  May be called while others generate.
 * Returns whether that moved any.  Errors as of reserve_restart(), before anything has
 * changed.
 */
extern bool reserve_advance(int64 instant, const bool selected[GENERATORS],
							int64 starts[GENERATORS]);

#endif							/* IDTYPES_RESERVE_H */
