/*-------------------------------------------------------------------------
 *
 * clockwords.c
 *	  The rules of core/clockword.h, for each way in which a type's generators count.
 *
 * Instants are replaced by what is said of them here, which exhaust.c checks of
 * id.h; the multiplications and divisions there are too much for cbmc.
 *
 *-------------------------------------------------------------------------
 */
#include "proof.h"

/* So far from 1970 that no sum overflows. */
#define LAST_INSTANT (INT64_MAX / 8)

int64_t		__CPROVER_uninterpreted_begins(int32_t group_us, int32_t bits, int64_t tick);

/* Each tick takes as long as the others, rounded up or down. */
int64_t
id_tick_begins(const IdTime *time, int64_t tick)
{
	int64_t		begins = __CPROVER_uninterpreted_begins(time->group_us, time->bits, tick);
	int64_t		ends = __CPROVER_uninterpreted_begins(time->group_us, time->bits, tick + 1);
	int64_t		length = time->group_us >> time->group_bits;

	ASSUME(begins > -LAST_INSTANT && begins < ends && ends < 2 * LAST_INSTANT);
	ASSUME(ends - begins >= length && ends - begins <= length + (time->group_bits > 0));
	return begins;
}

/* The tick of an instant is the one that began last. */
int64_t
id_tick_at(const IdTime *time, int64_t us)
{
	int64_t		tick;

	ASSUME(tick >= time->first - 1 && tick <= time->last);
	if (tick >= time->first)
		ASSUME(id_tick_begins(time, tick) <= us);
	if (tick < time->last)
		ASSUME(us < id_tick_begins(time, tick + 1));
	else
		ASSUME(id_tick_begins(time, tick - 1) < us);
	return tick;
}

/* Does something for each use; start and step are any that its generator draws. */
#define FOR_EACH_USE(layout, use) \
	for (const UseCase *u = FORMAT.uses; u->use.step > 0; u++) \
		for (const ClockWordLayout *layout = &generator_info[u->generator].layout; layout != NULL; \
			 layout = NULL) \
			for (ClockWordUse use = any_use(u); use.step > 0; use.step = 0)

static ClockWordUse
any_use(const UseCase *u)
{
	ClockWordUse use = u->use;
	uint64_t	start;
	uint64_t	step;

	ASSUME(start <= u->random_start && step < u->random_step);
	use.start += start << use.low_bits;
	use.step += step;
	return use;
}

/* An instant that generators accept of the clock: where the format's time ends, they do not. */
static bool
can_show(const ClockWordLayout *layout, int64_t instant)
{
	return instant > 0 && instant <= LAST_INSTANT &&
		instant < id_tick_begins(&layout->time, layout->time.last) - layout->lead;
}

/* A clock word before the last tick. */
static bool
is_word(const ClockWordLayout *layout, uint64_t word)
{
	return word >> layout->counter_bits < (uint64_t) layout->time.last;
}

/*
 * Clock words rise, whatever the clock shows; they count no further than they may, lie
 * ahead of the clock by no more than they must, and none is past the last tick.
 */
void
prove_clockwords_rise(void)
{
	FOR_EACH_USE(layout, use)
	{
		uint64_t	mask = (UINT64_C(1) << layout->counter_bits) - 1;
		uint64_t	last;
		uint64_t	next;
		int64_t		wall;
		int64_t		begins;

		ASSUME(can_show(layout, wall) && is_word(layout, last));
		next = clockword_next(layout, &use, last, wall);
		PROVE(next > last);
		PROVE((next & mask) <= use.limit);
		PROVE((int64_t) (next >> layout->counter_bits) <= layout->time.last);
		begins = clockword_begins(layout, &use, next);
		PROVE(begins <= wall || begins <= clockword_tick_ends(layout, last));
	}
	REACHED();
}

/* A clock word that is not due becomes due within 16/15 of the tick before it. */
void
prove_clockwords_become_due(void)
{
	FOR_EACH_USE(layout, use)
	{
		uint64_t	last;
		uint64_t	next;
		int64_t		wall;
		ClockWordWatch watch = {0};

		ASSUME(can_show(layout, wall) && is_word(layout, last));
		next = clockword_next(layout, &use, last, wall);
		if (clockword_wait(layout, clockword_begins(layout, &use, next), wall) > 0)
		{
			int64_t		pace = clockword_watch(layout, &use, &watch, last, next, wall, 1);

			PROVE(pace >= 0);
			PROVE(pace <= (clockword_tick_ends(layout, last) -
						   clockword_tick_begins(layout, last)) * 16000 / 15);
		}
	}
	REACHED();
}

/* After a clock word before an instant, no clock word begins earlier than the instant. */
void
prove_clockwords_start(void)
{
	FOR_EACH_USE(layout, use)
	{
		int64_t		instant;
		uint64_t	last;
		uint64_t	next;

		ASSUME(can_show(layout, instant));
		last = clockword_before(layout, instant);
		PROVE(last == 0 || clockword_tick_begins(layout, last) < instant);
		next = clockword_after(layout, &use, last);
		PROVE(last == 0 || clockword_is_at_end(layout, next) ||
			  clockword_begins(layout, &use, next) >= instant);
	}
	REACHED();
}
