/*-------------------------------------------------------------------------
 *
 * test_clockword.c
 *	  The rule of core/clockword.h, driven through random histories of a clock that
 *	  steps, freezes and jitters, with callers interleaved at every reading and
 *	  stopped there for as long as it takes, through crashes and promotions; and
 *	  held against a model that knows everything.  "Word" means clock word.
 *
 * What the model knows, and callers do not:
 *
 *	honest		the latest that an honest clock could show: it goes on at the pace of
 *				time and follows the wall clock forwards but never backwards.  No word
 *				may begin later than honest + lead.
 *	ticked		when the last word came to its tick.  Unless the wall clock says so, the
 *				next tick must not come before 16/15 of one have passed.
 *	caught_up	the wall clock has come to the last word and made no step since.  Then
 *				no word may begin later than wall + lead.
 *	highest		the largest word of all that any server handed out.
 *
 * With IDTYPES_STRESS=1 in the environment, millions of histories.
 *
 *-------------------------------------------------------------------------
 */
#include <stdlib.h>

#include "../../../src/core/generators.h"
#include "../../../src/core/mark.h"
#include "../../../src/core/permute.h"
#include "check.h"

#define CALLERS 4

#define MS	INT64_C(1000)		/* in microseconds */
#define SECOND	INT64_C(1000000)

