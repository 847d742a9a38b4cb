/*-------------------------------------------------------------------------
 *
 * mark.c
 *	  The arithmetic of core/mark.h, for any instants up to the year 146,000.
 *
 *-------------------------------------------------------------------------
 */
#include "../../../src/core/mark.h"
#include "proof.h"

#define LAST_INSTANT (INT64_MAX / 2)

/*
 * The mark lies beyond what begins before it, and is renewed before it is reached, also
 * by the process that wrote it unless writing takes long.  It leads the clock by no more
 * than its reserve, or than the clock words did and a second.
 */
void
prove_mark_leads(void)
{
	int64_t		begins;
	int64_t		initialized_for;
	int64_t		wall;
	int64_t		took;
	int64_t		mark;

	ASSUME(took >= 0 && begins >= 0 && begins <= LAST_INSTANT && wall >= 0 && wall <= LAST_INSTANT);
	mark = mark_for(begins, initialized_for, wall);
	PROVE(mark >= begins + MARK_RESERVE_LEAST && mark > wall);
	PROVE(mark <= wall + MARK_RESERVE || mark <= begins + MARK_RESERVE_MOST);
	PROVE(mark_renew_at(mark, begins) > begins && mark_renew_at(mark, begins) < mark);
	PROVE(mark_leave_until(mark, begins, took) >= begins);
	PROVE(mark_leave_until(mark, begins, took) <= mark);
	REACHED();
}

/*
 * Starts in a row do not add up: with clock words that were initialized ahead of the clock,
 * and have lost a sixteenth of the time since, as core/clockword.h has it, the next mark
 * leads the clock by no more than the clock words did when they were initialized and the
 * least reserve, or by MARK_RESERVE.
 */
void
prove_mark_settles(void)
{
	int64_t		lead;
	int64_t		initialized_for;
	int64_t		wall;

	ASSUME(lead >= 0 && lead <= LAST_INSTANT);
	ASSUME(initialized_for >= 0 && initialized_for <= LAST_INSTANT);
	ASSUME(wall >= 0 && wall <= LAST_INSTANT / 2 && lead <= LAST_INSTANT / 2);
	ASSUME(lead >= initialized_for / 16);
	PROVE(mark_for(wall + lead - initialized_for / 16, initialized_for, wall) - wall <=
		  (lead + MARK_RESERVE_LEAST > MARK_RESERVE ? lead + MARK_RESERVE_LEAST : MARK_RESERVE));
	REACHED();
}

/* Clock words start at the mark or later, and after a promotion beyond those handed out. */
void
prove_mark_starts(void)
{
	int64_t		mark;
	int64_t		wall;
	bool		promoted;

	ASSUME(mark >= 0 && mark <= LAST_INSTANT && wall >= 0 && wall <= LAST_INSTANT);
	PROVE(mark_start(mark, promoted, wall) >= mark);
	PROVE(!promoted || mark_start(mark, promoted, wall) >= wall + PROMOTION_MARGIN);
	PROVE(promoted || mark_start(mark, promoted, wall) == mark);
	REACHED();
}
