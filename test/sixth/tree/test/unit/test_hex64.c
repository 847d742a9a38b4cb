/*-------------------------------------------------------------------------
 *
 * test_hex64.c
 *	  hex64: text and fields.
 *
 *-------------------------------------------------------------------------
 */
#include "../../src/core/hex64_codec.h"
#include "check.h"

/* The second is 2025-01-01 00:00 and counter 0xabcde, computed with Python's datetime. */
static const ParseCase vectors[] = {
	{"0000000000000000", "0000000000000000"},
	{"024c0c29400abcde", "024c0c29400abcde"},
	{"ffffffffffffffff", "ffffffffffffffff"},
};

static const ParseCase texts[] = {
	{"024C0c29400ABCDE", "024c0c29400abcde"},
	{"", NULL, ID_BAD_LENGTH},
	{"024c0c29400abcd", NULL, ID_BAD_LENGTH},
	{"024c0c29400abcdef", NULL, ID_BAD_LENGTH},
	{"024c0c29400abcdg", NULL, ID_BAD_CHARACTER, 15},
};

static void
text(void)
{
	check_parse(&hex64_codec, vectors, LENGTH(vectors));
	check_format(&hex64_codec, hex64_codec.format, HEX64_TEXT_SIZE, vectors, LENGTH(vectors));
	check_parse(&hex64_codec, texts, LENGTH(texts));
}

static void
fields(void)
{
	uint8_t		id[HEX64_SIZE];

	id64_compose(&hex64_codec, INT64_C(157852800000), 0xABCDE, id);
	CHECK(strcmp(check_hex(id, sizeof(id)), "024c0c29400abcde") == 0, "%s",
		  check_hex(id, sizeof(id)));
	CHECK(hex64_get_counter(id) == 0xABCDE, "%u", hex64_get_counter(id));
	/* 2025-01-01 00:00 and 2577-06-22 06:20:44.415 */
	CHECK(id_tick_begins(&hex64_codec.time, id_tick(&hex64_codec, id)) ==
		  INT64_C(1735689600000000), "instant");
	CHECK(id_tick_begins(&hex64_codec.time, hex64_codec.time.last) ==
		  INT64_C(19170022844415000), "end");
}

static bool
print_column(const uint8_t *id, const char *column, char *out)
{
	if (strcmp(column, "counter") != 0)
		return false;
	sprintf(out, "%u", hex64_get_counter(id));
	return true;
}

static void
check_fields(const uint8_t *id)
{
	uint8_t		made[HEX64_SIZE];

	id64_compose(&hex64_codec, id_tick(&hex64_codec, id), hex64_get_counter(id), made);
	check_same(&hex64_codec, made, id);
}

static void
format_text(const uint8_t *id, char *out)
{
	hex64_codec.format(id, out);
}

static const UseCase use_cases[] = {
	{GENERATOR_HEX64, {.step = 1,.limit = 0xFFFFF,.fine_bits = 20}, 0, 1},
	{.use.step = 0}
};

const TestFormat hex64_format = {
	.codec = &hex64_codec,
	.per_second = 1000,
	.smallest = "0000000000000000",
	.largest = "ffffffffffffffff",
	.decimal = "18446744073709551615",
	.alphabet = &alphabet_hex,
	.forms = {{16, format_text}},
	.ignores_case = true,
	.prefix_alphabet = &alphabet_hex,
	.prefix_size = 16,
	.prefix_format = format_text,
	.uses = use_cases,
	.print_column = print_column,
	.check_fields = check_fields,
};

const TestCase hex64_tests[] = {
	{"hex64: text", text},
	{"hex64: fields", fields},
	{NULL, NULL}
};
