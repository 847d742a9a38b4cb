/*-------------------------------------------------------------------------
 *
 * hex64_codec.c
 *	  hex64: text in hexadecimal.
 *
 *-------------------------------------------------------------------------
 */
#include "codec.h"
#include "hex64_codec.h"

static IdStatus
hex64_parse(const char *text, size_t len, uint8_t *id, IdError *err)
{
	uint64_t	value;

	if (len != HEX64_TEXT_SIZE || !alphabet_read(&alphabet_hex, 4, text, len, &value))
		return codec_reject(&alphabet_hex, text, len, err);
	store_be64(id, value);
	return ID_OK;
}

static void
hex64_format(const uint8_t *id, char *text)
{
	alphabet_write(&alphabet_hex, 4, load_be64(id), text, HEX64_TEXT_SIZE);
}

static IdStatus
hex64_prefix(const char *text, size_t len, uint8_t *lo, uint8_t *hi, IdError *err)
{
	return codec_prefix(&hex64_codec, text, len, lo, hi, err);
}

const IdCodec hex64_codec = {
	.name = "hex64",
	.size = HEX64_SIZE,
	.bits = 8 * HEX64_SIZE,
	.text_size = HEX64_TEXT_SIZE,
	.alphabet = &alphabet_hex,
	.digits = HEX64_TEXT_SIZE,
	.format_digits = hex64_format,
	.time = {
		.epoch_us = HEX64_EPOCH_MS * 1000,
		.group_us = 1000,
		.bits = HEX64_TIME_BITS,
		.first = 0,
		.last = (INT64_C(1) << HEX64_TIME_BITS) - 1,
	},
	.forms = "A hex64 is written as 16 hexadecimal digits.",
	.range = "Every text of 16 hexadecimal digits is a hex64.",
	.parse = hex64_parse,
	.format = hex64_format,
	.prefix = hex64_prefix,
};
