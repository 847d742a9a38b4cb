/*-------------------------------------------------------------------------
 *
 * clock.c
 *	  The generators' words in shared memory, and the durable time mark.
 *
 * Shared memory.  One page, made by the first process that generates an id
 * (ShmemInitStruct works in any backend as long as the server's slack lasts;
 * with shared_preload_libraries it is made at server start).  Its name and size never
 * change; its first field is the version of its layout, so that libraries of
 * two versions cannot run two clocks at once after a package upgrade.
 *
 * Who may write what:
 *
 *	words[].last	anyone, by compare-and-swap, to what core/word.h allows
 *	words[].off		anyone, by compare-and-swap, upwards
 *	wall_ahead		anyone, by compare-and-swap
 *	base, mark, renew, fast_until, xid_key, tid64_clock_id	the holder of lock
 *
 * The words come into use through base, which says which timeline they are good
 * for.  After a start (a crash restart makes new shared memory) every word is
 * set to the mark, so that its first id begins at the later of the clock and the
 * mark, and after a promotion, when another server has generated ids meanwhile,
 * to a moment ahead of the clock.
 *
 * The mark is a time on disk: every id that was ever handed out begins before
 * it.  Whoever comes close to it moves it on, two seconds ahead of the clock,
 * and while one process writes the others go on up to the old one.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <fcntl.h>
#include <unistd.h>

#include "access/xlog.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "port/pg_crc32c.h"
#include "storage/fd.h"
#include "storage/ipc.h"
#include "storage/shmem.h"
#include "utils/builtins.h"
#include "utils/tuplestore.h"

#include "clock.h"
#include "entropy.h"
#include "epoch.h"
#include "report.h"
#include "settings.h"

#define CLOCK_SHARED_NAME	"idtypes"
#define CLOCK_SHARED_SIZE	4096
#define CLOCK_SHARED_VERSION 1

StaticAssertDecl(sizeof(ClockShared) + PG_CACHE_LINE_SIZE <= CLOCK_SHARED_SIZE,
				 "the generators' shared memory has a fixed size");

/* Values of base that are no timeline. */
#define CLOCK_BASE_NONE		0	/* fresh memory */
#define CLOCK_BASE_RECOVERY PG_UINT32_MAX	/* words used while in recovery */

/* In the data directory; relative, as all of the server's paths are. */
#define MARK_FILE			"idtypes.mark"
#define MARK_FILE_NEW		"idtypes.mark.new"

/*
 * The mark is written this far ahead of the clock, and again when only the
 * spare is left, so about once a second.  Ids that are ahead of the clock
 * themselves get somewhat less, and at a start, when they may be so because of
 * the start before, little: or else quick restarts would add up.
 */
#define MARK_RESERVE		(2 * USECS_PER_SEC)
#define MARK_RESERVE_AHEAD	(USECS_PER_SEC * 3 / 2)
#define MARK_RESERVE_START	(USECS_PER_SEC / 2)
#define MARK_SPARE			(USECS_PER_SEC / 2)

/*
 * How far ahead of the clock words start after a promotion: what the lost
 * primary's tid64 and snowish may have led its clock, and a second by which the
 * clocks of the two may differ.
 */
#define PROMOTION_MARGIN	(GENERATOR_LEAD + USECS_PER_SEC)

/* Shorter waits spin: a sleep takes at least some 50 microseconds. */
#define SPIN_BELOW			50

ClockShared *clock_shared = NULL;
uint64		clock_pending[GENERATORS];
int64		clock_reported_at = 0;

/* ----------
 * Attaching
 * ----------
 */

/*
 * Finds the shared memory, or makes it.
 */
static ClockShared *
find_shared(void)
{
	ClockShared *shared;
	bool		found;

	LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
	/* ShmemInitStruct aligns to less than a cache line on some majors */
	shared = (ClockShared *)
		TYPEALIGN(PG_CACHE_LINE_SIZE,
				  ShmemInitStruct(CLOCK_SHARED_NAME, CLOCK_SHARED_SIZE, &found));
	if (!found)
	{
		memset(shared, 0, sizeof(ClockShared));
		shared->version = CLOCK_SHARED_VERSION;
		LWLockInitialize(&shared->lock, LWLockNewTrancheId());
		pg_atomic_init_u32(&shared->base, CLOCK_BASE_NONE);
		pg_atomic_init_u64(&shared->mark, 0);
		pg_atomic_init_u64(&shared->renew, 0);
		pg_atomic_init_u64(&shared->fast_until, 0);
		pg_atomic_init_u64(&shared->wall_ahead, (uint64) (PG_INT64_MIN / 2));
		for (int i = 0; i < GENERATORS; i++)
		{
			ClockWord  *word = &shared->words[i];

			pg_atomic_init_u64(&word->last, 0);
			pg_atomic_init_u64(&word->off, (uint64) PG_INT64_MIN);
			pg_atomic_init_u64(&word->generated, 0);
			pg_atomic_init_u64(&word->waits, 0);
			pg_atomic_init_u64(&word->unused, 0);
		}
	}
	LWLockRelease(AddinShmemInitLock);
	return shared;
}

