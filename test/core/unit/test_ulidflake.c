/*-------------------------------------------------------------------------
 *
 * test_ulidflake.c
 *	  Ulid-Flake: fields of both forms.
 *
 *-------------------------------------------------------------------------
 */
#include "../../../src/core/ulidflake_codec.h"
#include "check.h"

static void
check_fields(const uint8_t *id)
{
	uint8_t		made[ULIDFLAKE_SIZE];

	id64_compose(&ulidflake_codec, id_tick(&ulidflake_codec, id),
				 ulidflake_pack(ulidflake_get_scalable_randomness(id),
								ulidflake_get_scalability(id)), made);
	check_same(&ulidflake_codec, made, id);
}

static const UseCase use_cases[] = {
	{GENERATOR_ULIDFLAKE, {.step = 1,.limit = 0xFFFFF,.fine_bits = 20}, 0xFFFFF, 0xFF},
	{GENERATOR_ULIDFLAKE, {.start = 7,.step = 1,.limit = 0xFFFFF,.fine_bits = 20,.low_bits = 5},
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
	.forms = {{13, ulidflake_text, "text"}},
	.ignores_case = true,
	.uses = use_cases,
	.check_fields = check_fields,
};
