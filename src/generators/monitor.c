/*-------------------------------------------------------------------------
 *
 * monitor.c
 *	  SQL functions for the administrator: show the state of the generators, restart
 *	  and advance them.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "funcapi.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"
#include "utils/tuplestore.h"

#include "generators/clock.h"
#include "core/mark.h"
#include "server/epoch.h"
#include "server/report.h"
#include "generators/openxact.h"
#include "generators/reserve.h"
#include "generators/shared.h"

/* Microseconds by which a generator's last word is ahead of the clock; 0 if it is not. */
static int64
lead_of(Generator generator)
{
	const ClockWordLayout *layout = &generator_info[generator].layout;
	/* read the word before the clock: in the other order, the lead would seem larger */
	uint64		last = shared_last(&clockwords_local.shared->words[generator]);

	return Max(clockword_tick_begins(layout, last) - clock_wall(), 0);
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
	shared_attach();
	shared_report();
	for (int i = 0; i < GENERATORS; i++)
	{
		const ClockWordLayout *layout = &generator_info[i].layout;
		SharedClockWord *word = &clockwords_local.shared->words[i];
		/* the barrier in shared_last() orders this before the read of start below */
		uint64		last = shared_last(word);
		int64		lead = lead_of(i);
		int64		open_begins;
		int			open_pid;
		Datum		values[7 + WAIT_CAUSES];
		bool		nulls[lengthof(values)] = {false};

		values[0] = CStringGetTextDatum(generator_info[i].name);
		values[1] = TimestampTzGetDatum(timestamp_of_us(clockword_tick_begins(layout, last)));
		values[2] = interval_datum(lead);
		values[3] = interval_datum(Max(lead, layout->lead));
		values[4] = Int64GetDatum((int64) pg_atomic_read_u64(&word->generated));
		for (int cause = 0; cause < WAIT_CAUSES; cause++)
			values[5 + cause] = Int64GetDatum((int64) pg_atomic_read_u64(&word->waits[cause]));
		nulls[5 + WAIT_CAUSES] = !openxact_oldest(i, &open_begins, &open_pid);
		nulls[6 + WAIT_CAUSES] = nulls[5 + WAIT_CAUSES] || open_pid == 0;
		values[5 + WAIT_CAUSES] = TimestampTzGetDatum(timestamp_of_us(open_begins));
		values[6 + WAIT_CAUSES] = Int32GetDatum(open_pid);
		/* no id handed out since: last is where the generator starts; read after last */
		nulls[1] = nulls[2] = (last <= pg_atomic_read_u64(&word->start));
		tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
	}
	return (Datum) 0;
}

PG_FUNCTION_INFO_V1(idtypes_status);

/*
 * idtypes_status(): one row about the server.
 */
Datum
idtypes_status(PG_FUNCTION_ARGS)
{
	TupleDesc	tupdesc;
	Datum		values[6];
	bool		nulls[lengthof(values)] = {false};
	Mark		mark;
	int64		written;
	int64		lead = 0;

	if (get_call_result_type(fcinfo, NULL, &tupdesc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	shared_attach();

	for (int i = 0; i < GENERATORS; i++)
		lead = Max(lead, lead_of(i));

	/* before the first id since the server start, the mark in the file */
	nulls[1] = nulls[3] = !reserve_mark(&mark, &written);
	nulls[2] = written == 0;
	values[0] = CStringGetTextDatum(IDTYPES_VERSION);
	values[1] = TimestampTzGetDatum(timestamp_of_us(mark.before));
	values[2] = TimestampTzGetDatum(timestamp_of_us(written));
	values[3] = Int64GetDatum((int64) mark.timeline);
	values[4] = interval_datum(lead);
	values[5] = interval_datum(PROMOTION_MARGIN);
	return HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(tupdesc), values, nulls));
}

PG_FUNCTION_INFO_V1(idtypes_restart_generators);

/*
 * idtypes_restart_generators(): one row per generator, with the interval whose ids
 * may be generated again.
 */
Datum
idtypes_restart_generators(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	int64		from[GENERATORS];
	int64		until[GENERATORS];
	bool		any = false;

	InitMaterializedSRF(fcinfo, 0);
	reserve_restart(from, until);
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

/*
 * Select the generator of a name, or all generators if name is NULL.  Throws an error if
 * there is no such generator.
 */
static void
select_generators(const char *name, bool selected[GENERATORS])
{
	StringInfoData known;
	bool		any = false;

	initStringInfo(&known);
	for (int i = 0; i < GENERATORS; i++)
	{
		selected[i] = name == NULL || strcmp(name, generator_info[i].name) == 0;
		any |= selected[i];
		appendStringInfo(&known, "%s%s", i > 0 ? ", " : "", generator_info[i].name);
	}
	if (!any)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("unknown generator \"%s\"", name),
				 errhint("Known ones are: %s.", known.data)));
}

