/*-------------------------------------------------------------------------
 *
 * decimal.c
 *	  An identifier as an unsigned decimal number, in both directions.
 *
 * No 128-bit integer is used, so that 32-bit builds behave the same.
 *
 *-------------------------------------------------------------------------
 */
#include <string.h>

#include "codec.h"
#include "decimal.h"

/* An id as a number, most significant limb first. */
#define LIMBS			(ID_MAX_SIZE / 4)

_Static_assert(ID_MAX_SIZE % 4 == 0, "an id is a whole number of limbs");

static const Alphabet alphabet_decimal = {
	.name = "decimal",
	.hint = NULL,
	.digits = "0123456789",
	.value = {ALPHABET_RUN10('0', 0)},
};

void
id_to_decimal(const IdCodec *codec, const uint8_t *id, char *text)
{
	uint8_t		bytes[ID_MAX_SIZE] = {0};
	uint32_t	limb[LIMBS];
	char		digits[54];		/* six groups of nine hold ID_MAX_DECIMAL */
	size_t		start = sizeof(digits);

	memcpy(bytes + ID_MAX_SIZE - codec->size, id, codec->size);
	for (int i = 0; i < LIMBS; i++)
		limb[i] = (uint32_t) bytes[4 * i] << 24 | (uint32_t) bytes[4 * i + 1] << 16 |
			(uint32_t) bytes[4 * i + 2] << 8 | bytes[4 * i + 3];

	while (start > 0)
	{
		uint64_t	rest = 0;

		for (int i = 0; i < LIMBS; i++)
		{
			rest = rest << 32 | limb[i];
			limb[i] = (uint32_t) (rest / 1000000000);
			rest %= 1000000000;
		}
		for (int i = 0; i < 9; i++, rest /= 10)
			digits[--start] = (char) ('0' + rest % 10);
	}

	while (start < sizeof(digits) - 1 && digits[start] == '0')
		start++;
	memcpy(text, digits + start, sizeof(digits) - start);
	text[sizeof(digits) - start] = '\0';
}

IdStatus
id_from_decimal(const IdCodec *codec, const char *text, size_t len, uint8_t *id, IdError *err)
{
	uint8_t		bytes[ID_MAX_SIZE];
	uint32_t	limb[LIMBS] = {0};
	const uint8_t *value = bytes + ID_MAX_SIZE - codec->size;

	if (len == 0 || alphabet_span(&alphabet_decimal, text, len) < len)
		return codec_reject(&alphabet_decimal, text, len, err);

	for (size_t at = 0; at < len; at++)
	{
		uint64_t	carry = (uint64_t) (text[at] - '0');

		for (int i = LIMBS; i-- > 0; carry >>= 32)
		{
			carry += (uint64_t) limb[i] * 10;
			limb[i] = (uint32_t) carry;
		}
		if (carry != 0)
			return ID_OUT_OF_RANGE;
	}

	for (int i = 0; i < ID_MAX_SIZE; i++)
		bytes[i] = (uint8_t) (limb[i / 4] >> (24 - 8 * (i % 4)));
	for (const uint8_t *above = bytes; above < value; above++)
	{
		if (*above != 0)
			return ID_OUT_OF_RANGE;
	}
	if (!id_is_valid(codec, value))
		return ID_OUT_OF_RANGE;
	memcpy(id, value, codec->size);
	return ID_OK;
}
