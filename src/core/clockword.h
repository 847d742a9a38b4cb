/*-------------------------------------------------------------------------
 *
 * clockword.h
 *	  The clock word: how the next identifier's time and counter follow from
 *	  the last one's and the clock, as pure functions.
 *
 * A word is a 64-bit number, a tick of the format's clock above counter_bits
 * bits of counter.  Every generator hands out the words of one shared variable,
 * advanced by compare-and-swap from `last` to clockword_next(last), which is always
 * greater: so no word is handed out twice, whatever the clock says.  (Where a
 * process takes words by the block, it is the last of the block that counts.)
 * The rest of this file says when it may be handed out.
 *
 *	wall	the system clock, which may step either way at any time
 *	mono	a clock that goes on at the same pace, whatever wall does
 *
 * A word is due when it begins at or before wall + lead.  Where wall is of no
 * use, because it was set back, stands still, or lies behind where words started,
 * the next tick is due once the last one has stood for 16/15 of its length, as
 * seen by the caller who wants the next: it reads last, then mono, and again.
 * Nothing but last is shared, so there is nothing that an old step could have
 * left behind.  Invariants, for any order and any staleness of the readings,
 * provided that each caller reads last before wall, and wall before mono:
 *
 *	1. words strictly increase;
 *	2. a word not due becomes due within 16/15 of two ticks of mono, unless others
 *	   take a later one meanwhile: of one tick, and of one more if wall comes to
 *	   last in between;
 *	3. once wall has caught up with last, and until its next step, the word
 *	   handed out begins no later than wall + lead;
 *	4. until then the lead shrinks: by a sixteenth of the time that passes,
 *	   however great the load, and by all of it where no new tick is needed.
 *
 * The last tick that a format can hold is never handed out: a word that has
 * come there has come to its end, and none wraps around.
 *
 * Instants and `lead` are microseconds since 1970.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_CORE_CLOCKWORD_H
#define IDTYPES_CORE_CLOCKWORD_H

#include "id.h"

/* What a word variable holds; the same for every use of it. */
typedef struct ClockWordLayout
{
	IdTime		time;			/* ticks above the counter */
	int			counter_bits;
	int64_t		lead;			/* how far generation alone may run ahead of the clock */
} ClockWordLayout;

/* How one call counts. */
typedef struct ClockWordUse
{
	uint64_t	start;			/* counter of the first word of a tick */
	uint64_t	limit;			/* largest counter of a tick */
	uint64_t	step;			/* added to the counter within a tick */
	int			low_bits;		/* low bits of the counter that do not count: always start's */

	/*
	 * Where the high bits of the counter are microseconds within the tick, the
	 * number of counter bits below them; elsewhere layout->counter_bits.
	 */
	int			fine_bits;
} ClockWordUse;

/* The instant at which the word's tick, or its microsecond, begins. */
ID_ALWAYS_INLINE int64_t
clockword_begins(const ClockWordLayout *layout, const ClockWordUse *use, uint64_t word)
{
	uint64_t	counter = word & ((UINT64_C(1) << layout->counter_bits) - 1);

	return id_tick_begins(&layout->time, (int64_t) (word >> layout->counter_bits)) +
		(int64_t) (counter >> use->fine_bits);
}

/* The instant at which the tick of a word begins. */
ID_ALWAYS_INLINE int64_t
clockword_tick_begins(const ClockWordLayout *layout, uint64_t word)
{
	return id_tick_begins(&layout->time, (int64_t) (word >> layout->counter_bits));
}

/* The instant at which its tick ends. */
static inline int64_t
clockword_tick_ends(const ClockWordLayout *layout, uint64_t word)
{
	return id_tick_begins(&layout->time, (int64_t) (word >> layout->counter_bits) + 1);
}

static inline bool
clockword_same_tick(const ClockWordLayout *layout, uint64_t word, uint64_t other)
{
	return word >> layout->counter_bits == other >> layout->counter_bits;
}

/*
 * Microseconds until a word that begins at an instant is due by the system
 * clock; 0 or less if it is.
 */
static inline int64_t
clockword_wait(const ClockWordLayout *layout, int64_t begins, int64_t wall)
{
	return begins - layout->lead - wall;
}

