/*-------------------------------------------------------------------------
 *
 * test_uid11.c
 *	  uid11: vectors, largest text, prefixes, profiles.
 *
 *-------------------------------------------------------------------------
 */
#include "../../src/core/uid11_codec.h"
#include "check.h"

/* The specification's vectors, powers of 58 and 2, and some random payloads. */
static const ParseCase vectors[] = {
	{"11111111111", "0000000000000000"},
	{"11111111112", "0000000000000001"},
	{"1111111111z", "0000000000000039"},
	{"11111111121", "000000000000003a"},
	{"111111zzzzz", "00000000271f359f"},
	{"11111211111", "00000000271f35a0"},
	{"1zzzzzzzzzz", "05fa8624c7fba3ff"},
	{"21111111111", "05fa8624c7fba400"},
	{"izzzzzzzzzz", "fb1a0208cf48e7ff"},
	{"j1111111111", "fb1a0208cf48e800"},
	{"NQm6nKp8qFC", "7fffffffffffffff"},
	{"NQm6nKp8qFD", "8000000000000000"},
	{"jpXCZedGfVP", "fffffffffffffffe"},
	{"jpXCZedGfVQ", "ffffffffffffffff"},
	{"1111111NVpb", "0000000000400000"},
	{"113q8KFkAEs", "0001499700000000"},
	{"9wCCCgphHqk", "356a41526977a41b"},
	{"Ea3BToBUWWK", "51209e8f332726d0"},
	{"fucitruVDTz", "e89c5bc7a0187b4d"},
	{"FNPjzmZtwBN", "55e7d67eae6ac4a9"},
};

static const ParseCase texts[] = {
	{"jpXCZedGfVR", NULL, ID_OUT_OF_RANGE},
	{"jpXCZedGfW1", NULL, ID_OUT_OF_RANGE},
	{"jpXCa111111", NULL, ID_OUT_OF_RANGE},
	{"jq111111111", NULL, ID_OUT_OF_RANGE},
	{"k1111111111", NULL, ID_OUT_OF_RANGE},
	{"zzzzzzzzzzz", NULL, ID_OUT_OF_RANGE},
	{"", NULL, ID_BAD_LENGTH},
	{"jpXCZedGfV", NULL, ID_BAD_LENGTH},
	{"zzzzzzzzzzzz", NULL, ID_BAD_LENGTH},
	{"113q0KFkAEs", NULL, ID_BAD_CHARACTER, 4},
	{"Oq111111111", NULL, ID_BAD_CHARACTER, 0},
	{"zzzzzzzzzzI", NULL, ID_BAD_CHARACTER, 10},
	{"zzzzzlzzzzz", NULL, ID_BAD_CHARACTER, 5},
	{"113q8KFkAEs ", NULL, ID_BAD_CHARACTER, 11},
	{" 13q8KFkAEs", NULL, ID_BAD_CHARACTER, 0},
};

static const PrefixCase prefixes[] = {
	{"", "0000000000000000", "ffffffffffffffff"},
	{"1", "0000000000000000", "05fa8624c7fba3ff"},
	{"2", "05fa8624c7fba400", "0bf50c498ff747ff"},
	{"3kx", "107cc52f66d05d00", "107d39a8694efdff"},
	{"i", "f51f7be4074d4400", "fb1a0208cf48e7ff"},
	{"j", "fb1a0208cf48e800", "ffffffffffffffff"},
	{"jp", "fff242995faf4e00", "ffffffffffffffff"},
	{"jpX", "ffffe8c7aa862c00", "ffffffffffffffff"},
	{"jpXCZedGfVQ", "ffffffffffffffff", "ffffffffffffffff"},
	{"k", NULL, NULL, ID_OUT_OF_RANGE},
	{"z", NULL, NULL, ID_OUT_OF_RANGE},
	{"jq", NULL, NULL, ID_OUT_OF_RANGE},
	{"jpXCZedGfVR", NULL, NULL, ID_OUT_OF_RANGE},
	{"111111111111", NULL, NULL, ID_BAD_LENGTH},
	{"3k0", NULL, NULL, ID_BAD_CHARACTER, 2},
	{"3kl", NULL, NULL, ID_BAD_CHARACTER, 2},
	{"3k ", NULL, NULL, ID_BAD_CHARACTER, 2},
};