/* For each use of a generator, of all types. */
#define FOR_EACH_USE(u) \
	FOR_EACH_FORMAT(u##_of) \
		for (const UseCase *u = u##_of->uses; u->use.step > 0; u++)

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
	ClockWordUse use = use_case->use;

	use.start += (uint64_t) below((int64_t) use_case->random_start + 1) << use.low_bits;
	use.start |= use.low_bits > 0 ? 7 : 0;
	use.step += (uint64_t) below((int64_t) use_case->random_step);
	return use;
}

static uint64_t
counter_mask(const ClockWordLayout *layout)
{
	return (UINT64_C(1) << layout->counter_bits) - 1;
}

/* Microseconds of the longest tick. */
static int64_t
tick_length(const ClockWordLayout *layout)
{
	return id_tick_begins(&layout->time, 1) - id_tick_begins(&layout->time, 0);
}

/* The world: time, its clocks, and the generator's shared variables. */
typedef struct World
{
	const char *name;			/* of the generator */
	const ClockWordLayout *layout;
	int64_t		mono;			/* ns */
	int64_t		wall_ahead;		/* us: wall - mono */
	int64_t		honest_ahead;	/* us: honest - mono */
	bool		frozen;
	int64_t		frozen_at;
	int			steps;			/* of the wall clock, so far */
	bool		caught_up;
	int64_t		ticked;			/* ns */
	uint64_t	last;
	uint64_t	returned;		/* the latest tick that any call has returned */
	uint64_t	highest;
	int64_t		mark;
	int64_t		renew_at;
	int64_t		settled;		/* ns */
} World;

static int64_t
wall_of(const World *world)
{
	return world->frozen ? world->frozen_at : world->mono / 1000 + world->wall_ahead;
}

static int64_t
honest_of(const World *world)
{
	return world->mono / 1000 + world->honest_ahead;
}

/* How far the last word is ahead of the clock; negative if it is not. */
static int64_t
lead_of(const World *world)
{
	return clockword_tick_begins(world->layout, world->last) - wall_of(world);
}

/* The words lead the clock by no more than that. */
static void
check_lead(const World *world, int64_t most)
{
	CHECK(lead_of(world) <= most, "%s: leads by %" PRId64 ", more than %" PRId64, world->name,
		  lead_of(world), most);
}

/* Renews the mark for a word that begins at an instant, if it is time for that. */
static void
extend_mark(World *world, int64_t begins)
{
	if (begins < world->renew_at)
		return;
	world->mark = mark_for(begins, (world->mono - world->settled) / 1000, wall_of(world));
	world->renew_at = mark_renew_at(world->mark, begins);
}

/* Brings what the model knows up to date. */
static void
look(World *world)
{
	int64_t		ahead = wall_of(world) - world->mono / 1000;

	if (ahead > world->honest_ahead)
		world->honest_ahead = ahead;
	if (!clockword_is_ahead(world->layout, world->last, wall_of(world)))
		world->caught_up = true;
}

static void
pass_time(World *world, int64_t ns)
{
	world->mono += ns;
	look(world);
}

static void
step_clock(World *world, int64_t us)
{
	world->wall_ahead += us;
	world->steps++;
	world->caught_up = false;
	look(world);
}

static void
disturb_clock(World *world)
{
	static const int64_t steps[] = {1, MS, 2 * SECOND, 3600 * SECOND, 86400 * SECOND};

	if (below(8) == 0)
	{
		world->frozen_at = wall_of(world);
		world->frozen = !world->frozen;
		step_clock(world, 0);
	}
	else
		step_clock(world, steps[below(LENGTH(steps))] * (below(2) ? 1 : -1));
}

/* A caller between two of its readings. */
typedef struct Caller
{
	int			phase;			/* what it does next; 0 before its first reading */
	const UseCase *of;
	ClockWordUse use;			/* for the next word, as drawn for that */
	bool		called;
	uint64_t	promised;		/* no tick before this one: what was returned before the call */
	uint64_t	last;
	uint64_t	next;
	uint64_t	block_next;		/* of its block: words not yet handed out */
	uint64_t	block_end;
	int64_t		wall;
	int			steps;			/* of the wall clock, when it was read */
	bool		caught_up;		/* likewise */
	bool		due;			/* by the wall clock */
	ClockWordWatch watch;
	int			watch_steps;	/* of the wall clock, when that began */
} Caller;

static Caller
new_caller(const UseCase *use_case)
{
	return (Caller) {.of = use_case,.use = draw(use_case)};
}

/* Ends a call that returns a word. */
static bool
hand_out(World *world, Caller *caller, uint64_t word)
{
	const ClockWordLayout *layout = world->layout;
	uint64_t	tick = word >> layout->counter_bits;

	CHECK(tick >= caller->promised, "%" PRIx64 " goes back before tick %" PRIx64, word,
		  caller->promised);
	CHECK((int64_t) tick >= id_tick_at(&layout->time, caller->wall),
		  "%" PRIx64 " is older than the clock", word);
	CHECK(clockword_tick_begins(layout, word) < world->mark,
		  "%" PRIx64 " is beyond the mark", word);
	if (tick > world->returned)
		world->returned = tick;
	if (word > world->highest)
		world->highest = word;
	caller->use = draw(caller->of);
	caller->next = word;
	caller->phase = 0;
	caller->called = false;
	caller->watch.since = 0;
	return true;
}

/* What the model says of a swap from caller->last to caller->next, which is about to happen. */
static void
check_swap(World *world, const Caller *caller)
{
	const ClockWordLayout *layout = world->layout;
	int64_t		begins = clockword_begins(layout, &caller->use, caller->next);
	int64_t		tick_begins = clockword_tick_begins(layout, caller->next);
	bool		same_tick = clockword_same_tick(layout, caller->next, world->last);

	CHECK(caller->next > world->last, "%" PRIx64 " after %" PRIx64, caller->next, world->last);
	CHECK(!caller->of->blocks || !same_tick || caller->next - world->last >= caller->use.step,
		  "%" PRIx64 " within the block of %" PRIx64, caller->next, world->last);
	CHECK(!clockword_is_at_end(layout, caller->next), "%" PRIx64 " is at the end", caller->next);
	CHECK(tick_begins <= honest_of(world) + layout->lead,
		  "%" PRIx64 " leads an honest clock by %" PRId64, caller->next,
		  tick_begins - honest_of(world));
	if (caller->caught_up && caller->steps == world->steps && !world->frozen &&
		(caller->due || caller->watch_steps == world->steps))
		CHECK(begins <= wall_of(world) + layout->lead, "%" PRIx64 " leads the clock by %" PRId64,
			  caller->next, begins - wall_of(world));
	if (!caller->due && !same_tick)
	{
		int64_t		length = tick_begins - clockword_tick_begins(layout, world->last);

		CHECK((world->mono - world->ticked) * 15 + 15 >= length * 16000,
			  "%" PRIx64 " comes %" PRId64 " ns after the tick before", caller->next,
			  world->mono - world->ticked);
	}
}

/*
 * One action of a caller, as clockwords_next_of_block(), clockwords_next() and
 * clockwords_next_slow() do them.  Returns true if its call returns caller->next.
 */
static bool
act(World *world, Caller *caller)
{
	const ClockWordLayout *layout = world->layout;
	int64_t		begins;
	int64_t		since;

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
			caller->steps = world->steps;
			caller->caught_up = world->caught_up;
			if (caller->block_next < caller->block_end &&
				clockword_is_current(layout, caller->block_next, caller->last, caller->wall))
				return hand_out(world, caller, caller->block_next++);
			caller->next = clockword_next(layout, &caller->use, caller->last, caller->wall);
			begins = clockword_begins(layout, &caller->use, caller->next);
			caller->due = clockword_wait(layout, begins, caller->wall) <= 0;
			if (caller->due)
				caller->phase = 3;
			return false;
		case 2:
			since = caller->watch.since;
			if (clockword_watch(layout, &caller->use, &caller->watch, caller->last, caller->next,
								caller->wall, world->mono) > 0)
				caller->phase = 0;
			if (caller->watch.since != since)
				caller->watch_steps = caller->steps;
			return false;
		case 3:
			extend_mark(world, clockword_begins(layout, &caller->use, caller->next));
			return false;
		default:
			caller->phase = 0;
			/* another one was faster */
			if (world->last != caller->last)
				return false;
			check_swap(world, caller);
			if (!clockword_same_tick(layout, caller->next, world->last))
				world->ticked = world->mono;
			world->last = caller->next;
			/* unless it has followed a clock that was set since, or stood still */
			world->caught_up = !clockword_is_ahead(layout, world->last, wall_of(world));
			if (!caller->of->blocks)
				return hand_out(world, caller, caller->next);
			caller->block_end = caller->next + 1;
			caller->block_next = caller->block_end - caller->use.step;
			return hand_out(world, caller, caller->block_next++);
	}
}

