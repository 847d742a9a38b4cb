/*-------------------------------------------------------------------------
 *
 * errortext.c
 *	  Details and hints for text that is not an id.
 *
 *-------------------------------------------------------------------------
 */
#include <stdio.h>
#include <string.h>

#include "codec.h"
#include "errortext.h"

const char *const text_of_names[] = {
	[TEXT_OF_ID] = "input syntax",
	[TEXT_OF_PREFIX] = "prefix",
	[TEXT_OF_ENCRYPTED] = "encrypted text"
};

/* Format a sentence into a buffer of SENTENCE_SIZE bytes, and return the buffer. */
#define compose(buf, ...) (snprintf(buf, SENTENCE_SIZE, __VA_ARGS__), (const char *) (buf))

size_t
count_characters(const char *text, size_t len, const TextEncoding *encoding)
{
	size_t		count = 0;

	for (size_t at = 0; at < len && text[at] != '\0';
		 at += (size_t) encoding->character_size(text + at))
		count++;
	return count;
}

/* Bytes of the longest result of show_character(). */
#define SHOWN_SIZE	16

/*
 * The characters that a reader does not see, or takes for a space or for nothing: control
 * and format characters, separators, and what Unicode lets a font ignore.  The space itself
 * is not one, because quotes show it.
 */
static const struct
{
	uint32_t	first;
	uint32_t	last;
}			invisible[] = {
	{0x0000, 0x001F}, {0x007F, 0x00A0}, {0x00AD, 0x00AD}, {0x034F, 0x034F}, {0x061C, 0x061C},
	{0x115F, 0x1160}, {0x1680, 0x1680}, {0x17B4, 0x17B5}, {0x180B, 0x180F}, {0x2000, 0x200F},
	{0x2028, 0x202F}, {0x205F, 0x206F}, {0x3000, 0x3000}, {0x3164, 0x3164}, {0xFE00, 0xFE0F},
	{0xFEFF, 0xFEFF}, {0xFFA0, 0xFFA0}, {0xFFF0, 0xFFFB}, {0x13430, 0x1343F},
	{0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF}
};

/*
 * Return true if the first character of a text is one of those, and its code point in
 * *code.  In other encodings than UTF-8, only ASCII is known.
 */
static bool
is_invisible(const char *text, const TextEncoding *encoding, uint32_t *code)
{
	int			size = encoding->character_size(text);

	*code = (uint8_t) *text;
	if (*code >= 0x80)
	{
		if (!encoding->is_utf8)
			return false;
		*code &= 0x7Fu >> size;
		for (int i = 1; i < size && text[i] != '\0'; i++)
			*code = *code << 6 | ((uint8_t) text[i] & 0x3F);
	}
	for (size_t i = 0; i < sizeof(invisible) / sizeof(invisible[0]); i++)
		if (*code >= invisible[i].first && *code <= invisible[i].last)
			return true;
	return false;
}

/*
 * Write the first character of a text as a sentence shows it: in quotes, or as its code
 * if a reader would not see it.
 */
static const char *
show_character(const char *text, const TextEncoding *encoding, char *shown)
{
	uint32_t	code;

	if (is_invisible(text, encoding, &code))
		snprintf(shown, SHOWN_SIZE, "U+%04X", (unsigned) code);
	else
		snprintf(shown, SHOWN_SIZE, "\"%.*s\"", encoding->character_size(text), text);
	return shown;
}

/*
 * Return a sentence that says what is wrong with the text, or NULL if the message
 * is enough.
 */
static const char *
describe_text(const IdCodec *codec, IdStatus status, const IdError *err, const char *text,
			  size_t len, const TextEncoding *encoding, char *buf)
{
	size_t		before = err->position < len ? err->position : len;
	int			position = (int) count_characters(text, before, encoding) + 1;
	int			length = (int) count_characters(text, len, encoding);
	char		shown[SHOWN_SIZE];

	if (err->instead != NULL)
		return err->instead;
	switch (status)
	{
		case ID_BAD_LENGTH:
			if (err->most > 0)
				return compose(buf, "It is longer than the %zu digits of an id.", err->most);
			if (err->exactly > 0)
				return compose(buf, "Its length is %d, not %zu.", length, err->exactly);
			return compose(buf, "Its length is %d. %s", length, codec->forms);
		case ID_BAD_CHARACTER:
			return compose(buf, "Character %s at position %d is not in the %s alphabet.",
						   show_character(text + err->position, encoding, shown), position,
						   err->alphabet->name);
		case ID_BAD_SEPARATOR:
			return compose(buf, "There is %s at position %d, where a dash is missing or misplaced. "
						   "%s", err->position < len ?
						   show_character(text + err->position, encoding, shown) :
						   "nothing", position, codec->forms);
		case ID_BAD_SCHEME:
			return compose(buf, "The scheme, written in lower case, differs at position %d. %s",
						   position, codec->forms);
		case ID_BAD_CHECKSUM:
			return compose(buf, "The text carries the checksum %08x, but its identifier has the "
						   "checksum %08x.", err->found, err->expected);
		case ID_OUT_OF_RANGE:
			return codec->range;
		case ID_OK:
			break;
	}
	return NULL;
}

