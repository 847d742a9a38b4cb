/*-------------------------------------------------------------------------
 *
 * test_clockword.c
 *	  The rules of core/clockword.h and core/mark.h.
 *
 * That they do what they are for, however backends, clocks and crashes interleave, is
 * shown by the model ../proof/clockwords.pml, and with servers by the TAP tests.
 * "Word" means clock word.
 *
 *-------------------------------------------------------------------------
 */
#include "../../../src/core/mark.h"
#include "check.h"

#define MS	INT64_C(1000)		/* in microseconds */
#define SECOND	INT64_C(1000000)

/* That of the server's uuid, which has no TestFormat. */
static const UseCase uuid7_uses[] = {
	{
		GENERATOR_UUID7,
		{.limit = UUID7_COUNTER_LAST,.step = 1,.fine_bits = UUID7_FINE_BITS,.by_tick = true},
		.random_step = 1
	},
	{0}
};

/* The uses of the n-th type, or of uuid after all types; then NULL. */
static const UseCase *
uses_of(int n)
{
	int			types = 0;

	while (test_formats[types] != NULL)
		types++;
	return n < types ? test_formats[n]->uses : n == types ? uuid7_uses : NULL;
}

/* For each use of a generator, of all types. */
#define FOR_EACH_USE(u) \
	for (int u##_n = 0; uses_of(u##_n) != NULL; u##_n++) \
		for (const UseCase *u = uses_of(u##_n); u->use.step > 0; u++)

static const ClockWordLayout *
layout_of(const UseCase *use_case)
{
	return &generator_info[use_case->generator].layout;
}

static const char *
name_of(const UseCase *use_case)
{
	return generator_info[use_case->generator].name;
}

static int64_t
below(int64_t n)
{
	return (int64_t) (check_random() % (uint64_t) n);
}

/* Some instant of 2024 to 2030, anywhere within a tick. */
static int64_t
some_instant(void)
{
	return INT64_C(1704067200000000) + below(INT64_C(189000000000000));
}

static ClockWordUse
draw(const UseCase *use_case)
{
	return check_use(use_case, check_random(), check_random());
}

/* Microseconds of the longest tick. */
static int64_t
tick_length(const ClockWordLayout *layout)
{
	return id_tick_begins(&layout->time, 1) - id_tick_begins(&layout->time, 0);
}

TEST(uses, "clock word: every generator is used")
{
	for (int generator = 0; generator < GENERATORS; generator++)
	{
		size_t		count = 0;

		FOR_EACH_USE(u)
			count += (int) u->generator == generator;
		CHECK(count > 0, "%s is not used", generator_info[generator].name);
	}
}

/* What holds after any word, of this use or another, beside or far from the clock. */
TEST(any_words, "clock word: after any word")
{
	FOR_EACH_USE(u)
	{
		const ClockWordLayout *layout = layout_of(u);

		for (int n = 0; n < 100000; n++)
		{
			int64_t		wall = some_instant();
			ClockWordUse use = draw(u);
			ClockWordUse other = draw(u);
			uint64_t	last = clockword_at(layout, &other, wall + below(8 * SECOND) - 4 * SECOND);

			if (below(2) == 0)
				last = clockword_at(layout, &other, wall);
			/* the counter of the tick, or of the microsecond, is used up */
			if (below(2) == 0)
				last |= below(2) == 0 ? use.limit : (UINT64_C(1) << use.fine_bits) - 1;
			check_word(layout, &use, last, wall);
		}
	}
}

/*
 * A clock that was set back, and then goes on or stands still, while callers of two uses
 * take every word as soon as it is due.  None waits for more than two ticks, as slow as
 * they pass ahead of the clock, and the lead shrinks by a sixteenth of the time.
 */
static void
take_turns(const UseCase *one, const UseCase *other, bool frozen)
{
	const ClockWordLayout *layout = layout_of(one);
	int64_t		tick = tick_length(layout);
	int64_t		begin = some_instant();
	int64_t		ahead = layout->lead + tick * 40;
	int64_t		mono = 1;		/* ns */
	uint64_t	last = clockword_before(layout, begin + ahead);

	for (int n = 0; n < 2000; n++)
	{
		ClockWordUse use = draw(n % 2 == 0 ? one : other);
		ClockWordWatch watch = {0};
		int64_t		start = mono;
		int64_t		passed;
		int64_t		lead;
		int64_t		wall;
		uint64_t	next;
		int64_t		wait;
		int64_t		pace;

		/* now and then the counter is about to run out */
		if (below(8) == 0)
			last |= use.limit;
		for (;;)
		{
			wall = begin + (frozen ? 0 : mono / 1000);
			next = clockword_next(layout, &use, last, wall);
			wait = clockword_wait(layout, clockword_begins(layout, &use, next), wall);
			pace = wait <= 0 ? 0 :
				clockword_watch(layout, &use, &watch, last, next, wall, mono);
			if (pace <= 0)
				break;
			mono += clockword_pause(wait, pace);
		}
		CHECK(mono - start <= 2 * tick * 16000 / 15, "%s: waited for %" PRId64 " ns",
			  name_of(one), mono - start);
		passed = mono / 1000;
		lead = ahead - passed / 16 > layout->lead ? ahead - passed / 16 : layout->lead;
		CHECK(clockword_tick_begins(layout, next) <= begin + passed + lead + tick,
			  "%s: %" PRIx64 " after %" PRId64 " us", name_of(one), next, passed);
		last = next;
	}
}

TEST(clock_set_back, "clock word: a clock that was set back")
{
	FOR_EACH_USE(one)
		FOR_EACH_USE(other)
			if (one->generator == other->generator)
				for (int frozen = 0; frozen < 2; frozen++)
					take_turns(one, other, frozen);
}

/*
 * A monotonic clock that is set back makes no caller wait longer than a tick anew, nor
 * does a system clock that comes to the last word let it go before that; and a caller
 * that waits looks at the clock every millisecond at least.
 */
TEST(waits, "clock word: waits")
{
	FOR_EACH_USE(u)
	{
		const ClockWordLayout *layout = layout_of(u);
		int64_t		tick = tick_length(layout) * 16000 / 15 + 2;

		for (int n = 0; n < 1000; n++)
		{
			int64_t		mono = INT64_C(1000000000000000) + below(INT64_C(1000000000000));
			int64_t		wall = some_instant();
			ClockWordUse use = draw(u);
			uint64_t	last = clockword_before(layout, wall + 3600 * SECOND);
			uint64_t	next = clockword_next(layout, &use, last, wall);
			ClockWordWatch watch = {0};
			ClockWordWatch anew = {0};
			int64_t		pace;

			CHECK(clockword_watch(layout, &use, &watch, last, next, wall, mono) > 0,
				  "%s: does not wait", name_of(u));
			mono -= below(2) ? below(tick) : below(INT64_C(900000000000000));
			pace = clockword_watch(layout, &use, &watch, last, next, wall, mono);
			CHECK(pace > 0 && pace <= tick, "%s: waits for another %" PRId64 " ns",
				  name_of(u), pace);
			CHECK(clockword_watch(layout, &use, &watch, last, next, wall, mono + pace) <= 0,
				  "%s: waits on", name_of(u));
			/* the clock comes to the last word */
			wall = clockword_tick_begins(layout, last) - layout->lead;
			CHECK(clockword_watch(layout, &use, &watch, last, next, wall, mono + pace) ==
				  clockword_watch(layout, &use, &anew, last, next, wall, mono + pace),
				  "%s: does not begin to wait anew", name_of(u));
		}
	}
	for (int n = 0; n < 100000; n++)
	{
		int64_t		wait = 1 + below(INT64_MAX >> below(63));
		int64_t		pace = 1 + below(INT64_MAX >> below(63));
		int64_t		pause = clockword_pause(wait, pace);

		CHECK(pause > 0 && pause <= 1000000 && pause <= pace && (pause + 999) / 1000 <= wait &&
			  (pause == 1000000 || pause == pace || pause == wait * 1000),
			  "a pause of %" PRId64 " ns, where %" PRId64 " us or %" PRId64 " ns are left",
			  pause, wait, pace);
	}
}

/* A word that comes to the end of its format stays there. */
TEST(ends, "clock word: the end of time")
{
	FOR_EACH_USE(u)
	{
		const ClockWordLayout *layout = layout_of(u);
		int64_t		end = id_tick_begins(&layout->time, layout->time.last);

		for (int n = 0; n < 10000; n++)
		{
			ClockWordUse use = draw(u);
			int64_t		floor = end + below(10 * SECOND) - 5 * SECOND;
			int64_t		beyond = end + below(INT64_C(1) << 60);
			uint64_t	last = clockword_before(layout, below(2) ? floor : beyond);

			/* as far as it goes, which is a tick at most each time */
			for (int k = 0; k < 4; k++)
			{
				uint64_t	next = clockword_next(layout, &use, last, end - SECOND - below(SECOND));

				CHECK(next > last, "%s: %" PRIx64 " after %" PRIx64, name_of(u), next, last);
				/* clockwords_next() leaves this to clockwords_next_slow(), which throws an error */
				if (clockword_is_at_end(layout, next))
					break;
				last = next | use.limit;
			}
		}
		CHECK(clockword_is_at_end(layout, clockword_next(layout, &u->use,
														 clockword_before(layout, INT64_MAX), 0)),
			  "%s: has no end", name_of(u));
	}
}

/* The first word of an instant; there is none before the first tick. */
TEST(first_words, "clock word: first words")
{
	FOR_EACH_USE(u)
	{
		const ClockWordLayout *layout = layout_of(u);
		int64_t		begins = id_tick_begins(&layout->time, layout->time.first);
		int64_t		ends = id_tick_begins(&layout->time, layout->time.first + 1);
		uint64_t	first = clockword_at(layout, &u->use, begins);
		uint64_t	next = clockword_at(layout, &u->use, ends);

		CHECK(first == ((uint64_t) layout->time.first << layout->counter_bits | u->use.start),
			  "%s: the first tick", name_of(u));
		CHECK(clockword_at(layout, &u->use, begins - 1) == 0, "%s: before it", name_of(u));
		CHECK(clockword_is_current(layout, first, first, begins) &&
			  clockword_is_current(layout, first, first, ends - 1) &&
			  !clockword_is_current(layout, first, first, begins - 1) &&
			  !clockword_is_current(layout, first, first, ends) &&
			  !clockword_is_current(layout, first, next, begins), "%s: its block", name_of(u));
		CHECK(clockword_at(layout, &u->use, INT64_MIN) == 0, "%s: long before", name_of(u));
	}
}

/* Of a tick that holds more words than this, the last ones are gone through. */
#define MOST_WORDS (UINT64_C(1) << 22)

/* All words that fit a tick are handed out before the next tick begins. */
TEST(full_ticks, "clock word: full ticks")
{
	FOR_EACH_USE(u)
	{
		const ClockWordLayout *layout = layout_of(u);
		ClockWordUse use = u->use;
		int64_t		wall = INT64_C(1800000000000000);
		uint64_t	first;
		uint64_t	word;
		uint64_t	words;
		uint64_t	count = 1;

		if (!u->blocks)
			use.step = 1;
		words = use.fine_bits < layout->counter_bits && !use.by_tick ?
			UINT64_C(1) << use.fine_bits : ((use.limit >> use.low_bits) + 1) / use.step;
		first = word = clockword_at(layout, &use, wall);
		if (words > MOST_WORDS)
		{
			word += (words - MOST_WORDS) * use.step << use.low_bits;
			count += words - MOST_WORDS;
		}
		while (clockword_begins(layout, &use, clockword_next(layout, &use, word, wall)) <= wall)
		{
			uint64_t	next = clockword_next(layout, &use, word, wall);

			CHECK(next > word && (use.by_tick ||
								  !clockword_overflows(layout, &use, word, next, wall)), "order");
			word = next;
			count++;
		}
		CHECK(clockword_overflows(layout, &use, word, clockword_next(layout, &use, word, wall),
								  wall), "%s: not full", name_of(u));
		/* with the clock set back, that is not why it waits */
		CHECK(!clockword_overflows(layout, &use, word, clockword_next(layout, &use, word, wall),
								   clockword_begins(layout, &use, word) - layout->lead - 1),
			  "%s: full too early", name_of(u));
		CHECK(count == words, "%s: %" PRIu64 " words from %" PRIx64 ", not %" PRIu64, name_of(u),
			  count, first, words);
	}
}

/* The values of core/mark.h, for a clock that shows "wall". */
TEST(marks, "mark: values")
{
	const int64_t wall = INT64_C(1800000000000000);

	CHECK(mark_for(wall, 0, wall) == wall + 2 * SECOND, "at the clock");
	CHECK(mark_for(wall + 2 * SECOND, 0, wall) == wall + 2 * SECOND + 5 * MS, "ahead of it");
	CHECK(mark_for(wall + 2 * SECOND, 8 * SECOND, wall) == wall + 5 * SECOND / 2, "later");
	CHECK(mark_for(wall + 2 * SECOND, 99 * SECOND, wall) == wall + 3 * SECOND, "much later");

	/* a server that generates at the clock writes a mark once a second, a second ahead of need */
	CHECK(mark_renew_at(wall + 2 * SECOND, wall) == wall + SECOND, "reserved for two seconds");
	CHECK(mark_renew_at(wall + 5001, wall) == wall + 2501, "reserved for an odd number");
	CHECK(mark_leave_until(wall + 2 * SECOND, wall, 300) == wall + 600, "fast disk");
	CHECK(mark_leave_until(wall + 2 * SECOND, wall, SECOND + 1) == wall + 2 * SECOND, "slow disk");

	CHECK(mark_start(wall - 1, false, wall) == wall - 1, "a start");
	CHECK(mark_start(wall - 1, true, wall) == wall + 2 * SECOND, "a promotion");
	CHECK(mark_start(wall + 3 * SECOND, true, wall) == wall + 3 * SECOND, "one that is ahead");
}

/* All counters of a millisecond: the ids ascend, and rand_a is what PostgreSQL 18 writes. */
TEST(uuid7_counters, "uuid7: counters")
{
	int64_t		ms = below(INT64_C(1) << UUID7_TIME_BITS);
	uint8_t		last[UUID7_SIZE] = {0};

	for (uint32_t counter = 0; counter <= UUID7_COUNTER_LAST; counter++)
	{
		uint8_t		id[UUID7_SIZE];
		uint64_t	us = counter / 4;

		check_random_bytes(id, sizeof(id));
		uuid7_compose(ms, counter, id);
		CHECK(uuid7_is_version7(id) && id_tick(&uuid7_codec, id) == ms, "counter %u", counter);
		CHECK(memcmp(id, last, 8) > 0, "counter %u", counter);
		/* section 6.2, method 3, with the whole microseconds that a clock may show */
		CHECK(counter % 4 != 0 || (load_be64(id) & 0xFFF) == us * 4096 / 1000,
			  "counter %u: %" PRIx64, counter, load_be64(id));
		memcpy(last, id, sizeof(id));
	}
}