/*
 * A server starts, with the mark that it finds, behind all that was handed out; no caller
 * is in the middle of anything.
 */
static void
start_server(World *world, int64_t mark, bool promoted)
{
	int64_t		wall = wall_of(world);
	int64_t		start = mark_start(mark, promoted, wall);
	int64_t		begins = start > wall ? start : wall;

	world->last = clockword_before(world->layout, start);
	world->settled = world->mono;
	world->mark = 0;
	world->renew_at = 0;
	extend_mark(world, begins);
	world->honest_ahead = begins - world->mono / 1000;
	world->ticked = world->mono - tick_length(world->layout) * 2000;
	world->caught_up = false;
	look(world);
	CHECK(world->last >= world->highest, "%s: starts at %" PRIx64 ", after %" PRIx64, world->name,
		  world->last, world->highest);
}

static void
start_world(World *world, const UseCase *use_case)
{
	memset(world, 0, sizeof(*world));
	world->name = name_of(use_case);
	world->layout = layout_of(use_case);
	world->mono = 1000000 + below(INT64_C(1000000000000));
	world->wall_ahead = some_instant();
	/* with a mark before or after the clock */
	start_server(world, wall_of(world) + below(4 * SECOND) - 2 * SECOND, false);
}

/* The counter of the last word is about to run out. */
static void
exhaust(World *world, const Caller *caller)
{
	uint64_t	mask = counter_mask(world->layout);

	if ((world->last & mask) < caller->use.limit)
		world->last = (world->last & ~mask) | caller->use.limit;
}

/*
 * All that there is until the end of the lead was handed out.
 */
static void
take_the_lead(World *world)
{
	uint64_t	last = clockword_before(world->layout, wall_of(world) + world->layout->lead + 1);

	if (last > world->last && !world->frozen)
	{
		extend_mark(world, clockword_tick_begins(world->layout, last));
		if (!clockword_same_tick(world->layout, last, world->last))
			world->ticked = world->mono;
		world->last = last;
		if (last > world->highest)
			world->highest = last;
	}
}

/*
 * A caller that takes blocks, undisturbed within a tick, swaps once for each block.
 */
