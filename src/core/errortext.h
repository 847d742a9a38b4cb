/*-------------------------------------------------------------------------
 *
 * errortext.h
 *	  The texts of errors: messages, details and hints.
 *
 * The server's error reports and the module in js/ both use them.  Messages are
 * printf formats, because each caller has its own function to fill them in.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_CORE_ERRORTEXT_H
#define IDTYPES_CORE_ERRORTEXT_H

#include "id.h"

/* What a text was expected to be. */
typedef enum TextOf
{
	TEXT_OF_ID,
	TEXT_OF_PREFIX,				/* of an id */
	TEXT_OF_ENCRYPTED			/* the result of T_encrypt() */
} TextOf;

/* The name of each, for the message "invalid ... for type uid11". */
extern const char *const text_of_names[];

/*
 * For invalid text.  The arguments of the first are what it was expected to be, the type
 * and the text; those of the second are the text and the type.
 */
#define MESSAGE_INVALID_TEXT	"invalid %s for type %s: \"%s\""
#define MESSAGE_TEXT_RANGE		"value \"%s\" is out of range for type %s"

/* If the lower bound of a range of time exceeds the upper one. */
#define MESSAGE_RANGE_ORDER \
	"range lower bound must be less than or equal to range upper bound"

/*
 * For bytes that are not an id.  The argument of the message is the type; those of the
 * detail are the number of bytes and the expected number.
 */
#define MESSAGE_INVALID_BINARY	"invalid binary value for type %s"
#define DETAIL_INVALID_BINARY	"Its length in bytes is %zu, not %d."

/*
 * For an instant.  The arguments of the message are the instant and the type; those of
 * the detail are the type and its first and last instant.
 */
#define MESSAGE_INSTANT_RANGE	"timestamp \"%s\" is out of range for type %s"
#define DETAIL_INSTANT_RANGE	"Type %s holds instants from %s to %s."

/*
 * For a field given as a number.  The arguments of the message are its name, the value
 * and the type; that of the detail is the largest value.
 */
#define MESSAGE_FIELD_RANGE		"%s %s is out of range for type %s"
#define DETAIL_FIELD_RANGE		"It must be between 0 and %lld."

/* For an id that has reserved bits set in the layout as which it is read. */
#define DETAIL_RESERVED_BITS	"Bits that the profile reserves are set."

/* The encoding of a text, a superset of ASCII. */
typedef struct TextEncoding
{
	int			(*character_size) (const char *text);	/* bytes of the first character */
	bool		is_utf8;
} TextEncoding;

/* Bytes of the longest detail or hint, with its terminator. */
#define SENTENCE_SIZE	384

typedef struct Explanation
{
	const char *detail;			/* which rule was broken where; NULL if the message is enough */
	const char *hint;			/* a remedy, or NULL */
	char		detail_text[SENTENCE_SIZE]; /* for sentences that are composed */
	char		hint_text[SENTENCE_SIZE];
} Explanation;

/*
 * Write into *explanation what status, which is not ID_OK, and err mean.  A function
 * such as codec->parse() has returned both for the len bytes at text, which must be
 * terminated.  The sentences count positions in characters, from 1.
 */
extern void explain_text(const IdCodec *codec, TextOf of, IdStatus status, const IdError *err,
						 const char *text, size_t len, const TextEncoding *encoding,
						 Explanation *explanation);

/* Return the number of characters in the first len bytes of a text. */
extern size_t count_characters(const char *text, size_t len, const TextEncoding *encoding);

#endif							/* IDTYPES_CORE_ERRORTEXT_H */