/* What people write instead of an id: a date, as in "id > '2026-01-01'", or a UUID. */
static const char date_form[] = "dddd-dd-dd";
static const char uuid_form[] = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";

#define ULID_DIGITS		26

/* Numbers that hold a time, such as Snowflake IDs, have at least this many digits. */
#define NUMBER_MIN		15
static const char largest_bigint[] = "9223372036854775807";

static bool
is_decimal(char c)
{
	return c >= '0' && c <= '9';
}

/*
 * True if the text starts with the form.  In the form, d matches any decimal digit, x
 * any hexadecimal digit, and every other character only itself.
 */
static bool
starts_with(const char *text, const char *form)
{
	for (; *form != '\0'; form++, text++)
		if (*form == 'd' ? !is_decimal(*text) :
			*form == 'x' ? alphabet_hex.value[(uint8_t) *text] == 0 : *form != *text)
			return false;
	return true;
}

/*
 * True if the text looks like a timestamp, or like a range of timestamps: it starts with
 * a date, or is a word such as "today".
 */
static bool
is_instant(const char *text, size_t len)
{
	static const char *const words[] = {
		"now", "today", "tomorrow", "yesterday", "epoch", "infinity", "-infinity", NULL
	};

	if (starts_with(text + strspn(text, "[(\""), date_form))
		return true;
	for (int i = 0; words[i] != NULL; i++)
		if (codec_name_matches(words[i], text, len))
			return true;
	return false;
}

/* True if there are ids that begin with the len bytes at text, as T_prefix() reads them. */
static bool
is_prefix(const IdCodec *codec, const char *text, size_t len)
{
	uint8_t		lo[ID_MAX_SIZE];
	uint8_t		hi[ID_MAX_SIZE];
	IdError		ignored = {0};

	return codec->prefix(text, len, lo, hi, &ignored) == ID_OK;
}

/*
 * If the text is a mistake that people often make, return a hint that says what the
 * text is and what to do with it, otherwise NULL.  buf has SENTENCE_SIZE bytes.  White
 * space around the text does not matter.  Only text that may lack digits (is_short) or
 * ends with "%" is taken for a prefix.
 */
static const char *
suggest(const IdCodec *codec, bool is_short, const char *text, char *buf)
{
	static const char blanks[] = " \t\n\v\f\r";
	const char *start = text + strspn(text, blanks);
	const char *end = start + strlen(start);
	size_t		len;

	while (end > start && strchr(blanks, end[-1]) != NULL)
		end--;
	len = (size_t) (end - start);

	if (starts_with(start, uuid_form))
		return "It has the form of a UUID, which belongs in a column of type uuid.";
	if (is_instant(start, len))
		return compose(buf, "To compare ids with an instant, write timestamptz '...', or "
					   "$1::timestamptz for a parameter; for a window of time, use %s_range().",
					   codec->name);
	if (len == ULID_DIGITS && alphabet_span(&alphabet_crockford, start, len) == len)
		return "It has the form of a ULID, which belongs in a column of type text or, "
			"converted, uuid.";
	if (len >= NUMBER_MIN && strspn(start, "0123456789") == len &&
		(len < strlen(largest_bigint) ||
		 (len == strlen(largest_bigint) && strncmp(start, largest_bigint, len) <= 0)))
		return codec->number == NULL ?
			"A number such as a Snowflake ID belongs in a column of type bigint." :
			compose(buf, "A number such as a Snowflake ID belongs in a column of type bigint; "
					"the number of a %s is cast from %s, not from text.",
					codec->name, codec->number);
	if (len < strlen(text))
		return "Remove the white space around it.";
	if (len > 0 && end[-1] == '%')
		len--;
	else if (!is_short)
		return NULL;
	else if (len == 0)
		return "Where there is no id, write NULL.";
	if (is_prefix(codec, start, len))
		return compose(buf, "To find the ids that begin with it, write id ^@ '%.*s'.",
					   (int) len, start);
	return NULL;
}

void
explain_text(const IdCodec *codec, TextOf of, IdStatus status, const IdError *err,
			 const char *text, size_t len, const TextEncoding *encoding, Explanation *explanation)
{
	const char *hint = err->remedy;
	uint32_t	code;

	explanation->detail = describe_text(codec, status, err, text, len, encoding,
										explanation->detail_text);
	explanation->hint = NULL;
	if (status == ID_OUT_OF_RANGE)
		return;
	/* an encrypted id is random text, which may look like one of those mistakes by chance */
	if (hint == NULL && of != TEXT_OF_ENCRYPTED)
		hint = suggest(codec, status == ID_BAD_LENGTH || err->instead != NULL, text,
					   explanation->hint_text);
	/* the letters that an alphabet leaves out are no help with what is not a letter */
	if (hint == NULL && status == ID_BAD_CHARACTER &&
		!is_invisible(text + err->position, encoding, &code))
		hint = err->alphabet->hint;
	if (hint == NULL && status == ID_BAD_CHECKSUM)
		hint = "One or more characters were changed or mistyped.";
	explanation->hint = hint;
}
