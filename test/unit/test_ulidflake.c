/*-------------------------------------------------------------------------
 *
 * test_ulidflake.c
 *	  Ulid-Flake: vectors, fields of both forms, bad text.
 *
 *-------------------------------------------------------------------------
 */
#include "../../src/core/ulidflake_codec.h"
#include "check.h"

static const ParseCase vectors[] = {
	{"0000000000000", "0000000000000000"},
	{"0000000000001", "0000000000000001"},
	{"000000000000Z", "000000000000001f"},
	{"0000000000010", "0000000000000020"},
	{"00CMXB6TAK4SA", "00329d59b4a9932a"},
	{"7ZZZZZZZZZZZZ", "7fffffffffffffff"},
	{"4000000000000", "4000000000000000"},
	{"0ZZZZZZZZZZZZ", "0fffffffffffffff"},
	{"3DD0YFHA2GRED", "36b41e7c542861cd"},
	{"50NZHNCBVSHTD", "5057f1ab17bcc74d"},
	{"6E7B9B6293JNY", "671d69598491cabe"},
};

static const ParseCase texts[] = {
	{"00cmxb6tak4sa", "00329d59b4a9932a"},
	{"00CmXb6TaK4sA", "00329d59b4a9932a"},
	{"8000000000000", NULL, ID_OUT_OF_RANGE},
	{"ZZZZZZZZZZZZZ", NULL, ID_OUT_OF_RANGE},
	{"g0cmxb6tak4sa", NULL, ID_OUT_OF_RANGE},
	{"", NULL, ID_BAD_LENGTH},
	{"00CMXB6TAK4S", NULL, ID_BAD_LENGTH},
	{"00CMXB6TAK4SAA", NULL, ID_BAD_LENGTH},
	/* Crockford reads these as 1, 1, 0 and refuses the last; here none is read */
	{"00CMXB6TAK4SI", NULL, ID_BAD_CHARACTER, 12},
	{"00CMXB6TAK4lA", NULL, ID_BAD_CHARACTER, 11},
	{"O0CMXB6TAK4SA", NULL, ID_BAD_CHARACTER, 0},
	{"00CMXB6uAK4SA", NULL, ID_BAD_CHARACTER, 7},
	{"00CMXB6TA-K4SA", NULL, ID_BAD_CHARACTER, 9},
	{"00CMXB6TAK4SA ", NULL, ID_BAD_CHARACTER, 13},
	{" 00CMXB6TAK4S", NULL, ID_BAD_CHARACTER, 0},
	/* out of range and alien: the character is told first */
	{"8U00000000000", NULL, ID_BAD_CHARACTER, 1},
};

static void
text(void)
{
	check_parse(&ulidflake_codec, vectors, LENGTH(vectors));
	check_format(&ulidflake_codec, ulidflake_codec.format, ULIDFLAKE_TEXT_SIZE, vectors,
				 LENGTH(vectors));
	check_parse(&ulidflake_codec, texts, LENGTH(texts));
}

static void
fields(void)
{
	static const struct
	{
		int64_t		tick;
		uint32_t	random15;
		uint32_t	scalability;
		uint32_t	random20;
		uint64_t	value;
	}			cases[] = {
		{0, 0, 0, 0, 0},
		{(INT64_C(1) << 43) - 1, 0x7FFF, 31, 0xFFFFF, UINT64_MAX >> 1},
		{INT64_C(13586766666), 0x4C99, 10, 0x9932A, UINT64_C(14246757444195114)},
		{1, 0, 31, 31, 0x10001F},
		{1, 1, 0, 32, 0x100020},
	};

	for (size_t i = 0; i < LENGTH(cases); i++)
	{
		uint8_t		id[ULIDFLAKE_SIZE];

		id64_compose(&ulidflake_codec, cases[i].tick, cases[i].random20, id);
		CHECK(load_be64(id) == cases[i].value, "case %zu: %s", i, check_hex(id, sizeof(id)));
		id64_compose(&ulidflake_codec, cases[i].tick,
					 ulidflake_pack(cases[i].random15, cases[i].scalability), id);
		CHECK(load_be64(id) == cases[i].value, "case %zu: %s", i, check_hex(id, sizeof(id)));
		CHECK(id_tick(&ulidflake_codec, id) == cases[i].tick, "case %zu", i);
		CHECK(ulidflake_get_randomness(id) == cases[i].random20, "case %zu", i);
		CHECK(ulidflake_get_scalable_randomness(id) == cases[i].random15, "case %zu", i);
		CHECK(ulidflake_get_scalability(id) == cases[i].scalability, "case %zu", i);
	}
}

