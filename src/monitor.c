/*-------------------------------------------------------------------------
 *
 * monitor.c
 *	  What the administrator looks at: the state of the generators, and lines in
 *	  the server log.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"
#include "utils/tuplestore.h"

#include "core/mark.h"
#include "epoch.h"
#include "mark.h"
#include "monitor.h"
#include "settings.h"
#include "words.h"

/*
 * Steps of the system clock that are worth a line in the log.  One forward is
 * what harms, if it was wrong, as ids then carry times of the future; but a
 * machine that was suspended also makes some.
 */
#define STEP_BACK		USECS_PER_SEC
#define STEP_FORWARD	(5 * USECS_PER_SEC)

/*
 * Whoever first sees a step reports it.  To the server log alone: a client would
 * not expect it, and might not read it.
 */
void
monitor_clock(void)
{
	/* first, so that a process held up in here cannot put back what is outdated */
	uint64		old = pg_atomic_read_u64(&words_local.shared->wall_ahead);
	int64		before;
	int64		mono;
	int64		wall;
	int64		step;

	pg_read_barrier();
	before = clock_wall();
	mono = clock_mono() / 1000;
	wall = clock_wall();
	step = wall - mono - (int64) old;

	/* readings far apart, because of an interruption or a step, tell nothing */
	if (wall < before || wall > before + 10000)
		return;
	/* most looks see nothing new, and must not disturb who reads that memory */
	if (step > -1000 && step < 1000)
		return;
	if (!pg_atomic_compare_exchange_u64(&words_local.shared->wall_ahead, &old,
										(uint64) (wall - mono)))
		return;
	/* the first look finds nothing to compare with */
	if (old == 0)
		return;
	if (step < -STEP_BACK)
		ereport(LOG_SERVER_ONLY,
				(errmsg("the system clock was set back by %.3f s", (double) -step / USECS_PER_SEC),
				 errdetail("Identifier generators go on from where they were.")));
	if (step > STEP_FORWARD)
		ereport(LOG_SERVER_ONLY,
				(errmsg("the system clock was set forward by %.3f s",
						(double) step / USECS_PER_SEC),
				 errdetail("Identifier generators follow it, and will not go back with it."),
				 errhint("If it was wrong, set it right and call idtypes_restart_generators().")));
}

/* How far the last word handed out, or where it starts, is ahead of the clock; 0 if it is not. */
static int64
lead_of(Generator generator)
{
	const WordLayout *layout = &generator_info[generator].layout;
	/* the clock after the word: the other way round, it would seem to lead by more */
	uint64		last = words_last(&words_local.shared->words[generator]);

	return Max(word_tick_begins(layout, last) - clock_wall(), 0);
}

static Datum
interval_datum(int64 us)
{
	Interval   *interval = palloc0(sizeof(Interval));

	interval->time = us;
	return IntervalPGetDatum(interval);
}

PG_FUNCTION_INFO_V1(idtypes_generators);

/*
 * idtypes_generators(): one row per generator.
 */
Datum
idtypes_generators(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;

	InitMaterializedSRF(fcinfo, 0);
	words_attach();
	words_report();
	for (int i = 0; i < GENERATORS; i++)
	{
		const WordLayout *layout = &generator_info[i].layout;
		SharedWord *word = &words_local.shared->words[i];
		uint64		last = pg_atomic_read_u64(&word->last);
		int64		lead = lead_of(i);
		Datum		values[5 + WAIT_CAUSES];
		bool		nulls[5 + WAIT_CAUSES] = {false};

		values[0] = CStringGetTextDatum(generator_info[i].name);
		values[1] = TimestampTzGetDatum(timestamp_of_us(word_tick_begins(layout, last)));
		values[2] = interval_datum(lead);
		values[3] = interval_datum(Max(lead, layout->lead));
		values[4] = Int64GetDatum((int64) pg_atomic_read_u64(&word->generated));
		for (int cause = 0; cause < WAIT_CAUSES; cause++)
			values[5 + cause] = Int64GetDatum((int64) pg_atomic_read_u64(&word->waits[cause]));
		/* before its first id, a word holds where it will start */
		nulls[1] = nulls[2] = (last == pg_atomic_read_u64(&word->start));
		tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
	}
	return (Datum) 0;
}

