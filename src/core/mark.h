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
 * Time is reserved up to this far ahead of the clock.  Ids that are ahead of the
 * clock themselves get somewhat less, and at a start, when they may be so because
 * of the start before, little: or else quick restarts would add up.
 */
#define MARK_RESERVE		INT64_C(2000000)
#define MARK_RESERVE_AHEAD	INT64_C(1500000)
#define MARK_RESERVE_START	INT64_C(500000)

/*
 * How far ahead of the clock words start after a promotion: what the lost
 * primary's generators may have led its clock, and a second by which the clocks
 * of the two may differ.
 */
#define PROMOTION_MARGIN	(GENERATOR_LEAD + INT64_C(1000000))

/*
 * The mark to write for words that begin at an instant and later, of which
 * there is to be the given reserve.
 */
static inline int64_t
mark_for(int64_t begins, int64_t reserve, int64_t wall)
{
	return begins + reserve > wall + MARK_RESERVE ? begins + reserve : wall + MARK_RESERVE;
}

/*
 * When to write the next one: at half of what is reserved.  That is once a
 * second in a server that generates, and a disk may take as long as the other
 * half before anyone but the writer has to wait for it.
 */
static inline int64_t
mark_renew_at(int64_t mark, int64_t begins)
{
	return mark - (mark - begins) / 2;
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
