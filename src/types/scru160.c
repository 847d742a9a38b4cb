/*-------------------------------------------------------------------------
 *
 * scru160.c
 *	  SQL functions of scru160.  extension/scru160.sql declares and describes each.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "core/scru160_codec.h"
#include "generators/entropy.h"
#include "server/epoch.h"
#include "functions/generic_functions.h"
#include "generators/clockwords.h"
#include "generators/settled.h"

GENERIC_FUNCTIONS(scru160);

#define ORDER			id160
#define ORDER_SIZE		SCRU160_SIZE
#include "functions/order_bytes_template.h"

static const ArgumentNames counter_uses = {
	"scru160 counter use", scru160_counter_use_names, scru160_counter_use_by_name
};

/* Return the counter use that argument n names, with a random number as its start. */
static inline ClockWordUse
draw_use(FunctionCallInfo fcinfo, int n)
{
	const Scru160CounterUse *counter = generic_arguments(fcinfo, n, 1, generic_find_name,
														 &counter_uses);

	return (ClockWordUse) {
		.start = entropy_bits(counter->random_bits),
		.limit = counter->limit,
		.step = 1,
		.fine_bits = counter->fine_bits
	};
}

static Datum
make_scru160(uint64 word)
{
	uint8		random[SCRU160_RANDOM_SIZE];
	uint8	   *id = palloc(SCRU160_SIZE);

	entropy_take(random, sizeof(random));
	scru160_compose(clockwords_tick(GENERATOR_SCRU160, word),
					clockwords_counter(GENERATOR_SCRU160, word), random, id);
	return PointerGetDatum(id);
}

PG_FUNCTION_INFO_V1(scru160_generate);
Datum
scru160_generate(PG_FUNCTION_ARGS)
{
	ClockWordUse use = draw_use(fcinfo, 0);

	return make_scru160(clockwords_next(GENERATOR_SCRU160, use, "scru160_generate()"));
}

PG_FUNCTION_INFO_V1(scru160_settled);
Datum
scru160_settled(PG_FUNCTION_ARGS)
{
	TimestampTz instant;

	if (!settled_instant(GENERATOR_SCRU160, "scru160_settled()", &instant))
		PG_RETURN_NULL();
	return generic_first_at(&scru160_codec, instant);
}

PG_FUNCTION_INFO_V1(scru160_generate_at);
Datum
scru160_generate_at(PG_FUNCTION_ARGS)
{
	TimestampTz ts = PG_GETARG_TIMESTAMPTZ(0);
	ClockWordUse use = draw_use(fcinfo, 1);
	int64		ms = tick_of_timestamp(&scru160_codec, ts);
	const ClockWordLayout *layout = &generator_info[GENERATOR_SCRU160].layout;

	/* "A generator MUST NOT generate IDs with timestamp set at zero or 2^48 - 1" */
	if (ms < layout->time.first || ms > layout->time.last)
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_FIELD_OVERFLOW),
				 errmsg("timestamp \"%s\" is reserved in type scru160", timestamptz_to_str(ts)),
				 errdetail("No id is generated for the first and the last millisecond of the "
						   "type's range.")));
	return make_scru160(clockword_at(layout, &use, us_of_timestamp(ts)));
}

PG_FUNCTION_INFO_V1(scru160_make);
Datum
scru160_make(PG_FUNCTION_ARGS)
{
	int64		ms = tick_of_timestamp(&scru160_codec, PG_GETARG_TIMESTAMPTZ(0));
	uint32		counter = check_field(&scru160_codec, "counter", PG_GETARG_INT32(1),
									  (1 << SCRU160_COUNTER_BITS) - 1);
	const uint8 *random = check_bytes(&scru160_codec, "random", PG_GETARG_BYTEA_PP(2),
									  SCRU160_RANDOM_SIZE);
	uint8		id[SCRU160_SIZE];

	scru160_compose(ms, counter, random, id);
	return datum_from_id(&scru160_codec, id);
}

PG_FUNCTION_INFO_V1(scru160_counter);
Datum
scru160_counter(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT32(scru160_get_counter((uint8 *) PG_GETARG_POINTER(0)));
}

PG_FUNCTION_INFO_V1(scru160_random);
Datum
scru160_random(PG_FUNCTION_ARGS)
{
	return generic_bytes(scru160_get_random((uint8 *) PG_GETARG_POINTER(0)),
						 SCRU160_RANDOM_SIZE);
}

PG_FUNCTION_INFO_V1(scru160_parts);
Datum
scru160_parts(PG_FUNCTION_ARGS)
{
	return generic_row(fcinfo, (Datum[])
					  {
						  scru160_timestamp(fcinfo), scru160_counter(fcinfo), scru160_random(fcinfo)
					  }, NULL);
}

PG_FUNCTION_INFO_V1(scru160_hex);
Datum
scru160_hex(PG_FUNCTION_ARGS)
{
	return generic_text((uint8 *) PG_GETARG_POINTER(0), scru160_format_hex, SCRU160_HEX_SIZE);
}
