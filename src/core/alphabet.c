/*-------------------------------------------------------------------------
 *
 * alphabet.c
 *	  The tables of alphabet.h.
 *
 *-------------------------------------------------------------------------
 */
#include "alphabet.h"

const Alphabet alphabet_hex = {
	.name = "hexadecimal",
	.hint = NULL,
	.digits = "0123456789abcdef",
	.value = {ALPHABET_RUN10('0', 0), ALPHABET_RUN6('a', 10), ALPHABET_RUN6('A', 10)},
};

const Alphabet alphabet_base32 = {
	.name = "base32",
	.hint = "The digits of base32 are the letters and 2 to 7; 0, 1, 8 and 9 are not among them.",
	.digits = "abcdefghijklmnopqrstuvwxyz234567",
	.second = 26,
	.jump = '2' - 'z' - 1,
	.value = {ALPHABET_RUN26('a', 0), ALPHABET_RUN26('A', 0), ALPHABET_RUN6('2', 26)},
};

const Alphabet alphabet_base32hex = {
	.name = "base32hex",
	.hint = "The digits of base32hex are 0 to 9 and A to V; W, X, Y and Z are not among them.",
	.digits = "0123456789ABCDEFGHIJKLMNOPQRSTUV",
	.second = 10,
	.jump = 'A' - '9' - 1,
	.value = {ALPHABET_RUN10('0', 0), ALPHABET_RUN22('A', 10), ALPHABET_RUN22('a', 10)},
};

const Alphabet alphabet_base32lex = {
	.name = "base32lex",
	.hint = "TIDs are written with 2 to 7 and lower-case letters; 0, 1, 8 and 9 are not used.",
	.digits = "234567abcdefghijklmnopqrstuvwxyz",
	.value = {ALPHABET_RUN6('2', 0), ALPHABET_RUN26('a', 6)},
};

const Alphabet alphabet_crockford = {
	.name = "Crockford base32",
	.hint = "Crockford's base32 leaves out I, L, O and U.",
	.digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ",
	.value = {
		ALPHABET_RUN10('0', 0),
		ALPHABET_RUN8('A', 10), ALPHABET_RUN2('J', 18), ALPHABET_RUN2('M', 20),
		ALPHABET_RUN5('P', 22), ALPHABET_RUN5('V', 27),
		ALPHABET_RUN8('a', 10), ALPHABET_RUN2('j', 18), ALPHABET_RUN2('m', 20),
		ALPHABET_RUN5('p', 22), ALPHABET_RUN5('v', 27),
	},
};

const Alphabet alphabet_base58 = {
	.name = "Base58",
	.hint = "Base58 leaves out 0, O, I and l, which look alike.",
	.digits = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
	.value = {
		ALPHABET_RUN9('1', 0),
		ALPHABET_RUN8('A', 9), ALPHABET_RUN5('J', 17), ALPHABET_RUN11('P', 22),
		ALPHABET_RUN11('a', 33), ALPHABET_RUN14('m', 44),
	},
};

size_t
alphabet_span(const Alphabet *alphabet, const char *text, size_t len)
{
	size_t		i = 0;

	while (i < len && alphabet->value[(uint8_t) text[i]] != 0)
		i++;
	return i;
}
