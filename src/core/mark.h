/*-------------------------------------------------------------------------
 *
 * mark.h
 *	  The time mark: how far ahead of the clock time is reserved, and where words
 *	  start after the server did, as pure functions.
 *
 * The mark is an instant on disk: every id that was ever handed out begins
 * before it.  All instants are microseconds since 1970.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_CORE_MARK_H
#define IDTYPES_CORE_MARK_H

#include "generators.h"

/*
 * Time is reserved up to this far ahead of the clock.  Words that are ahead of the
 * clock themselves get a sixteenth of the time since they were settled, within these
 * bounds: their lead has shrunk by as much, even where every tick is taken
 * (core/clockword.h).  So the mark leads the clock by no more than MARK_RESERVE, or
 * than words did when they were settled and MARK_RESERVE_LEAST, and starts in a row
 * do not add up.  Words that are advanced to an instant count as settled then, so
 * that calls in a row do not add up either.
 */
#define MARK_RESERVE		INT64_C(2000000)
#define MARK_RESERVE_LEAST	INT64_C(5000)
#define MARK_RESERVE_MOST	INT64_C(1000000)

/*
 * How far ahead of the clock words start after a promotion: what the lost
 * primary's generators may have led its clock, and a second by which the clocks
 * of the two may differ.
 */
#define PROMOTION_MARGIN	(GENERATOR_LEAD + INT64_C(1000000))

/*
 * The mark to write for words that begin at an instant and later, so many
 * microseconds after they were settled.
 */
static inline int64_t
mark_for(int64_t begins, int64_t settled_for, int64_t wall)
{
	int64_t		reserve = settled_for / 16;

	if (reserve < MARK_RESERVE_LEAST)
		reserve = MARK_RESERVE_LEAST;
	if (reserve > MARK_RESERVE_MOST)
		reserve = MARK_RESERVE_MOST;
	return begins + reserve > wall + MARK_RESERVE ? begins + reserve : wall + MARK_RESERVE;
}

/*
 * When to write the next one: at half of what is reserved.  In a server that
 * generates at the clock, that is once a second, and a disk may take as long as the
 * other half before anyone but the writer has to wait for it.
 */
static inline int64_t
mark_renew_at(int64_t mark, int64_t begins)
{
	return mark - (mark - begins) / 2;
}

/*
 * Until when the process that wrote a mark leaves the next one to other processes, where the
 * write took so many microseconds: as long again, but not beyond the mark.  So a session that
 * generates alone can spend half of its time at that on a disk that takes up to a second; on
 * a slower one it uses all of what the write has left of MARK_RESERVE.  Where a write takes up
 * to half a second, that is no later than mark_renew_at().
 */
static inline int64_t
mark_leave_until(int64_t mark, int64_t begins, int64_t took)
{
	return took < (mark - begins) / 2 ? begins + 2 * took : mark;
}

/*
 * The instant at which words start when the server did, or was promoted: the
 * mark; and if it was written by another server, or on another timeline, the
 * margin ahead of the clock at least.
 */
static inline int64_t
mark_start(int64_t mark, bool promoted, int64_t wall)
{
	return promoted && wall + PROMOTION_MARGIN > mark ? wall + PROMOTION_MARGIN : mark;
}

#endif							/* IDTYPES_CORE_MARK_H */
