/*-------------------------------------------------------------------------
 *
 * hex64.c
 *	  SQL functions of hex64.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/timestamp.h"

#include "core/hex64_codec.h"
#include "entropy.h"
#include "generic.h"
#include "words.h"

GENERIC_FUNCTIONS(hex64);

PG_FUNCTION_INFO_V1(hex64_generate);
Datum
hex64_generate(PG_FUNCTION_ARGS)
{
	static const WordUse use = {
		.step = 1,
		.limit = (1 << HEX64_COUNTER_BITS) - 1,
		.fine_bits = HEX64_COUNTER_BITS
	};

	/* the word is the payload */
	return Int64GetDatum((int64) words_next(GENERATOR_HEX64, use, "hex64_generate()"));
}

PG_FUNCTION_INFO_V1(hex64_generate_at);
Datum
hex64_generate_at(PG_FUNCTION_ARGS)
{
	return make_id64(&hex64_codec, tick_of_timestamp(&hex64_codec, PG_GETARG_TIMESTAMPTZ(0)),
					 entropy_bits(HEX64_COUNTER_BITS));
}

PG_FUNCTION_INFO_V1(hex64_make);
Datum
hex64_make(PG_FUNCTION_ARGS)
{
	return make_id64(&hex64_codec, tick_of_timestamp(&hex64_codec, PG_GETARG_TIMESTAMPTZ(0)),
					 check_field(&hex64_codec, "counter", PG_GETARG_INT32(1),
								 (1 << HEX64_COUNTER_BITS) - 1));
}

PG_FUNCTION_INFO_V1(hex64_counter);
Datum
hex64_counter(PG_FUNCTION_ARGS)
{
	uint8		buf[HEX64_SIZE];

	PG_RETURN_INT32(hex64_get_counter(PG_GETARG_ID(&hex64_codec, 0, buf)));
}

PG_FUNCTION_INFO_V1(hex64_parts);
Datum
hex64_parts(PG_FUNCTION_ARGS)
{
	return generic_row(fcinfo, (Datum[]) {hex64_timestamp(fcinfo), hex64_counter(fcinfo)}, NULL);
}
