/*-------------------------------------------------------------------------
 *
 * fuzz_core.c
 *	  libFuzzer target for all of src/core.
 *
 * The first byte of the input chooses the format and what the rest is taken
 * for: a text, a prefix, a decimal number, the bytes of an id or of whatever
 * else the type reads, two ids, the numbers of a window, or those of a
 * generator's word.  Whatever comes in, what must hold is asserted; the sanitizers
 * watch the rest.
 *
 *-------------------------------------------------------------------------
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/core/decimal.h"
#include "../../src/core/ff1.h"
#include "../../src/core/mark.h"
#include "../unit/check.h"

#define REQUIRE(condition) \
	((condition) ? (void) 0 : \
	 (fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition), abort()))

extern int	LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int
compare(const IdCodec *codec, const uint8_t *a, const uint8_t *b)
{
	int64_t		tick_a = id_tick(codec, a);
	int64_t		tick_b = id_tick(codec, b);

	if (tick_a != tick_b)
		return tick_a < tick_b ? -1 : 1;
	return memcmp(a, b, (size_t) codec->size);
}

static bool
same_sign(int a, int b)
{
	return (a < 0) == (b < 0) && (a > 0) == (b > 0);
}

/* Ff1Cipher: of any function, decrypting undoes encrypting. */
static void
add_key(void *key, uint8_t block[FF1_BLOCK_SIZE])
{
	const uint8_t *bytes = key;

	for (int i = 0; i < FF1_BLOCK_SIZE; i++)
		block[i] = (uint8_t) (block[i] * 5 + block[(i + 7) % FF1_BLOCK_SIZE] + bytes[i % 8]);
}

/* An id, encrypted by its own bytes with its text for a tweak, is another id or the same. */
static void
require_encryption(const TestFormat *format, const uint8_t *id)
{
	const IdCodec *codec = format->codec;
	uint8_t		key[ID_MAX_SIZE];
	uint8_t		number[ID_MAX_SIZE];
	char		text[ID_MAX_TEXT];
	size_t		len = id[codec->size - 1] % (size_t) (codec->text_size + 1);
	Ff1			ff1;

	memcpy(key, id, (size_t) codec->size);
	memcpy(number, id, (size_t) codec->size);
	codec->format(id, text);
	ff1_start(&ff1, codec->bits, add_key, key, (const uint8_t *) text, len);
	ff1_encrypt(&ff1, number);
	REQUIRE(id_is_valid(codec, number));
	ff1_decrypt(&ff1, number);
	REQUIRE(memcmp(number, id, (size_t) codec->size) == 0);
}

/* What holds for every id. */
static void
require_id(const TestFormat *format, const uint8_t *id)
{
	const IdCodec *codec = format->codec;
	size_t		size = (size_t) codec->size;
	char		decimal[ID_MAX_DECIMAL + 1];
	uint8_t		read[ID_MAX_SIZE];
	uint8_t		again[ID_MAX_SIZE];
	int64_t		tick = id_tick(codec, id);
	int64_t		begins = id_tick_begins(&codec->time, tick);
	IdError		err;

	REQUIRE(id_is_valid(codec, id));
	check_forms(format, id);
	format->check_fields(id);

	require_encryption(format, id);

	id_to_decimal(codec, id, decimal);
	REQUIRE(id_from_decimal(codec, decimal, strlen(decimal), read, &err) == ID_OK);
	REQUIRE(memcmp(id, read, size) == 0);

	REQUIRE(tick >= codec->time.first && tick <= codec->time.last);
	REQUIRE(id_tick_at(&codec->time, begins) == tick);
	REQUIRE(id_tick_at(&codec->time, begins - 1) == tick - 1);
	id_of_tick(codec, tick, 0x00, read);
	id_of_tick(codec, tick, 0xFF, again);
	REQUIRE(compare(codec, read, id) <= 0 && compare(codec, id, again) <= 0);
}

/* What holds for every refusal. */
static void
require_error(IdStatus status, const char *text, size_t len, const IdError *err)
{
	REQUIRE(status >= ID_OK && status <= ID_OUT_OF_RANGE);
	if (status == ID_BAD_CHARACTER)
	{
		REQUIRE(err->position < len && err->alphabet != NULL);
		REQUIRE(err->alphabet->value[(uint8_t) text[err->position]] == 0);
	}
	if (status == ID_BAD_SEPARATOR)
		REQUIRE(err->position < len);
	if (status == ID_BAD_CHECKSUM)
		REQUIRE(err->found != err->expected);
}

/* What was read as an id is one of its texts, but for the case of letters. */
static void
require_form(const TestFormat *format, const uint8_t *id, const char *text, size_t len)
{
	const TestForm *form = check_find_form(format, len);
	size_t		scheme = len == (size_t) format->codec->text_size ? format->scheme : 0;
	char		written[ID_MAX_TEXT];

	REQUIRE(form != NULL);
	form->format(id, written);
	for (size_t i = 0; i < len; i++)
	{
		if (format->ignores_case && i >= scheme)
			REQUIRE(tolower((uint8_t) written[i]) == tolower((uint8_t) text[i]));
		else
			REQUIRE(written[i] == text[i]);
	}
}

