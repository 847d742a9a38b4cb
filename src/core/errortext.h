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

/* As in "invalid ... for type uid11". */
extern const char *const text_of_names[];

/* Of a text: what it was expected to be, type, text; the text and the type. */
#define MESSAGE_INVALID_TEXT	"invalid %s for type %s: \"%s\""
#define MESSAGE_TEXT_RANGE		"value \"%s\" is out of range for type %s"

/* If the lower bound of a range of time exceeds the upper one. */
#define MESSAGE_RANGE_ORDER \
	"range lower bound must be less than or equal to range upper bound"

/* Of an id's bytes: the type; how many there are, and how many there should be */
#define MESSAGE_INVALID_BINARY	"invalid binary value for type %s"
#define DETAIL_INVALID_BINARY	"Its length in bytes is %zu, not %d."

/* Of an instant: it and the type; the type and the first and last instant. */
#define MESSAGE_INSTANT_RANGE	"timestamp \"%s\" is out of range for type %s"
#define DETAIL_INSTANT_RANGE	"Type %s holds instants from %s to %s."

/* Of a field given by number: name, value and type; the largest value. */
#define MESSAGE_FIELD_RANGE		"%s %lld is out of range for type %s"
#define DETAIL_FIELD_RANGE		"It must be between 0 and %lld."

/* Of an id read as a layout whose reserved bits it has set. */
#define DETAIL_RESERVED_BITS	"Bits that the profile reserves are set."

/* Bytes of the character that a text begins with, in the text's encoding. */
typedef int (*CharacterSize) (const char *text);

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
 * Explains the status, other than ID_OK, and the error that parse() or its like
 * returned for a text of len bytes, which must be terminated.  Positions and
 * lengths in the sentences are in characters, counted from 1.
 */
extern void explain_text(const IdCodec *codec, TextOf of, IdStatus status, const IdError *err,
						 const char *text, size_t len, CharacterSize character_size,
						 Explanation *explanation);

/* Return the number of characters in the first len bytes of a text. */
extern size_t count_characters(const char *text, size_t len, CharacterSize character_size);

#endif							/* IDTYPES_CORE_ERRORTEXT_H */
