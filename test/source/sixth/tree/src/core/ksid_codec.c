/*-------------------------------------------------------------------------
 *
 * ksid_codec.c
 *	  ksid: text in Base62.
 *
 * id.h describes the functions of an IdCodec, such as ksid_parse().
 *
 *-------------------------------------------------------------------------
 */
#include "codec.h"
#include "ksid_codec.h"

/* The 22 digits are two and four groups of five; a group fits 32 bits. */
#define GROUP_DIGITS	5
#define GROUP			UINT32_C(916132832) /* 62^5 */
#define FIRST_DIGITS	2

/* An id as a number, most significant limb first. */
#define LIMBS			(KSID_SIZE / 4)

_Static_assert(GROUP == UINT32_C(62) * 62 * 62 * 62 * 62 &&
			   FIRST_DIGITS + 4 * GROUP_DIGITS == KSID_TEXT_SIZE, "groups do not add up");

const Alphabet alphabet_base62 = {
	.name = "Base62",
	.hint = NULL,
	.digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
	.value = {ALPHABET_RUN10('0', 0), ALPHABET_RUN26('A', 10), ALPHABET_RUN26('a', 36)},
};

static IdStatus
ksid_parse(const char *text, size_t len, uint8_t *id, IdError *err)
{
	uint32_t	limb[LIMBS] = {0};

	if (len != KSID_TEXT_SIZE || alphabet_span(&alphabet_base62, text, len) < len)
		return codec_reject(&alphabet_base62, text, len, err);
	for (size_t at = 0; at < len; at++)
	{
		uint64_t	carry = alphabet_base62.value[(uint8_t) text[at]] & ALPHABET_DIGIT;

		for (int i = LIMBS; i-- > 0; carry >>= 32)
		{
			carry += (uint64_t) limb[i] * 62;
			limb[i] = (uint32_t) carry;
		}
		if (carry != 0)
			return ID_OUT_OF_RANGE;
	}
	for (int i = 0; i < LIMBS; i += 2)
		store_be64(id + 4 * i, (uint64_t) limb[i] << 32 | limb[i + 1]);
	return ID_OK;
}

static void
ksid_format(const uint8_t *id, char *text)
{
	uint32_t	limb[LIMBS];
	int			at = KSID_TEXT_SIZE;

	for (int i = 0; i < LIMBS; i++)
		limb[i] = (uint32_t) (load_be64(id + 4 * (i & ~1)) >> (i & 1 ? 0 : 32));
	while (at > 0)
	{
		uint64_t	rest = 0;

		for (int i = 0; i < LIMBS; i++)
		{
			rest = rest << 32 | limb[i];
			limb[i] = (uint32_t) (rest / GROUP);
			rest %= GROUP;
		}
		for (int i = 0; i < GROUP_DIGITS && at > 0; i++, rest /= 62)
			text[--at] = alphabet_base62.digits[rest % 62];
	}
}

static IdStatus
ksid_prefix(const char *text, size_t len, uint8_t *lo, uint8_t *hi, IdError *err)
{
	return codec_prefix(&ksid_codec, text, len, lo, hi, err);
}

static const IdLayout ksid_layouts[] = {
	{"", "ksid_parts(id)", {
		{ID_FIELD_TIME, "time", KSID_TIME_BITS},
		{ID_FIELD_NUMBER, "counter", KSID_COUNTER_BITS},
		{ID_FIELD_BYTES, "tail", 8 * KSID_TAIL_SIZE}
	}},
	{.name = NULL}
};

static const IdRepeats ksid_repeats[] = {
	{"ksid", 8 * KSID_TAIL_SIZE, true},
	{.name = NULL}
};

const IdCodec ksid_codec = {
	.name = "ksid",
	.size = KSID_SIZE,
	.bits = 8 * KSID_SIZE,
	.text_size = KSID_TEXT_SIZE,
	.alphabet = &alphabet_base62,
	.digits = KSID_TEXT_SIZE,
	.format_digits = ksid_format,
	.time = {
		.epoch_us = KSID_EPOCH * 1000000,
		.group_us = 1000000,
		.bits = KSID_TIME_BITS,
		.first = 0,
		.last = (INT64_C(1) << KSID_TIME_BITS) - 1,
	},
	.forms = "A ksid is written as 22 Base62 digits.",
	.range = "The largest ksid is 7n42DGM5Tflk9n8mt7Fhc7.",
	.parse = ksid_parse,
	.format = ksid_format,
	.prefix = ksid_prefix,
	.layouts = ksid_layouts,
	.repeats = ksid_repeats,
};
