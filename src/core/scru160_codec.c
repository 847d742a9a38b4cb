/*-------------------------------------------------------------------------
 *
 * scru160_codec.c
 *	  SCRU160: text in base32hex and hexadecimal, uses of the counter.
 *
 * id.h describes the functions of an IdCodec, such as scru160_parse().
 *
 *-------------------------------------------------------------------------
 */
#include "codec.h"
#include "scru160_codec.h"

/*
 * Both text forms are processed in groups of 40 bits: 5 bytes, 8 digits of
 * base32hex or 10 of hexadecimal.
 */
#define GROUPS			4
#define GROUP_BITS		40
#define GROUP_BYTES		(GROUP_BITS / 8)

_Static_assert(GROUPS * GROUP_BYTES == SCRU160_SIZE, "groups do not add up");

/* Read digits of the given number of bits; write id only if all are in the alphabet. */
static bool
scru160_read(const Alphabet *alphabet, int bits, const char *text, uint8_t *id)
{
	size_t		digits = (size_t) (GROUP_BITS / bits);
	uint64_t	group[GROUPS];
	bool		valid = true;

	for (int g = 0; g < GROUPS; g++, text += digits)
		valid &= alphabet_read(alphabet, bits, text, digits, &group[g]);
	if (!valid)
		return false;

	for (int g = 0; g < GROUPS; g++)
	{
		for (int i = GROUP_BYTES; i-- > 0; group[g] >>= 8)
			id[g * GROUP_BYTES + i] = (uint8_t) group[g];
	}
	return true;
}

static void
scru160_write(const Alphabet *alphabet, int bits, const uint8_t *id, char *text)
{
	size_t		digits = (size_t) (GROUP_BITS / bits);

	for (int g = 0; g < GROUPS; g++, text += digits)
	{
		uint64_t	group = 0;

		for (int i = 0; i < GROUP_BYTES; i++)
			group = group << 8 | *id++;
		alphabet_write(alphabet, bits, group, text, digits);
	}
}

static IdStatus
scru160_parse(const char *text, size_t len, uint8_t *id, IdError *err)
{
	if (len == SCRU160_TEXT_SIZE && scru160_read(&alphabet_base32hex, 5, text, id))
		return ID_OK;
	if (len == SCRU160_HEX_SIZE && scru160_read(&alphabet_hex, 4, text, id))
		return ID_OK;
	return codec_reject(len == SCRU160_HEX_SIZE ? &alphabet_hex : &alphabet_base32hex,
						text, len, err);
}

static void
scru160_format(const uint8_t *id, char *text)
{
	/* load 8 bytes and use the low 40 bits */
	alphabet_write8(&alphabet_base32hex, load_be64(id) >> 24, text);
	for (int end = 2 * GROUP_BYTES; end <= SCRU160_SIZE; end += GROUP_BYTES)
		alphabet_write8(&alphabet_base32hex, load_be64(id + end - 8), text += 8);
}

static IdStatus
scru160_prefix(const char *text, size_t len, uint8_t *lo, uint8_t *hi, IdError *err)
{
	IdStatus	status = codec_prefix(&scru160_codec, text, len, lo, hi, err);

	if (status == ID_BAD_LENGTH && alphabet_span(&alphabet_hex, text, len) == len)
		err->remedy = "A prefix is read as base32hex digits. For hexadecimal digits h, use BETWEEN "
			"rpad(h, 40, '0')::scru160 AND rpad(h, 40, 'f')::scru160.";
	return status;
}

static const IdLayout scru160_layouts[] = {
	{"", "scru160_parts(id)", {
		{ID_FIELD_TIME, "time", SCRU160_TIME_BITS},
		{ID_FIELD_NUMBER, "counter", SCRU160_COUNTER_BITS},
		{ID_FIELD_BYTES, "random", 8 * SCRU160_RANDOM_SIZE}
	}},
	{.name = NULL}
};

static const IdForm scru160_further[] = {
	{"hex", SCRU160_HEX_SIZE, scru160_format_hex},
	{.name = NULL}
};

/*
 * The counter starts at a random number in each tick.  This makes repeats even less
 * likely, but it is not counted here.
 */
static const IdRepeats scru160_repeats[] = {
	{"scru160", 8 * SCRU160_RANDOM_SIZE, false},
	{.name = NULL}
};

const IdCodec scru160_codec = {
	.name = "scru160",
	.size = SCRU160_SIZE,
	.bits = 8 * SCRU160_SIZE,
	.text_size = SCRU160_TEXT_SIZE,
	.alphabet = &alphabet_base32hex,
	.digits = SCRU160_TEXT_SIZE,
	.format_digits = scru160_format,
	.time = {
		.epoch_us = 0,
		.group_us = 1000,
		.bits = SCRU160_TIME_BITS,
		.first = 0,
		.last = (INT64_C(1) << SCRU160_TIME_BITS) - 1,
	},
	.forms = "A scru160 is written as 32 base32hex digits or as 40 hexadecimal digits.",
	.range = "A scru160 has 160 bits.",
	.parse = scru160_parse,
	.format = scru160_format,
	.prefix = scru160_prefix,
	.layouts = scru160_layouts,
	.further = scru160_further,
	.repeats = scru160_repeats,
};

void
scru160_format_hex(const uint8_t *id, char *text)
{
	scru160_write(&alphabet_hex, 4, id, text);
}

#define MICROSECOND_BITS	10	/* high bits of the counter */
#define LAST_MICROSECOND	999
#define FINE_BITS			(SCRU160_COUNTER_BITS - MICROSECOND_BITS)

_Static_assert(LAST_MICROSECOND < 1 << MICROSECOND_BITS, "a millisecond does not fit the counter");

static const Scru160CounterUse counter_uses[] = {
	{
		.name = "default",
		.limit = (1 << SCRU160_COUNTER_BITS) - 1,
		.fine_bits = SCRU160_COUNTER_BITS,
		.random_bits = SCRU160_COUNTER_BITS - 1
	},
	{
		.name = "microsecond",
		.alias = "alternative",
		.limit = (LAST_MICROSECOND << FINE_BITS) | ((1 << FINE_BITS) - 1),
		.fine_bits = FINE_BITS,
		.random_bits = FINE_BITS - 1
	}
};

const char	scru160_counter_use_names[] = "default, microsecond (alternative)";

const void *
scru160_counter_use_by_name(const char *name, size_t len)
{
	for (size_t i = 0; i < sizeof(counter_uses) / sizeof(*counter_uses); i++)
	{
		const Scru160CounterUse *use = &counter_uses[i];

		if (codec_name_matches(use->name, name, len) ||
			(use->alias != NULL && codec_name_matches(use->alias, name, len)))
			return use;
	}
	return NULL;
}
