/*-------------------------------------------------------------------------
 *
 * test_ksid.c
 *	  ksid: fields.
 *
 *-------------------------------------------------------------------------
 */
#include "../../../src/core/ksid_codec.h"
#include "check.h"

static bool
print_column(const uint8_t *id, const char *column, char *out)
{
	if (strcmp(column, "counter") == 0)
		sprintf(out, "%u", ksid_get_counter(id));
	else if (strcmp(column, "tail") == 0)
		strcpy(out, check_hex(ksid_get_tail(id), KSID_TAIL_SIZE));
	else
		return false;
	return true;
}

static void
check_fields(const uint8_t *id)
{
	uint8_t		made[KSID_SIZE];

	ksid_compose((uint64_t) id_tick(&ksid_codec, id) << KSID_COUNTER_BITS |
				 ksid_get_counter(id), ksid_get_tail(id), made);
	check_same(&ksid_codec, made, id);
}

static const UseCase use_cases[] = {
	{GENERATOR_KSID, {.step = 1,.limit = 0xFFFFFFFF,.fine_bits = 32}, 0, 1},
	{.use.step = 0}
};

static const Refusal refusals[] = {
	{"7n42DGM5Tflk9n8mt7Fhc8", ID_OUT_OF_RANGE, 0},
	{"zzzzzzzzzzzzzzzzzzzzzz", ID_OUT_OF_RANGE, 0},
	{NULL}
};

const TestFormat ksid_format = {
	.codec = &ksid_codec,
	.per_second = 1,
	.smallest = "00000000000000000000000000000000",
	.largest = "ffffffffffffffffffffffffffffffff",
	.decimal = "340282366920938463463374607431768211455",
	.alphabet = &alphabet_base62,
	.forms = {{22, ksid_text, "text"}},
	.refusals = refusals,
	.prefix_alphabet = &alphabet_base62,
	.prefix_size = 22,
	.prefix_format = ksid_text,
	.uses = use_cases,
	.print_column = print_column,
	.check_fields = check_fields,
};

/* None of its own. */
const TestCase ksid_tests[] = {
	{NULL, NULL}
};