/* The bytes of an id whose first bit is set are not an id. */
static void
validity(void)
{
	uint8_t		id[ULIDFLAKE_SIZE];

	for (int high = 0; high < 256; high++)
	{
		check_random_bytes(id, sizeof(id));
		id[0] = (uint8_t) high;
		CHECK(id_is_valid(&ulidflake_codec, id) == (high < 0x80), "%s",
			  check_hex(id, sizeof(id)));
	}
}

static void
prefix(void)
{
	static const PrefixCase cases[] = {
		{"", "0000000000000000", "7fffffffffffffff"},
		{"0", "0000000000000000", "0fffffffffffffff"},
		{"7", "7000000000000000", "7fffffffffffffff"},
		{"7z", "7f80000000000000", "7fffffffffffffff"},
		{"00CMXB6TA", "00329d59b4a00000", "00329d59b4afffff"},
		{"00CMXB6TAK4SA", "00329d59b4a9932a", "00329d59b4a9932a"},
		{"8", NULL, NULL, ID_OUT_OF_RANGE},
		{"Z", NULL, NULL, ID_OUT_OF_RANGE},
		{"9000", NULL, NULL, ID_OUT_OF_RANGE},
		{"00CMXB6TAK4SAA", NULL, NULL, ID_BAD_LENGTH},
		{"00U", NULL, NULL, ID_BAD_CHARACTER, 2},
		{"8i", NULL, NULL, ID_BAD_CHARACTER, 1},
	};

	check_prefix(&ulidflake_codec, cases, LENGTH(cases));
}

static void
instants(void)
{
	/* 2024-01-01 00:00 and 2302-09-27 15:10:22.207 */
	CHECK(id_tick_begins(&ulidflake_codec.time, 0) == INT64_C(1704067200000000), "epoch");
	CHECK(id_tick_begins(&ulidflake_codec.time, ulidflake_codec.time.last) ==
		  INT64_C(10500160222207000), "end");
}

static bool
print_column(const uint8_t *id, const char *column, char *out)
{
	if (strcmp(column, "randomness") == 0)
		sprintf(out, "%u", ulidflake_get_randomness(id));
	else if (strcmp(column, "scalability") == 0)
		sprintf(out, "%u", ulidflake_get_scalability(id));
	else
		return false;
	return true;
}

static void
check_fields(const uint8_t *id)
{
	uint8_t		made[ULIDFLAKE_SIZE];

	id64_compose(&ulidflake_codec, id_tick(&ulidflake_codec, id),
				 ulidflake_pack(ulidflake_get_scalable_randomness(id),
								ulidflake_get_scalability(id)), made);
	check_same(&ulidflake_codec, made, id);
}

static void
format_text(const uint8_t *id, char *out)
{
	ulidflake_codec.format(id, out);
}

static const UseCase use_cases[] = {
	{GENERATOR_ULIDFLAKE, {.step = 1,.limit = 0xFFFFF,.fine_bits = 20}, 0xFFFFF, 0xFF},
	{GENERATOR_ULIDFLAKE, {.step = 1,.limit = 0xFFFFF,.fine_bits = 20,.low_bits = 5},
	0x7FFF, 0xFFFF},
	{.use.step = 0}
};

const TestFormat ulidflake_format = {
	.codec = &ulidflake_codec,
	.per_second = 1000,
	.smallest = "0000000000000000",
	.largest = "7fffffffffffffff",
	.decimal = "9223372036854775807",
	.alphabet = &alphabet_crockford,
	.forms = {{13, format_text}},
	.ignores_case = true,
	.prefix_alphabet = &alphabet_crockford,
	.prefix_size = 13,
	.prefix_format = format_text,
	.uses = use_cases,
	.print_column = print_column,
	.check_fields = check_fields,
};

const TestCase ulidflake_tests[] = {
	{"ulidflake: text", text},
	{"ulidflake: fields of both forms", fields},
	{"ulidflake: valid bytes", validity},
	{"ulidflake: prefixes", prefix},
	{"ulidflake: instants", instants},
	{NULL, NULL}
};