static void
try_text(const TestFormat *format, const char *text, size_t len)
{
	const IdCodec *codec = format->codec;
	static const uint8_t untouched[ID_MAX_SIZE] = {0};
	uint8_t		id[ID_MAX_SIZE] = {0};
	IdError		err = {0};
	IdStatus	status = codec->parse(text, len, id, &err);

	require_error(status, text, len, &err);
	if (status == ID_OK)
	{
		require_id(format, id);
		require_form(format, id, text, len);
	}
	else
		REQUIRE(memcmp(id, untouched, sizeof(id)) == 0);
}

/* Digits alone are one of the texts that are read. */
static void
try_digits(const TestFormat *format, const char *text, size_t len)
{
	const IdCodec *codec = format->codec;
	uint8_t		id[ID_MAX_SIZE];
	uint8_t		read[ID_MAX_SIZE];
	char		digits[ID_MAX_TEXT];
	IdError		err = {0};
	IdStatus	status = id_parse_digits(codec, text, len, id, &err);

	require_error(status, text, len, &err);
	if (status != ID_OK)
		return;
	REQUIRE(len == (size_t) codec->digits);
	REQUIRE(codec->parse(text, len, read, &err) == ID_OK);
	REQUIRE(memcmp(id, read, (size_t) codec->size) == 0);
	codec->format_digits(id, digits);
	for (size_t i = 0; i < len; i++)
		REQUIRE(codec->alphabet->value[(uint8_t) digits[i]] ==
				codec->alphabet->value[(uint8_t) text[i]]);
}

static void
try_prefix(const TestFormat *format, const char *text, size_t len)
{
	const IdCodec *codec = format->codec;
	uint8_t		lo[ID_MAX_SIZE];
	uint8_t		hi[ID_MAX_SIZE];
	uint8_t		shorter_lo[ID_MAX_SIZE];
	uint8_t		shorter_hi[ID_MAX_SIZE];
	IdError		err = {0};
	IdStatus	status = codec->prefix(text, len, lo, hi, &err);

	require_error(status, text, len, &err);
	if (status != ID_OK)
		return;
	require_id(format, lo);
	require_id(format, hi);
	REQUIRE(compare(codec, lo, hi) <= 0);
	if (len == 0)
		return;

	/* What a prefix selects, a shorter one does too. */
	REQUIRE(codec->prefix(text, len - 1, shorter_lo, shorter_hi, &err) == ID_OK);
	REQUIRE(compare(codec, shorter_lo, lo) <= 0 && compare(codec, hi, shorter_hi) <= 0);
}

static void
try_decimal(const TestFormat *format, const char *text, size_t len)
{
	const IdCodec *codec = format->codec;
	uint8_t		id[ID_MAX_SIZE];
	char		decimal[ID_MAX_DECIMAL + 1];
	IdError		err = {0};
	IdStatus	status = id_from_decimal(codec, text, len, id, &err);

	require_error(status, text, len, &err);
	if (status != ID_OK)
		return;
	require_id(format, id);
	id_to_decimal(codec, id, decimal);
	while (len > 1 && *text == '0')
		text++, len--;
	REQUIRE(strlen(decimal) == len && memcmp(decimal, text, len) == 0);
}

/* Bytes of an id, and whatever else the type reads. */
static void
try_bytes(const TestFormat *format, const uint8_t *data, size_t size)
{
	if (size >= (size_t) format->codec->size && id_is_valid(format->codec, data))
		require_id(format, data);
	if (format->check_bytes != NULL)
		format->check_bytes((const char *) data, size);
}

/* Two ids compare alike as bytes, as texts and as numbers. */
static void
try_pair(const TestFormat *format, const uint8_t *data, size_t size)
{
	const IdCodec *codec = format->codec;
	size_t		one = (size_t) codec->size;
	char		decimal[2][ID_MAX_DECIMAL + 1];
	int			longer;

	if (size < 2 * one || !id_is_valid(codec, data) || !id_is_valid(codec, data + one))
		return;
	REQUIRE(same_sign(compare(codec, data, data + one),
					  check_compare(codec, data, data + one)));
	check_order(format, data, data + one);
	id_to_decimal(codec, data, decimal[0]);
	id_to_decimal(codec, data + one, decimal[1]);
	longer = (int) strlen(decimal[0]) - (int) strlen(decimal[1]);
	REQUIRE(same_sign(longer != 0 ? longer : strcmp(decimal[0], decimal[1]),
					  memcmp(data, data + one, one)));
}

static bool
within(int64_t us, int64_t lower, bool with_lower, int64_t upper, bool with_upper)
{
	return (us > lower || (with_lower && us == lower)) &&
		(us < upper || (with_upper && us == upper));
}

