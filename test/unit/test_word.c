/*-------------------------------------------------------------------------
 *
 * test_word.c
 *	  The rule of core/word.h, driven through random histories of a clock that
 *	  steps, freezes and jitters, with callers interleaved at every reading, and
 *	  held against a model that knows everything.
 *
 * The model is one number, `honest`: the latest that an honest clock could
 * show, which goes on at the pace of time and follows the wall clock forwards
 * but never backwards.  No word may begin later than honest + lead.
 *
 * With IDTYPES_STRESS=1 in the environment, millions of histories.
 *
 *-------------------------------------------------------------------------
 */
#include <stdlib.h>

#include "../../src/core/generators.h"
#include "../../src/core/permute.h"
#include "check.h"

#define CALLERS 4

/* How a generator counts in this test: as its SQL function does. */
typedef struct UseCase
{
	Generator	generator;
	WordUse		use;
	uint64_t	random_start;	/* start is random up to here */
	uint64_t	random_step;	/* step is use.step and a random number below this */
	bool		blocks;			/* takes as many words as a step is wide */
} UseCase;

static const UseCase use_cases[] = {
	{GENERATOR_SIQ, {.step = 1,.limit = 0x7FF,.fine_bits = 13}, 0, 1},
	{GENERATOR_SIQ, {.step = 1,.limit = 0x1FFF,.fine_bits = 13}, 0, 1},
	{GENERATOR_SCRU160, {.step = 1,.limit = 0xFFFF,.fine_bits = 16}, 0x7FFF, 1},
	{GENERATOR_SCRU160, {.step = 1,.limit = 999 << 6 | 0x3F,.fine_bits = 6}, 0x1F, 1},
	{GENERATOR_TID64, {.step = 1}, 0, 1},
	{GENERATOR_XID, {.start = 63,.step = 64,.limit = 0x3FFFFF,.fine_bits = 22}, 0, 1, true},
	{GENERATOR_SNOWISH, {.step = 1,.limit = 0xFFF,.fine_bits = 12}, 0, 1},
	{GENERATOR_TS_SEQ_RAND, {.step = 1,.limit = 0xFFF,.fine_bits = 12}, 0, 1},
	{GENERATOR_ULIDFLAKE, {.step = 1,.limit = 0xFFFFF,.fine_bits = 20}, 0xFFFFF, 0xFF},
	{GENERATOR_ULIDFLAKE, {.step = 1,.limit = 0xFFFFF,.fine_bits = 20,.low_bits = 5},
	0x7FFF, 0xFFFF}
};

static int64_t
below(int64_t n)
{
	return (int64_t) (check_random() % (uint64_t) n);
}

static WordUse
draw(const UseCase *use_case)
{
	WordUse		use = use_case->use;

	use.start += (uint64_t) below((int64_t) use_case->random_start + 1) << use.low_bits;
	use.start |= use.low_bits > 0 ? 7 : 0;
	use.step += (uint64_t) below((int64_t) use_case->random_step);
	return use;
}

/* The world: time, its clocks, and the generator's shared variables. */
typedef struct World
{
	const WordLayout *layout;
	int64_t		mono;
	int64_t		wall_ahead;		/* wall - mono */
	bool		frozen;
	int64_t		frozen_at;
	int64_t		honest;
	uint64_t	last;
	int64_t		off;
	uint64_t	returned;		/* the latest tick that any call has returned */
} World;

static int64_t
wall_of(const World *world)
{
	return world->frozen ? world->frozen_at : world->mono + world->wall_ahead;
}

static void
pass_time(World *world, int64_t us)
{
	world->mono += us;
	world->honest += us;
	if (wall_of(world) > world->honest)
		world->honest = wall_of(world);
}

static void
disturb_clock(World *world)
{
	static const int64_t steps[] = {1, 1000, 2000000, INT64_C(3600000000), INT64_C(86400000000)};
	int64_t		step = steps[below(LENGTH(steps))] * (below(2) ? 1 : -1);

	if (below(8) == 0)
	{
		world->frozen_at = wall_of(world);
		world->frozen = !world->frozen;
	}
	else
		world->wall_ahead += step;
	pass_time(world, 0);
}

/* A caller between two of its readings. */
typedef struct Caller
{
	int			phase;			/* what it does next; 0 before its first reading */
	WordUse		use;
	bool		blocks;
	bool		called;
	uint64_t	promised;		/* no tick before this one: what was returned before the call */
	uint64_t	last;
	uint64_t	next;
	uint64_t	block_next;		/* words taken and not yet handed out */
	uint64_t	block_end;
	int64_t		wall;
	int64_t		mono;
} Caller;

