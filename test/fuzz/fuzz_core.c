/*-------------------------------------------------------------------------
 *
 * fuzz_core.c
 *	  libFuzzer target for all of src/core.
 *
 * The first byte of the input chooses the format and what the rest is taken
 * for: a text, a prefix, a decimal number, the bytes of an id or of whatever
 * else the type reads, or the numbers of a window.  Whatever comes in, what must
 * hold is asserted; the sanitizers watch the rest.
 *
 *-------------------------------------------------------------------------
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/core/decimal.h"
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
	check_form(codec, codec->format, (size_t) codec->text_size, id);
	format->check_fields(id);

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
		require_id(format, id);
	else
		REQUIRE(memcmp(id, untouched, sizeof(id)) == 0);
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
	use = *data / formats % 5;
	data++;
	size--;
	text = (const char *) data;

	switch (use)
	{
		case 0:
			try_text(format, text, size);
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
		default:
			try_window(format->codec, data, size);
			break;
	}
	/* what failed of the checks that the unit tests share */
	REQUIRE(check_failures == 0);
	return 0;
}
