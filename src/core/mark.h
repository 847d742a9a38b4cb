/*-------------------------------------------------------------------------
 *
 * mark.h
 *	  The time mark: pure functions that compute how far ahead of the clock time is
 *	  reserved, and where the generators start after a server start.
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
 * Time is reserved up to MARK_RESERVE ahead of the clock.  If clock words are ahead of
 * the clock, less is reserved beyond them: a sixteenth of the time since the words were
 * initialized, but at least MARK_RESERVE_LEAST and at most MARK_RESERVE_MOST.
 * Their lead has shrunk by a sixteenth of that time, even if every tick is taken
 * (core/clockword.h).  So the mark leads the clock by at most MARK_RESERVE, or by
 * MARK_RESERVE_LEAST more than the words did when they were initialized, and repeated server
 * starts do not add up.  Advancing words to an instant counts as initializing them, so
 * repeated calls do not add up either.
 */
#define MARK_RESERVE		INT64_C(2000000)
#define MARK_RESERVE_LEAST	INT64_C(5000)
#define MARK_RESERVE_MOST	INT64_C(1000000)

/*
 * How far ahead of the clock the generators start after a promotion: the lead that the
 * lost primary's generators may have had over its clock, plus one second by which the
 * clocks of the two servers may differ.
 */
#define PROMOTION_MARGIN	(GENERATOR_LEAD + INT64_C(1000000))

/*
 * The mark to write for words that begin at "begins" and later, initialized_for
 * microseconds after the words were initialized.
 */
static inline int64_t
mark_for(int64_t begins, int64_t initialized_for, int64_t wall)
{
	int64_t		reserve = initialized_for / 16;

	if (reserve < MARK_RESERVE_LEAST)
		reserve = MARK_RESERVE_LEAST;
	if (reserve > MARK_RESERVE_MOST)
		reserve = MARK_RESERVE_MOST;
	return begins + reserve > wall + MARK_RESERVE ? begins + reserve : wall + MARK_RESERVE;
}

/*
 * The instant from which on words call for the next mark: the middle of the reserved
 * time.  A server that generates at the clock then writes a mark once a second, and a
 * write may take as long as the other half before any backend but the writer waits.
 */
static inline int64_t
mark_renew_at(int64_t mark, int64_t begins)
{
	return mark - (mark - begins) / 2;
}

/*
 * The instant up to which the process that wrote a mark leaves the next one to other
 * processes: twice the time that the write took (microseconds) after begins, but not beyond
 * the mark.  So a session that generates alone spends at most half of its time writing marks
 * if a write takes up to a second; on a slower disk it uses all that the write has left of
 * MARK_RESERVE.  For writes of up to half a second, this is no later than mark_renew_at().
 */
static inline int64_t
mark_leave_until(int64_t mark, int64_t begins, int64_t took)
{
	return took < (mark - begins) / 2 ? begins + 2 * took : mark;
}

/*
 * The instant at which the generators start after a server start or a promotion: the
 * mark.  If another server wrote it, or it was written on another timeline (promoted),
 * they start at least PROMOTION_MARGIN ahead of the clock.
 */
static inline int64_t
mark_start(int64_t mark, bool promoted, int64_t wall)
{
	return promoted && wall + PROMOTION_MARGIN > mark ? wall + PROMOTION_MARGIN : mark;
}

#endif							/* IDTYPES_CORE_MARK_H */
