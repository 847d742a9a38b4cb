/*-------------------------------------------------------------------------
 *
 * test_alphabet.c
 *	  Alphabets against their definitions.
 *
 *-------------------------------------------------------------------------
 */
#include <ctype.h>

#include "check.h"

/* As printed in RFC 4648, the TID draft, Crockford's page and the uid11 spec. */
static const struct
{
	const Alphabet *alphabet;
	const char *digits;
	bool		ignores_case;
}			alphabets[] = {
	{&alphabet_hex, "0123456789abcdef", true},
	{&alphabet_base32, "abcdefghijklmnopqrstuvwxyz234567", true},
	{&alphabet_base32hex, "0123456789ABCDEFGHIJKLMNOPQRSTUV", true},
	{&alphabet_base32lex, "234567abcdefghijklmnopqrstuvwxyz", false},
	{&alphabet_crockford, "0123456789ABCDEFGHJKMNPQRSTVWXYZ", true},
	{&alphabet_base58, "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz", false},
};

/* The tables of an alphabet are those of its digits, in one case or both. */
static void
check_alphabet(const Alphabet *alphabet, const char *digits, bool ignores_case)
{
	const char *hint = alphabet->hint;

	CHECK(strlen(alphabet->name) > 0, "%s", digits);
	/* a full sentence, where there is one */
	CHECK(hint == NULL || (isupper((unsigned char) hint[0]) && hint[strlen(hint) - 1] == '.'),
		  "%s", hint);
	CHECK(strcmp(alphabet->digits, digits) == 0, "%s", alphabet->name);
	for (int c = 0; c < 256; c++)
	{
		const char *at = c == 0 ? NULL : strchr(digits, c);
		int			expected = 0;

		if (at == NULL && ignores_case && c < 0x80 && isalpha(c))
		{
			at = strchr(digits, tolower(c));
			if (at == NULL)
				at = strchr(digits, toupper(c));
		}
		if (at != NULL)
			expected = ALPHABET_VALID | (int) (at - digits);
		CHECK(alphabet->value[c] == expected, "%s: byte %d is 0x%02x, not 0x%02x",
			  alphabet->name, c, alphabet->value[c], expected);
	}
}

static void
definitions(void)
{
	for (size_t a = 0; a < LENGTH(alphabets); a++)
		check_alphabet(alphabets[a].alphabet, alphabets[a].digits, alphabets[a].ignores_case);
}

/* Those of the types, which may have one of their own. */
static void
of_the_types(void)
{
	FOR_EACH_FORMAT(f)
	{
		check_alphabet(f->alphabet, f->alphabet->digits, f->ignores_case);
		check_alphabet(f->prefix_alphabet, f->prefix_alphabet->digits, f->ignores_case);
	}
}

const TestCase alphabet_tests[] = {
	{"alphabet: definitions", definitions},
	{"alphabet: those of the types", of_the_types},
	{NULL, NULL}
};
