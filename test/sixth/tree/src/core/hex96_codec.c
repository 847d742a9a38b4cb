/*-------------------------------------------------------------------------
 *
 * hex96_codec.c
 *	  hex96: text in hexadecimal.
 *
 *-------------------------------------------------------------------------
 */
#include "codec.h"
#include "hex96_codec.h"

/* Digits of the time and counter, and of the tail. */
#define WORD_DIGITS		16
#define TAIL_DIGITS	8

static IdStatus
hex96_parse(const char *text, size_t len, uint8_t *id, IdError *err)
{
	uint64_t	word;
	uint64_t	tail;

	if (len != HEX96_TEXT_SIZE ||
		!alphabet_read(&alphabet_hex, 4, text, WORD_DIGITS, &word) ||
		!alphabet_read(&alphabet_hex, 4, text + WORD_DIGITS, TAIL_DIGITS, &tail))
		return codec_reject(&alphabet_hex, text, len, err);
	hex96_compose(word, (uint32_t) tail, id);
	return ID_OK;
}

static void
hex96_format(const uint8_t *id, char *text)
{
	alphabet_write(&alphabet_hex, 4, load_be64(id), text, WORD_DIGITS);
	alphabet_write(&alphabet_hex, 4, hex96_get_tail(id), text + WORD_DIGITS, TAIL_DIGITS);
}

static IdStatus
hex96_prefix(const char *text, size_t len, uint8_t *lo, uint8_t *hi, IdError *err)
{
	return codec_prefix(&hex96_codec, text, len, lo, hi, err);
}

static const IdLayout hex96_layouts[] = {
	{"", "hex96_parts(id)", {
		{ID_FIELD_TIME, "time", HEX96_TIME_BITS},
		{ID_FIELD_NUMBER, "counter", HEX96_COUNTER_BITS},
		{ID_FIELD_NUMBER, "tail", HEX96_TAIL_BITS}
	}},
	{.name = NULL}
};

static const IdRepeats hex96_repeats[] = {
	{"hex96", HEX96_TAIL_BITS, true},
	{.name = NULL}
};

const IdCodec hex96_codec = {
	.name = "hex96",
	.size = HEX96_SIZE,
	.bits = 8 * HEX96_SIZE,
	.text_size = HEX96_TEXT_SIZE,
	.alphabet = &alphabet_hex,
	.digits = HEX96_TEXT_SIZE,
	.format_digits = hex96_format,
	.time = {
		.epoch_us = HEX96_EPOCH_MS * 1000,
		.group_us = 1000,
		.bits = HEX96_TIME_BITS,
		.first = 0,
		.last = (INT64_C(1) << HEX96_TIME_BITS) - 1,
	},
	.forms = "A hex96 is written as 24 hexadecimal digits.",
	.range = "Every text of 24 hexadecimal digits is a hex96.",
	.parse = hex96_parse,
	.format = hex96_format,
	.prefix = hex96_prefix,
	.layouts = hex96_layouts,
	.repeats = hex96_repeats,
};
