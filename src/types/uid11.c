/*-------------------------------------------------------------------------
 *
 * uid11.c
 *	  SQL functions of uid11.  extension/uid11.sql declares and describes each.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "utils/builtins.h"
#include "utils/numeric.h"
#include "utils/timestamp.h"

#include "core/permute.h"
#include "core/uid11_codec.h"
#include "generators/entropy.h"
#include "functions/generic_functions.h"
#include "generators/settings.h"
#include "generators/clockwords.h"
#include "generators/settled.h"

GENERIC_FUNCTIONS(uid11);
GENERIC_FUNCTION(uid11_from_bigint, generic_from_bigint, uid11_codec);
GENERIC_FUNCTION(uid11_from_integer, generic_from_integer, uid11_codec);
GENERIC_FUNCTION(uid11_to_bigint, generic_to_bigint, uid11_codec);
GENERIC_FUNCTION(uid11_from_numeric, generic_from_numeric, uid11_codec);
GENERIC_FUNCTION(uid11_to_numeric, generic_to_numeric, uid11_codec);

StaticAssertDecl(PERMUTE_BITS == UID11_XID_RANDOM_BITS, "xid permutes its random field");

static const ArgumentNames profiles = {
	"uid11 profile", uid11_profile_names, uid11_profile_by_name
};

static const Uid11Profile *
profile_arg(FunctionCallInfo fcinfo, int n)
{
	return generic_arguments(fcinfo, n, 1, generic_find_name, &profiles);
}

/* ----------
 * Generating
 * ----------
 */

/*
 * Return the machine field, shifted to its place in the 22 bits below the time, or
 * 0 for a profile without one.
 */
static uint32
own_machine(const Uid11Profile *profile)
{
	if (profile->machine_bits == 0)
		return 0;
	return (uint32) setting_node_number(SETTING_UID11_MACHINE)
		<< (profile->sequence_bits + profile->random_bits);
}

/*
 * Generate an id of a profile with a sequence.  The machine field identifies the server,
 * the sequence is the counter of the clock word, and the remaining bits are random.
 */
static pg_always_inline Datum
generate_sequence(Generator generator, const Uid11Profile *profile)
{
	int			counter_bits = generator_info[generator].layout.counter_bits;
	const ClockWordUse use = {
		.step = 1,
		.limit = (UINT64CONST(1) << counter_bits) - 1,
		.fine_bits = counter_bits
	};
	uint64		word = clockwords_next(generator, use, "uid11_generate()");
	uint32		rest = own_machine(profile);

	rest |= (uint32) clockwords_counter(generator, word) << profile->random_bits;
	if (profile->random_bits > 0)
		rest |= entropy_bits(profile->random_bits);
	return make_id64(&uid11_codec, clockwords_tick(generator, word), rest);
}

/*
 * The random field of an xid is a permuted counter.  Within a millisecond it does not
 * repeat, because the counter does not; it cannot be guessed, because only this server
 * knows the permutation.  The order of the field has no meaning, so each process takes
 * a block of counters at a time.
 */
#define XID_BLOCK	64

StaticAssertDecl(sizeof(PermuteKey) <= SHARED_RANDOM * sizeof(uint64),
				 "the key of an xid does not fit the random numbers of a generator");

static Datum
generate_xid(void)
{
	const ClockWordUse use = {
		.start = XID_BLOCK - 1,
		.step = XID_BLOCK,
		.limit = (1 << PERMUTE_BITS) - 1,
		.fine_bits = PERMUTE_BITS
	};
	uint64		word = clockwords_next_of_block(GENERATOR_XID, use, "uid11_generate()");
	int64		tick = clockwords_tick(GENERATOR_XID, word);

	return make_id64(&uid11_codec, tick,
					 permute22((const PermuteKey *) shared_random(GENERATOR_XID), tick,
							   clockwords_counter(GENERATOR_XID, word)));
}

PG_FUNCTION_INFO_V1(uid11_generate);
Datum
uid11_generate(PG_FUNCTION_ARGS)
{
	const Uid11Profile *profile = profile_arg(fcinfo, 0);

	switch (profile->id)
	{
		case UID11_XID:
			return generate_xid();
		case UID11_FULLRAND:
			return Int64GetDatum((int64) entropy_bits(profile->random_bits));
		case UID11_SNOWISH:
			return generate_sequence(GENERATOR_SNOWISH, profile);
		case UID11_TS_SEQ_RAND:
			return generate_sequence(GENERATOR_TS_SEQ_RAND, profile);
	}
	elog(ERROR, "unrecognized uid11 profile: \"%s\"", profile->name);
}

/* Raise an error if ids of a profile have no time. */
static void
check_has_time(const Uid11Profile *profile)
{
	if (profile->time_bits == 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("uid11 profile \"%s\" holds no time", profile->name)));
}

PG_FUNCTION_INFO_V1(uid11_settled);
Datum
uid11_settled(PG_FUNCTION_ARGS)
{
	const Uid11Profile *profile = profile_arg(fcinfo, 0);
	Generator	generator = GENERATOR_XID;
	TimestampTz instant;

	check_has_time(profile);
	if (profile->id == UID11_SNOWISH)
		generator = GENERATOR_SNOWISH;
	else if (profile->id == UID11_TS_SEQ_RAND)
		generator = GENERATOR_TS_SEQ_RAND;
	if (!settled_instant(generator, "uid11_settled()", &instant))
		PG_RETURN_NULL();
	return generic_first_at(&uid11_codec, instant);
}