static void
blocks(void)
{
	int			count = 0;

	FOR_EACH_USE(u)
	{
		Caller		caller = new_caller(u);
		const int	each = 50;
		int			swaps = 0;
		World		world;

		if (!u->blocks)
			continue;
		count++;
		start_world(&world, u);
		pass_time(&world, 4 * SECOND * 1000);
		for (int n = 0; n < each * (int) caller.use.step; n++)
		{
			uint64_t	last = world.last;

			while (!act(&world, &caller))
				;
			swaps += world.last != last;
		}
		CHECK(swaps == each, "%s: %d swaps for %d blocks", name_of(u), swaps, each);
	}
	CHECK(count > 0, "no use takes blocks");
}

/*
 * The promise: words increase, none begins later than it may, and none is cut by
 * its counter's limit, for each use and for two uses in turn.
 */
static void
run_history(const UseCase *one, const UseCase *other, bool disturbed)
{
	World		world;
	Caller		callers[CALLERS];
	bool		saturated = below(2);

	start_world(&world, one);
	for (int i = 0; i < CALLERS; i++)
		callers[i] = new_caller(i % 2 ? other : one);

	for (int turn = 0; turn < 250; turn++)
	{
		Caller	   *caller = &callers[below(CALLERS)];

		if (disturbed && below(60) == 0)
			disturb_clock(&world);
		/* now and then the counter, or the lead, is about to run out */
		if (below(saturated ? 4 : 200) == 0)
			exhaust(&world, caller);
		if (below(200) == 0)
			take_the_lead(&world);
		/* mostly crowded ticks, at times a caller loses the processor */
		pass_time(&world, below(50) == 0 ? below(3000000) : below(2000));
		if (!act(&world, caller))
			continue;

		for (int i = 0; i < CALLERS; i++)
			CHECK(caller->next < callers[i].block_next || caller->next >= callers[i].block_end,
				  "%s: %" PRIx64 " will be handed out again", world.name, caller->next);
		CHECK((caller->next & counter_mask(world.layout)) <= caller->use.limit,
			  "%s: counter of %" PRIx64 " beyond its limit", world.name, caller->next);
	}
}

static void
histories(void)
{
	const int	each = getenv("IDTYPES_STRESS") ? 200000 : 5000;

	FOR_EACH_USE(one)
		FOR_EACH_USE(other)
			if (one->generator == other->generator)
				for (int k = 0; k < each; k++)
					run_history(one, other, k % 3 != 0);
}

/*
 * Never a stall: whatever the clock did, and wherever other callers were stopped
 * and go on meanwhile, a call takes no longer than two ticks, as slow as they go
 * ahead of the clock, and the time between its attempts.  Who loses a tick to another
 * call waits for one more.
 */
static void
no_stall(void)
{
	const int	each = getenv("IDTYPES_STRESS") ? 2000000 : 20000;

	FOR_EACH_USE(u)
	{
		int64_t		tick = tick_length(layout_of(u)) * 16000 / 15;
		/* or a tick of a second would take 200,000 attempts */
		int64_t		pause = tick / 250 > 5000 ? tick / 250 : 5000;
		Caller		others[CALLERS];
		int64_t		longest = 0;
		World		world;

		start_world(&world, u);
		for (int j = 0; j < CALLERS; j++)
			others[j] = new_caller(u);
		for (int n = 0; n < each; n++)
		{
			Caller		caller = new_caller(u);
			int64_t		start;
			int			lost = 0;

			if (below(20) == 0)
				disturb_clock(&world);
			pass_time(&world, below(10) == 0 ? below(5000000) : 0);
			if (below(30) == 0)
				exhaust(&world, &caller);
			start = world.mono;
			while (!act(&world, &caller))
			{
				if (below(10) == 0 && act(&world, &others[below(CALLERS)]))
				{
					lost++;
					if (below(2) == 0)
						exhaust(&world, &caller);
				}
				if (caller.phase == 0)
					pass_time(&world, pause);
			}
			CHECK(world.mono - start <= (2 * tick + 3 * pause) * (1 + lost),
				  "%s: stalled for %" PRId64 " ns, %d ticks lost", name_of(u),
				  world.mono - start, lost);
			if (lost == 0 && world.mono - start > longest)
				longest = world.mono - start;
		}
		printf("%s: longest wait %" PRId64 " us\n", name_of(u), longest / 1000);
	}
}

