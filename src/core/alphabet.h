/*-------------------------------------------------------------------------
 *
 * alphabet.h
 *	  The digit sets of the text forms, as tables for both directions.
 *
 * value[c] is ALPHABET_VALID | digit for a character of the alphabet and 0
 * for any other, so a decoder can AND all entries together, test ALPHABET_VALID
 * once at the end, and look for the culprit only when something is wrong.
 * Where an alphabet ignores case, value[] has both cases and digits[] the
 * canonical one.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_CORE_ALPHABET_H
#define IDTYPES_CORE_ALPHABET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ALPHABET_VALID	0x40
#define ALPHABET_DIGIT	0x3F	/* mask for the digit */

typedef struct Alphabet
{
	const char *name;			/* as in "is not in the ... alphabet" */
	const char *hint;			/* which characters it lacks, for an error's hint, or NULL */
	char		digits[65];

	/*
	 * For alphabet_write8(): the digits are two runs of consecutive characters.
	 * The second run starts with the digit "second".  Its characters are "jump"
	 * further on than the characters that would continue the first run.
	 */
	uint8_t		second;
	int8_t		jump;
	uint8_t		value[256];
} Alphabet;

/*
 * Entries of value[] for consecutive characters whose digits are
 * consecutive.  Every alphabet is made of a few such runs of ASCII.
 */
#define ALPHABET_RUN1(c, d)	[(c)] = ALPHABET_VALID | (d)
#define ALPHABET_RUN2(c, d)	ALPHABET_RUN1(c, d), ALPHABET_RUN1((c) + 1, (d) + 1)
#define ALPHABET_RUN3(c, d)	ALPHABET_RUN2(c, d), ALPHABET_RUN1((c) + 2, (d) + 2)
#define ALPHABET_RUN4(c, d)	ALPHABET_RUN2(c, d), ALPHABET_RUN2((c) + 2, (d) + 2)
#define ALPHABET_RUN5(c, d)	ALPHABET_RUN4(c, d), ALPHABET_RUN1((c) + 4, (d) + 4)
#define ALPHABET_RUN6(c, d)	ALPHABET_RUN4(c, d), ALPHABET_RUN2((c) + 4, (d) + 4)
#define ALPHABET_RUN8(c, d)	ALPHABET_RUN4(c, d), ALPHABET_RUN4((c) + 4, (d) + 4)
#define ALPHABET_RUN9(c, d)	ALPHABET_RUN8(c, d), ALPHABET_RUN1((c) + 8, (d) + 8)
#define ALPHABET_RUN10(c, d) ALPHABET_RUN8(c, d), ALPHABET_RUN2((c) + 8, (d) + 8)
#define ALPHABET_RUN11(c, d) ALPHABET_RUN8(c, d), ALPHABET_RUN3((c) + 8, (d) + 8)
#define ALPHABET_RUN14(c, d) ALPHABET_RUN8(c, d), ALPHABET_RUN6((c) + 8, (d) + 8)
#define ALPHABET_RUN22(c, d) ALPHABET_RUN14(c, d), ALPHABET_RUN8((c) + 14, (d) + 14)
#define ALPHABET_RUN26(c, d) ALPHABET_RUN22(c, d), ALPHABET_RUN4((c) + 22, (d) + 22)

/* Alphabets of several types or of published standards; a codec may define another. */
extern const Alphabet alphabet_hex; /* RFC 4648 base16; writes lower case, reads both */
extern const Alphabet alphabet_base32;	/* RFC 4648; writes lower case, reads both */
extern const Alphabet alphabet_base32hex;	/* RFC 4648; writes upper case, reads both */
extern const Alphabet alphabet_base32lex;	/* TID draft; lower case only */
extern const Alphabet alphabet_crockford;	/* writes upper case, reads both; no I, L, O, U */
extern const Alphabet alphabet_base58;	/* Bitcoin, case-sensitive */

/* Return the offset of the first of len characters that is not in the alphabet, or len. */
extern size_t alphabet_span(const Alphabet *alphabet, const char *str, size_t len);

/*
 * Reads len digits of an alphabet of 2^bits digits into a number, most
 * significant first; len * bits is at most 64.  Returns false if a character
 * is not in the alphabet (then *value is undefined).
 */
static inline bool
alphabet_read(const Alphabet *alphabet, int bits, const char *str, size_t len,
			  uint64_t *value)
{
	uint64_t	v = 0;
	uint8_t		valid = ALPHABET_VALID;

	for (size_t i = 0; i < len; i++)
	{
		uint8_t		d = alphabet->value[(uint8_t) str[i]];

		valid &= d;
		v = (v << bits) | (d & ALPHABET_DIGIT);
	}
	*value = v;
	return valid != 0;
}

/* Write the len least significant digits of value, most significant first. */
static inline void
alphabet_write(const Alphabet *alphabet, int bits, uint64_t value, char *str, size_t len)
{
	for (size_t i = len; i-- > 0; value >>= bits)
		str[i] = alphabet->digits[value & ((1u << bits) - 1)];
}

/*
 * Writes the 40 least significant bits of value as 8 digits of an alphabet of 32
 * digits in two runs.
 *
 * All digits are computed at once: the bits are spread to one byte per digit, and
 * the bytes that belong to the second run are shifted to it.  This takes a third
 * of the instructions of writing one digit after the other.
 */
static inline void
alphabet_write8(const Alphabet *alphabet, uint64_t value, char *str)
{
	const uint64_t ones = UINT64_C(0x0101010101010101);
	uint64_t	digits = value & UINT64_C(0xFFFFFFFFFF);
	uint64_t	second;
	uint64_t	chars;

	digits = (digits & 0xFFFFF) | (digits >> 20) << 32;
	digits = (digits & UINT64_C(0x000003FF000003FF)) |
		(digits & UINT64_C(0x000FFC00000FFC00)) << 6;
	digits = (digits & UINT64_C(0x001F001F001F001F)) |
		(digits & UINT64_C(0x03E003E003E003E0)) << 3;

	second = (digits + (0x80u - alphabet->second) * ones) >> 7 & ones;
	chars = digits + (uint8_t) alphabet->digits[0] * ones + second * (uint64_t) alphabet->jump;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	chars = __builtin_bswap64(chars);
#endif
	__builtin_memcpy(str, &chars, sizeof(chars));
}

#endif							/* IDTYPES_CORE_ALPHABET_H */
