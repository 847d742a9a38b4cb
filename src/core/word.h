/*-------------------------------------------------------------------------
 *
 * word.h
 *	  The clock word: how the next identifier's time and counter follow from
 *	  the last one's and the clock, as pure functions.
 *
 * A word is a 64-bit number, a tick of the format's clock above counter_bits
 * bits of counter.  Every generator hands out the words of one shared variable,
 * advanced by compare-and-swap from `last` to word_next(last), which is always
 * greater: so no word is handed out twice, whatever the clock says.  (Where a
 * process takes words by the block, it is the last of the block that counts.)
 * The rest of this file says when it may be handed out.
 *
 *	wall	the system clock, which may step either way at any time
 *	mono	a clock that only goes forward, at the same pace
 *	off		raised so that mono + off never falls behind what was handed out
 *			(less `lead`): where the wall clock was set back, mono + off is the
 *			clock as it would have gone on
 *
 * A word is due when its tick begins at or before wall + lead or mono + off +
 * lead.  Invariants, for any order and any staleness of the readings, provided
 * that each caller reads last before mono, with which it raises off:
 *
 *	1. words strictly increase;
 *	2. a word not due becomes due within one tick of mono;
 *	3. while wall makes no step, the word handed out begins no later than
 *	   wall + lead.
 *
 * Instants and `lead` are microseconds since 1970.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_CORE_WORD_H
#define IDTYPES_CORE_WORD_H

#include "id.h"

/* What a word variable holds; the same for every use of it. */
typedef struct WordLayout
{
	IdTime		time;			/* ticks above the counter */
	int			counter_bits;
	int64_t		lead;			/* how far generation alone may run ahead of the clock */
} WordLayout;

/* How one call counts. */
typedef struct WordUse
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
} WordUse;

/* The instant at which the word's tick, or its microsecond, begins. */
ID_ALWAYS_INLINE int64_t
word_begins(const WordLayout *layout, const WordUse *use, uint64_t word)
{
	uint64_t	counter = word & ((UINT64_C(1) << layout->counter_bits) - 1);

	return id_tick_begins(&layout->time, (int64_t) (word >> layout->counter_bits)) +
		(int64_t) (counter >> use->fine_bits);
}

/*
 * The first word of the tick, or microsecond, that an instant falls in; 0 for
 * an instant before the first tick.
 */
ID_ALWAYS_INLINE uint64_t
word_at(const WordLayout *layout, const WordUse *use, int64_t us)
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
word_after(const WordLayout *layout, const WordUse *use, uint64_t last)
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
word_overflows(const WordLayout *layout, const WordUse *use, uint64_t last, uint64_t next,
			   int64_t clock)
{
	return next >> use->fine_bits > last >> use->fine_bits &&
		word_begins(layout, use, last) - layout->lead <= clock;
}

/*
 * The word to hand out after last when the wall clock shows an instant: a
 * fresh start if the clock has come to a new tick, else one more in last's.
 */
ID_ALWAYS_INLINE uint64_t
word_next(const WordLayout *layout, const WordUse *use, uint64_t last, int64_t wall)
{
	uint64_t	fresh = word_at(layout, use, wall);

	if (fresh >> use->fine_bits > last >> use->fine_bits)
		return fresh;
	return word_after(layout, use, last);
}

/*
 * Whether a word that was taken before may still be handed out, as one of the
 * present tick: the clock is within it, and nobody has come to a later one.
 */
ID_ALWAYS_INLINE bool
word_is_current(const WordLayout *layout, uint64_t word, uint64_t last, int64_t wall)
{
	int64_t		tick = (int64_t) (word >> layout->counter_bits);

	return (int64_t) (last >> layout->counter_bits) == tick &&
		wall >= id_tick_begins(&layout->time, tick) &&
		wall < id_tick_begins(&layout->time, tick + 1);
}

/*
 * The largest word that begins before an instant: a variable set to it hands
 * out only what begins at the instant or later.
 */
static inline uint64_t
word_before(const WordLayout *layout, int64_t us)
{
	int64_t		tick = id_tick_at(&layout->time, us - 1);

	if (tick < layout->time.first)
		return 0;				/* nothing is generated before the format's epoch */
	return ((uint64_t) tick << layout->counter_bits) |
		((UINT64_C(1) << layout->counter_bits) - 1);
}

/*
 * Microseconds until a word that begins at an instant is due by a clock (wall,
 * or mono + off); 0 or less if it is.
 */
static inline int64_t
word_wait(const WordLayout *layout, int64_t begins, int64_t clock)
{
	return begins - layout->lead - clock;
}

/*
 * What off must be, given the last word handed out before mono was read.  Of
 * last only the tick counts: another use of the word may have counted where
 * this one has its microseconds, and taking such a count for time would push
 * mono + off ahead of the clock, a little more at each turn.
 */
static inline int64_t
word_off(const WordLayout *layout, uint64_t last, int64_t mono, int64_t off)
{
	int64_t		begins = id_tick_begins(&layout->time, (int64_t) (last >> layout->counter_bits));
	int64_t		needed = begins - layout->lead - mono;

	return needed > off ? needed : off;
}

#endif							/* IDTYPES_CORE_WORD_H */
