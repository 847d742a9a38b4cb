/*-------------------------------------------------------------------------
 *
 * clockword.h
 *	  The clock word: pure functions that compute the next identifier's time and
 *	  counter from the previous clock word and the clock.
 *
 * A clock word (below also "word") is a 64-bit number: a tick of the format's
 * clock above counter_bits bits of counter.  Each generator has one shared
 * variable, `last`.  A caller advances it by compare-and-swap from `last` to
 * clockword_next(last), which is always greater, so no word is handed out twice,
 * whatever the clock shows.  (A backend that takes a block of words advances
 * `last` to the last word of the block.)  The rest of this file computes when a
 * word may be handed out.
 *
 *	wall	the system clock, which may step either way at any time
 *	mono	a monotonic clock, which advances steadily whatever wall does
 *
 * A word is due when it begins at or before wall + lead.  The system clock is of
 * no use if it was set back, does not advance, or is behind the start of the
 * generator.  The next tick is then due once the caller that wants it has seen
 * the tick of last unchanged for 16/15 of its length: the caller reads last, then
 * mono, repeatedly.  Only last is shared, so an old step of the clock leaves no
 * other state behind.  Invariants, for any order and any staleness of the
 * readings, provided that each caller reads last before wall, and wall before
 * mono:
 *
 *	1. words strictly increase;
 *	2. a word that is not due becomes due within 16/15 of two ticks of mono, unless
 *	   another caller takes a later word: one tick, and one more if wall reaches
 *	   last in between;
 *	3. once wall has caught up with last, and until its next step, a word that is
 *	   handed out begins no later than wall + lead;
 *	4. until wall has caught up, the lead of last shrinks: by a sixteenth of the
 *	   elapsed time under any load, and by all of it while no new tick is needed.
 *
 * The last tick that a format can hold is never handed out.  A word that has
 * reached it is at its end; no word wraps around.
 *
 * Instants are microseconds since 1970; `lead` is in microseconds.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_CORE_CLOCKWORD_H
#define IDTYPES_CORE_CLOCKWORD_H

#include "id.h"

/* The layout of a generator's clock word; the same for every use of it. */
typedef struct ClockWordLayout
{
	IdTime		time;			/* ticks above the counter */
	int			counter_bits;
	int64_t		lead;			/* how far generation alone may run ahead of the clock */
} ClockWordLayout;

/* How one call of a generator advances the counter. */
typedef struct ClockWordUse
{
	uint64_t	start;			/* counter of the first word of a tick */
	uint64_t	limit;			/* largest counter of a tick */
	uint64_t	step;			/* added to the counter within a tick */
	int			low_bits;		/* low bits of the counter that never change; start has them */

	/*
	 * If the high bits of the counter are microseconds within the tick, the number
	 * of counter bits below them; otherwise layout->counter_bits.
	 */
	int			fine_bits;

	/*
	 * True if the counter may pass the clock within the tick: the microseconds are then
	 * only a lower bound of it, and a word is due when its tick begins.
	 */
	bool		by_tick;
} ClockWordUse;

/* The instant at which a word's tick begins, or its microsecond within the tick unless by_tick. */
ID_ALWAYS_INLINE int64_t
clockword_begins(const ClockWordLayout *layout, const ClockWordUse *use, uint64_t word)
{
	uint64_t	counter = word & ((UINT64_C(1) << layout->counter_bits) - 1);

	return id_tick_begins(&layout->time, (int64_t) (word >> layout->counter_bits)) +
		(use->by_tick ? 0 : (int64_t) (counter >> use->fine_bits));
}

/* The instant at which the tick of a word begins. */
ID_ALWAYS_INLINE int64_t
clockword_tick_begins(const ClockWordLayout *layout, uint64_t word)
{
	return id_tick_begins(&layout->time, (int64_t) (word >> layout->counter_bits));
}

/* The instant at which the tick of a word ends. */
static inline int64_t
clockword_tick_ends(const ClockWordLayout *layout, uint64_t word)
{
	return id_tick_begins(&layout->time, (int64_t) (word >> layout->counter_bits) + 1);
}

