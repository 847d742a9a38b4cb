/*-------------------------------------------------------------------------
 *
 * test_alphabet.c
 *	  The six alphabets against their definitions, and reading and writing.
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
	int			bits;			/* 0 if not a power of two */
}			alphabets[] = {
	{&alphabet_hex, "0123456789abcdef", true, 4},
	{&alphabet_base32, "abcdefghijklmnopqrstuvwxyz234567", true, 5},
	{&alphabet_base32hex, "0123456789ABCDEFGHIJKLMNOPQRSTUV", true, 5},
	{&alphabet_base32lex, "234567abcdefghijklmnopqrstuvwxyz", false, 5},
	{&alphabet_crockford, "0123456789ABCDEFGHJKMNPQRSTVWXYZ", true, 5},
	{&alphabet_base58, "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz", false, 0},
};

static void
both_directions(void)
{
	for (size_t a = 0; a < LENGTH(alphabets); a++)
	{
		const Alphabet *alphabet = alphabets[a].alphabet;

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

static void
names_and_hints(void)
{
	for (size_t a = 0; a < LENGTH(alphabets); a++)
	{
		const Alphabet *alphabet = alphabets[a].alphabet;
		const char *hint = alphabet->hint;

		CHECK(strlen(alphabet->name) > 0, "alphabet %zu", a);
		/* a full sentence, where there is one */
		if (hint != NULL)
			CHECK(isupper((unsigned char) hint[0]) && hint[strlen(hint) - 1] == '.', "%s", hint);
	}
}

/* Every byte that is not a digit, at every place of a text of 20. */
static void
span(void)
{
	for (size_t a = 0; a < LENGTH(alphabets); a++)
	{
		const Alphabet *alphabet = alphabets[a].alphabet;
		char		text[20];

		memset(text, alphabets[a].digits[3], sizeof(text));
		for (size_t len = 0; len <= sizeof(text); len++)
			CHECK(alphabet_span(alphabet, text, len) == len, "%s %zu", alphabet->name, len);
		for (size_t at = 0; at < sizeof(text); at++)
		{
			for (int c = 0; c < 256; c++)
			{
				size_t		expected = alphabet->value[c] == 0 ? at : sizeof(text);

				text[at] = (char) c;
				CHECK(alphabet_span(alphabet, text, sizeof(text)) == expected,
					  "%s: byte %d at %zu", alphabet->name, c, at);
			}
			text[at] = alphabets[a].digits[3];
		}
	}
}

static void
read_and_write(void)
{
	for (size_t a = 0; a < LENGTH(alphabets); a++)
	{
		const Alphabet *alphabet = alphabets[a].alphabet;
		int			bits = alphabets[a].bits;

		for (int round = 0; bits > 0 && round < 10000; round++)
		{
			size_t		len = 1 + check_random() % (size_t) (64 / bits);
			uint64_t	value = check_random() >> (64 - bits * (int) len);
			uint64_t	sum = 0;
			uint64_t	read = 0;
			char		text[16];

			alphabet_write(alphabet, bits, value, text, len);
			for (size_t i = 0; i < len; i++)
				sum = (sum << bits) + (uint64_t) (strchr(alphabets[a].digits, text[i]) -
												  alphabets[a].digits);
			CHECK(sum == value, "%s: %" PRIu64 " written as %.*s", alphabet->name, value,
				  (int) len, text);
			CHECK(alphabet_read(alphabet, bits, text, len, &read) && read == value,
				  "%s: %" PRIu64 " read as %" PRIu64, alphabet->name, value, read);

			text[check_random() % len] = "\0 *~\x80\xff"[check_random() % 6];
			CHECK(!alphabet_read(alphabet, bits, text, len, &read), "%s: %.*s",
				  alphabet->name, (int) len, text);
		}
	}
}

const TestCase alphabet_tests[] = {
	{"alphabet: digits and values", both_directions},
	{"alphabet: names and hints", names_and_hints},
	{"alphabet: span", span},
	{"alphabet: read and write", read_and_write},
	{NULL, NULL}
};
