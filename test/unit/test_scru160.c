/*-------------------------------------------------------------------------
 *
 * test_scru160.c
 *	  SCRU160: vectors, fields, bad text.
 *
 *-------------------------------------------------------------------------
 */
#include "../../src/core/scru160_codec.h"
#include "check.h"

/* The ids of the specification, whose other form was computed with Python. */
static const ParseCase vectors[] = {
	{"00000000000000000000000000000000", "0000000000000000000000000000000000000000"},
	{"VVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVV", "ffffffffffffffffffffffffffffffffffffffff"},
	{"05TTUP1HNCPNH30VEK64KDQT9BSNU4C4", "017bdf6431bb33788c1f750c4a375d4af97f1184"},
	{"05TTUP1HNCPNA1QHTDHRTCU3V32PD7C6", "017bdf6431bb33750751eb63beb3c3f8c5969d86"},
	{"05TTUP1HNCPNCOI15PL5EM490SQS6F1B", "017bdf6431bb337662412e6a5758890735c33c2b"},
	{"88UQP4GE8F5EFKASBGLG2AN80PA96MB9", "423dac920e43cae7d15c5c2b012ae80654935969"},
	{"5GGI0Q035DMFS75S6C9RISJE3B9GS190", "2c212068032b6cfe1cbc3313b9726e1ad30e0520"},
	{"DGDB6KBDKDP7ILU36NPG0VT6IIEEQ2RJ", "6c1ab3516da3727957c335f3007fa6949ced0b73"},
};

static const ParseCase texts[] = {
	{"05ttup1hncpnh30vek64kdqt9bsnu4c4", "017bdf6431bb33788c1f750c4a375d4af97f1184"},
	{"05TTup1hNCPNH30vek64kdqt9bsnu4C4", "017bdf6431bb33788c1f750c4a375d4af97f1184"},
	{"017BDF6431BB33788C1F750C4A375D4AF97F1184", "017bdf6431bb33788c1f750c4a375d4af97f1184"},
	{"", NULL, ID_BAD_LENGTH},
	{"05TTUP1HNCPNH30VEK64KDQT9BSNU4C", NULL, ID_BAD_LENGTH},
	{"05TTUP1HNCPNH30VEK64KDQT9BSNU4C4V", NULL, ID_BAD_LENGTH},
	{"017bdf6431bb33788c1f750c4a375d4af97f118", NULL, ID_BAD_LENGTH},
	{"017bdf6431bb33788c1f750c4a375d4af97f11844", NULL, ID_BAD_LENGTH},
	{"05TTUP1HNCPNH30VEK64KDQT9BSNU4CW", NULL, ID_BAD_CHARACTER, 31},
	{"z5TTUP1HNCPNH30VEK64KDQT9BSNU4CW", NULL, ID_BAD_CHARACTER, 0},
	{"017bdf6431bb33788c1f750c4a375d4af97f118g", NULL, ID_BAD_CHARACTER, 39},
	{" 05TTUP1HNCPNH30VEK64KDQT9BSNU4C4", NULL, ID_BAD_CHARACTER, 0},
	{"05TTUP1HNCPNH30VEK64KDQT9BSNU4C4\n", NULL, ID_BAD_CHARACTER, 32},
	{"05TTUP1HNCPN-H30VEK64KDQT9BSNU4C4", NULL, ID_BAD_CHARACTER, 12},
};

static void
text(void)
{
	ParseCase	hex[LENGTH(vectors)];

	check_parse(&scru160_codec, vectors, LENGTH(vectors));
	check_format(&scru160_codec, scru160_codec.format, SCRU160_TEXT_SIZE, vectors,
				 LENGTH(vectors));
	for (size_t i = 0; i < LENGTH(vectors); i++)
		hex[i] = (ParseCase) {vectors[i].hex, vectors[i].hex};
	check_parse(&scru160_codec, hex, LENGTH(hex));
	check_format(&scru160_codec, scru160_format_hex, SCRU160_HEX_SIZE, hex, LENGTH(hex));
	check_parse(&scru160_codec, texts, LENGTH(texts));
}

static void
fields(void)
{
	static const struct
	{
		int64_t		ms;
		uint32_t	counter;
		const char *random;
		const char *hex;
	}			cases[] = {
		{INT64_C(1631540490683), 0x3378, "8c1f750c4a375d4af97f1184",
		"017bdf6431bb33788c1f750c4a375d4af97f1184"},
		{0, 0, "000000000000000000000000", "0000000000000000000000000000000000000000"},
		{(INT64_C(1) << 48) - 1, 65535, "0102030405060708090a0b0c",
		"ffffffffffffffff0102030405060708090a0b0c"},
		{1, 2, "ffffffffffffffffffffffff", "0000000000010002ffffffffffffffffffffffff"},
	};

	for (size_t i = 0; i < LENGTH(cases); i++)
	{
		uint8_t		random[SCRU160_RANDOM_SIZE];
		uint8_t		id[SCRU160_SIZE];

		check_unhex(cases[i].random, random, sizeof(random));
		scru160_compose(cases[i].ms, cases[i].counter, random, id);
		CHECK(strcmp(check_hex(id, sizeof(id)), cases[i].hex) == 0, "%s, not %s",
			  check_hex(id, sizeof(id)), cases[i].hex);
		CHECK(id_tick(&scru160_codec, id) == cases[i].ms, "%s", cases[i].hex);
		CHECK(scru160_get_counter(id) == cases[i].counter, "%s", cases[i].hex);
		CHECK(memcmp(scru160_get_random(id), random, sizeof(random)) == 0, "%s", cases[i].hex);
	}
}