static void
text(void)
{
	check_parse(&uid11_codec, vectors, LENGTH(vectors));
	check_format(&uid11_codec, uid11_codec.format, UID11_TEXT_SIZE, vectors, LENGTH(vectors));
	check_parse(&uid11_codec, texts, LENGTH(texts));
}

static void
prefix(void)
{
	check_prefix(&uid11_codec, prefixes, LENGTH(prefixes));
}

/* Against long division, one digit after the other. */
static void
base58(void)
{
	for (int round = 0; round < 50000; round++)
	{
		uint8_t		id[UID11_SIZE];
		char		got[UID11_TEXT_SIZE];
		char		expected[UID11_TEXT_SIZE];
		uint64_t	payload;
		uint64_t	rest;

		check_random_id(&uid11_codec, id);
		payload = rest = load_be64(id);
		for (int i = UID11_TEXT_SIZE; i-- > 0; rest /= 58)
			expected[i] = alphabet_base58.digits[rest % 58];
		uid11_codec.format(id, got);
		CHECK(memcmp(got, expected, sizeof(got)) == 0, "%" PRIu64 " is %.11s, not %.11s",
			  payload, got, expected);
	}
}

static void
profile_names(void)
{
	static const struct
	{
		const char *name;
		int			profile;	/* -1: unknown */
	}			cases[] = {
		{"xid", UID11_XID}, {"fullrand", UID11_FULLRAND}, {"snowish", UID11_SNOWISH},
		{"ts-seq-rand", UID11_TS_SEQ_RAND}, {"uid11-xid", UID11_XID},
		{"uid11-fullrand", UID11_FULLRAND}, {"UID11-SnowIsh", UID11_SNOWISH},
		{"uid11-ts-seq-rand", UID11_TS_SEQ_RAND}, {"XID", UID11_XID},
		{"", -1}, {"uid11-", -1}, {"uid11", -1}, {"xi", -1}, {"xid ", -1}, {" xid", -1},
		{"uid11-uid11-xid", -1}, {"xids", -1},
	};
	char		listed[100] = "";

	for (size_t i = 0; i < LENGTH(cases); i++)
	{
		const Uid11Profile *expected = cases[i].profile < 0 ? NULL :
			&uid11_profiles[cases[i].profile];

		CHECK(uid11_profile_by_name(cases[i].name, strlen(cases[i].name)) == expected, "%s",
			  cases[i].name);
	}
	for (int i = 0; i < UID11_PROFILES; i++)
		sprintf(listed + strlen(listed), "%s%s", i == 0 ? "" : ", ", uid11_profiles[i].name);
	CHECK(strcmp(listed, uid11_profile_names) == 0, "%s", uid11_profile_names);
}

static void
profile_fields(void)
{
	/* the fields of 0xFEDCBA9876543210 and of the same with the top bit clear */
	static const struct
	{
		int			profile;
		uint64_t	payload;
		bool		fits;
		Uid11Fields fields;
	}			cases[] = {
		{UID11_XID, UINT64_C(0xFEDCBA9876543210), true, {0, 0, 0x143210}},
		{UID11_FULLRAND, UINT64_C(0xFEDCBA9876543210), true,
		{0, 0, UINT64_C(0xFEDCBA9876543210)}},
		{UID11_SNOWISH, UINT64_C(0xFEDCBA9876543210), false, {0x143, 0x210, 0}},
		{UID11_SNOWISH, UINT64_C(0x7EDCBA9876543210), true, {0x143, 0x210, 0}},
		{UID11_TS_SEQ_RAND, UINT64_C(0xFEDCBA9876543210), true, {0, 0x50C, 0x210}},
		{UID11_XID, UINT64_MAX, true, {0, 0, 0x3FFFFF}},
		{UID11_FULLRAND, UINT64_MAX, true, {0, 0, UINT64_MAX}},
		{UID11_SNOWISH, UINT64_MAX >> 1, true, {0x3FF, 0xFFF, 0}},
		{UID11_SNOWISH, UINT64_C(1) << 63, false, {0, 0, 0}},
		{UID11_TS_SEQ_RAND, UINT64_MAX, true, {0, 0xFFF, 0x3FF}},
		{UID11_FULLRAND, 0, true, {0, 0, 0}},
	};

	for (size_t i = 0; i < LENGTH(cases); i++)
	{
		const Uid11Profile *profile = &uid11_profiles[cases[i].profile];
		const Uid11Fields *expected = &cases[i].fields;
		Uid11Fields got;

		CHECK(uid11_fits(profile, cases[i].payload) == cases[i].fits, "case %zu", i);
		uid11_fields(profile, cases[i].payload, &got);
		CHECK(got.machine == expected->machine && got.sequence == expected->sequence &&
			  got.random == expected->random,
			  "case %zu: %" PRIx64 " %" PRIx64 " %" PRIx64, i, got.machine, got.sequence,
			  got.random);
	}

	/* wherever there is a time, it is above 22 other bits */
	for (int i = 0; i < UID11_PROFILES; i++)
	{
		const Uid11Profile *profile = &uid11_profiles[i];

		CHECK(profile->time_bits == 0 || profile->machine_bits + profile->sequence_bits +
			  profile->random_bits == UID11_REST_BITS, "%s", profile->name);
	}
}