static shmem_request_hook_type prev_shmem_request_hook = NULL;
static shmem_startup_hook_type prev_shmem_startup_hook = NULL;

static void
request_shmem(void)
{
	if (prev_shmem_request_hook)
		prev_shmem_request_hook();
	RequestAddinShmemSpace(CLOCK_SHARED_SIZE);
}

/* Takes what was requested, before anyone else does. */
static void
startup_shmem(void)
{
	if (prev_shmem_startup_hook)
		prev_shmem_startup_hook();
	find_shared();
}

/* Reserves the memory where the library is preloaded. */
void
clock_request_shmem(void)
{
	prev_shmem_request_hook = shmem_request_hook;
	shmem_request_hook = request_shmem;
	prev_shmem_startup_hook = shmem_startup_hook;
	shmem_startup_hook = startup_shmem;
}

static void
report_at_exit(int code, Datum arg)
{
	clock_report();
}

static void
attach_context(void *arg)
{
	errcontext("attaching the identifier generators; with idtypes in shared_preload_libraries "
			   "their memory is reserved at server start");
}

/*
 * Attaches to the shared memory.  An ERROR if there is no room to make it, or if
 * it belongs to a library of another version.
 */
static void
attach(void)
{
	ErrorContextCallback context = {.callback = attach_context,.previous = error_context_stack};
	ClockShared *shared;

	if (clock_shared != NULL)
		return;
	error_context_stack = &context;
	shared = find_shared();
	error_context_stack = context.previous;

	if (shared->version != CLOCK_SHARED_VERSION)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the identifier generators of this server belong to another version of "
						"the idtypes library"),
				 errdetail("Shared memory has layout %u, this library uses %u.",
						   shared->version, CLOCK_SHARED_VERSION),
				 errhint("Restart the server to finish the upgrade.")));
	LWLockRegisterTranche(shared->lock.tranche, CLOCK_SHARED_NAME);
	before_shmem_exit(report_at_exit, (Datum) 0);
	clock_shared = shared;
}

/*
 * Adds what this process handed out to the shared counts.
 */
void
clock_report(void)
{
	for (int i = 0; i < GENERATORS; i++)
	{
		if (clock_pending[i] > 0)
			pg_atomic_fetch_add_u64(&clock_shared->words[i].generated, clock_pending[i]);
		clock_pending[i] = 0;
	}
}

/* ----------
 * Watching the system clock
 * ----------
 */

static int64
clock_mono(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64) ts.tv_sec * USECS_PER_SEC + ts.tv_nsec / 1000;
}

/*
 * Compares the system clock with the monotonic one, and tells the server log
 * when it was set back by more than a second.  For the administrator only:
 * generators need not know.  Whoever first sees a step reports it.
 */
static void
watch_clock(void)
{
	/* first, so that a process held up in here cannot put back what is outdated */
	uint64		old = pg_atomic_read_u64(&clock_shared->wall_ahead);
	int64		before = clock_wall();
	int64		mono = clock_mono();
	int64		wall = clock_wall();
	int64		ahead = wall - mono;

	/* readings far apart, because of an interruption or a step, tell nothing */
	if (wall < before || wall > before + 10000)
		return;
	/* most looks see nothing new, and must not disturb who reads that memory */
	if (ahead > (int64) old - 1000 && ahead < (int64) old + 1000)
		return;
	if (pg_atomic_compare_exchange_u64(&clock_shared->wall_ahead, &old, (uint64) ahead) &&
		(int64) old > ahead + USECS_PER_SEC)
		ereport(LOG,
				(errmsg("the system clock was set back by %.3f s",
						(double) ((int64) old - ahead) / USECS_PER_SEC),
				 errdetail("Identifier generators go on from where they were.")));
}

/* ----------
 * The durable mark
 * ----------
 */

