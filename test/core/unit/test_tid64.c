/*-------------------------------------------------------------------------
 *
 * test_tid64.c
 *	  TID: its fields.
 *
 *-------------------------------------------------------------------------
 */
#include "../../../src/core/tid64_codec.h"
#include "check.h"

static void
check_fields(const uint8_t *id)
{
	uint8_t		made[TID64_SIZE];

	id64_compose(&tid64_codec, id_tick(&tid64_codec, id), tid64_get_clock_id(id), made);
	check_same(&tid64_codec, made, id);
}

static const UseCase use_cases[] = {
	{GENERATOR_TID64, {.step = 1}, 0, 1},
	{.use.step = 0}
};

const TestFormat tid64_format = {
	.codec = &tid64_codec,
	.per_second = 1000000,
	.smallest = "8000000000000000",
	.largest = "7fffffffffffffff",
	.decimal = "18446744073709551615",
	.alphabet = &alphabet_base32lex,
	.separator = '-',
	.forms = {{16, tid64_text, "text"}, {13, tid64_format_compact, "compact"}},
	.uses = use_cases,
	.check_fields = check_fields,
};