/* Ends a call that returns a word. */
static bool
hand_out(World *world, Caller *caller, uint64_t word)
{
	uint64_t	tick = word >> world->layout->counter_bits;

	CHECK(tick >= caller->promised, "%" PRIx64 " goes back before tick %" PRIx64, word,
		  caller->promised);
	CHECK((int64_t) tick >= id_tick_at(&world->layout->time, caller->wall),
		  "%" PRIx64 " is older than the clock", word);
	if (tick > world->returned)
		world->returned = tick;
	caller->next = word;
	caller->phase = 0;
	caller->called = false;
	return true;
}

/*
 * One action of a caller, as clock_next_of_block(), clock_next() and
 * clock_next_slow() do them.  Returns true if its call returns caller->next.
 */
static bool
act(World *world, Caller *caller)
{
	const WordLayout *layout = world->layout;
	int64_t		begins;

	switch (caller->phase++)
	{
		case 0:
			if (!caller->called)
				caller->promised = world->returned;
			caller->called = true;
			caller->last = world->last;
			return false;
		case 1:
			caller->wall = wall_of(world);
			if (caller->block_next < caller->block_end &&
				word_is_current(layout, caller->block_next, caller->last, caller->wall))
				return hand_out(world, caller, caller->block_next++);
			caller->next = word_next(layout, &caller->use, caller->last, caller->wall);
			begins = word_begins(layout, &caller->use, caller->next);
			if (word_wait(layout, begins, caller->wall) <= 0)
				caller->phase = 4;
			return false;
		case 2:
			caller->mono = world->mono;
			return false;
		case 3:
			{
				int64_t		off = word_off(layout, caller->last, caller->mono, world->off);

				if (off > world->off)
					world->off = off;
				begins = word_begins(layout, &caller->use, caller->next);
				if (word_wait(layout, begins, caller->mono + off) > 0)
					caller->phase = 0;
				return false;
			}
		default:
			caller->phase = 0;
			if (world->last == caller->last)
			{
				bool		same_tick = caller->next >> layout->counter_bits ==
					world->last >> layout->counter_bits;

				CHECK(caller->next > world->last, "%" PRIx64 " after %" PRIx64, caller->next,
					  world->last);
				if (caller->blocks)
				{
					CHECK(!same_tick || caller->next - world->last >= caller->use.step,
						  "%" PRIx64 " within the block of %" PRIx64, caller->next, world->last);
					world->last = caller->next;
					caller->block_end = caller->next + 1;
					caller->block_next = caller->block_end - caller->use.step;
					return hand_out(world, caller, caller->block_next++);
				}
				world->last = caller->next;
				return hand_out(world, caller, caller->next);
			}
			/* another one was faster */
			return false;
	}
}

static void
start_world(World *world, const WordLayout *layout)
{
	int64_t		mark;
	int64_t		start;

	memset(world, 0, sizeof(*world));
	world->layout = layout;
	world->mono = 1000000 + below(INT64_C(1000000000));
	/* some instant of 2024 to 2030, anywhere within a tick */
	world->wall_ahead = INT64_C(1704067200000000) + below(INT64_C(189000000000000));
	/* as after a start of the server, with a mark before or after the clock */
	mark = wall_of(world) + below(4000000) - 2000000;
	start = id_tick_begins(&layout->time, id_tick_at(&layout->time, mark - 1) + 1);
	world->honest = start > wall_of(world) ? start : wall_of(world);
	world->last = word_before(layout, mark);
	world->off = world->honest - world->mono;
}

/*
 * The promise: words increase, none begins after honest + lead, and none is
 * cut by its counter's limit, for each use and for two uses in turn.
 */
static void
run_history(const UseCase *one, const UseCase *other, bool disturbed)
{
	World		world;
	Caller		callers[CALLERS] = {{0}};

	start_world(&world, &generator_info[one->generator].layout);
	for (int i = 0; i < CALLERS; i++)
	{
		callers[i].use = draw(i % 2 ? other : one);
		callers[i].blocks = (i % 2 ? other : one)->blocks;
	}

	for (int turn = 0; turn < 250; turn++)
	{
		int			i = (int) below(CALLERS);
		const UseCase *use_case = i % 2 ? other : one;
		Caller	   *caller = &callers[i];

		if (disturbed && below(60) == 0)
			disturb_clock(&world);
		/* now and then the counter, or the lead, is about to run out */
		if (below(200) == 0)
			world.last |= caller->use.limit & ((UINT64_C(1) << world.layout->counter_bits) - 1);
		if (below(200) == 0)
		{
			uint64_t	ahead = word_before(world.layout, world.honest + world.layout->lead);

			world.last = ahead > world.last ? ahead : world.last;
		}
		/* mostly crowded ticks, at times a caller loses the processor */
		pass_time(&world, below(50) == 0 ? below(3000) : below(2));
		if (!act(&world, caller))
			continue;

		for (int j = 0; j < CALLERS; j++)
			CHECK(caller->next < callers[j].block_next || caller->next >= callers[j].block_end,
				  "%s: %" PRIx64 " will be handed out again",
				  generator_info[one->generator].name, caller->next);
		CHECK((caller->next & ((UINT64_C(1) << world.layout->counter_bits) - 1)) <=
			  caller->use.limit, "%s: counter of %" PRIx64 " beyond its limit",
			  generator_info[one->generator].name, caller->next);
		CHECK(word_begins(world.layout, &caller->use, caller->next) <=
			  world.honest + world.layout->lead, "%s: %" PRIx64 " leads the clock by %" PRId64,
			  generator_info[one->generator].name, caller->next,
			  word_begins(world.layout, &caller->use, caller->next) - world.honest);
		caller->use = draw(use_case);
	}
}

