/*-------------------------------------------------------------------------
 *
 * reserve.h
 *	  Reserving time for the generators' clock words: the mark, and every other
 *	  action that needs the lock.
 *
 * The caller has attached to the shared memory; only reserve_restart() and
 * reserve_advance() attach themselves.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_RESERVE_H
#define IDTYPES_RESERVE_H

#include "postgres.h"

#include "core/generators.h"
#include "generators/markfile.h"

/*
 * Initialize the clock words after a server start or a promotion, if no process has
 * done that.  Return true if that took a wait; the caller must then issue
 * pg_read_barrier() before it reads a word.  Throws an error if the server is in
 * recovery (the message names the SQL function), or if the mark cannot be read or
 * written.
 */
extern bool reserve_initialize(const char *function);

/*
 * Renew the mark for a word of this use that begins at "begins", close to the mark or
 * beyond it, or let another process renew it.  If the word lies beyond the mark, the
 * caller must check the mark again and retry.  Return true if this process wrote the
 * mark.  Throws the same errors as reserve_initialize().
 */
extern bool reserve_renew(Generator generator, const ClockWordUse *use, int64 begins);

/*
 * Get the mark, and the time at which it was written (microseconds since 1970).  Before
 * the clock words are initialized, read the mark from the file and set *written to 0;
 * return false if there is no file either, and throw the errors of markfile_read().
 */
extern bool reserve_mark(Mark *mark, int64 *written);

/*
 * Set clock words that are ahead of the system clock, and the mark, back to it.  from
 * and until return, for each generator, the interval (in microseconds since 1970) whose
 * ids may be generated again; both are equal if there is none.  May be called while other
 * processes generate.  Throws the errors of reserve_initialize() before anything
 * has changed.  But if the disk fails between the two writes of
 * the mark, the error comes after the words were set back, and they stay set back until
 * the server restarts.
 */
extern void reserve_restart(int64 from[GENERATORS], int64 until[GENERATORS]);

/*
 * Advance the selected generators past an instant (in microseconds since 1970): each
 * call of a generator that begins after this has returned, also after a crash, hands out
 * a later tick than the one that contains the instant.  The next tick must not be the end
 * of a selected format.  starts returns, for each selected generator, the instant at which
 * the first tick begins that it can still hand out.  May be called while other processes
 * generate.  Return true if any generator was advanced.  Throws the errors of
 * reserve_initialize() before anything has changed.
 */
extern bool reserve_advance(int64 instant, const bool selected[GENERATORS],
							int64 starts[GENERATORS]);

#endif							/* IDTYPES_RESERVE_H */