/*
 * True if a word is the last one of its tick, and the next tick may begin with another
 * counter than 0: without counter bits, each word is a tick.
 */
static inline bool
clockword_ends_tick(const ClockWordLayout *layout, uint64_t word)
{
	return layout->counter_bits > 0 &&
		(word + 1) >> layout->counter_bits != word >> layout->counter_bits;
}

/* True if both words are of the same tick. */
static inline bool
clockword_same_tick(const ClockWordLayout *layout, uint64_t word, uint64_t other)
{
	return word >> layout->counter_bits == other >> layout->counter_bits;
}

/*
 * Microseconds until a word that begins at "begins" is due by the system clock; 0
 * or less if it is due now.
 */
static inline int64_t
clockword_wait(const ClockWordLayout *layout, int64_t begins, int64_t wall)
{
	return begins - layout->lead - wall;
}

/*
 * The first word of the tick, or of the microsecond, that contains the instant us;
 * 0 for an instant before the first tick.
 */
ID_ALWAYS_INLINE uint64_t
clockword_at(const ClockWordLayout *layout, const ClockWordUse *use, int64_t us)
{
	int64_t		tick = id_tick_at(&layout->time, us);
	uint64_t	fine = 0;

	if (tick < layout->time.first)
		return 0;
	if (use->fine_bits < layout->counter_bits)
		fine = (uint64_t) (us - id_tick_begins(&layout->time, tick)) << use->fine_bits;
	return ((uint64_t) tick << layout->counter_bits) | fine | use->start;
}

/* The smallest word of this use after last. */
ID_ALWAYS_INLINE uint64_t
clockword_after(const ClockWordLayout *layout, const ClockWordUse *use, uint64_t last)
{
	uint64_t	counter_mask = (UINT64_C(1) << layout->counter_bits) - 1;
	uint64_t	low_mask = (UINT64_C(1) << use->low_bits) - 1;
	uint64_t	next = (((last >> use->low_bits) + use->step) << use->low_bits) |
		(use->start & low_mask);

	if (next >> use->fine_bits == last >> use->fine_bits && (next & counter_mask) <= use->limit)
		return next;
	/* the counter of this microsecond is used up: take the next one within the tick */
	if (next >> layout->counter_bits == last >> layout->counter_bits &&
		(next & counter_mask) <= use->limit)
		return (next >> use->fine_bits << use->fine_bits) | use->start;
	return (((last >> layout->counter_bits) + 1) << layout->counter_bits) | use->start;
}

/*
 * For a word next, after last, that is not due: true if the counter has overflowed,
 * that is, if the tick (or microsecond) of last is due but has no word left for this
 * use.
 */
static inline bool
clockword_overflows(const ClockWordLayout *layout, const ClockWordUse *use,
					uint64_t last, uint64_t next, int64_t wall)
{
	return next >> use->fine_bits > last >> use->fine_bits &&
		clockword_wait(layout, clockword_begins(layout, use, last), wall) <= 0;
}

/*
 * The word to hand out after last when the system clock shows wall: the first word
 * of the clock's tick (or microsecond) if that is later than last's, otherwise the
 * successor of last.
 */
ID_ALWAYS_INLINE uint64_t
clockword_next(const ClockWordLayout *layout, const ClockWordUse *use, uint64_t last, int64_t wall)
{
	uint64_t	fresh = clockword_at(layout, use, wall);

	if (fresh >> use->fine_bits > last >> use->fine_bits)
		return fresh;
	return clockword_after(layout, use, last);
}

/*
 * True if a word of a block that was taken earlier may still be handed out: the
 * clock is within its tick, and last has not advanced to a later tick.
 */
ID_ALWAYS_INLINE bool
clockword_is_current(const ClockWordLayout *layout, uint64_t word, uint64_t last, int64_t wall)
{
	int64_t		tick = (int64_t) (word >> layout->counter_bits);

	return (int64_t) (last >> layout->counter_bits) == tick &&
		wall >= id_tick_begins(&layout->time, tick) &&
		wall < id_tick_begins(&layout->time, tick + 1);
}