/*
 * A monotonic clock that is set back makes no caller wait longer than a tick anew; and
 * a caller that waits looks at the clock every millisecond at least.
 */
static void
waits(void)
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
			int64_t		pace;

			CHECK(clockword_watch(layout, &use, &watch, last, next, wall, mono) > 0,
				  "%s: does not wait", name_of(u));
			mono -= below(2) ? below(tick) : below(INT64_C(900000000000000));
			pace = clockword_watch(layout, &use, &watch, last, next, wall, mono);
			CHECK(pace > 0 && pace <= tick, "%s: waits for another %" PRId64 " ns",
				  name_of(u), pace);
			CHECK(clockword_watch(layout, &use, &watch, last, next, wall, mono + pace) <= 0,
				  "%s: waits on", name_of(u));
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

/* ----------
 * The lead, and what a failover makes of it
 * ----------
 */

/* How much is asked of the generators. */
typedef enum Load
{
	LOAD_IDLE,
	LOAD_SOME,					/* no tick is used up */
	LOAD_ALL					/* every tick is used up at once */
} Load;

/* Lets callers have their way for a time. */
static void
run_load(World *world, const UseCase *use_case, Load load, int64_t us)
{
	int64_t		end = world->mono + us * 1000;
	int64_t		tick = tick_length(world->layout);
	Caller		callers[CALLERS];

	for (int i = 0; i < CALLERS; i++)
		callers[i] = new_caller(use_case);
	while (world->mono < end)
	{
		Caller	   *caller = &callers[below(CALLERS)];

		switch (load)
		{
			case LOAD_IDLE:
				pass_time(world, end - world->mono);
				continue;
			case LOAD_SOME:
				pass_time(world, below(50 * MS * 1000));
				break;
			case LOAD_ALL:
				exhaust(world, caller);
				pass_time(world, below(tick * 200));
				break;
		}
		act(world, caller);
	}
}

/* A clock set back: the lead shrinks under any load, and then is gone. */
static void
lead_goes_away(void)
{
	FOR_EACH_USE(u)
	{
		const ClockWordLayout *layout = layout_of(u);
		int64_t		tick = tick_length(layout);
		/* a simulated second takes longer where ticks are short */
		int64_t		back = tick < MS ? 20 * MS : tick == MS ? 2 * SECOND : 8 * tick;

		for (Load load = LOAD_IDLE; load <= LOAD_ALL; load++)
		{
			World		world;
			int64_t		before;
			int64_t		passed = 0;

			start_world(&world, u);
			pass_time(&world, 4 * SECOND * 1000);
			run_load(&world, u, LOAD_ALL, 20 * tick);
			step_clock(&world, -back - layout->lead);
			before = lead_of(&world) - layout->lead;
			CHECK(before > back / 2, "%s: the clock is not behind", name_of(u));
			while (passed < back * 16)
			{
				int64_t		lead;
				int64_t		share = load == LOAD_ALL ? 16 : 1;

				run_load(&world, u, load, back / 4);
				passed += back / 4;
				lead = lead_of(&world) - layout->lead;
				CHECK(lead <= before - passed / share + 2 * tick || lead <= 0,
					  "%s: %" PRId64 " us of lead are left of %" PRId64 " after %" PRId64,
					  name_of(u), lead, before, passed);
			}
			/* a burst leads by no more than ever */
			run_load(&world, u, LOAD_ALL, 20 * tick);
			check_lead(&world, layout->lead);
		}
	}
}

/*
 * Failovers in a row, to servers whose clocks are 0.9 s apart, and crashes: no
 * word comes twice, as long as the lead had time to go away.
 */
