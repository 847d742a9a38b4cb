/*-------------------------------------------------------------------------
 *
 * test_uid11.c
 *	  uid11: its fields; sql/uid11.sql has the names of profiles.
 *
 *-------------------------------------------------------------------------
 */
#include "../../../src/core/uid11_codec.h"
#include "check.h"

static void
check_fields(const uint8_t *id)
{
	uint64_t	payload = load_be64(id);
	uint8_t		made[UID11_SIZE];

	id64_compose(&uid11_codec, id_tick(&uid11_codec, id), payload & 0x3FFFFF, made);
	check_same(&uid11_codec, made, id);
	for (int i = 0; i < UID11_PROFILES; i++)
	{
		const Uid11Profile *profile = &uid11_profiles[i];
		Uid11Fields parts;

		uid11_fields(profile, payload, &parts);
		CHECK(profile->random_bits == 64 ? parts.random == payload :
			  parts.random >> profile->random_bits == 0, "%s", profile->name);
		CHECK(parts.sequence >> profile->sequence_bits == 0, "%s", profile->name);
		CHECK(parts.machine >> profile->machine_bits == 0, "%s", profile->name);
		CHECK(uid11_fits(profile, payload) || i == UID11_SNOWISH, "%s", profile->name);
	}
}

/* The name of a profile. */
static void
check_bytes(const char *bytes, size_t len)
{
	const Uid11Profile *profile = uid11_profile_by_name(bytes, len);

	if (profile != NULL)
		CHECK(uid11_profile_by_name(profile->name, strlen(profile->name)) == profile, "%s",
			  profile->name);
}

static const UseCase use_cases[] = {
	{GENERATOR_XID, {.start = 63,.step = 64,.limit = 0x3FFFFF,.fine_bits = 22}, 0, 1, true},
	{GENERATOR_SNOWISH, {.step = 1,.limit = 0xFFF,.fine_bits = 12}, 0, 1},
	{GENERATOR_TS_SEQ_RAND, {.step = 1,.limit = 0xFFF,.fine_bits = 12}, 0, 1},
	{.use.step = 0}
};

const TestFormat uid11_format = {
	.codec = &uid11_codec,
	.per_second = 1000,
	.smallest = "0000000000000000",
	.largest = "ffffffffffffffff",
	.decimal = "18446744073709551615",
	.alphabet = &alphabet_base58,
	.forms = {{11, uid11_text, "text"}},
	.uses = use_cases,
	.check_fields = check_fields,
	.check_bytes = check_bytes,
};