static void
instants(void)
{
	uint8_t		id[UID11_SIZE];

	id64_compose(&uid11_codec, 86400000, 0, id);
	CHECK(load_be64(id) == UINT64_C(0x0001499700000000), "%s", check_hex(id, sizeof(id)));
	id64_compose(&uid11_codec, (INT64_C(1) << 42) - 1, 0x3FFFFE, id);
	CHECK(load_be64(id) == UINT64_MAX - 1, "%s", check_hex(id, sizeof(id)));
	/* 2011-11-11 11:11:11.111, 2151-03-25 18:46:22.214, 2081-07-18 02:58:46.662 */
	CHECK(id_tick_begins(&uid11_codec.time, 0) == INT64_C(1321009871111000), "epoch");
	CHECK(id_tick_begins(&uid11_codec.time, uid11_codec.time.last) ==
		  INT64_C(5719056382214000), "end");
	CHECK(id_tick_begins(&uid11_codec.time, (INT64_C(1) << 41) - 1) ==
		  INT64_C(3520033126662000), "end of snowish");
}

/* A field of one profile; empty where its reserved bits are not zero. */
static void
print_field(const uint8_t *id, int profile, char field, char *out)
{
	Uid11Fields parts;

	if (!uid11_fits(&uid11_profiles[profile], load_be64(id)))
		return;
	uid11_fields(&uid11_profiles[profile], load_be64(id), &parts);
	sprintf(out, "%" PRIu64, field == 'm' ? parts.machine :
			field == 's' ? parts.sequence : parts.random);
}

static bool
print_column(const uint8_t *id, const char *column, char *out)
{
	if (strcmp(column, "random") == 0)
		print_field(id, UID11_XID, 'r', out);
	else if (strcmp(column, "snowish_machine") == 0)
		print_field(id, UID11_SNOWISH, 'm', out);
	else if (strcmp(column, "snowish_sequence") == 0)
		print_field(id, UID11_SNOWISH, 's', out);
	else if (strcmp(column, "seq_rand_sequence") == 0)
		print_field(id, UID11_TS_SEQ_RAND, 's', out);
	else if (strcmp(column, "seq_rand_random") == 0)
		print_field(id, UID11_TS_SEQ_RAND, 'r', out);
	else
		return false;
	return true;
}

static void
check_fields(const uint8_t *id)
{
	uint64_t	payload = load_be64(id);

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

static void
format_text(const uint8_t *id, char *out)
{
	uid11_codec.format(id, out);
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
	.forms = {{11, format_text}},
	.prefix_alphabet = &alphabet_base58,
	.prefix_size = 11,
	.prefix_format = format_text,
	.uses = use_cases,
	.print_column = print_column,
	.check_fields = check_fields,
	.check_bytes = check_bytes,
};

const TestCase uid11_tests[] = {
	{"uid11: text", text},
	{"uid11: base58 against long division", base58},
	{"uid11: prefixes", prefix},
	{"uid11: profile names", profile_names},
	{"uid11: profile fields", profile_fields},
	{"uid11: instants", instants},
	{NULL, NULL}
};
