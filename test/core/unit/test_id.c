/*-------------------------------------------------------------------------
 *
 * test_id.c
 *	  What holds for every format alike: text, prefixes, time and decimals.
 *
 *-------------------------------------------------------------------------
 */
#include <ctype.h>

#include "../../../src/core/decimal.h"
#include "check.h"

#define ROUNDS 20000

static bool
is_separator(const TestFormat *f, char c)
{
	return c != '\0' && c == f->separator;
}

TEST(description, "id: descriptions of the formats")
{
	FOR_EACH_FORMAT(f)
	{
		const IdCodec *codec = f->codec;
		uint8_t		lo[ID_MAX_SIZE];
		uint8_t		hi[ID_MAX_SIZE];
		uint8_t		id[ID_MAX_SIZE];

		CHECK(codec->size >= 8 && codec->size <= ID_MAX_SIZE, "%s", codec->name);
		CHECK(f->forms[0].size == (size_t) codec->text_size, "%s", codec->name);
		CHECK(codec->text_size <= ID_MAX_TEXT, "%s", codec->name);
		CHECK(strlen(codec->forms) > 0 && codec->forms[strlen(codec->forms) - 1] == '.',
			  "%s", codec->name);
		CHECK(strlen(codec->range) > 0 && codec->range[strlen(codec->range) - 1] == '.',
			  "%s", codec->name);

		for (const IdLayout *layout = codec->layouts; layout->name != NULL; layout++)
		{
			int			bits = 0;

			for (const IdField *field = layout->fields; field->name != NULL; field++)
				bits += field->bits;
			CHECK(bits == 8 * codec->size, "%s %s: %d bits", codec->name, layout->name, bits);
		}

		check_bounds(f, lo, hi);
		for (int round = 0; round < ROUNDS; round++)
		{
			check_random_bytes(id, (size_t) codec->size);
			CHECK(id_is_valid(codec, id) == (check_compare(codec, lo, id) <= 0 &&
											 check_compare(codec, id, hi) <= 0),
				  "%s: %s", codec->name, check_hex(id, (size_t) codec->size));
		}
	}
}

/*
 * The tables of an alphabet are those of its digits, in one case or both; the vectors
 * have each of them.
 */