static void
prefix(void)
{
	static const PrefixCase cases[] = {
		{"", "0000000000000000000000000000000000000000",
		"ffffffffffffffffffffffffffffffffffffffff"},
		{"v", "f800000000000000000000000000000000000000",
		"ffffffffffffffffffffffffffffffffffffffff"},
		{"05TT", "017bd00000000000000000000000000000000000",
		"017bdfffffffffffffffffffffffffffffffffff"},
		{"05TTUP1HNCPNH30VEK64KDQT9BSNU4C4", "017bdf6431bb33788c1f750c4a375d4af97f1184",
		"017bdf6431bb33788c1f750c4a375d4af97f1184"},
		{"05TTUP1HNCPNH30VEK64KDQT9BSNU4C4A", NULL, NULL, ID_BAD_LENGTH},
		{"05TW", NULL, NULL, ID_BAD_CHARACTER, 3},
		{"05T ", NULL, NULL, ID_BAD_CHARACTER, 3},
	};

	check_prefix(&scru160_codec, cases, LENGTH(cases));
}

static bool
print_column(const uint8_t *id, const char *column, char *out)
{
	if (strcmp(column, "counter") == 0)
		sprintf(out, "%u", scru160_get_counter(id));
	else if (strcmp(column, "random") == 0)
		strcpy(out, check_hex(scru160_get_random(id), SCRU160_RANDOM_SIZE));
	else
		return false;
	return true;
}

static void
check_fields(const uint8_t *id)
{
	uint8_t		made[SCRU160_SIZE];

	scru160_compose(id_tick(&scru160_codec, id), scru160_get_counter(id), scru160_get_random(id),
					made);
	check_same(&scru160_codec, made, id);
}

static void
format_text(const uint8_t *id, char *out)
{
	scru160_codec.format(id, out);
}

static const UseCase use_cases[] = {
	{GENERATOR_SCRU160, {.step = 1,.limit = 0xFFFF,.fine_bits = 16}, 0x7FFF, 1},
	{GENERATOR_SCRU160, {.step = 1,.limit = 999 << 6 | 0x3F,.fine_bits = 6}, 0x1F, 1},
	{.use.step = 0}
};

const TestFormat scru160_format = {
	.codec = &scru160_codec,
	.per_second = 1000,
	.smallest = "0000000000000000000000000000000000000000",
	.largest = "ffffffffffffffffffffffffffffffffffffffff",
	.decimal = "1461501637330902918203684832716283019655932542975",
	.alphabet = &alphabet_base32hex,
	.forms = {{32, format_text}, {40, scru160_format_hex}},
	.ignores_case = true,
	.prefix_alphabet = &alphabet_base32hex,
	.prefix_size = 32,
	.prefix_format = format_text,
	.uses = use_cases,
	.print_column = print_column,
	.check_fields = check_fields,
};

/* By name, in the order of the cases above. */
static void
counter_uses(void)
{
	const char *const names[] = {"default", "MicroSecond"};
	const char *const none[] = {"", "micro", "microseconds"};

	for (size_t i = 0; i < LENGTH(names); i++)
	{
		const Scru160CounterUse *use = scru160_counter_use_by_name(names[i], strlen(names[i]));

		CHECK(use != NULL, "no use %s", names[i]);
		if (use == NULL)
			continue;
		CHECK(use->limit == use_cases[i].use.limit && use->fine_bits == use_cases[i].use.fine_bits,
			  "%s: limit %" PRIx64 ", %d fine bits", names[i], use->limit, use->fine_bits);
		CHECK((UINT64_C(1) << use->random_bits) - 1 == use_cases[i].random_start,
			  "%s: %d random bits", names[i], use->random_bits);
	}
	for (size_t i = 0; i < LENGTH(none); i++)
		CHECK(scru160_counter_use_by_name(none[i], strlen(none[i])) == NULL, "%s", none[i]);
}

const TestCase scru160_tests[] = {
	{"scru160: text", text},
	{"scru160: fields", fields},
	{"scru160: prefixes", prefix},
	{"scru160: uses of the counter", counter_uses},
	{NULL, NULL}
};