static void
histories(void)
{
	const int	each = getenv("IDTYPES_STRESS") ? 200000 : 5000;

	for (size_t i = 0; i < LENGTH(use_cases); i++)
		for (size_t j = 0; j < LENGTH(use_cases); j++)
			if (use_cases[i].generator == use_cases[j].generator)
				for (int k = 0; k < each; k++)
					run_history(&use_cases[i], &use_cases[j], k % 3 != 0);
}

/*
 * Never a stall: whatever the clock does between two calls, the second one
 * takes no longer than a tick and the time between its attempts.
 */
static void
no_stall(void)
{
	const int64_t pause = 5;

	for (size_t i = 0; i < LENGTH(use_cases); i++)
	{
		const WordLayout *layout = &generator_info[use_cases[i].generator].layout;
		int64_t		tick = id_tick_begins(&layout->time, 1) - id_tick_begins(&layout->time, 0);
		World		world;

		start_world(&world, layout);
		for (int n = 0; n < 20000; n++)
		{
			Caller		caller = {.use = draw(&use_cases[i])};
			int64_t		start;

			if (below(20) == 0)
				disturb_clock(&world);
			pass_time(&world, below(10) == 0 ? below(5000) : 0);
			/* now and then the counter is about to run out */
			if (below(30) == 0)
				world.last |= caller.use.limit & ((UINT64_C(1) << layout->counter_bits) - 1);
			start = world.mono;
			while (!act(&world, &caller))
				if (caller.phase == 0)
					pass_time(&world, pause);
			CHECK(world.mono - start <= tick + 2 * pause, "%s: stalled for %" PRId64 " us",
				  generator_info[use_cases[i].generator].name, world.mono - start);
		}
	}
}

/* All words that fit a tick are handed out before the next tick begins. */
static void
full_ticks(void)
{
	for (size_t i = 0; i < LENGTH(use_cases); i++)
	{
		const WordLayout *layout = &generator_info[use_cases[i].generator].layout;
		WordUse		use = use_cases[i].use;
		int64_t		wall = INT64_C(1800000000000000);
		uint64_t	first;
		uint64_t	word;
		uint64_t	count = 1;

		if (!use_cases[i].blocks)
			use.step = 1;
		first = word = word_at(layout, &use, wall);
		while (word_begins(layout, &use, word_next(layout, &use, word, wall)) <= wall)
		{
			uint64_t	next = word_next(layout, &use, word, wall);

			CHECK(next > word && !word_overflows(layout, &use, word, next, wall),
				  "order");
			word = next;
			count++;
		}
		CHECK(word_overflows(layout, &use, word, word_next(layout, &use, word, wall), wall),
			  "%s: not full", generator_info[use_cases[i].generator].name);
		/* with the clock set back, that is not why it waits */
		CHECK(!word_overflows(layout, &use, word, word_next(layout, &use, word, wall),
							  word_begins(layout, &use, word) - layout->lead - 1),
			  "%s: full too early", generator_info[use_cases[i].generator].name);
		CHECK(count == (use.fine_bits < layout->counter_bits ? UINT64_C(1) << use.fine_bits :
						((use.limit >> use.low_bits) + 1) / use.step),
			  "%s: %" PRIu64 " words from %" PRIx64, generator_info[use_cases[i].generator].name,
			  count, first);
	}
}

/*
 * Within a tick, and while the clock lies behind, words follow each other by
 * their step: the random start is for a new tick.
 */