/*
 * The first word of the tick, or microsecond, that an instant falls in; 0 for
 * an instant before the first tick.
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
	/* a new microsecond within the tick */
	if (next >> layout->counter_bits == last >> layout->counter_bits &&
		(next & counter_mask) <= use->limit)
		return (next >> use->fine_bits << use->fine_bits) | use->start;
	return (((last >> layout->counter_bits) + 1) << layout->counter_bits) | use->start;
}

/*
 * Of a word that is not due: whether that is because the tick, or microsecond, of
 * the last one has come but has none left for this use.
 */
static inline bool
clockword_overflows(const ClockWordLayout *layout, const ClockWordUse *use,
					uint64_t last, uint64_t next, int64_t wall)
{
	return next >> use->fine_bits > last >> use->fine_bits &&
		clockword_wait(layout, clockword_begins(layout, use, last), wall) <= 0;
}

/*
 * The word to hand out after last when the wall clock shows an instant: a
 * fresh start if the clock has come to a new tick, else one more in last's.
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
 * Whether a word that was taken before may still be handed out, as one of the
 * present tick: the clock is within it, and nobody has come to a later one.
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
 * The largest word that begins before an instant: a variable set to it hands
 * out only what begins at the instant or later, and nothing at all where the
 * format ends before that.
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
 * The last word of the tick that an instant falls in: a variable set to it hands out
 * only what is of a later tick.  0 for an instant before the first tick.
 */
static inline uint64_t
clockword_past(const ClockWordLayout *layout, int64_t us)
{
	return clockword_before(layout, id_tick_begins(&layout->time,
												   id_tick_at(&layout->time, us) + 1));
}

/* Whether a word is past the last tick to be handed out. */
static inline bool
clockword_is_at_end(const ClockWordLayout *layout, uint64_t word)
{
	return (int64_t) (word >> layout->counter_bits) >= layout->time.last;
}

/*
 * Whether the system clock has yet to come to the tick of the last word: the
 * clock was set back, or words started ahead of it.
 */
static inline bool
clockword_is_ahead(const ClockWordLayout *layout, uint64_t last, int64_t wall)
{
	return clockword_wait(layout, clockword_tick_begins(layout, last), wall) > 0;
}

/* What a caller that has to wait has seen; zeros before it has seen anything. */
typedef struct ClockWordWatch
{
	uint64_t	last;			/* of this word's tick that it is the last one, */
	bool		ahead;			/* and whether that lies ahead of the clock, */
	int64_t		since;			/* since this moment of mono, in nanoseconds */
} ClockWordWatch;

/*
 * For a word next, after last, that is not due by the system clock: nanoseconds
 * until it is due whatever that says; 0 or less if it is.  mono was read after
 * wall, and that after last.
 *
 * Of last only the tick counts: another use of the word may have counted where
 * this one has its microseconds, and taking such a count for time would hand out
 * ticks faster than they pass, a little more at each turn.  Ahead of the clock
 * nobody waits for a microsecond within a tick, which would have to be waited
 * for from the start of the tick, for each id anew.  When the clock comes to the
 * tick, it is the clock that says when the next one is due; and if it then stands
 * still, the time that has passed since.
 */
static inline int64_t
clockword_watch(const ClockWordLayout *layout, const ClockWordUse *use, ClockWordWatch *watch,
				uint64_t last, uint64_t next, int64_t wall, int64_t mono)
{
	bool		ahead = clockword_is_ahead(layout, last, wall);
	int64_t		begins = ahead ? clockword_tick_begins(layout, next) :
		clockword_begins(layout, use, next);

	/* set back, as in a machine that was moved, mono does not say how long: begin anew */
	if (watch->since == 0 || watch->ahead != ahead || mono < watch->since ||
		!clockword_same_tick(layout, watch->last, last))
		*watch = (ClockWordWatch) {last, ahead, mono};
	return watch->since + (begins - clockword_tick_begins(layout, last)) * 16000 / 15 - mono;
}

/*
 * Nanoseconds to wait until looking again, of what clockword_wait() and clockword_watch() say:
 * a millisecond at most, as the clocks may be set meanwhile.
 */
static inline int64_t
clockword_pause(int64_t wait, int64_t pace)
{
	const int64_t most = 1000;
	int64_t		pause = (wait < most ? wait : most) * 1000;

	return pause < pace ? pause : pace;
}

#endif							/* IDTYPES_CORE_CLOCKWORD_H */
