/*-------------------------------------------------------------------------
 *
 * test_hex96.c
 *	  hex96: fields.
 *
 *-------------------------------------------------------------------------
 */
#include "../../src/core/hex96_codec.h"
#include "check.h"

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
	.forms = {{24, hex96_text, "text"}},
	.ignores_case = true,
	.prefix_alphabet = &alphabet_hex,
	.prefix_size = 24,
	.prefix_format = hex96_text,
	.uses = use_cases,
	.print_column = print_column,
	.check_fields = check_fields,
};

/* None of its own. */
const TestCase hex96_tests[] = {
	{NULL, NULL}
};
