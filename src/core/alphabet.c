/*-------------------------------------------------------------------------
 *
 * alphabet.c
 *	  The tables of alphabet.h.
 *
 *-------------------------------------------------------------------------
 */
#include "alphabet.h"

/*
 * Entries of value[] for consecutive characters that stand for consecutive
 * digits.  Every alphabet here is made of a few such runs of ASCII.
 */
#define RUN1(c, d)	[(c)] = ALPHABET_VALID | (d)
#define RUN2(c, d)	RUN1(c, d), RUN1((c) + 1, (d) + 1)
#define RUN3(c, d)	RUN2(c, d), RUN1((c) + 2, (d) + 2)
#define RUN4(c, d)	RUN2(c, d), RUN2((c) + 2, (d) + 2)
#define RUN5(c, d)	RUN4(c, d), RUN1((c) + 4, (d) + 4)
#define RUN6(c, d)	RUN4(c, d), RUN2((c) + 4, (d) + 4)
#define RUN8(c, d)	RUN4(c, d), RUN4((c) + 4, (d) + 4)
#define RUN9(c, d)	RUN8(c, d), RUN1((c) + 8, (d) + 8)
#define RUN10(c, d) RUN8(c, d), RUN2((c) + 8, (d) + 8)
#define RUN11(c, d) RUN8(c, d), RUN3((c) + 8, (d) + 8)
#define RUN14(c, d) RUN8(c, d), RUN6((c) + 8, (d) + 8)
#define RUN22(c, d) RUN14(c, d), RUN8((c) + 14, (d) + 14)
#define RUN26(c, d) RUN22(c, d), RUN4((c) + 22, (d) + 22)

const Alphabet alphabet_hex = {
	.name = "hexadecimal",
	.hint = NULL,
	.digits = "0123456789abcdef",
	.value = {RUN10('0', 0), RUN6('a', 10), RUN6('A', 10)},
};

const Alphabet alphabet_base32 = {
	.name = "base32",
	.hint = "The digits of base32 are the letters and 2 to 7; 0, 1, 8 and 9 are not among them.",
	.digits = "abcdefghijklmnopqrstuvwxyz234567",
	.second = 26,
	.jump = '2' - 'z' - 1,
	.value = {RUN26('a', 0), RUN26('A', 0), RUN6('2', 26)},
};

const Alphabet alphabet_base32hex = {
	.name = "base32hex",
	.hint = "The digits of base32hex are 0 to 9 and A to V; W, X, Y and Z are not among them.",
	.digits = "0123456789ABCDEFGHIJKLMNOPQRSTUV",
	.second = 10,
	.jump = 'A' - '9' - 1,
	.value = {RUN10('0', 0), RUN22('A', 10), RUN22('a', 10)},
};

const Alphabet alphabet_base32lex = {
	.name = "base32lex",
	.hint = "TIDs are written with 2 to 7 and lower-case letters; 0, 1, 8 and 9 are not used.",
	.digits = "234567abcdefghijklmnopqrstuvwxyz",
	.value = {RUN6('2', 0), RUN26('a', 6)},
};

const Alphabet alphabet_crockford = {
	.name = "Crockford base32",
	.hint = "Crockford's base32 leaves out I, L, O and U.",
	.digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ",
	.value = {
		RUN10('0', 0),
		RUN8('A', 10), RUN2('J', 18), RUN2('M', 20), RUN5('P', 22), RUN5('V', 27),
		RUN8('a', 10), RUN2('j', 18), RUN2('m', 20), RUN5('p', 22), RUN5('v', 27),
	},
};

const Alphabet alphabet_base58 = {
	.name = "Base58",
	.hint = "Base58 leaves out 0, O, I and l, which look alike.",
	.digits = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
	.value = {
		RUN9('1', 0),
		RUN8('A', 9), RUN5('J', 17), RUN11('P', 22),
		RUN11('a', 33), RUN14('m', 44),
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