static void
check_alphabet(const Alphabet *alphabet, bool ignores_case)
{
	const char *digits = alphabet->digits;
	const char *hint = alphabet->hint;

	CHECK(strlen(alphabet->name) > 0, "%s", digits);
	/* a full sentence, where there is one */
	CHECK(hint == NULL || (isupper((unsigned char) hint[0]) && hint[strlen(hint) - 1] == '.'),
		  "%s", hint);
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

TEST(alphabets, "id: alphabets")
{
	FOR_EACH_FORMAT(f)
	{
		check_alphabet(f->alphabet, f->ignores_case);
		check_alphabet(f->codec->alphabet, f->ignores_case);
	}
}

/*
 * Which bits are never set the largest id tells; of a signed type that is all of
 * them.
 */
TEST(digits, "id: digits alone")
{
	FOR_EACH_FORMAT(f)
	{
		const IdCodec *codec = f->codec;
		int			bits = 8 * codec->size;
		size_t		length = (size_t) codec->digits;
		char		text[ID_MAX_TEXT + 20];
		uint8_t		lo[ID_MAX_SIZE];
		uint8_t		id[ID_MAX_SIZE];
		uint8_t		read[ID_MAX_SIZE];
		IdError		err = {0};

		check_bounds(f, lo, id);
		while (codec->time.first == 0 && (id[codec->size - (bits + 7) / 8] >> (bits - 1) % 8) == 0)
			bits--;
		CHECK(codec->bits == bits, "%s: %d bits, not %d", codec->name, codec->bits, bits);

		/* of one length only, and no other byte */
		check_random_id(codec, id);
		for (size_t len = 0; len <= sizeof(text); len++)
		{
			memset(text, codec->alphabet->digits[0], sizeof(text));
			if (len == length)
				continue;
			CHECK(id_parse_digits(codec, text, len, read, &err) == ID_BAD_LENGTH &&
				  err.exactly == length, "%s: %zu digits", codec->name, len);
		}
		for (int c = 0; c < 256; c++)
		{
			size_t		at = (size_t) c % length;

			if (codec->alphabet->value[c] != 0)
				continue;
			codec->format_digits(id, text);
			text[at] = (char) c;
			CHECK(id_parse_digits(codec, text, length, read, &err) == ID_BAD_CHARACTER &&
				  err.position == at && err.alphabet == codec->alphabet, "%s: byte %d at %zu",
				  codec->name, c, at);
		}
	}
}

/* The ends, each bit alone, and random ids. */
TEST(ids, "id: what holds for every id")
{
	FOR_EACH_FORMAT(f)
	{
		const IdCodec *codec = f->codec;
		uint8_t		id[ID_MAX_SIZE];
		uint8_t		hi[ID_MAX_SIZE];

		check_bounds(f, id, hi);
		check_id(f, id);
		check_id(f, hi);
		for (int bit = codec->size * 8; bit-- > 0;)
		{
			memset(id, 0, sizeof(id));
			id[bit / 8] = (uint8_t) (0x80 >> bit % 8);
			if (id_is_valid(codec, id))
				check_id(f, id);
		}
		for (int round = 0; round < ROUNDS; round++)
		{
			check_random_id(codec, id);
			check_id(f, id);
		}
	}
}

/* A text with a byte that does not belong there; the place is named. */
static void
one_alien(const TestFormat *f, const char *text, size_t len, size_t at, IdStatus expected)
{
	uint8_t		id[ID_MAX_SIZE] = {0};
	IdError		err = {0};
	IdStatus	status = check_text(f, text, len, id, &err);

	CHECK(status == expected && err.position == at, "%s: byte %d at %zu gave %d at %zu",
		  f->codec->name, (uint8_t) text[at], at, status, err.position);
	CHECK(status != ID_BAD_CHARACTER || err.alphabet == f->alphabet, "%s", f->codec->name);
}

/*
 * Every byte at every place of a canonical text, and before and behind it.
 * No byte outside the alphabet goes unnoticed, and no separator out of its place.
 */
TEST(alien_bytes, "id: alien bytes at every place")
{
	FOR_EACH_FORMAT(f)
	{
		size_t		len = f->forms[0].size;
		char		text[ID_MAX_TEXT + 2];
		uint8_t		id[ID_MAX_SIZE];

		check_random_id(f->codec, id);
		for (int c = 0; c < 256; c++)
		{
			bool		is_digit = f->alphabet->value[c] != 0;

			for (size_t at = f->scheme; at < len; at++)
			{
				bool		between;

				f->forms[0].format(id, text);
				between = is_separator(f, text[at]);
				if (between ? is_separator(f, (char) c) : is_digit)
					continue;
				text[at] = (char) c;
				one_alien(f, text, len, at, between || is_separator(f, (char) c) ?
						  ID_BAD_SEPARATOR : ID_BAD_CHARACTER);
			}
			if (is_digit || is_separator(f, (char) c))
				continue;

			text[0] = (char) c;
			f->forms[0].format(id, text + 1);
			text[len + 1] = (char) c;
			one_alien(f, text + 1, len + 1, len, ID_BAD_CHARACTER);
			if (f->scheme == 0)
				one_alien(f, text, len + 1, 0, ID_BAD_CHARACTER);
		}
	}
}

/* Ticks worth looking at: around both ends and zero, and random ones. */
static int64_t
interesting_tick(const IdTime *time, int round)
{
	uint64_t	span = (uint64_t) time->last - (uint64_t) time->first;

	switch (round % 4)
	{
		case 0:
			return time->first + round / 4 % 3000;
		case 1:
			return time->last - round / 4 % 3000;
		case 2:
			return time->first < 0 ? round / 4 % 3000 - 1500 : round / 4 % 3000;
		default:
			return time->first + (int64_t) (span == UINT64_MAX ? check_random() :
											check_random() % (span + 1));
	}
}

/*
 * The beginning of a tick is its instant rounded up: the definition, with the
 * whole seconds taken off first, as 64 bits would not hold the products.
 */
TEST(ticks, "id: ticks and instants")
{
	FOR_EACH_FORMAT(f)
	{
		const IdCodec *codec = f->codec;
		const IdTime *time = &codec->time;
		const int	per_second = f->per_second;

		for (int round = 0; round < ROUNDS; round++)
		{
			int64_t		tick = interesting_tick(time, round);
			int64_t		begins = id_tick_begins(time, tick);
			int64_t		second = tick / per_second;
			int64_t		since = begins - time->epoch_us - second * 1000000;
			int64_t		exact = tick % per_second * 1000000;

			CHECK(since >= -1000000 && since <= 1000000 &&
				  since * per_second >= exact && (since - 1) * per_second < exact,
				  "%s: tick %" PRId64 " begins at %" PRId64, codec->name, tick, begins);
			check_tick(codec, tick);
		}
	}
}

/*
 * Windows a few ticks wide around ticks worth looking at; and all that have their ends
 * far outside, as infinities are passed, or beside those of the type's time.
 */
TEST(windows, "id: windows")
{
	FOR_EACH_FORMAT(f)
	{
		const IdTime *time = &f->codec->time;
		const int64_t start = id_tick_begins(time, time->first);
		const int64_t end = id_tick_begins(time, time->last);
		const int64_t ends[] = {
			INT64_MIN, INT64_MIN + 1, start - 1, start, start + 1, end - 1, end, end + 1,
			INT64_MAX - 1, INT64_MAX
		};
		const size_t pairs = LENGTH(ends) * LENGTH(ends);
		int64_t		us = 1 + 1000000 / f->per_second;

		for (int round = 0; round < ROUNDS; round++)
		{
			int64_t		tick = interesting_tick(time, round);
			Window		window;

			window.lower = id_tick_begins(time, tick) + (int64_t) (check_random() % 9 - 4) * us / 3;
			window.upper = window.lower + (int64_t) (check_random() % 12 - 2) * us / 3;
			window.with_lower = check_random() % 2 == 0;
			window.with_upper = check_random() % 2 == 0;
			check_window(f->codec, &window);
		}
		for (size_t i = 0; i < 4 * pairs; i++)
		{
			Window		window = {
				.lower = ends[i % LENGTH(ends)],
				.upper = ends[i % pairs / LENGTH(ends)],
				.with_lower = i / pairs % 2 != 0,
				.with_upper = i / pairs / 2 != 0
			};

			check_window(f->codec, &window);
		}
	}
}

TEST(decimal_limits, "id: decimal numbers: limits and errors")
{
	static const struct
	{
		const char *text;
		IdStatus	status;
		size_t		position;
	}			bad[] = {
		{"", ID_BAD_LENGTH, 0},
		{"-1", ID_BAD_CHARACTER, 0},
		{"+1", ID_BAD_CHARACTER, 0},
		{" 1", ID_BAD_CHARACTER, 0},
		{"1 ", ID_BAD_CHARACTER, 1},
		{"12.0", ID_BAD_CHARACTER, 2},
		{"1e9", ID_BAD_CHARACTER, 1},
		{"NaN", ID_BAD_CHARACTER, 0},
		{"99999999999999999999999999999999999999999999999999999999999x", ID_BAD_CHARACTER, 59},
	};

	FOR_EACH_FORMAT(f)
	{
		const IdCodec *codec = f->codec;
		size_t		size = (size_t) codec->size;
		char		text[300];
		uint8_t		id[ID_MAX_SIZE];
		uint8_t		max[ID_MAX_SIZE];
		IdError		err = {0};

		/* decimals are those of the bytes, without a sign */
		check_bounds(f, id, max);
		if (codec->time.first < 0)
			memset(max, 0xFF, size);
		strcpy(text, f->decimal);
		CHECK(id_from_decimal(codec, text, strlen(text), id, &err) == ID_OK &&
			  memcmp(id, max, size) == 0, "%s: %s", codec->name, text);
		id_to_decimal(codec, max, text);
		CHECK(strcmp(text, f->decimal) == 0, "%s: %s", codec->name, text);
		/* its last digit is not 9 */
		text[strlen(text) - 1]++;
		CHECK(id_from_decimal(codec, text, strlen(text), id, &err) == ID_OUT_OF_RANGE,
			  "%s: %s", codec->name, text);
		strcat(text, "0");
		CHECK(id_from_decimal(codec, text, strlen(text), id, &err) == ID_OUT_OF_RANGE,
			  "%s: %s", codec->name, text);

		/* 2^160, which a lost carry would read as 0 */
		strcpy(text, "1461501637330902918203684832716283019655932542976");
		CHECK(id_from_decimal(codec, text, strlen(text), id, &err) == ID_OUT_OF_RANGE,
			  "%s: %s", codec->name, text);

		memset(text, '0', 200);
		strcpy(text + 200, "7");
		CHECK(id_from_decimal(codec, text, 201, id, &err) == ID_OK && id[size - 1] == 7,
			  "%s: leading zeros", codec->name);
		memset(text, '9', sizeof(text));
		CHECK(id_from_decimal(codec, text, sizeof(text), id, &err) == ID_OUT_OF_RANGE,
			  "%s: 300 nines", codec->name);

		for (size_t i = 0; i < LENGTH(bad); i++)
		{
			IdStatus	status = id_from_decimal(codec, bad[i].text, strlen(bad[i].text), id, &err);

			CHECK(status == bad[i].status &&
				  (status != ID_BAD_CHARACTER || err.position == bad[i].position),
				  "%s: \"%s\" gave %d at %zu", codec->name, bad[i].text, status, err.position);
		}
	}
}