static void
failovers(void)
{
	const int	each = getenv("IDTYPES_STRESS") ? 500 : 10;

	FOR_EACH_USE(u)
	{
		int64_t		tick = tick_length(layout_of(u));

		for (int n = 0; n < each; n++)
		{
			World		world;
			int64_t		old_mark;

			start_world(&world, u);
			/* what a standby was made of */
			old_mark = world.mark;
			for (int round = 0; round < 5; round++)
			{
				bool		crash = below(3) == 0;

				/* a burst, the time to recover from it, and another burst */
				run_load(&world, u, LOAD_ALL, 50 * tick);
				if (below(3) == 0)
					step_clock(&world, below(2 * SECOND) - SECOND);
				if (tick == MS && below(4) == 0)
					run_load(&world, u, LOAD_ALL, 60 * SECOND);
				else
					run_load(&world, u, below(2) ? LOAD_SOME : LOAD_IDLE,
							 3 * SECOND + below(SECOND));
				run_load(&world, u, LOAD_ALL, 50 * tick);
				check_lead(&world, world.layout->lead);

				/* it dies, and the other one has another clock, and another mark */
				take_the_lead(&world);
				pass_time(&world, below(10) * below(10 * MS * 1000));
				if (!crash)
					step_clock(&world, (round % 2 ? 900 : -900) * MS);
				start_server(&world, crash ? world.mark : old_mark, !crash);
			}
		}
	}
}

/*
 * Starts in a row do not add up, whatever is asked for between them; and soon after
 * the last one a server that takes over, with the same clock, repeats nothing.
 */
static void
restarts_in_a_row(void)
{
	const int64_t quick = 80 * MS;

	FOR_EACH_USE(u)
	{
		int64_t		tick = tick_length(layout_of(u));
		/* a simulated second takes longer where ticks are short */
		int64_t		scale = tick == MS ? 1 : 100;

		for (Load load = LOAD_IDLE; load <= LOAD_ALL; load++)
		{
			bool		slow = load == LOAD_ALL && scale > 1;
			int64_t		most = MARK_RESERVE + tick;
			int64_t		lead;
			World		world;

			start_world(&world, u);
			for (int n = 0; n < 30; n++)
			{
				int64_t		up = below(2) ? below(quick) : below(6 * quick);

				if (slow)
					up /= scale;
				run_load(&world, u, load, up);
				take_the_lead(&world);
				start_server(&world, world.mark, false);
				if (up < quick)
					most += MARK_RESERVE_LEAST;
				check_lead(&world, most);
			}

			lead = lead_of(&world);
			run_load(&world, u, load, slow ? 3 * SECOND / scale : 3 * SECOND);
			if (load != LOAD_ALL)
				check_lead(&world, world.layout->lead);
			else if (!slow)
				check_lead(&world, lead - 3 * SECOND / 16 + 2 * tick);
			if (slow)
				continue;
			take_the_lead(&world);
			start_server(&world, 0, true);
		}
	}
}

/* A word that comes to the end of its format stays there. */
static void
ends(void)
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
				last = next | (use.limit & counter_mask(layout));
			}
		}
		CHECK(clockword_is_at_end(layout, clockword_next(layout, &u->use,
														 clockword_before(layout, INT64_MAX), 0)),
			  "%s: has no end", name_of(u));
	}
}

/* Of a tick that holds more words than this, the last ones are gone through. */
#define MOST_WORDS (UINT64_C(1) << 22)

/* The first word of an instant; there is none before the first tick. */
static void
first_words(void)
{
	FOR_EACH_USE(u)
	{
		const ClockWordLayout *layout = layout_of(u);
		int64_t		begins = id_tick_begins(&layout->time, layout->time.first);
		uint64_t	first = clockword_at(layout, &u->use, begins);

		CHECK(first == ((uint64_t) layout->time.first << layout->counter_bits | u->use.start),
			  "%s: the first tick", name_of(u));
		CHECK(clockword_at(layout, &u->use, begins - 1) == 0, "%s: before it", name_of(u));
		CHECK(clockword_is_current(layout, first, first, begins) &&
			  !clockword_is_current(layout, first, first, begins - 1), "%s: its block", name_of(u));
		CHECK(clockword_at(layout, &u->use, INT64_MIN) == 0, "%s: long before", name_of(u));
	}
}

/* A server that generates at the clock writes a mark once a second, a second ahead of need. */
static void
renewed_marks(void)
{
	const int64_t wall = INT64_C(1800000000000000);
	const int64_t second = 1000000;

	CHECK(mark_renew_at(wall + 2 * second, wall) == wall + second, "reserved for two seconds");
	CHECK(mark_renew_at(wall + 5001, wall) == wall + 2501, "reserved for an odd number");
	CHECK(mark_leave_until(wall + 2 * second, wall, 300) == wall + 600, "fast disk");
	CHECK(mark_leave_until(wall + 2 * second, wall, second + 1) == wall + 2 * second, "slow disk");
}