/* One line of text, so that it can be read, and checked by its CRC. */
#define MARK_FORMAT "idtypes 1: ids before " INT64_FORMAT " us, timeline %u, crc "
#define MARK_MAX	128

static uint32
mark_crc(const char *line, size_t len)
{
	pg_crc32c	crc;

	INIT_CRC32C(crc);
	COMP_CRC32C(crc, line, len);
	FIN_CRC32C(crc);
	return crc;
}

/*
 * Reads the mark and the timeline that it was written on.  Without a file both
 * are as on a new cluster.  A file that is not intact is an ERROR: it is never
 * written in place, so it tells of a damaged disk, and going on without it
 * could repeat ids.
 */
static void
read_mark(int64 *mark, uint32 *timeline)
{
	int			fd = OpenTransientFile(MARK_FILE, O_RDONLY | PG_BINARY);
	char		line[MARK_MAX];
	char		expected[MARK_MAX];
	ssize_t		len;

	*mark = 0;
	*timeline = 1;
	if (fd < 0)
	{
		if (errno == ENOENT)
			return;
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not open file \"%s\": %m", MARK_FILE)));
	}
	len = read(fd, line, sizeof(line) - 1);
	if (len < 0)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not read file \"%s\": %m", MARK_FILE)));
	CloseTransientFile(fd);
	line[len] = '\0';

	if (sscanf(line, MARK_FORMAT, mark, timeline) == 2)
	{
		int			body = snprintf(expected, sizeof(expected), MARK_FORMAT, *mark, *timeline);

		snprintf(expected + body, sizeof(expected) - body, "%08x\n", mark_crc(expected, body));
		if (strcmp(line, expected) == 0)
			return;
	}
	ereport(ERROR,
			(errcode(ERRCODE_DATA_CORRUPTED),
			 errmsg("file \"%s\" in the data directory is damaged", MARK_FILE),
			 errdetail("It holds the time up to which identifiers may have been handed out."),
			 errhint("If the system clock is right and was never ahead, remove the file; "
					 "generators then start at the clock.")));
}

/*
 * Makes a mark durable.  The caller holds the lock.
 */
static void
write_mark(int64 mark, uint32 timeline)
{
	int			fd = OpenTransientFile(MARK_FILE_NEW, O_WRONLY | O_CREAT | O_TRUNC | PG_BINARY);
	char		line[MARK_MAX];
	int			len;

	if (fd < 0)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not create file \"%s\": %m", MARK_FILE_NEW)));
	len = snprintf(line, sizeof(line), MARK_FORMAT, mark, timeline);
	len += snprintf(line + len, sizeof(line) - len, "%08x\n", mark_crc(line, len));
	errno = 0;
	if (write(fd, line, len) != len)
	{
		/* if write didn't set errno, assume problem is no disk space */
		if (errno == 0)
			errno = ENOSPC;
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not write file \"%s\": %m", MARK_FILE_NEW)));
	}
	if (CloseTransientFile(fd) != 0)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not close file \"%s\": %m", MARK_FILE_NEW)));
	/* this also makes the file's content durable, before the rename */
	durable_rename(MARK_FILE_NEW, MARK_FILE, ERROR);
}

/*
 * Reserves time for words that begin at an instant and later: makes a new mark
 * durable, then publishes it.  The caller holds the lock.
 */
static void
move_mark(int64 begins, int64 reserve, uint32 base)
{
	int64		mark = Max(begins + reserve, clock_wall() + MARK_RESERVE);
	int64		spare = Min(MARK_SPARE, (mark - begins) / 2);

	watch_clock();
	write_mark(mark, base);
	pg_atomic_write_u64(&clock_shared->mark, (uint64) mark);
	pg_atomic_write_u64(&clock_shared->renew, (uint64) (mark - spare));
	/* in recovery every call takes the slow path, to notice its end */
	pg_atomic_write_u64(&clock_shared->fast_until,
						base == CLOCK_BASE_RECOVERY ? 0 : (uint64) (mark - spare));
}

/*
 * Moves the mark on for a word that begins at an instant close to it or beyond.
 * In the first case one process does, and the others need not wait for it.
 */
