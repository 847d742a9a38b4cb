/*-------------------------------------------------------------------------
 *
 * test_scru160.c
 *	  SCRU160: fields, uses of the counter.
 *
 *-------------------------------------------------------------------------
 */
#include "../../../src/core/scru160_codec.h"
#include "check.h"

static void
check_fields(const uint8_t *id)
{
	uint8_t		made[SCRU160_SIZE];

	scru160_compose(id_tick(&scru160_codec, id), scru160_get_counter(id), scru160_get_random(id),
					made);
	check_same(&scru160_codec, made, id);
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
	.forms = {{32, scru160_text, "text"}, {40, scru160_format_hex, "hex"}},
	.ignores_case = true,
	.uses = use_cases,
	.check_fields = check_fields,
};

/* By name, in the order of the cases above. */
TEST(counter_uses, "scru160: uses of the counter")
{
	const char *const names[] = {"default", "MicroSecond", "Alternative"};
	const int	cases[] = {0, 1, 1};
	const char *const none[] = {"", "micro", "microseconds", "alternate"};

	for (size_t i = 0; i < LENGTH(names); i++)
	{
		const Scru160CounterUse *use = scru160_counter_use_by_name(names[i], strlen(names[i]));

		CHECK(use != NULL, "no use %s", names[i]);
		if (use == NULL)
			continue;
		CHECK(use->limit == use_cases[cases[i]].use.limit &&
			  use->fine_bits == use_cases[cases[i]].use.fine_bits,
			  "%s: limit %" PRIx64 ", %d fine bits", names[i], use->limit, use->fine_bits);
		CHECK((UINT64_C(1) << use->random_bits) - 1 == use_cases[cases[i]].random_start,
			  "%s: %d random bits", names[i], use->random_bits);
	}
	for (size_t i = 0; i < LENGTH(none); i++)
		CHECK(scru160_counter_use_by_name(none[i], strlen(none[i])) == NULL, "%s", none[i]);
}