/*
 * The largest word that begins before the instant us.  A generator whose last is
 * set to it hands out only words that begin at us or later, and none at all if the
 * format ends before us.
 */
static inline uint64_t
clockword_before(const ClockWordLayout *layout, int64_t us)
{
	int64_t		tick = id_tick_at(&layout->time, us - 1);

	if (tick < layout->time.first)
		return 0;				/* nothing is generated before the format's epoch */
	if (tick >= layout->time.last)
		tick = layout->time.last - 1;
	return ((uint64_t) tick << layout->counter_bits) |
		((UINT64_C(1) << layout->counter_bits) - 1);
}

/*
 * The last word of the tick that contains the instant us.  A generator whose last is
 * set to it hands out only words of later ticks.  0 for an instant before the first
 * tick.
 */
static inline uint64_t
clockword_past(const ClockWordLayout *layout, int64_t us)
{
	return clockword_before(layout, id_tick_begins(&layout->time,
												   id_tick_at(&layout->time, us) + 1));
}

/* True if a word is past the last tick that may be handed out. */
static inline bool
clockword_is_at_end(const ClockWordLayout *layout, uint64_t word)
{
	return (int64_t) (word >> layout->counter_bits) >= layout->time.last;
}

/*
 * True if the tick of last is not due yet by the system clock: the clock was set
 * back, or the generator started ahead of it.
 */
static inline bool
clockword_is_ahead(const ClockWordLayout *layout, uint64_t last, int64_t wall)
{
	return clockword_wait(layout, clockword_tick_begins(layout, last), wall) > 0;
}

/* What a waiting caller has observed; all zeros before its first clockword_watch(). */
typedef struct ClockWordWatch
{
	uint64_t	last;			/* the last word when the observation began */
	bool		ahead;			/* true if its tick was ahead of the system clock */
	int64_t		since;			/* ns of mono: when the observation began */
} ClockWordWatch;

/*
 * For a word next, after last, that is not due by the system clock: nanoseconds
 * until it is due by mono; 0 or less if it is due now.  The caller has read last,
 * then wall, then mono.
 *
 * This compares only the tick of last, not its counter: another use of the generator
 * may keep a count in the bits where this use keeps microseconds.  If such a count were
 * taken for time, ticks would be handed out faster than they pass, a little more with
 * each change between the uses.  While last is ahead of the clock, no caller waits for a
 * microsecond within a tick, because each id would wait for it from the start of the
 * tick again.  When the system clock reaches the tick of last, the observation begins
 * anew: the next word is then due by that clock or, if the clock does not advance, by
 * the time that has passed since.
 */
static inline int64_t
clockword_watch(const ClockWordLayout *layout, const ClockWordUse *use, ClockWordWatch *watch,
				uint64_t last, uint64_t next, int64_t wall, int64_t mono)
{
	bool		ahead = clockword_is_ahead(layout, last, wall);
	int64_t		begins = ahead ? clockword_tick_begins(layout, next) :
		clockword_begins(layout, use, next);

	/* if mono went back, as in a migrated machine, the elapsed time is unknown: begin anew */
	if (watch->since == 0 || watch->ahead != ahead || mono < watch->since ||
		!clockword_same_tick(layout, watch->last, last))
		*watch = (ClockWordWatch) {last, ahead, mono};
	return watch->since + (begins - clockword_tick_begins(layout, last)) * 16000 / 15 - mono;
}

/*
 * Nanoseconds to wait before the clocks are read again.  wait (microseconds) is the
 * result of clockword_wait(), pace (nanoseconds) that of clockword_watch().  At most a
 * millisecond, because the system clock may be set meanwhile.
 */
static inline int64_t
clockword_pause(int64_t wait, int64_t pace)
{
	const int64_t most = 1000;
	int64_t		pause = (wait < most ? wait : most) * 1000;

	return pause < pace ? pause : pace;
}

#endif							/* IDTYPES_CORE_CLOCKWORD_H */