static void
extend_mark(int64 begins)
{
	if (begins >= (int64) pg_atomic_read_u64(&clock_shared->mark))
		LWLockAcquire(&clock_shared->lock, LW_EXCLUSIVE);
	else if (!LWLockConditionalAcquire(&clock_shared->lock, LW_EXCLUSIVE))
		return;
	/* unless another process just did */
	if (begins >= (int64) pg_atomic_read_u64(&clock_shared->renew))
		move_mark(begins, MARK_RESERVE_AHEAD, pg_atomic_read_u32(&clock_shared->base));
	LWLockRelease(&clock_shared->lock);
}

/* ----------
 * Bringing the words into use
 * ----------
 */

/* Raises an atomic to a value, as a number of the given order. */
static void
raise_word(pg_atomic_uint64 *last, uint64 value)
{
	uint64		old = pg_atomic_read_u64(last);

	while (old < value && !pg_atomic_compare_exchange_u64(last, &old, value))
		;
}

static void
raise_off(pg_atomic_uint64 *off, int64 value)
{
	uint64		old = pg_atomic_read_u64(off);

	while ((int64) old < value && !pg_atomic_compare_exchange_u64(off, &old, (uint64) value))
		;
}

/* What base should be now. */
static uint32
current_base(void)
{
	return RecoveryInProgress() ? CLOCK_BASE_RECOVERY : GetWALInsertionTimeLine();
}

/*
 * Makes the words good for the server's present state, after a start or a
 * promotion.
 */
static void
settle_base(void)
{
	uint32		base;
	uint32		timeline;
	int64		mark;
	int64		wall;
	int64		mono;
	int64		floor;

	LWLockAcquire(&clock_shared->lock, LW_EXCLUSIVE);
	base = current_base();
	timeline = pg_atomic_read_u32(&clock_shared->base);
	if (timeline == base)
	{
		LWLockRelease(&clock_shared->lock);
		return;
	}
	mark = (int64) pg_atomic_read_u64(&clock_shared->mark);
	if (timeline == CLOCK_BASE_NONE)
	{
		read_mark(&mark, &timeline);
		entropy_take(&clock_shared->xid_key, sizeof(PermuteKey));
		clock_shared->tid64_clock_id = (uint32) entropy_bits(5);
	}

	wall = clock_wall();
	mono = clock_mono();
	floor = mark;
	if (base != timeline && base != CLOCK_BASE_RECOVERY)
		floor = Max(floor, wall + PROMOTION_MARGIN);
	for (int i = 0; i < GENERATORS; i++)
	{
		const IdTime *time = &generator_info[i].layout.time;
		ClockWord  *word = &clock_shared->words[i];
		/* the first tick that is free, and due at once even where it is yet to come */
		int64		start = id_tick_begins(time, id_tick_at(time, floor - 1) + 1);

		raise_word(&word->last, word_before(&generator_info[i].layout, floor));
		raise_off(&word->off, Max(start, wall) - (mono + 1));
		pg_atomic_write_u64(&word->unused, pg_atomic_read_u64(&word->last));
	}
	move_mark(Max(floor, wall), MARK_RESERVE_START, base);
	if (mark > wall + 2 * MARK_RESERVE)
		ereport(LOG,
				(errmsg("identifier generators start %.3f s ahead of the system clock",
						(double) (mark - wall) / USECS_PER_SEC),
				 errdetail("File \"%s\" says that ids up to that time may have been handed out.",
						   MARK_FILE)));
	pg_atomic_write_u32(&clock_shared->base, base);
	LWLockRelease(&clock_shared->lock);
}

/*
 * Attaches, and makes sure that the words, and what is drawn at start, are good
 * for use.
 */
void
clock_settle(void)
{
	uint32		base;

	attach();
	base = pg_atomic_read_u32(&clock_shared->base);
	if (unlikely(base == CLOCK_BASE_NONE ||
				 (base == CLOCK_BASE_RECOVERY && !RecoveryInProgress())))
		settle_base();
}

/* ----------
 * The next word, off the common path
 * ----------
 */

/*
 * A clock before the format's epoch matters only to a word that has never been
 * in use: any other one goes on from where it is.
 */
static void
check_range(const GeneratorInfo *info, int64 wall, uint64 last, uint64 next)
{
	const WordLayout *layout = &info->layout;
	const IdTime *time = &layout->time;
	int64		first = id_tick_begins(time, time->first);

	if ((wall < first && last == 0) || wall >= id_tick_begins(time, time->last + 1) ||
		(int64) (next >> layout->counter_bits) > time->last)
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_FIELD_OVERFLOW),
				 errmsg("the system clock is out of range for generator \"%s\"", info->name),
				 errdetail("It generates ids for %lld to %lld seconds since 1970.",
						   (long long) (first / USECS_PER_SEC),
						   (long long) (id_tick_begins(time, time->last) / USECS_PER_SEC))));
}

