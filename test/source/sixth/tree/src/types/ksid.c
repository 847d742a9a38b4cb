/*-------------------------------------------------------------------------
 *
 * ksid.c
 *	  SQL functions of ksid.  extension/ksid.sql declares and describes each.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/timestamp.h"

#include "core/ksid_codec.h"
#include "generators/entropy.h"
#include "functions/generic_functions.h"
#include "generators/clockwords.h"
#include "generators/openxact.h"

GENERIC_FUNCTIONS(ksid);

#define ORDER			id128
#define ORDER_SIZE		KSID_SIZE
#include "functions/order_bytes_template.h"

/* An id with a random tail. */
static Datum
make_random(uint64 word)
{
	uint8		tail[KSID_TAIL_SIZE];
	uint8		id[KSID_SIZE];

	entropy_take(tail, sizeof(tail));
	ksid_compose(word, tail, id);
	return datum_from_id(&ksid_codec, id);
}

/* The clock word of an instant and a counter. */
static uint64
word_of(TimestampTz ts, uint64 counter)
{
	return (uint64) tick_of_timestamp(&ksid_codec, ts) << KSID_COUNTER_BITS | counter;
}

PG_FUNCTION_INFO_V1(ksid_generate);
Datum
ksid_generate(PG_FUNCTION_ARGS)
{
	static const ClockWordUse use = {
		.step = 1,
		.limit = PG_UINT32_MAX,
		.fine_bits = KSID_COUNTER_BITS
	};

	return make_random(clockwords_next(GENERATOR_KSID, use, "ksid_generate()"));
}

PG_FUNCTION_INFO_V1(ksid_settled);
Datum
ksid_settled(PG_FUNCTION_ARGS)
{
	TimestampTz instant;

	if (!openxact_settled(GENERATOR_KSID, "ksid_settled()", &instant))
		PG_RETURN_NULL();
	return generic_first_at(&ksid_codec, instant);
}

PG_FUNCTION_INFO_V1(ksid_generate_at);
Datum
ksid_generate_at(PG_FUNCTION_ARGS)
{
	return make_random(word_of(PG_GETARG_TIMESTAMPTZ(0), entropy_bits(KSID_COUNTER_BITS)));
}

PG_FUNCTION_INFO_V1(ksid_make);
Datum
ksid_make(PG_FUNCTION_ARGS)
{
	uint64		counter = check_field(&ksid_codec, "counter", PG_GETARG_INT64(1), PG_UINT32_MAX);
	const uint8 *tail = check_bytes(&ksid_codec, "tail", PG_GETARG_BYTEA_PP(2), KSID_TAIL_SIZE);
	uint8		id[KSID_SIZE];

	ksid_compose(word_of(PG_GETARG_TIMESTAMPTZ(0), counter), tail, id);
	return datum_from_id(&ksid_codec, id);
}

PG_FUNCTION_INFO_V1(ksid_counter);
Datum
ksid_counter(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT64(ksid_get_counter((uint8 *) PG_GETARG_POINTER(0)));
}

PG_FUNCTION_INFO_V1(ksid_tail);
Datum
ksid_tail(PG_FUNCTION_ARGS)
{
	return generic_bytes(ksid_get_tail((uint8 *) PG_GETARG_POINTER(0)), KSID_TAIL_SIZE);
}

PG_FUNCTION_INFO_V1(ksid_parts);
Datum
ksid_parts(PG_FUNCTION_ARGS)
{
	return generic_row(fcinfo, (Datum[])
					   {
						   ksid_timestamp(fcinfo), ksid_counter(fcinfo), ksid_tail(fcinfo)
					   }, NULL);
}