/* ----------
 * Making ids of given fields
 * ----------
 */

/* Return the tick of an instant; raise an error if the profile cannot hold the instant. */
static int64
tick_in_profile(TimestampTz ts, const Uid11Profile *profile)
{
	int64		tick;

	check_has_time(profile);
	tick = tick_of_timestamp(&uid11_codec, ts);
	if (!uid11_fits(profile, (uint64) tick << UID11_REST_BITS))
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_FIELD_OVERFLOW),
				 errmsg("timestamp \"%s\" is out of range for profile \"%s\" of type uid11",
						timestamptz_to_str(ts), profile->name),
				 errdetail("The profile has %d bits of milliseconds.", profile->time_bits)));
	return tick;
}

PG_FUNCTION_INFO_V1(uid11_generate_at);
Datum
uid11_generate_at(PG_FUNCTION_ARGS)
{
	const Uid11Profile *profile = profile_arg(fcinfo, 1);
	int64		tick = tick_in_profile(PG_GETARG_TIMESTAMPTZ(0), profile);

	return make_id64(&uid11_codec, tick, own_machine(profile) |
					 entropy_bits(profile->sequence_bits + profile->random_bits));
}

/* Compare a numeric, which may be infinite or NaN, with a number: return -1, 0 or 1. */
static int
compare_numeric(Datum value, int64 with)
{
	return DatumGetInt32(DirectFunctionCall2(numeric_cmp, value,
											 NumericGetDatum(int64_to_numeric(with))));
}

PG_FUNCTION_INFO_V1(uid11_make);
Datum
uid11_make(PG_FUNCTION_ARGS)
{
	const Uid11Profile *profile = profile_arg(fcinfo, 2);
	int64		tick = tick_in_profile(PG_GETARG_TIMESTAMPTZ(0), profile);
	const int64 last = (1 << UID11_REST_BITS) - 1;

	/* numeric, as uid11_parts() returns the random field, which has 64 bits in fullrand */
	Datum		rest = PG_GETARG_DATUM(1);

	if (compare_numeric(rest, 0) < 0 || compare_numeric(rest, last) > 0)
		report_field(&uid11_codec, "rest",
					 DatumGetCString(DirectFunctionCall1(numeric_out, rest)), last);
	return make_id64(&uid11_codec, tick,
					 (uint64) DatumGetInt64(DirectFunctionCall1(numeric_int8, rest)));
}

/* ----------
 * Fields of an id
 * ----------
 */

/* Return the profile that the second argument names; raise an error unless the id may have it. */
static const Uid11Profile *
profile_of_arg(FunctionCallInfo fcinfo)
{
	const Uid11Profile *profile = profile_arg(fcinfo, 1);

	if (!uid11_fits(profile, (uint64) PG_GETARG_INT64(0)))
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("uid11 \"%s\" is not of profile \"%s\"",
						DatumGetCString(DirectFunctionCall1(uid11_out, PG_GETARG_DATUM(0))),
						profile->name),
				 errdetail(DETAIL_RESERVED_BITS)));
	return profile;
}

static Datum
numeric_of_uint64(uint64 value)
{
	return DirectFunctionCall3(numeric_in, CStringGetDatum(psprintf(UINT64_FORMAT, value)),
							   ObjectIdGetDatum(InvalidOid), Int32GetDatum(-1));
}

PG_FUNCTION_INFO_V1(uid11_timestamp_profile);
Datum
uid11_timestamp_profile(PG_FUNCTION_ARGS)
{
	if (profile_of_arg(fcinfo)->time_bits == 0)
		PG_RETURN_NULL();
	return uid11_timestamp(fcinfo);
}

PG_FUNCTION_INFO_V1(uid11_random);
Datum
uid11_random(PG_FUNCTION_ARGS)
{
	const Uid11Profile *profile = profile_of_arg(fcinfo);
	Uid11Fields fields;

	if (profile->random_bits == 0)
		PG_RETURN_NULL();
	uid11_fields(profile, (uint64) PG_GETARG_INT64(0), &fields);
	return numeric_of_uint64(fields.random);
}

PG_FUNCTION_INFO_V1(uid11_parts);
Datum
uid11_parts(PG_FUNCTION_ARGS)
{
	const Uid11Profile *profile = profile_of_arg(fcinfo);
	Uid11Fields fields;
	Datum		values[4];
	bool		nulls[4] = {
		profile->time_bits == 0, profile->machine_bits == 0, profile->sequence_bits == 0,
		profile->random_bits == 0
	};

	uid11_fields(profile, (uint64) PG_GETARG_INT64(0), &fields);
	values[0] = uid11_timestamp(fcinfo);
	values[1] = Int32GetDatum((int32) fields.machine);
	values[2] = Int32GetDatum((int32) fields.sequence);
	values[3] = numeric_of_uint64(fields.random);
	return generic_row(fcinfo, values, nulls);
}