/*
 * The number that goes into new ids by a setting, and where it comes from; NULL
 * where the setting stops generation.  Fills in two columns, which it returns.
 */
static int
show_number(SettingId setting, int automatic, const char *automatic_from,
			Datum *values, bool *nulls)
{
	int			value;
	const char *from;
	bool		valid = setting_look_up(setting, &value, &from);

	if (valid && from == NULL)
	{
		value = automatic;
		from = automatic_from;
	}
	nulls[0] = !valid;
	values[0] = Int32GetDatum(value);
	values[1] = CStringGetTextDatum(valid ? from : psprintf("invalid %s", from));
	return 2;
}

PG_FUNCTION_INFO_V1(idtypes_status);

/*
 * idtypes_status(): one row about the server.
 */
Datum
idtypes_status(PG_FUNCTION_ARGS)
{
	TupleDesc	tupdesc;
	Datum		values[13];
	bool		nulls[lengthof(values)] = {false};
	int			n = 0;
	WordsShared *shared;
	Mark		mark;
	int64		written;
	int64		lead = 0;

	if (get_call_result_type(fcinfo, NULL, &tupdesc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	words_attach();
	shared = words_local.shared;

	n += show_number(SETTING_SIQ_SHARD, MyProcPid % 256, "process id", values + n, nulls + n);
	n += show_number(SETTING_TID64_CLOCK_ID, shared->tid64_clock_id, "drawn at start",
					 values + n, nulls + n);
	n += show_number(SETTING_UID11_MACHINE, 0, "default", values + n, nulls + n);
	n += show_number(SETTING_ULIDFLAKE_SCALABILITY, 0, "default", values + n, nulls + n);

	/* before the first id since the start, what the file says */
	mark.before = (int64) pg_atomic_read_u64(&shared->mark);
	/* pairs with write_mark()'s: the timeline is of that mark, or a later one */
	pg_read_barrier();
	mark.timeline = shared->timeline;
	written = (int64) pg_atomic_read_u64(&shared->mark_written);
	nulls[n + 1] = (mark.before == 0);
	if (mark.before == 0)
		nulls[n] = nulls[n + 2] = !mark_read(&mark);
	values[n++] = TimestampTzGetDatum(timestamp_of_us(mark.before));
	values[n++] = TimestampTzGetDatum(timestamp_of_us(written));
	values[n++] = Int64GetDatum((int64) mark.timeline);

	for (int i = 0; i < GENERATORS; i++)
		lead = Max(lead, lead_of(i));
	values[n++] = interval_datum(lead);
	values[n++] = interval_datum(PROMOTION_MARGIN);
	Assert(n == lengthof(values));
	return HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(tupdesc), values, nulls));
}

PG_FUNCTION_INFO_V1(idtypes_restart_generators);

/*
 * idtypes_restart_generators(): one row per generator, with the stretch of time
 * whose ids may come again.
 */
Datum
idtypes_restart_generators(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	int64		from[GENERATORS];
	int64		until[GENERATORS];
	bool		any = false;

	InitMaterializedSRF(fcinfo, 0);
	words_restart(from, until);
	ereport(LOG_SERVER_ONLY,
			(errmsg("identifier generators were taken back to the system clock")));
	for (int i = 0; i < GENERATORS; i++)
	{
		Datum		values[3] = {
			CStringGetTextDatum(generator_info[i].name),
			TimestampTzGetDatum(timestamp_of_us(from[i])),
			TimestampTzGetDatum(timestamp_of_us(until[i]))
		};
		bool		nulls[3] = {false, until[i] == from[i], until[i] == from[i]};

		any |= until[i] > from[i];
		tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
	}
	if (any)
		ereport(NOTICE,
				(errmsg("standbys keep the time up to which generators were ahead"),
				 errhint("After a promotion, call idtypes_restart_generators() again.")));
	return (Datum) 0;
}
