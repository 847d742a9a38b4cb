/*-------------------------------------------------------------------------
 *
 * test_id.c
 *	  What holds for every format alike: text, prefixes, time and decimals.
 *
 *-------------------------------------------------------------------------
 */
#include <ctype.h>

#include "../../src/core/decimal.h"
#include "check.h"

#define ROUNDS 20000

#define FOR_EACH_FORMAT(f) \
	for (const TestFormat *const *f##_ = test_formats, *f; (f = *f##_) != NULL; f##_++)

static bool
is_separator(const TestFormat *f, char c)
{
	return c != '\0' && c == f->separator;
}

static void
description(void)
{
	FOR_EACH_FORMAT(f)
	{
		const IdCodec *codec = f->codec;

		CHECK(codec->size >= 8 && codec->size <= ID_MAX_SIZE, "%s", codec->name);
		CHECK(f->forms[0].size == (size_t) codec->text_size, "%s", codec->name);
		CHECK(codec->text_size <= ID_MAX_TEXT, "%s", codec->name);
		CHECK(strlen(codec->forms) > 0 && codec->forms[strlen(codec->forms) - 1] == '.',
			  "%s", codec->name);
		CHECK(strlen(codec->range) > 0 && codec->range[strlen(codec->range) - 1] == '.',
			  "%s", codec->name);
	}
}

/*
 * Which bits are never set the largest id tells; of a signed type that is all of
 * them.
 */
static void
digits(void)
{
	FOR_EACH_FORMAT(f)
	{
		const IdCodec *codec = f->codec;
		size_t		size = (size_t) codec->size;
		int			bits = 8 * codec->size;
		char		text[ID_MAX_TEXT + 20];
		uint8_t		lo[ID_MAX_SIZE];
		uint8_t		id[ID_MAX_SIZE];
		uint8_t		read[ID_MAX_SIZE];
		IdError		err = {0};

		check_bounds(f, lo, id);
		while (codec->time.first == 0 && (id[codec->size - (bits + 7) / 8] >> (bits - 1) % 8) == 0)
			bits--;
		CHECK(codec->bits == bits, "%s: %d bits, not %d", codec->name, codec->bits, bits);
		CHECK(codec->alphabet == f->prefix_alphabet && codec->digits == (int) f->prefix_size, "%s",
			  codec->name);

		for (int round = 0; round < ROUNDS / 100; round++)
		{
			char		other[ID_MAX_TEXT];

			check_random_id(codec, id);
			codec->format_digits(id, text);
			f->prefix_format(id, other);
			CHECK(memcmp(text, other, f->prefix_size) == 0, "%s: %.*s", codec->name,
				  codec->digits, text);
			CHECK(id_parse_digits(codec, text, f->prefix_size, read, &err) == ID_OK &&
				  memcmp(id, read, size) == 0, "%s: %.*s", codec->name, codec->digits, text);
			for (size_t i = 0; f->ignores_case && i < f->prefix_size; i++)
				text[i] = (char) (round % 2 ? toupper : tolower) ((uint8_t) text[i]);
			CHECK(id_parse_digits(codec, text, f->prefix_size, read, &err) == ID_OK &&
				  memcmp(id, read, size) == 0, "%s: %.*s", codec->name, codec->digits, text);
		}

		/* no other form, and no other byte */
		for (size_t i = 0; i < LENGTH(f->forms) && f->forms[i].format != NULL; i++)
		{
			f->forms[i].format(id, text);
			if (f->forms[i].size != f->prefix_size)
				CHECK(id_parse_digits(codec, text, f->forms[i].size, read, &err) != ID_OK,
					  "%s: %.*s", codec->name, (int) f->forms[i].size, text);
		}
		for (size_t len = 0; len <= sizeof(text); len++)
		{
			memset(text, codec->alphabet->digits[0], sizeof(text));
			if (len == f->prefix_size)
				continue;
			CHECK(id_parse_digits(codec, text, len, read, &err) == ID_BAD_LENGTH &&
				  err.exactly == f->prefix_size, "%s: %zu digits", codec->name, len);
		}
		for (int c = 0; c < 256; c++)
		{
			size_t		at = (size_t) c % f->prefix_size;

			if (codec->alphabet->value[c] != 0)
				continue;
			codec->format_digits(id, text);
			text[at] = (char) c;
			CHECK(id_parse_digits(codec, text, f->prefix_size, read, &err) == ID_BAD_CHARACTER &&
				  err.position == at && err.alphabet == codec->alphabet, "%s: byte %d at %zu",
				  codec->name, c, at);
		}
	}
}

static void
big_endian(void)
{
	uint8_t		bytes[10];

	for (int i = 0; i < 10; i++)
		bytes[i] = (uint8_t) (i + 0x80);
	CHECK(load_be64(bytes + 1) == UINT64_C(0x8182838485868788), "%" PRIx64, load_be64(bytes + 1));
	store_be64(bytes + 1, UINT64_C(0x0102030405060708));
	CHECK(strcmp(check_hex(bytes, 10), "80010203040506070889") == 0, "%s", check_hex(bytes, 10));
}

static void
one_round_trip(const TestFormat *f, const uint8_t *id)
{
	const IdCodec *codec = f->codec;
	size_t		size = (size_t) codec->size;
	size_t		len = (size_t) codec->text_size;
	char		text[ID_MAX_TEXT + 1];
	uint8_t		read[ID_MAX_SIZE];
	IdError		err = {0};

	memset(text, '#', sizeof(text));
	codec->format(id, text);
	CHECK(text[len] == '#' && memchr(text, '#', len) == NULL, "%s: %s is not %zu long",
		  codec->name, check_hex(id, size), len);
	CHECK(codec->parse(text, len, read, &err) == ID_OK && memcmp(read, id, size) == 0,
		  "%s: %s is written %.*s", codec->name, check_hex(id, size), (int) len, text);
	check_forms(f, id);
	f->check_fields(id);

	if (!f->ignores_case)
		return;
	for (size_t i = f->scheme; i < len; i++)
	{
		int			c = (unsigned char) text[i];

		text[i] = (char) (isupper(c) ? tolower(c) : toupper(c));
	}
	CHECK(codec->parse(text, len, read, &err) == ID_OK && memcmp(read, id, size) == 0,
		  "%s: %s in the other case %.*s", codec->name, check_hex(id, size), (int) len, text);
}

static void
text_round_trip(void)
{
	FOR_EACH_FORMAT(f)
	{
		const IdCodec *codec = f->codec;
		uint8_t		id[ID_MAX_SIZE];
		uint8_t		hi[ID_MAX_SIZE];

		check_bounds(f, id, hi);
		one_round_trip(f, id);
		one_round_trip(f, hi);
		for (int bit = codec->size * 8; bit-- > 0;)
		{
			memset(id, 0, sizeof(id));
			id[bit / 8] = (uint8_t) (0x80 >> bit % 8);
			if (id_is_valid(codec, id))
				one_round_trip(f, id);
		}
		for (int round = 0; round < ROUNDS; round++)
		{
			check_random_id(codec, id);
			one_round_trip(f, id);
		}
	}
}

static void
text_order(void)
{
	FOR_EACH_FORMAT(f)
	{
		const IdCodec *codec = f->codec;

		for (int round = 0; round < ROUNDS; round++)
		{
			uint8_t		a[ID_MAX_SIZE];
			uint8_t		b[ID_MAX_SIZE];

			check_random_id(codec, a);
			memcpy(b, a, sizeof(b));
			if (round % 2 == 0)
				check_random_id(codec, b);
			else
				b[codec->size - 1 - round % codec->size] ^= (uint8_t) (1 << round % 7);
			if (id_is_valid(codec, b))
				check_order(f, a, b);
		}
	}
}

/* Cut or prolonged texts: only the lengths of a form can be read. */
static void
wrong_length(void)
{
	FOR_EACH_FORMAT(f)
	{
		const IdCodec *codec = f->codec;
		const Alphabet *alphabet = f->alphabet;
		char		text[ID_MAX_TEXT + 20];
		uint8_t		id[ID_MAX_SIZE];
		uint8_t		lo[ID_MAX_SIZE];
		uint8_t		hi[ID_MAX_SIZE];
		IdError		err = {0};

		for (size_t len = 0; len <= sizeof(text); len++)
		{
			IdStatus	status;

			memset(text, alphabet->digits[0], sizeof(text));
			status = codec->parse(text, len, id, &err);
			if (check_find_form(f, len) == NULL)
				CHECK(status == ID_BAD_LENGTH, "%s: length %zu gave %d", codec->name, len, status);

			memset(text, f->prefix_alphabet->digits[0], sizeof(text));
			status = codec->prefix(text, len, lo, hi, &err);
			CHECK(status == (len <= f->prefix_size ? ID_OK : ID_BAD_LENGTH),
				  "%s: prefix of %zu gave %d", codec->name, len, status);
		}
	}
}

/*
 * Every byte at every place of a canonical text, and before and behind it.
 * No byte outside the alphabet goes unnoticed, and its place is named.
 */
static void
alien_bytes(void)
{
	FOR_EACH_FORMAT(f)
	{
		const IdCodec *codec = f->codec;
		const Alphabet *alphabet = f->alphabet;
		size_t		len = (size_t) codec->text_size;
		char		text[ID_MAX_TEXT];
		char		longer[ID_MAX_TEXT + 1];
		uint8_t		id[ID_MAX_SIZE];
		IdError		err = {0};

		check_random_id(codec, id);
		codec->format(id, text);

		for (int c = 0; c < 256; c++)
		{
			IdStatus	status;

			if (alphabet->value[c] != 0 || is_separator(f, (char) c))
				continue;
			for (size_t at = f->scheme; at < len; at++)
			{
				char		before = text[at];

				text[at] = (char) c;
				status = codec->parse(text, len, id, &err);
				CHECK(status == (is_separator(f, before) ? ID_BAD_SEPARATOR : ID_BAD_CHARACTER) &&
					  err.position == at, "%s: byte %d at %zu gave %d at %zu",
					  codec->name, c, at, status, err.position);
				CHECK(status != ID_BAD_CHARACTER || err.alphabet == alphabet, "%s", codec->name);
				text[at] = before;
			}

			memcpy(longer, text, len);
			longer[len] = (char) c;
			status = codec->parse(longer, len + 1, id, &err);
			CHECK(status == ID_BAD_CHARACTER && err.position == len,
				  "%s: byte %d behind gave %d at %zu", codec->name, c, status, err.position);

			if (f->scheme > 0)
				continue;
			longer[0] = (char) c;
			memcpy(longer + 1, text, len);
			status = codec->parse(longer, len + 1, id, &err);
			CHECK(status == ID_BAD_CHARACTER && err.position == 0,
				  "%s: byte %d in front gave %d at %zu", codec->name, c, status, err.position);
		}
	}
}

static bool
has_prefix(const TestFormat *f, const uint8_t *id, const char *prefix, size_t len)
{
	char		text[ID_MAX_TEXT];

	f->prefix_format(id, text);
	for (size_t i = 0; i < len; i++)
	{
		const uint8_t *value = f->prefix_alphabet->value;

		if (value[(uint8_t) text[i]] != value[(uint8_t) prefix[i]])
			return false;
	}
	return true;
}

/*
 * A range is right if both its ends have the prefix and the ids just outside
 * have not.  Where the range ends with the type there is no id outside.
 */
static void
one_prefix(const TestFormat *f, const char *prefix, size_t len)
{
	const IdCodec *codec = f->codec;
	size_t		size = (size_t) codec->size;
	uint8_t		lo[ID_MAX_SIZE];
	uint8_t		hi[ID_MAX_SIZE];
	uint8_t		min[ID_MAX_SIZE];
	uint8_t		max[ID_MAX_SIZE];
	IdError		err = {0};
	IdStatus	status = codec->prefix(prefix, len, lo, hi, &err);

	check_bounds(f, min, max);
	CHECK(status == ID_OK, "%s: prefix %.*s gave %d", codec->name, (int) len, prefix, status);
	if (status != ID_OK)
		return;
	CHECK(check_compare(codec, lo, hi) <= 0, "%s: %.*s", codec->name, (int) len, prefix);
	CHECK(has_prefix(f, lo, prefix, len), "%s: %.*s starts at %s", codec->name, (int) len,
		  prefix, check_hex(lo, size));
	CHECK(has_prefix(f, hi, prefix, len), "%s: %.*s ends at %s", codec->name, (int) len,
		  prefix, check_hex(hi, size));
	if (memcmp(lo, min, size) != 0)
	{
		check_step(codec, lo, -1);
		CHECK(!has_prefix(f, lo, prefix, len), "%s: %.*s starts before %s", codec->name,
			  (int) len, prefix, check_hex(lo, size));
	}
	if (memcmp(hi, max, size) != 0)
	{
		check_step(codec, hi, 1);
		CHECK(!has_prefix(f, hi, prefix, len), "%s: %.*s ends behind %s", codec->name,
			  (int) len, prefix, check_hex(hi, size));
	}
}

static void
prefixes(void)
{
	FOR_EACH_FORMAT(f)
	{
		const IdCodec *codec = f->codec;
		uint8_t		lo[ID_MAX_SIZE];
		uint8_t		hi[ID_MAX_SIZE];
		uint8_t		min[ID_MAX_SIZE];
		uint8_t		max[ID_MAX_SIZE];
		IdError		err = {0};

		check_bounds(f, min, max);
		CHECK(codec->prefix("", 0, lo, hi, &err) == ID_OK &&
			  memcmp(lo, min, (size_t) codec->size) == 0 &&
			  memcmp(hi, max, (size_t) codec->size) == 0, "%s: %s %s", codec->name,
			  check_hex(lo, (size_t) codec->size), check_hex(hi, (size_t) codec->size));

		for (int round = 0; round < ROUNDS / 10; round++)
		{
			char		text[ID_MAX_TEXT];
			uint8_t		id[ID_MAX_SIZE];

			check_random_id(codec, id);
			if (round < 2)
				memcpy(id, round == 0 ? min : max, sizeof(id));
			f->prefix_format(id, text);
			for (size_t len = 1; len <= f->prefix_size; len++)
				one_prefix(f, text, len);
		}
	}
}

/*
 * All prefixes of one and two characters, over all bytes: ranges must be
 * right, and together they must be all ids, each once.  They are walked in
 * the order of the type, so each must start where the last one ended.
 */
static void
short_prefixes(void)
{
	FOR_EACH_FORMAT(f)
	{
		const IdCodec *codec = f->codec;
		size_t		size = (size_t) codec->size;
		const Alphabet *alphabet = f->prefix_alphabet;
		size_t		radix = strlen(alphabet->digits);
		size_t		rotate = codec->time.first < 0 ? radix / 2 : 0;
		uint8_t		next[ID_MAX_SIZE];
		uint8_t		max[ID_MAX_SIZE];
		uint8_t		lo[ID_MAX_SIZE];
		uint8_t		hi[ID_MAX_SIZE] = {0};
		IdError		err = {0};

		check_bounds(f, next, max);
		for (size_t first = 0; first < radix; first++)
		{
			for (size_t second = 0; second < radix; second++)
			{
				char		prefix[2] = {alphabet->digits[(first + rotate) % radix],
				alphabet->digits[second]};
				IdStatus	status = codec->prefix(prefix, 2, lo, hi, &err);

				CHECK(status == ID_OK || status == ID_OUT_OF_RANGE, "%s: %.2s gave %d",
					  codec->name, prefix, status);
				if (status != ID_OK)
					continue;
				one_prefix(f, prefix, 2);
				one_prefix(f, prefix, 1);
				CHECK(memcmp(lo, next, size) == 0, "%s: %.2s starts at %s, not %s",
					  codec->name, prefix, check_hex(lo, size), check_hex(next, size));
				memcpy(next, hi, size);
				check_step(codec, next, 1);
			}
		}
		check_step(codec, next, -1);
		CHECK(memcmp(next, max, size) == 0, "%s: prefixes end at %s", codec->name,
			  check_hex(next, size));

		for (int c = 0; c < 256 * 256; c++)
		{
			char		prefix[2] = {(char) (c / 256), (char) c};
			size_t		span = alphabet_span(alphabet, prefix, 2);

			if (span == 2)
				continue;
			CHECK(codec->prefix(prefix, 2, lo, hi, &err) ==
				  (is_separator(f, prefix[span]) ? ID_BAD_SEPARATOR :
				   ID_BAD_CHARACTER) && err.position == span, "%s: bytes %d %d",
				  codec->name, c / 256, c % 256);
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
static void
ticks(void)
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
			uint8_t		lo[ID_MAX_SIZE];
			uint8_t		hi[ID_MAX_SIZE];

			CHECK(since >= -1000000 && since <= 1000000 &&
				  since * per_second >= exact && (since - 1) * per_second < exact,
				  "%s: tick %" PRId64 " begins at %" PRId64, codec->name, tick, begins);
			CHECK(id_tick_at(time, begins) == tick, "%s: tick %" PRId64, codec->name, tick);
			CHECK(id_tick_at(time, begins - 1) == tick - 1, "%s: tick %" PRId64, codec->name,
				  tick);

			id_of_tick(codec, tick, 0x00, lo);
			id_of_tick(codec, tick, 0xFF, hi);
			CHECK(id_is_valid(codec, lo) && id_is_valid(codec, hi), "%s: tick %" PRId64,
				  codec->name, tick);
			CHECK(id_tick(codec, lo) == tick && id_tick(codec, hi) == tick,
				  "%s: tick %" PRId64, codec->name, tick);
			if (tick > time->first)
			{
				check_step(codec, lo, -1);
				CHECK(id_tick(codec, lo) == tick - 1, "%s: tick %" PRId64, codec->name, tick);
			}
			if (tick < time->last)
			{
				check_step(codec, hi, 1);
				CHECK(id_tick(codec, hi) == tick + 1, "%s: tick %" PRId64, codec->name, tick);
			}
		}
	}
}

static void
ticks_saturate(void)
{
	FOR_EACH_FORMAT(f)
	{
		const IdTime *time = &f->codec->time;
		int64_t		start = id_tick_begins(time, time->first);
		int64_t		end = id_tick_begins(time, time->last);
		const int64_t before[] = {INT64_MIN, INT64_MIN + 1, start - 1000000, start - 1};
		const int64_t after[] = {end, end + 1, end + 1000000, INT64_MAX - 1, INT64_MAX};

		for (size_t i = 0; i < LENGTH(before); i++)
			CHECK(id_tick_at(time, before[i]) == time->first - 1, "%s: %" PRId64,
				  f->codec->name, before[i]);
		for (size_t i = 0; i < LENGTH(after); i++)
			CHECK(id_tick_at(time, after[i]) == time->last, "%s: %" PRId64,
				  f->codec->name, after[i]);
	}
}

static bool
is_within(int64_t us, int64_t lower, bool lower_inclusive, int64_t upper, bool upper_inclusive)
{
	return (us > lower || (lower_inclusive && us == lower)) &&
		(us < upper || (upper_inclusive && us == upper));
}

/* Windows a few ticks wide, against looking at every tick around. */
static void
windows(void)
{
	FOR_EACH_FORMAT(f)
	{
		const IdTime *time = &f->codec->time;
		int64_t		us = 1 + 1000000 / f->per_second;

		for (int round = 0; round < ROUNDS; round++)
		{
			int64_t		middle = interesting_tick(time, round);
			int64_t		around = id_tick_begins(time, middle);
			int64_t		lower = around + (int64_t) (check_random() % 9 - 4) * us / 3;
			int64_t		upper = lower + (int64_t) (check_random() % 12 - 2) * us / 3;
			bool		with_lower = check_random() % 2 == 0;
			bool		with_upper = check_random() % 2 == 0;
			int64_t		first = 0;
			int64_t		last = 0;
			int64_t		expected_first = 0;
			int64_t		expected_last = 0;
			bool		expected = false;
			bool		found;

			for (int64_t tick = middle - 12; tick <= middle + 12; tick++)
			{
				if (tick < time->first || tick > time->last ||
					!is_within(id_tick_begins(time, tick), lower, with_lower, upper, with_upper))
					continue;
				if (!expected)
					expected_first = tick;
				expected_last = tick;
				expected = true;
			}
			found = id_ticks_within(time, lower, with_lower, upper, with_upper, &first, &last);
			CHECK(found == expected &&
				  (!found || (first == expected_first && last == expected_last)),
				  "%s: %c%" PRId64 ",%" PRId64 "%c gave %d %" PRId64 "..%" PRId64,
				  f->codec->name, with_lower ? '[' : '(', lower, upper,
				  with_upper ? ']' : ')', found, first, last);
		}
	}
}

/* Ends far outside, as infinities are passed, and windows outside the type's time. */
static void
wide_windows(void)
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

		for (size_t l = 0; l < LENGTH(ends); l++)
		{
			for (size_t u = 0; u < LENGTH(ends); u++)
			{
				for (int inclusive = 0; inclusive < 4; inclusive++)
				{
					bool		with_lower = (inclusive & 1) != 0;
					bool		with_upper = (inclusive & 2) != 0;
					int64_t		first = 0;
					int64_t		last = 0;
					bool		found = id_ticks_within(time, ends[l], with_lower,
														ends[u], with_upper, &first, &last);

					/* if the ticks found are right, so are their neighbours outside */
					if (!found)
					{
						CHECK(!is_within(start, ends[l], with_lower, ends[u], with_upper) &&
							  !is_within(end, ends[l], with_lower, ends[u], with_upper),
							  "%s: window %zu %zu %d", f->codec->name, l, u, inclusive);
						continue;
					}
					CHECK(first >= time->first && last <= time->last && first <= last,
						  "%s: window %zu %zu %d", f->codec->name, l, u, inclusive);
					CHECK(is_within(id_tick_begins(time, first), ends[l], with_lower,
									ends[u], with_upper) &&
						  is_within(id_tick_begins(time, last), ends[l], with_lower,
									ends[u], with_upper),
						  "%s: window %zu %zu %d", f->codec->name, l, u, inclusive);
					CHECK(first == time->first ||
						  !is_within(id_tick_begins(time, first - 1), ends[l], with_lower,
									 ends[u], with_upper),
						  "%s: window %zu %zu %d", f->codec->name, l, u, inclusive);
					CHECK(last == time->last ||
						  !is_within(id_tick_begins(time, last + 1), ends[l], with_lower,
									 ends[u], with_upper),
						  "%s: window %zu %zu %d", f->codec->name, l, u, inclusive);
				}
			}
		}
	}
}

