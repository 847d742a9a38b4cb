/*-------------------------------------------------------------------------
 *
 * uuid7_codec.c
 *	  UUID version 7: the layout of its time, and prefixes of the hexadecimal digits of
 *	  any uuid.
 *
 * The server reads and writes uuids, so this codec has no parse() and no format().
 *
 *-------------------------------------------------------------------------
 */
#include <string.h>

#include "codec.h"
#include "uuid7_codec.h"

/*
 * The prefix is in either case, and each dash of the canonical text, which has one after 8,
 * 12, 16 and 20 digits, may be left out; the prefix may end with one.
 */
static IdStatus
uuid7_prefix(const char *text, size_t len, uint8_t *lo, uint8_t *hi, IdError *err)
{
	int			n = 0;

	err->remedy = "A prefix is hexadecimal digits, with or without the dashes of a uuid; for a "
		"window of time, use uuid7_range().";
	memset(lo, 0x00, UUID7_SIZE);
	memset(hi, 0xFF, UUID7_SIZE);
	for (size_t i = 0; i < len; i++)
	{
		uint8_t		value = alphabet_hex.value[(uint8_t) text[i]];
		int			shift = n % 2 ? 0 : 4;

		if (text[i] == '-')
		{
			if (n >= 8 && n <= 20 && n % 4 == 0 && text[i - 1] != '-')
				continue;
			err->position = i;
			return ID_BAD_SEPARATOR;
		}
		if (value == 0)
			return codec_bad_character(&alphabet_hex, i, err);
		if (n == UUID7_HEX_SIZE)
		{
			err->most = UUID7_HEX_SIZE;
			return ID_BAD_LENGTH;
		}
		lo[n / 2] |= (uint8_t) ((value & ALPHABET_DIGIT) << shift);
		hi[n / 2] &= (uint8_t) ~((~value & 0x0F) << shift);
		n++;
	}
	return ID_OK;
}

const IdCodec uuid7_codec = {
	.name = "uuid",
	.size = UUID7_SIZE,
	.bits = 8 * UUID7_SIZE,
	.alphabet = &alphabet_hex,
	.digits = UUID7_HEX_SIZE,
	.time = {
		.epoch_us = 0,
		.group_us = 1000,
		.bits = UUID7_TIME_BITS,
		.first = 0,
		.last = (INT64_C(1) << UUID7_TIME_BITS) - 1,
	},
	.forms = "A uuid is written as 32 hexadecimal digits, with a dash after 8, 12, 16 and 20.",
	.prefix = uuid7_prefix,
};
