/*-------------------------------------------------------------------------
 *
 * test_alphabet.c
 *	  The six alphabets against their definitions.
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

static void
definitions(void)
{
	for (size_t a = 0; a < LENGTH(alphabets); a++)
	{
		const Alphabet *alphabet = alphabets[a].alphabet;
		const char *hint = alphabet->hint;

		CHECK(strlen(alphabet->name) > 0, "alphabet %zu", a);
		/* a full sentence, where there is one */
		CHECK(hint == NULL || (isupper((unsigned char) hint[0]) && hint[strlen(hint) - 1] == '.'),
			  "%s", hint);
		CHECK(strcmp(alphabet->digits, alphabets[a].digits) == 0, "%s", alphabet->name);
		for (int c = 0; c < 256; c++)
		{
			const char *at = c == 0 ? NULL : strchr(alphabets[a].digits, c);
			int			expected = 0;

			if (at == NULL && alphabets[a].ignores_case && c < 0x80 && isalpha(c))
			{
				at = strchr(alphabets[a].digits, tolower(c));
				if (at == NULL)
					at = strchr(alphabets[a].digits, toupper(c));
			}
			if (at != NULL)
				expected = ALPHABET_VALID | (int) (at - alphabets[a].digits);
			CHECK(alphabet->value[c] == expected, "%s: byte %d is 0x%02x, not 0x%02x",
				  alphabet->name, c, alphabet->value[c], expected);
		}
	}
}

const TestCase alphabet_tests[] = {
	{"alphabet: definitions", definitions},
	{NULL, NULL}
};
