/*-------------------------------------------------------------------------
 *
 * ulidflake_codec.c
 *	  Ulid-Flake: text in Crockford's base32.
 *
 * id.h describes the functions of an IdCodec, such as ulidflake_parse().
 *
 *-------------------------------------------------------------------------
 */
#include "codec.h"
#include "ulidflake_codec.h"

static IdStatus
ulidflake_parse(const char *text, size_t len, uint8_t *id, IdError *err)
{
	uint64_t	first,
				rest;

	if (len != ULIDFLAKE_TEXT_SIZE ||
		!(alphabet_read(&alphabet_crockford, 5, text, 1, &first) &&
		  alphabet_read(&alphabet_crockford, 5, text + 1, ULIDFLAKE_TEXT_SIZE - 1, &rest)))
		return codec_reject(&alphabet_crockford, text, len, err);

	/* the 13 digits have 65 bits and an id 63, so a text may be out of range */
	if (first > 7)
		return ID_OUT_OF_RANGE;
	store_be64(id, first << 60 | rest);
	return ID_OK;
}

static void
ulidflake_format(const uint8_t *id, char *text)
{
	alphabet_write(&alphabet_crockford, 5, load_be64(id), text, ULIDFLAKE_TEXT_SIZE);
}

static IdStatus
ulidflake_prefix(const char *text, size_t len, uint8_t *lo, uint8_t *hi, IdError *err)
{
	return codec_prefix(&ulidflake_codec, text, len, lo, hi, err);
}

static const IdLayout ulidflake_layouts[] = {
	{"stand-alone", "ulidflake_parts(id)", {
		{ID_FIELD_ZERO, "zero", ULIDFLAKE_TIME_BITS - ULIDFLAKE_TICK_BITS},
		{ID_FIELD_TIME, "time", ULIDFLAKE_TICK_BITS},
		{ID_FIELD_NUMBER, "randomness", ULIDFLAKE_RANDOM_BITS}
	}},
	{"scalable", "ulidflake_parts_scalable(id)", {
		{ID_FIELD_ZERO, "zero", ULIDFLAKE_TIME_BITS - ULIDFLAKE_TICK_BITS},
		{ID_FIELD_TIME, "time", ULIDFLAKE_TICK_BITS},
		{ID_FIELD_NUMBER, "randomness", ULIDFLAKE_SCALABLE_RANDOM_BITS},
		{ID_FIELD_NUMBER, "scalability", ULIDFLAKE_SCALABILITY_BITS}
	}},
	{.name = NULL}
};

static const IdRepeats ulidflake_repeats[] = {
	{"ulidflake", ULIDFLAKE_RANDOM_BITS, false},
	{"ulidflake, scalable, same number", ULIDFLAKE_SCALABLE_RANDOM_BITS, false},
	{.name = NULL}
};

const IdCodec ulidflake_codec = {
	.name = "ulidflake",
	.size = ULIDFLAKE_SIZE,
	.bits = 8 * ULIDFLAKE_SIZE - 1,
	.text_size = ULIDFLAKE_TEXT_SIZE,
	.alphabet = &alphabet_crockford,
	.digits = ULIDFLAKE_TEXT_SIZE,
	.format_digits = ulidflake_format,
	.time = {
		.epoch_us = ULIDFLAKE_EPOCH_MS * 1000,
		.group_us = 1000,
		.bits = ULIDFLAKE_TIME_BITS,
		.first = 0,
		.last = (INT64_C(1) << (ULIDFLAKE_TIME_BITS - 1)) - 1,
	},
	.forms = "A ulidflake is written as 13 digits of Crockford's base32.",
	.range = "The largest ulidflake is 7ZZZZZZZZZZZZ.",
	.number = "bigint",
	.parse = ulidflake_parse,
	.format = ulidflake_format,
	.prefix = ulidflake_prefix,
	.layouts = ulidflake_layouts,
	.repeats = ulidflake_repeats,
};