static void
try_window(const IdCodec *codec, const uint8_t *data, size_t size)
{
	const IdTime *time = &codec->time;
	int64_t		lower;
	int64_t		upper;
	int64_t		first;
	int64_t		last;
	bool		with_lower;
	bool		with_upper;

	if (size < 17)
		return;
	lower = (int64_t) load_be64(data);
	upper = (int64_t) load_be64(data + 8);
	with_lower = (data[16] & 1) != 0;
	with_upper = (data[16] & 2) != 0;
	/* A narrow window is far from random: let the second be a distance. */
	if ((data[16] & 4) != 0 && lower < INT64_MAX - 0xFFFF)
		upper = lower + (upper & 0xFFFF);

	if (!id_ticks_within(time, lower, with_lower, upper, with_upper, &first, &last))
	{
		int64_t		tick = id_tick_at(time, upper);

		/* The best candidate is the last tick that begins in time. */
		if (tick >= time->first && !with_upper && id_tick_begins(time, tick) == upper)
			tick--;
		if (tick >= time->first)
			REQUIRE(!within(id_tick_begins(time, tick), lower, with_lower, upper, with_upper));
		return;
	}
	REQUIRE(time->first <= first && first <= last && last <= time->last);
	REQUIRE(within(id_tick_begins(time, first), lower, with_lower, upper, with_upper));
	REQUIRE(within(id_tick_begins(time, last), lower, with_lower, upper, with_upper));
	if (first > time->first)
		REQUIRE(!within(id_tick_begins(time, first - 1), lower, with_lower, upper, with_upper));
	if (last < time->last)
		REQUIRE(!within(id_tick_begins(time, last + 1), lower, with_lower, upper, with_upper));
}

/* The word after another one of any use, when the clock shows any instant. */
static void
try_word(const TestFormat *format, const uint8_t *data, size_t size)
{
	size_t		uses = 0;
	const WordLayout *layout;
	WordUse		use;
	uint64_t	mask;
	uint64_t	last;
	uint64_t	next;
	int64_t		end;
	int64_t		wall;
	int64_t		begins;
	int64_t		mark;

	if (size < 26)
		return;
	while (format->uses[uses].use.step > 0)
		uses++;
	use = format->uses[*data / 2 % uses].use;
	layout = &generator_info[format->uses[*data / 2 % uses].generator].layout;
	mask = (UINT64_C(1) << layout->counter_bits) - 1;
	use.start += load_be64(data + 17) % (format->uses[*data / 2 % uses].random_start + 1)
		<< use.low_bits;
	use.step += data[25] % format->uses[*data / 2 % uses].random_step;
	last = load_be64(data + 1) % ((uint64_t) layout->time.last << layout->counter_bits);
	/* a full counter is far from random */
	if (*data & 0x80)
		last = (last & ~mask) | use.limit;
	/* where the format's time ends, callers do not ask */
	end = id_tick_begins(&layout->time, layout->time.last) - layout->lead;
	wall = (int64_t) load_be64(data + 9) % end;
	if (*data & 1)
		wall = word_begins(layout, &use, last) + wall % 0xFFFFFF;
	if (wall >= end)
		return;

	next = word_next(layout, &use, last, wall);
	begins = word_begins(layout, &use, next);
	REQUIRE(next > last && (next & mask) <= use.limit);
	REQUIRE(begins <= wall || begins <= word_tick_ends(layout, last));
	if (word_wait(layout, begins, wall) > 0)
	{
		WordWatch	watch = {0};
		int64_t		pace = word_watch(layout, &use, &watch, last, next, wall, 1);

		REQUIRE(pace >= 0 && pace <= (word_tick_ends(layout, last) -
									  word_tick_begins(layout, last)) * 16000 / 15);
	}
	last = word_before(layout, wall);
	REQUIRE(last == 0 || word_tick_begins(layout, last) < wall);
	next = word_after(layout, &use, last);
	REQUIRE(last == 0 || word_is_at_end(layout, next) ||
			word_begins(layout, &use, next) >= wall);

	mark = mark_for(begins, (int64_t) (last % 20000000), wall);
	REQUIRE(mark > begins && mark > wall);
	REQUIRE(mark_renew_at(mark, begins) >= begins && mark_renew_at(mark, begins) < mark);
	REQUIRE(mark_start(mark, false, wall) == mark && mark_start(mark, true, wall) >= mark);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static size_t formats = 0;
	const TestFormat *format;
	const char *text;
	size_t		use;

	while (test_formats[formats] != NULL)
		formats++;
	if (size == 0)
		return 0;
	format = test_formats[*data % formats];
	use = *data / formats % 7;
	data++;
	size--;
	text = (const char *) data;

	switch (use)
	{
		case 0:
			try_text(format, text, size);
			try_digits(format, text, size);
			break;
		case 1:
			try_prefix(format, text, size);
			break;
		case 2:
			try_decimal(format, text, size);
			break;
		case 3:
			try_bytes(format, data, size);
			break;
		case 4:
			try_pair(format, data, size);
			break;
		case 5:
			try_window(format->codec, data, size);
			break;
		default:
			try_word(format, data, size);
			break;
	}
	/* what failed of the checks that the unit tests share */
	REQUIRE(check_failures == 0);
	return 0;
}
