/*-------------------------------------------------------------------------
 *
 * codec.c
 *	  Functions that the codecs share: errors, digits, prefixes, names.
 *
 *-------------------------------------------------------------------------
 */
#include <string.h>

#include "codec.h"

IdStatus
codec_bad_character(const Alphabet *alphabet, size_t position, IdError *err)
{
	err->position = position;
	err->alphabet = alphabet;
	return ID_BAD_CHARACTER;
}

IdStatus
codec_reject(const Alphabet *alphabet, const char *text, size_t len, IdError *err)
{
	size_t		span = alphabet_span(alphabet, text, len);

	return span < len ? codec_bad_character(alphabet, span, err) : ID_BAD_LENGTH;
}

/*
 * The smallest text with a prefix is the prefix padded with the first digit of the
 * alphabet, and the largest is the prefix padded with the last.  The type's parser
 * reads both.
 */
IdStatus
codec_prefix(const IdCodec *codec, const char *text, size_t len,
			 uint8_t *lo, uint8_t *hi, IdError *err)
{
	const Alphabet *alphabet = codec->alphabet;
	size_t		width = (size_t) codec->digits;
	char		filled[ID_MAX_TEXT];
	IdStatus	status;

	if (len > width || alphabet_span(alphabet, text, len) < len)
	{
		err->most = width;
		return codec_reject(alphabet, text, len, err);
	}

	/* the empty prefix selects all ids of the type */
	if (len == 0)
	{
		id_of_tick(codec, codec->time.first, 0x00, lo);
		id_of_tick(codec, codec->time.last, 0xFF, hi);
		return ID_OK;
	}

	memcpy(filled, text, len);
	memset(filled + len, alphabet->digits[0], width - len);
	status = codec->parse(filled, width, lo, err);
	if (status != ID_OK)
		return status;

	/* If only the largest text is out of range, the range ends with the type's last id. */
	memset(filled + len, alphabet->digits[strlen(alphabet->digits) - 1], width - len);
	if (codec->parse(filled, width, hi, err) != ID_OK)
		id_of_tick(codec, codec->time.last, 0xFF, hi);
	return ID_OK;
}

IdStatus
id_parse_digits(const IdCodec *codec, const char *text, size_t len, uint8_t *id, IdError *err)
{
	if (len != (size_t) codec->digits || alphabet_span(codec->alphabet, text, len) < len)
	{
		err->exactly = (size_t) codec->digits;
		return codec_reject(codec->alphabet, text, len, err);
	}
	return codec->parse(text, len, id, err);
}

static char
fold(char c)
{
	if (c >= 'A' && c <= 'Z')
		return (char) (c - 'A' + 'a');
	return c == '-' || c == ' ' ? '_' : c;
}

bool
codec_name_matches(const char *name, const char *text, size_t len)
{
	if (strlen(name) != len)
		return false;
	for (size_t i = 0; i < len; i++)
	{
		if (fold(name[i]) != fold(text[i]))
			return false;
	}
	return true;
}