/* Adds one to a decimal number in text, with pencil and paper. */
static void
increment(char *text)
{
	size_t		i = strlen(text);

	while (i > 0 && text[i - 1] == '9')
		text[--i] = '0';
	if (i > 0)
		text[i - 1]++;
	else
	{
		memmove(text + 1, text, strlen(text) + 1);
		text[0] = '1';
	}
}

static void
decimals(void)
{
	FOR_EACH_FORMAT(f)
	{
		const IdCodec *codec = f->codec;
		size_t		size = (size_t) codec->size;

		for (int round = 0; round < ROUNDS; round++)
		{
			uint8_t		id[ID_MAX_SIZE];
			uint8_t		read[ID_MAX_SIZE];
			uint8_t		max[ID_MAX_SIZE];
			char		text[ID_MAX_DECIMAL + 2];
			char		next[ID_MAX_DECIMAL + 2];
			IdError		err = {0};

			check_random_id(codec, id);
			id_to_decimal(codec, id, text);
			CHECK(strlen(text) <= ID_MAX_DECIMAL, "%s", text);
			CHECK(text[0] != '0' || text[1] == '\0', "%s", text);
			CHECK(id_from_decimal(codec, text, strlen(text), read, &err) == ID_OK &&
				  memcmp(read, id, size) == 0, "%s: %s is %s", codec->name,
				  check_hex(id, size), text);

			check_bounds(f, read, max);
			memset(read, 0xFF, sizeof(read));
			if (memcmp(id, max, size) == 0 || memcmp(id, read, size) == 0)
				continue;
			check_step(codec, id, 1);
			id_to_decimal(codec, id, next);
			increment(text);
			CHECK(strcmp(text, next) == 0, "%s: %s is %s, not %s", codec->name,
				  check_hex(id, size), next, text);
		}
	}
}

static void
decimal_limits(void)
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
		increment(text);
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

const TestCase id_tests[] = {
	{"id: descriptions of the formats", description},
	{"id: big-endian load and store", big_endian},
	{"id: digits alone", digits},
	{"id: text round trip", text_round_trip},
	{"id: text order", text_order},
	{"id: wrong length", wrong_length},
	{"id: alien bytes at every place", alien_bytes},
	{"id: prefixes of random ids", prefixes},
	{"id: all short prefixes", short_prefixes},
	{"id: ticks and instants", ticks},
	{"id: instants outside the range", ticks_saturate},
	{"id: narrow windows by brute force", windows},
	{"id: wide windows", wide_windows},
	{"id: decimal round trip", decimals},
	{"id: decimal limits and errors", decimal_limits},
	{NULL, NULL}
};
