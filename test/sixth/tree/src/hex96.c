/*-------------------------------------------------------------------------
 *
 * hex96.c
 *	  SQL functions of hex96.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/timestamp.h"

#include "core/hex96_codec.h"
#include "entropy.h"
#include "generic.h"
#include "words.h"

GENERIC_FUNCTIONS(hex96);

#define ORDER			id96
#define ORDER_SIZE		HEX96_SIZE
#include "order_bytes.h"

static Datum
make_hex96(uint64 word, uint32 tail)
{
	uint8		id[HEX96_SIZE];

	hex96_compose(word, tail, id);
	return datum_from_id(&hex96_codec, id);
}

/* The word of an instant and a counter. */
static uint64
word_of(TimestampTz ts, uint64 counter)
{
	return (uint64) tick_of_timestamp(&hex96_codec, ts) << HEX96_COUNTER_BITS | counter;
}

PG_FUNCTION_INFO_V1(hex96_generate);
Datum
hex96_generate(PG_FUNCTION_ARGS)
{
	static const WordUse use = {
		.step = 1,
		.limit = (1 << HEX96_COUNTER_BITS) - 1,
		.fine_bits = HEX96_COUNTER_BITS
	};

	return make_hex96(words_next(GENERATOR_HEX96, use, "hex96_generate()"),
					  entropy_bits(HEX96_TAIL_BITS));
}

PG_FUNCTION_INFO_V1(hex96_generate_at);
Datum
hex96_generate_at(PG_FUNCTION_ARGS)
{
	return make_hex96(word_of(PG_GETARG_TIMESTAMPTZ(0), entropy_bits(HEX96_COUNTER_BITS)),
					  entropy_bits(HEX96_TAIL_BITS));
}

PG_FUNCTION_INFO_V1(hex96_make);
Datum
hex96_make(PG_FUNCTION_ARGS)
{
	uint64		counter = check_field(&hex96_codec, "counter", PG_GETARG_INT32(1),
									  (1 << HEX96_COUNTER_BITS) - 1);

	return make_hex96(word_of(PG_GETARG_TIMESTAMPTZ(0), counter),
					  check_field(&hex96_codec, "tail", PG_GETARG_INT64(2),
								  (INT64CONST(1) << HEX96_TAIL_BITS) - 1));
}

PG_FUNCTION_INFO_V1(hex96_counter);
Datum
hex96_counter(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT32(hex96_get_counter((uint8 *) PG_GETARG_POINTER(0)));
}

PG_FUNCTION_INFO_V1(hex96_tail);
Datum
hex96_tail(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT64(hex96_get_tail((uint8 *) PG_GETARG_POINTER(0)));
}

PG_FUNCTION_INFO_V1(hex96_parts);
Datum
hex96_parts(PG_FUNCTION_ARGS)
{
	return generic_row(fcinfo, (Datum[])
					   {
						   hex96_timestamp(fcinfo), hex96_counter(fcinfo), hex96_tail(fcinfo)
					   }, NULL);
}
