/*-------------------------------------------------------------------------
 *
 * tid64.c
 *	  SQL functions of tid64.  extension/tid64.sql declares and describes each.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/timestamp.h"

#include "core/tid64_codec.h"
#include "functions/generic_functions.h"
#include "generators/settings.h"
#include "generators/clockwords.h"
#include "generators/settled.h"

GENERIC_FUNCTIONS(tid64);

PG_FUNCTION_INFO_V1(tid64_generate);
Datum
tid64_generate(PG_FUNCTION_ARGS)
{
	const ClockWordUse use = {.step = 1};
	uint64		word = clockwords_next(GENERATOR_TID64, use, "tid64_generate()");

	return make_id64(&tid64_codec, clockwords_tick(GENERATOR_TID64, word),
					 setting_node_number(SETTING_TID64_CLOCK_ID));
}

PG_FUNCTION_INFO_V1(tid64_settled);
Datum
tid64_settled(PG_FUNCTION_ARGS)
{
	TimestampTz instant;

	if (!settled_instant(GENERATOR_TID64, "tid64_settled()", &instant))
		PG_RETURN_NULL();
	return generic_first_at(&tid64_codec, instant);
}

PG_FUNCTION_INFO_V1(tid64_generate_at);
Datum
tid64_generate_at(PG_FUNCTION_ARGS)
{
	int64		us = tick_of_timestamp(&tid64_codec, PG_GETARG_TIMESTAMPTZ(0));

	return make_id64(&tid64_codec, us, setting_node_number(SETTING_TID64_CLOCK_ID));
}

PG_FUNCTION_INFO_V1(tid64_make);
Datum
tid64_make(PG_FUNCTION_ARGS)
{
	int64		us = tick_of_timestamp(&tid64_codec, PG_GETARG_TIMESTAMPTZ(0));

	return make_id64(&tid64_codec, us,
					 check_field(&tid64_codec, "clock_id", PG_GETARG_INT32(1),
								 (1 << TID64_CLOCK_BITS) - 1));
}

PG_FUNCTION_INFO_V1(tid64_clock_id);
Datum
tid64_clock_id(PG_FUNCTION_ARGS)
{
	uint8		buf[TID64_SIZE];

	PG_RETURN_INT32(tid64_get_clock_id(PG_GETARG_ID(&tid64_codec, 0, buf)));
}

PG_FUNCTION_INFO_V1(tid64_to_bigint);

/* The casts are binary-coercible, since every bigint is an id; this is their function form. */
Datum
tid64_to_bigint(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT64(PG_GETARG_INT64(0));
}

PG_FUNCTION_INFO_V1(tid64_from_integer);
Datum
tid64_from_integer(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT64(PG_GETARG_INT32(0));
}

/* Write an id as a JSON string. */
static void
format_json(const uint8_t *id, char *text)
{
	text[0] = text[TID64_COMPACT_SIZE + 1] = '"';
	tid64_format_compact(id, text + 1);
}

PG_FUNCTION_INFO_V1(tid64_to_json);

/* None of the digits needs an escape in JSON. */
Datum
tid64_to_json(PG_FUNCTION_ARGS)
{
	uint8		buf[TID64_SIZE];

	return generic_text(PG_GETARG_ID(&tid64_codec, 0, buf), format_json, TID64_COMPACT_SIZE + 2);
}

PG_FUNCTION_INFO_V1(tid64_parts);
Datum
tid64_parts(PG_FUNCTION_ARGS)
{
	return generic_row(fcinfo, (Datum[]) {tid64_timestamp(fcinfo), tid64_clock_id(fcinfo)}, NULL);
}

PG_FUNCTION_INFO_V1(tid64_compact);
Datum
tid64_compact(PG_FUNCTION_ARGS)
{
	uint8		buf[TID64_SIZE];

	return generic_text(PG_GETARG_ID(&tid64_codec, 0, buf), tid64_format_compact,
						TID64_COMPACT_SIZE);
}