static void
steps(void)
{
	for (size_t i = 0; i < LENGTH(use_cases); i++)
	{
		const WordLayout *layout = &generator_info[use_cases[i].generator].layout;

		for (int n = 0; n < 10000; n++)
		{
			int64_t		wall = INT64_C(1704067200000000) + below(INT64_C(189000000000000));
			WordUse		first = draw(&use_cases[i]);
			WordUse		second = draw(&use_cases[i]);
			uint64_t	last = word_at(layout, &first, wall);
			uint64_t	next = word_next(layout, &second, last, wall - below(2) * below(5000000));

			if (next >> second.fine_bits == last >> second.fine_bits)
				CHECK((next >> second.low_bits) - (last >> second.low_bits) == second.step,
					  "%s: %" PRIx64 " after %" PRIx64,
					  generator_info[use_cases[i].generator].name, next, last);
			else
				CHECK((next & ((UINT64_C(1) << second.fine_bits) - 1)) == second.start,
					  "%s: %" PRIx64 " does not start where it should",
					  generator_info[use_cases[i].generator].name, next);
		}
	}
}

/* A word that is to start at an instant hands out nothing that begins earlier. */
static void
fresh_start(void)
{
	for (size_t i = 0; i < LENGTH(use_cases); i++)
	{
		const WordLayout *layout = &generator_info[use_cases[i].generator].layout;

		for (int n = 0; n < 10000; n++)
		{
			int64_t		floor = INT64_C(1704067200000000) + below(INT64_C(189000000000000));
			WordUse		use = draw(&use_cases[i]);
			uint64_t	next = word_next(layout, &use, word_before(layout, floor),
										 floor - below(3000000));

			CHECK(word_begins(layout, &use, next) >= floor, "%s: begins before its floor",
				  generator_info[use_cases[i].generator].name);
			CHECK(word_begins(layout, &use, next) < floor + 1001, "%s: begins late",
				  generator_info[use_cases[i].generator].name);
		}
		CHECK(word_before(layout, layout->time.epoch_us) == 0, "before the epoch");
		CHECK(word_before(layout, INT64_MIN + 1) == 0, "long before the epoch");
	}
}

/* ----------
 * Permutation
 * ----------
 */

static PermuteKey
random_key(void)
{
	PermuteKey	key;

	key.k0 = check_random();
	key.k1 = check_random();
	for (int i = 0; i < 2; i++)
	{
		key.first[i] = check_random();
		key.last[i] = check_random();
	}
	return key;
}

static void
permutation(void)
{
	static uint8_t seen[(1 << PERMUTE_BITS) / 8];
	PermuteKey	key = random_key();
	uint64_t	tweak = check_random();

	memset(seen, 0, sizeof(seen));
	for (uint32_t i = 0; i < 1 << PERMUTE_BITS; i++)
	{
		uint32_t	image = permute22(&key, tweak, i);

		CHECK(image < 1 << PERMUTE_BITS, "%u", image);
		CHECK((seen[image / 8] & 1 << image % 8) == 0, "%u twice", image);
		seen[image / 8] |= (uint8_t) (1 << image % 8);
	}
}

/*
 * One changed bit of key, tweak or value changes half of the image's bits, on
 * average over many: with 22 * 20000 bits, by less than 1 % of them.  So does
 * another key of the first round, and half of its right half one of the last.
 */
static void
avalanche(void)
{
	for (int which = 0; which < 6; which++)
	{
		const int	changing = which == 5 ? PERMUTE_BITS / 2 : PERMUTE_BITS;
		int64_t		flipped = 0;
		const int	rounds = 20000;

		for (int n = 0; n < rounds; n++)
		{
			PermuteKey	key = random_key();
			PermuteKey	other = random_key();
			uint64_t	tweak = check_random();
			uint32_t	value = (uint32_t) below(1 << PERMUTE_BITS);
			uint32_t	image = permute22(&key, tweak, value);
			uint64_t	bit = UINT64_C(1) << below(64);

			if (which == 0)
				key.k0 ^= bit;
			else if (which == 1)
				key.k1 ^= bit;
			else if (which == 2)
				tweak ^= bit;
			else if (which == 3)
				value ^= 1u << below(PERMUTE_BITS);
			else if (which == 4)
				memcpy(key.first, other.first, sizeof(key.first));
			else
				memcpy(key.last, other.last, sizeof(key.last));
			flipped += __builtin_popcount(image ^ permute22(&key, tweak, value));
		}
		CHECK(flipped > rounds * changing * 0.49 && flipped < rounds * changing * 0.51,
			  "input %d: %" PRId64 " of %d bits changed", which, flipped, rounds * changing);
	}
}

const TestCase word_tests[] = {
	{"word: random histories", histories},
	{"word: no stall", no_stall},
	{"word: full ticks", full_ticks},
	{"word: steps within a tick", steps},
	{"word: fresh start", fresh_start},
	{"permute: every number once", permutation},
	{"permute: avalanche", avalanche},
	{NULL, NULL}
};