/* All words that fit a tick are handed out before the next tick begins. */
static void
full_ticks(void)
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
		words = use.fine_bits < layout->counter_bits ? UINT64_C(1) << use.fine_bits :
			((use.limit >> use.low_bits) + 1) / use.step;
		first = word = clockword_at(layout, &use, wall);
		if (words > MOST_WORDS)
		{
			word += (words - MOST_WORDS) * use.step << use.low_bits;
			count += words - MOST_WORDS;
		}
		while (clockword_begins(layout, &use, clockword_next(layout, &use, word, wall)) <= wall)
		{
			uint64_t	next = clockword_next(layout, &use, word, wall);

			CHECK(next > word && !clockword_overflows(layout, &use, word, next, wall), "order");
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

/*
 * Within a tick, and while the clock lies behind, words follow each other by
 * their step: the random start is for a new tick.
 */
static void
steps(void)
{
	FOR_EACH_USE(u)
	{
		const ClockWordLayout *layout = layout_of(u);

		for (int n = 0; n < 10000; n++)
		{
			int64_t		wall = some_instant();
			ClockWordUse first = draw(u);
			ClockWordUse second = draw(u);
			uint64_t	last = clockword_at(layout, &first, wall);
			uint64_t	next = clockword_next(layout, &second, last,
											  wall - below(2) * below(5000000));

			if (next >> second.fine_bits == last >> second.fine_bits)
				CHECK((next >> second.low_bits) - (last >> second.low_bits) == second.step,
					  "%s: %" PRIx64 " after %" PRIx64, name_of(u), next, last);
			else
				CHECK((next & ((UINT64_C(1) << second.fine_bits) - 1)) == second.start,
					  "%s: %" PRIx64 " does not start where it should", name_of(u), next);
		}
	}
}

/* A word that is to start at an instant hands out nothing that begins earlier. */
static void
fresh_start(void)
{
	FOR_EACH_USE(u)
	{
		const ClockWordLayout *layout = layout_of(u);
		int64_t		tick = tick_length(layout);

		for (int n = 0; n < 10000; n++)
		{
			int64_t		floor = some_instant();
			ClockWordUse use = draw(u);
			uint64_t	next = clockword_next(layout, &use, clockword_before(layout, floor),
											  floor - below(3000000));

			CHECK(clockword_begins(layout, &use, next) >= floor, "%s: begins before its floor",
				  name_of(u));
			CHECK(clockword_begins(layout, &use, next) <= floor + (tick > MS ? tick : MS),
				  "%s: begins late", name_of(u));
		}
		CHECK(clockword_before(layout, layout->time.epoch_us) == 0, "before the epoch");
		CHECK(clockword_before(layout, INT64_MIN + 1) == 0, "long before the epoch");
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

	check_random_bytes((uint8_t *) &key, sizeof(key));
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

static void
uses(void)
{
	for (int generator = 0; generator < GENERATORS; generator++)
	{
		size_t		count = 0;

		FOR_EACH_USE(u)
			count += (int) u->generator == generator;
		CHECK(count > 0, "%s is not used", generator_info[generator].name);
	}
}

const TestCase clockword_tests[] = {
	{"clock word: every generator is used", uses},
	{"clock word: random histories", histories},
	{"clock word: no stall", no_stall},
	{"clock word: waits", waits},
	{"clock word: blocks", blocks},
	{"clock word: the lead goes away", lead_goes_away},
	{"clock word: failovers and crashes", failovers},
	{"clock word: restarts in a row", restarts_in_a_row},
	{"clock word: the end of time", ends},
	{"clock word: first words", first_words},
	{"clock word: renewed marks", renewed_marks},
	{"clock word: full ticks", full_ticks},
	{"clock word: steps within a tick", steps},
	{"clock word: fresh start", fresh_start},
	{"permute: every number once", permutation},
	{"permute: avalanche", avalanche},
	{NULL, NULL}
};
