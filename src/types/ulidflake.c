/*-------------------------------------------------------------------------
 *
 * ulidflake.c
 *	  SQL functions of ulidflake.  extension/ulidflake.sql declares and describes each.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/timestamp.h"

#include "core/ulidflake_codec.h"
#include "generators/entropy.h"
#include "functions/generic_functions.h"
#include "generators/settings.h"
#include "generators/clockwords.h"
#include "generators/settled.h"

GENERIC_FUNCTIONS(ulidflake);
GENERIC_FUNCTION(ulidflake_from_bigint, generic_from_bigint, ulidflake_codec);
GENERIC_FUNCTION(ulidflake_from_integer, generic_from_integer, ulidflake_codec);
GENERIC_FUNCTION(ulidflake_to_bigint, generic_to_bigint, ulidflake_codec);

/* Return random bits followed by the scalability, which has no bits in the stand-alone form. */
static inline uint64
draw_start(int scalability_bits, uint64 scalability)
{
	return entropy_bits(ULIDFLAKE_RANDOM_BITS - scalability_bits) << scalability_bits | scalability;
}

/*
 * Generate an id.  The first id of a millisecond gets a random number; each further
 * one adds a random step of at least 1.  Both forms share one clock word, whose
 * counter has all 20 bits; the scalable form counts in the bits above its scalability.
 */
static inline Datum
generate(int scalability_bits, uint64 scalability, const char *function)
{
	int			step_bits = setting_value(SETTING_ULIDFLAKE_INCREMENT_BITS);
	ClockWordUse use = {
		.start = draw_start(scalability_bits, scalability),
		.limit = (1 << ULIDFLAKE_RANDOM_BITS) - 1,
		.low_bits = scalability_bits,
		.fine_bits = ULIDFLAKE_RANDOM_BITS
	};

	/* uniform in 1 ... 2^bits - 1 */
	do
		use.step = step_bits == 1 ? 1 : entropy_bits(step_bits);
	while (use.step == 0);
	/* the word is the payload */
	return Int64GetDatum((int64) clockwords_next(GENERATOR_ULIDFLAKE, use, function));
}

PG_FUNCTION_INFO_V1(ulidflake_generate);
Datum
ulidflake_generate(PG_FUNCTION_ARGS)
{
	return generate(0, 0, "ulidflake_generate()");
}

PG_FUNCTION_INFO_V1(ulidflake_generate_scalable);
Datum
ulidflake_generate_scalable(PG_FUNCTION_ARGS)
{
	return generate(ULIDFLAKE_SCALABILITY_BITS, setting_node_number(SETTING_ULIDFLAKE_SCALABILITY),
					"ulidflake_generate_scalable()");
}

PG_FUNCTION_INFO_V1(ulidflake_settled);
Datum
ulidflake_settled(PG_FUNCTION_ARGS)
{
	TimestampTz instant;

	if (!settled_instant(GENERATOR_ULIDFLAKE, "ulidflake_settled()", &instant))
		PG_RETURN_NULL();
	return generic_first_at(&ulidflake_codec, instant);
}

PG_FUNCTION_INFO_V1(ulidflake_generate_at);
Datum
ulidflake_generate_at(PG_FUNCTION_ARGS)
{
	return make_id64(&ulidflake_codec,
					 tick_of_timestamp(&ulidflake_codec, PG_GETARG_TIMESTAMPTZ(0)),
					 draw_start(0, 0));
}

PG_FUNCTION_INFO_V1(ulidflake_generate_scalable_at);
Datum
ulidflake_generate_scalable_at(PG_FUNCTION_ARGS)
{
	return make_id64(&ulidflake_codec,
					 tick_of_timestamp(&ulidflake_codec, PG_GETARG_TIMESTAMPTZ(0)),
					 draw_start(ULIDFLAKE_SCALABILITY_BITS,
								setting_node_number(SETTING_ULIDFLAKE_SCALABILITY)));
}

static uint32
field_arg(FunctionCallInfo fcinfo, int n, const char *field, int bits)
{
	return check_field(&ulidflake_codec, field, PG_GETARG_INT32(n), (1 << bits) - 1);
}

PG_FUNCTION_INFO_V1(ulidflake_make);
Datum
ulidflake_make(PG_FUNCTION_ARGS)
{
	return make_id64(&ulidflake_codec,
					 tick_of_timestamp(&ulidflake_codec, PG_GETARG_TIMESTAMPTZ(0)),
					 field_arg(fcinfo, 1, "randomness", ULIDFLAKE_RANDOM_BITS));
}

PG_FUNCTION_INFO_V1(ulidflake_make_scalable);
Datum
ulidflake_make_scalable(PG_FUNCTION_ARGS)
{
	uint32		randomness = field_arg(fcinfo, 1, "randomness", ULIDFLAKE_SCALABLE_RANDOM_BITS);
	uint32		scalability = field_arg(fcinfo, 2, "scalability", ULIDFLAKE_SCALABILITY_BITS);

	return make_id64(&ulidflake_codec,
					 tick_of_timestamp(&ulidflake_codec, PG_GETARG_TIMESTAMPTZ(0)),
					 ulidflake_pack(randomness, scalability));
}

PG_FUNCTION_INFO_V1(ulidflake_randomness);
Datum
ulidflake_randomness(PG_FUNCTION_ARGS)
{
	uint8		buf[ULIDFLAKE_SIZE];

	PG_RETURN_INT32(ulidflake_get_randomness(PG_GETARG_ID(&ulidflake_codec, 0, buf)));
}

PG_FUNCTION_INFO_V1(ulidflake_parts);
Datum
ulidflake_parts(PG_FUNCTION_ARGS)
{
	return generic_row(fcinfo, (Datum[])
					   {
						   ulidflake_timestamp(fcinfo), ulidflake_randomness(fcinfo)
					   }, NULL);
}

PG_FUNCTION_INFO_V1(ulidflake_randomness_scalable);
Datum
ulidflake_randomness_scalable(PG_FUNCTION_ARGS)
{
	uint8		buf[ULIDFLAKE_SIZE];

	PG_RETURN_INT32(ulidflake_get_scalable_randomness(PG_GETARG_ID(&ulidflake_codec, 0, buf)));
}

PG_FUNCTION_INFO_V1(ulidflake_scalability);
Datum
ulidflake_scalability(PG_FUNCTION_ARGS)
{
	uint8		buf[ULIDFLAKE_SIZE];

	PG_RETURN_INT32(ulidflake_get_scalability(PG_GETARG_ID(&ulidflake_codec, 0, buf)));
}

PG_FUNCTION_INFO_V1(ulidflake_parts_scalable);
Datum
ulidflake_parts_scalable(PG_FUNCTION_ARGS)
{
	return generic_row(fcinfo, (Datum[])
					   {
						   ulidflake_timestamp(fcinfo), ulidflake_randomness_scalable(fcinfo),
						   ulidflake_scalability(fcinfo)
					   }, NULL);
}
