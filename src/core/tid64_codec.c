/*-------------------------------------------------------------------------
 *
 * tid64_codec.c
 *	  The Time-Ordered ID: text in base32lex, with and without dashes.
 *
 * id.h describes the functions of an IdCodec, such as tid64_parse().
 *
 *-------------------------------------------------------------------------
 */
#include <string.h>

#include "codec.h"
#include "tid64_codec.h"

#define DASH			'-'
#define CLOCKLESS_SIZE	13		/* STTT-TTT-TTTT */

/* True if a dash belongs after this number of digits. */
static inline bool
dash_after(size_t digits)
{
	return digits == 4 || digits == 7 || digits == 11;
}

/* True if a dash belongs at this offset of the text with dashes. */
static inline bool
dash_at(size_t position)
{
	return position == 4 || position == 8 || position == 13;
}

/*
 * Read 13 digits, and return false if one is bad.  They hold 65 bits: the id, with its
 * sign repeated in front.  *in_range is true if the first two bits are equal, as they
 * must be.
 */
static bool
tid64_read(const char *digits, uint64_t *value, bool *in_range)
{
	uint64_t	first,
				rest;

	if (!(alphabet_read(&alphabet_base32lex, 5, digits, 1, &first) &&
		  alphabet_read(&alphabet_base32lex, 5, digits + 1, TID64_COMPACT_SIZE - 1, &rest)))
		return false;
	*value = first << 60 | rest;
	*in_range = (first >> 4) == (first >> 3 & 1);
	return true;
}

/* True if CLOCKLESS_SIZE characters are STTT-TTT-TTTT, the draft's form of an instant. */
static bool
is_clockless(const char *text)
{
	for (size_t i = 0; i < CLOCKLESS_SIZE; i++)
	{
		if (dash_at(i) ? text[i] != DASH : alphabet_base32lex.value[(uint8_t) text[i]] == 0)
			return false;
	}
	return true;
}

/* Return what is wrong with a text that is not an id, at the first wrong position. */
static IdStatus
tid64_reject(const char *text, size_t len, IdError *err)
{
	bool		dashed = len == TID64_TEXT_SIZE;
	bool		compact = len == TID64_COMPACT_SIZE;

	if (len == CLOCKLESS_SIZE && is_clockless(text))
		err->instead = "It has the form without a clock id.";
	for (size_t i = 0; i < len; i++)
	{
		bool		dash = text[i] == DASH;

		err->position = i;
		if (dashed ? dash != dash_at(i) : compact && dash)
			return ID_BAD_SEPARATOR;
		if (!dash && alphabet_base32lex.value[(uint8_t) text[i]] == 0)
			return codec_bad_character(&alphabet_base32lex, i, err);
	}
	return ID_BAD_LENGTH;
}

static IdStatus
tid64_parse(const char *text, size_t len, uint8_t *id, IdError *err)
{
	char		digits[TID64_COMPACT_SIZE];
	const char *from = text;
	uint64_t	value;
	bool		in_range;

	if (len == TID64_TEXT_SIZE)
	{
		if (text[4] != DASH || text[8] != DASH || text[13] != DASH)
			return tid64_reject(text, len, err);
		memcpy(digits, text, 4);
		memcpy(digits + 4, text + 5, 3);
		memcpy(digits + 7, text + 9, 4);
		memcpy(digits + 11, text + 14, 2);
		from = digits;
	}
	else if (len != TID64_COMPACT_SIZE)
		return tid64_reject(text, len, err);

	if (!tid64_read(from, &value, &in_range))
		return tid64_reject(text, len, err);
	if (!in_range)
		return ID_OUT_OF_RANGE;
	store_be64(id, value);
	return ID_OK;
}

void
tid64_format_compact(const uint8_t *id, char *text)
{
	int64_t		value = (int64_t) load_be64(id);

	/* The first digit has four bits of the id: the shift adds the sign. */
	text[0] = alphabet_base32lex.digits[(value >> 60) & 0x1F];
	alphabet_write(&alphabet_base32lex, 5, (uint64_t) value, text + 1, TID64_COMPACT_SIZE - 1);
}

static void
tid64_format(const uint8_t *id, char *text)
{
	char		digits[TID64_COMPACT_SIZE];

	tid64_format_compact(id, digits);
	memcpy(text, digits, 4);
	text[4] = DASH;
	memcpy(text + 5, digits + 4, 3);
	text[8] = DASH;
	memcpy(text + 9, digits + 7, 4);
	text[13] = DASH;
	memcpy(text + 14, digits + 11, 2);
}

/* Each dash of a prefix is optional, including one at its end. */
static IdStatus
tid64_prefix(const char *text, size_t len, uint8_t *lo, uint8_t *hi, IdError *err)
{
	char		digits[TID64_COMPACT_SIZE];
	size_t		n = 0;

	for (size_t i = 0; i < len; i++)
	{
		if (text[i] == DASH)
		{
			if (!dash_after(n) || text[i - 1] == DASH)
			{
				err->position = i;
				return ID_BAD_SEPARATOR;
			}
			continue;
		}
		if (alphabet_base32lex.value[(uint8_t) text[i]] == 0)
			return codec_bad_character(&alphabet_base32lex, i, err);
		if (n < TID64_COMPACT_SIZE)
			digits[n] = text[i];
		n++;
	}
	if (n > TID64_COMPACT_SIZE)
	{
		err->most = TID64_COMPACT_SIZE;
		return ID_BAD_LENGTH;
	}
	return codec_prefix(&tid64_codec, digits, n, lo, hi, err);
}

static const IdLayout tid64_layouts[] = {
	{"", "tid64_parts(id)", {
		{ID_FIELD_TIME, "time", TID64_TIME_BITS},
		{ID_FIELD_NUMBER, "clock_id", TID64_CLOCK_BITS}
	}},
	{.name = NULL}
};

static const IdForm tid64_further[] = {
	{"compact", TID64_COMPACT_SIZE, tid64_format_compact},
	{.name = NULL}
};

static const IdRepeats tid64_repeats[] = {
	{"tid64, same clock id", 0, true},
	{.name = NULL}
};

const IdCodec tid64_codec = {
	.name = "tid64",
	.size = TID64_SIZE,
	.bits = 8 * TID64_SIZE,
	.text_size = TID64_TEXT_SIZE,
	.alphabet = &alphabet_base32lex,
	.digits = TID64_COMPACT_SIZE,
	.format_digits = tid64_format_compact,
	.time = {
		.epoch_us = 0,
		.group_us = 1,
		.bits = TID64_TIME_BITS,
		.first = -(INT64_C(1) << (TID64_TIME_BITS - 1)),
		.last = (INT64_C(1) << (TID64_TIME_BITS - 1)) - 1,
	},
	.forms = "A tid64 is written as 13 base32lex digits, alone or with dashes as in "
	"3kxn-lhr-3gxq-23.",
	.range = "The first digit of a tid64 is one of 2 to 7, a or b (1970 and later) or one of "
	"s to z (before 1970).",
	.number = "bigint",
	.parse = tid64_parse,
	.format = tid64_format,
	.prefix = tid64_prefix,
	.layouts = tid64_layouts,
	.further = tid64_further,
	.repeats = tid64_repeats,
};