/*
 * As clock_next(), which tried and failed.
 */
uint64
clock_next_slow(Generator generator, const WordUse *use)
{
	const GeneratorInfo *info = &generator_info[generator];
	const WordLayout *layout = &info->layout;
	ClockWord  *word;
	uint64		last;
	uint64		next;
	int64		wall;
	bool		overflow_is_error = setting_overflow_is_error();
	bool		watched = false;
	bool		waited = false;
	bool		stepped = false;

	for (;;)
	{
		int64		begins;
		int64		wait;

		CHECK_FOR_INTERRUPTS();
		clock_settle();
		word = &clock_shared->words[generator];
		last = pg_atomic_read_u64(&word->last);
		/* before the monotonic clock, as core/word.h asks */
		pg_read_barrier();
		wall = clock_wall();
		next = word_next(layout, use, last, wall);
		check_range(info, wall, last, next);
		begins = word_begins(layout, use, next);
		wait = word_wait(layout, begins, wall);

		if (wait > 0)
		{
			int64		mono = clock_mono();
			int64		old_off = (int64) pg_atomic_read_u64(&word->off);
			/* mono was cut to whole microseconds, which must not count twice */
			int64		off = word_off(layout, last, mono + 1, old_off);

			raise_off(&word->off, off);
			/* off may also have stayed behind at a step forward, which makes nobody wait */
			if (off != old_off && word_wait(layout, word_begins(layout, use, last), wall) > 0)
				stepped = true;
			wait = Min(wait, word_wait(layout, begins, mono + off));
			if (!watched)
				watch_clock();
			watched = true;
			if (wait > 0)
			{
				/* having to wait because of a step of the clock is no overflow */
				if (overflow_is_error && !stepped &&
					word_overflows(layout, use, last, next, Max(wall, mono + off)))
					ereport(ERROR,
							(errcode(ERRCODE_SEQUENCE_GENERATOR_LIMIT_EXCEEDED),
							 errmsg("generator \"%s\" has used up the ids of this instant",
									info->name),
							 errdetail("The next can be generated in " INT64_FORMAT " us.", wait),
							 errhint("Try again, or set idtypes.on_overflow to wait.")));
				if (!waited)
					pg_atomic_fetch_add_u64(&word->waits, 1);
				waited = true;
				if (wait >= SPIN_BELOW)
					pg_usleep(Min(wait, 1000));
				continue;
			}
		}
		if (begins >= (int64) pg_atomic_read_u64(&clock_shared->renew))
		{
			extend_mark(begins);
			if (begins >= (int64) pg_atomic_read_u64(&clock_shared->mark))
				continue;
		}
		if (pg_atomic_compare_exchange_u64(&word->last, &last, next))
			break;
		clock_back_off();
	}
	clock_count(generator, wall);
	return next;
}

/* ----------
 * Looking at it
 * ----------
 */

PG_FUNCTION_INFO_V1(idtypes_generators);

/*
 * idtypes_generators(): one row per generator.
 */
Datum
idtypes_generators(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;

	InitMaterializedSRF(fcinfo, 0);
	attach();
	clock_report();
	for (int i = 0; i < GENERATORS; i++)
	{
		const WordLayout *layout = &generator_info[i].layout;
		ClockWord  *word = &clock_shared->words[i];
		uint64		last = pg_atomic_read_u64(&word->last);
		uint64		generated = pg_atomic_read_u64(&word->generated);
		int64		begins = id_tick_begins(&layout->time,
											(int64) (last >> layout->counter_bits));
		/* after the word: the other way round, it would seem to lead by more */
		int64		wall = clock_wall();
		Interval   *lead = palloc0(sizeof(Interval));
		Datum		values[5];
		bool		nulls[5] = {false};

		lead->time = Max(begins - wall, 0);
		values[0] = CStringGetTextDatum(generator_info[i].name);
		values[1] = TimestampTzGetDatum(timestamp_of_us(begins));
		values[2] = IntervalPGetDatum(lead);
		values[3] = Int64GetDatum((int64) generated);
		values[4] = Int64GetDatum((int64) pg_atomic_read_u64(&word->waits));
		/* before its first id, a word holds where it will start */
		nulls[1] = nulls[2] = (last == pg_atomic_read_u64(&word->unused));
		tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
	}
	return (Datum) 0;
}
