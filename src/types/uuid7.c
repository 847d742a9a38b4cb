/*-------------------------------------------------------------------------
 *
 * uuid7.c
 *	  SQL functions of the extension idtypes_uuid, on the server's own type uuid.
 *	  extension/uuid.sql declares and describes each.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/timestamp.h"
#include "utils/uuid.h"

#include "core/uuid7_codec.h"
#include "functions/generic_functions.h"
#include "functions/order_bytes_template.h"
#include "generators/clockwords.h"
#include "generators/entropy.h"
#include "generators/settled.h"

StaticAssertDecl(UUID_LEN == UUID7_SIZE, "a uuid has the size of its codec");

GENERIC_FUNCTION(uuid_prefix, generic_prefix, uuid7_codec);
GENERIC_FUNCTION(uuid_try_prefix, generic_try_prefix, uuid7_codec);
GENERIC_FUNCTION(uuidrange_canonical, generic_range_canonical, uuid7_codec);
GENERIC_FUNCTION(uuid_range_first, generic_range_first, uuid7_codec);
GENERIC_FUNCTION(uuid_range_last, generic_range_last, uuid7_codec);
GENERIC_FUNCTION(uuid7_range_window, generic_range_window, uuid7_codec);
GENERIC_FUNCTION(uuid7_range_bounds, generic_range_bounds, uuid7_codec);
GENERIC_FUNCTION(uuid7_min, generic_min, uuid7_codec);
GENERIC_FUNCTION(uuid7_max, generic_max, uuid7_codec);

PG_FUNCTION_INFO_V1(uuid_diff);
Datum
uuid_diff(PG_FUNCTION_ARGS)
{
	PG_RETURN_FLOAT8(bytes_diff(PG_GETARG_UUID_P(0)->data, PG_GETARG_UUID_P(1)->data,
								UUID7_SIZE));
}

PG_FUNCTION_INFO_V1(uuid7_timestamp);
Datum
uuid7_timestamp(PG_FUNCTION_ARGS)
{
	const uint8 *id = PG_GETARG_UUID_P(0)->data;

	if (!uuid7_is_version7(id))
		PG_RETURN_NULL();
	PG_RETURN_TIMESTAMPTZ(timestamp_of_id(&uuid7_codec, id));
}

PG_FUNCTION_INFO_V1(uuid7_generate);
Datum
uuid7_generate(PG_FUNCTION_ARGS)
{
	const ClockWordUse use = {
		.limit = UUID7_COUNTER_LAST,
		.step = 1,
		.fine_bits = UUID7_FINE_BITS,
		.by_tick = true
	};
	uint64		word = clockwords_next(GENERATOR_UUID7, use, "uuid7_generate()");
	uint8	   *id = palloc(UUID7_SIZE);

	entropy_take(id + UUID7_SIZE / 2, UUID7_SIZE / 2);
	uuid7_compose(clockwords_tick(GENERATOR_UUID7, word),
				  clockwords_counter(GENERATOR_UUID7, word), id);
	return PointerGetDatum(id);
}

PG_FUNCTION_INFO_V1(uuid7_settled);
Datum
uuid7_settled(PG_FUNCTION_ARGS)
{
	TimestampTz instant;

	if (!settled_instant(GENERATOR_UUID7, "uuid7_settled()", &instant))
		PG_RETURN_NULL();
	return generic_first_at(&uuid7_codec, instant);
}