/*
 * Throw an error if the generators must not be advanced to an instant when the system
 * clock shows wall (microseconds since 1970): if the instant is infinite, more than
 * at_most after wall, or so late that a generator has no later tick.  Check the generators
 * that are not selected, too, unless the clock is past their end: after the next server
 * start, all generators start at the mark, which is later than the instant.
 */
static void
check_advance(TimestampTz instant, Interval *at_most, const bool selected[GENERATORS], int64 wall)
{
	TimestampTz now = timestamp_of_us(wall);
	TimestampTz latest;

	if (TIMESTAMP_NOT_FINITE(instant))
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_FIELD_OVERFLOW),
				 errmsg("identifier generators cannot be advanced to timestamp \"%s\"",
						show_instant(instant))));

	latest = DatumGetTimestampTz(DirectFunctionCall2(timestamptz_pl_interval,
													 TimestampTzGetDatum(now),
													 IntervalPGetDatum(at_most)));
	if (instant > latest)
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_FIELD_OVERFLOW),
				 errmsg("timestamp \"%s\" is too far ahead of the system clock to advance "
						"identifier generators", show_instant(instant)),
				 errdetail("The clock is at %s, which at_most allows to pass up to %s.",
						   show_instant(now), show_instant(latest)),
				 errhint("If the clock and the timestamp are right, pass a larger at_most.")));

	for (int i = 0; i < GENERATORS; i++)
	{
		const IdTime *time = &generator_info[i].layout.time;
		int64		end = id_tick_begins(time, time->last);

		/* the last tick is never handed out, so the one before it must remain */
		if ((selected[i] || wall < end) &&
			id_tick_at(time, us_of_timestamp(instant)) + 1 >= time->last)
			ereport(ERROR,
					(errcode(ERRCODE_DATETIME_FIELD_OVERFLOW),
					 errmsg("timestamp \"%s\" is past the end of generator \"%s\"",
							show_instant(instant), generator_info[i].name),
					 errdetail("It generates ids up to %s; and after the next start of the server, "
							   "all generators begin where one was advanced to.",
							   show_instant(timestamp_of_us(end)))));
	}
}

/*
 * Throw an error if argument n is NULL.  The function is not strict: a call that guards
 * against repeats must not silently do nothing, as with the maximum of an empty table.
 */
static void
refuse_null(FunctionCallInfo fcinfo, int n, const char *name)
{
	if (PG_ARGISNULL(n))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("argument \"%s\" of idtypes_advance_generators() must not be null", name),
				 errdetail("No generator was advanced."),
				 n == 0 ? errhint("The largest id of an empty table is null; skip such a table.") :
				 0));
}

PG_FUNCTION_INFO_V1(idtypes_advance_generators);

/*
 * idtypes_advance_generators(instant timestamptz, at_most interval, for_generator text):
 * one row for each selected generator, with the lower bound of the time of its next ids.
 */
Datum
idtypes_advance_generators(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	TimestampTz instant;
	bool		selected[GENERATORS];
	int64		starts[GENERATORS];
	int64		wall = clock_wall();

	InitMaterializedSRF(fcinfo, 0);
	refuse_null(fcinfo, 0, "instant");
	refuse_null(fcinfo, 1, "at_most");
	instant = PG_GETARG_TIMESTAMPTZ(0);
	select_generators(PG_ARGISNULL(2) ? NULL : text_to_cstring(PG_GETARG_TEXT_PP(2)), selected);
	check_advance(instant, PG_GETARG_INTERVAL_P(1), selected, wall);
	if (reserve_advance(us_of_timestamp(instant), selected, starts))
	{
		ereport(LOG_SERVER_ONLY,
				(errmsg("identifier generators were advanced past %s", show_instant(instant))));
		if (instant > timestamp_of_us(wall))
			ereport(NOTICE,
					(errmsg("standbys do not learn how far generators were advanced"),
					 errhint("After a promotion, call idtypes_advance_generators() again.")));
	}
	for (int i = 0; i < GENERATORS; i++)
	{
		Datum		values[2];
		bool		nulls[2] = {false};

		if (!selected[i])
			continue;
		values[0] = CStringGetTextDatum(generator_info[i].name);
		values[1] = TimestampTzGetDatum(timestamp_of_us(starts[i]));
		tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
	}
	return (Datum) 0;
}
