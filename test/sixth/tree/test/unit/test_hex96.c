/*-------------------------------------------------------------------------
 *
 * test_hex96.c
 *	  hex96: text and fields.
 *
 *-------------------------------------------------------------------------
 */
#include "../../src/core/hex96_codec.h"
#include "check.h"

/*
 * The second is 2025-01-01 00:00, counter 0xabcde and tail 0x89abcdef,
 * computed with Python's datetime.
 */
static const ParseCase vectors[] = {
	{"000000000000000000000000", "000000000000000000000000"},
	{"024c0c29400abcde89abcdef", "024c0c29400abcde89abcdef"},
	{"ffffffffffffffffffffffff", "ffffffffffffffffffffffff"},
};

static const ParseCase texts[] = {
	{"024C0c29400ABCDE89ABcdef", "024c0c29400abcde89abcdef"},
	{"", NULL, ID_BAD_LENGTH},
	{"024c0c29400abcde89abcde", NULL, ID_BAD_LENGTH},
	{"024c0c29400abcde89abcdef0", NULL, ID_BAD_LENGTH},
	{"024c0c29400abcde89abcdeg", NULL, ID_BAD_CHARACTER, 23},
};

static void
text(void)
{
	check_parse(&hex96_codec, vectors, LENGTH(vectors));
	check_format(&hex96_codec, hex96_codec.format, HEX96_TEXT_SIZE, vectors, LENGTH(vectors));
	check_parse(&hex96_codec, texts, LENGTH(texts));
}

static void
fields(void)
{
	uint8_t		id[HEX96_SIZE];

	hex96_compose(UINT64_C(157852800000) << HEX96_COUNTER_BITS | 0xABCDE, 0x89ABCDEF, id);
	CHECK(strcmp(check_hex(id, sizeof(id)), "024c0c29400abcde89abcdef") == 0, "%s",
		  check_hex(id, sizeof(id)));
	CHECK(hex96_get_counter(id) == 0xABCDE, "%u", hex96_get_counter(id));
	CHECK(hex96_get_tail(id) == 0x89ABCDEF, "%u", hex96_get_tail(id));
	/* 2025-01-01 00:00 and 2577-06-22 06:20:44.415 */
	CHECK(id_tick_begins(&hex96_codec.time, id_tick(&hex96_codec, id)) ==
		  INT64_C(1735689600000000), "instant");
	CHECK(id_tick_begins(&hex96_codec.time, hex96_codec.time.last) ==
		  INT64_C(19170022844415000), "end");
}

static bool
print_column(const uint8_t *id, const char *column, char *out)
{
	if (strcmp(column, "counter") == 0)
		sprintf(out, "%u", hex96_get_counter(id));
	else if (strcmp(column, "tail") == 0)
		sprintf(out, "%u", hex96_get_tail(id));
	else
		return false;
	return true;
}

static void
check_fields(const uint8_t *id)
{
	uint8_t		made[HEX96_SIZE];

	hex96_compose((uint64_t) id_tick(&hex96_codec, id) << HEX96_COUNTER_BITS |
				  hex96_get_counter(id), hex96_get_tail(id), made);
	check_same(&hex96_codec, made, id);
}

static void
format_text(const uint8_t *id, char *out)
{
	hex96_codec.format(id, out);
}

static const UseCase use_cases[] = {
	{GENERATOR_HEX96, {.step = 1,.limit = 0xFFFFF,.fine_bits = 20}, 0, 1},
	{.use.step = 0}
};

const TestFormat hex96_format = {
	.codec = &hex96_codec,
	.per_second = 1000,
	.smallest = "000000000000000000000000",
	.largest = "ffffffffffffffffffffffff",
	.decimal = "79228162514264337593543950335",
	.alphabet = &alphabet_hex,
	.forms = {{24, format_text}},
	.ignores_case = true,
	.prefix_alphabet = &alphabet_hex,
	.prefix_size = 24,
	.prefix_format = format_text,
	.uses = use_cases,
	.print_column = print_column,
	.check_fields = check_fields,
};

const TestCase hex96_tests[] = {
	{"hex96: text", text},
	{"hex96: fields", fields},
	{NULL, NULL}
};
