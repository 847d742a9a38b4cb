/*-------------------------------------------------------------------------
 *
 * fuzz_core.c
 *	  libFuzzer target for all of src/core.
 *
 * The first byte of the input chooses the format and what the rest is taken
 * for: a text, a prefix, a decimal number, the bytes of an id or of whatever
 * else the type reads, two ids, the numbers of a window, or those of a
 * generator's clock word.  Whatever comes in, what must hold is asserted, mostly by
 * checks that the unit tests have too; the sanitizers watch the rest.
 *
 *-------------------------------------------------------------------------
 */
#include <stdlib.h>

#include "../../../src/core/decimal.h"
#include "../../../src/core/mark.h"
#include "../unit/check.h"

#define REQUIRE(condition) \
	((condition) ? (void) 0 : \
	 (fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition), abort()))

extern int	LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
try_text(const TestFormat *format, const uint8_t *data, size_t len)
{
	const char *text = (const char *) data;
	uint8_t		id[ID_MAX_SIZE] = {0};
	IdError		err = {0};

	if (check_text(format, text, len, id, &err) == ID_OK)
		check_id(format, id);
}

/* The beginning of a prefix is one, too. */
static void
try_prefix(const TestFormat *format, const uint8_t *data, size_t len)
{
	const char *text = (const char *) data;
	IdError		err = {0};

	if (check_prefix(format, text, len, &err) == ID_OK && len > 0)
		REQUIRE(check_prefix(format, text, len - 1, &err) == ID_OK);
}

static void
try_decimal(const TestFormat *format, const uint8_t *data, size_t len)
{
	const char *text = (const char *) data;
	const IdCodec *codec = format->codec;
	uint8_t		id[ID_MAX_SIZE];
	char		decimal[ID_MAX_DECIMAL + 1];
	IdError		err = {0};
	IdStatus	status = id_from_decimal(codec, text, len, id, &err);

	check_error(status, text, len, &err);
	if (status != ID_OK)
		return;
	check_id(format, id);
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
		check_id(format, data);
	if (format->check_bytes != NULL)
		format->check_bytes((const char *) data, size);
}

/* Two ids compare alike as bytes and as texts. */
static void
try_pair(const TestFormat *format, const uint8_t *data, size_t size)
{
	const IdCodec *codec = format->codec;
	size_t		one = (size_t) codec->size;

	if (size >= 2 * one && id_is_valid(codec, data) && id_is_valid(codec, data + one))
		check_order(format, data, data + one);
}

static void
try_window(const TestFormat *format, const uint8_t *data, size_t size)
{
	Window		window;

	if (size < 17)
		return;
	window.lower = (int64_t) load_be64(data);
	window.upper = (int64_t) load_be64(data + 8);
	window.with_lower = (data[16] & 1) != 0;
	window.with_upper = (data[16] & 2) != 0;
	/* A narrow window is far from random: let the second be a distance. */
	if ((data[16] & 4) != 0 && window.lower < INT64_MAX - 0xFFFF)
		window.upper = window.lower + (window.upper & 0xFFFF);
	check_window(format->codec, &window);
}

/* The clock word after another one of any use, when the clock shows any instant. */
static void
try_word(const TestFormat *format, const uint8_t *data, size_t size)
{
	size_t		uses = 0;
	const UseCase *u;
	const ClockWordLayout *layout;
	ClockWordUse use;
	uint64_t	mask;
	uint64_t	last;
	int64_t		end;
	int64_t		wall;
	int64_t		begins;
	int64_t		mark;

	if (size < 26)
		return;
	while (format->uses[uses].use.step > 0)
		uses++;
	u = &format->uses[*data / 2 % uses];
	use = check_use(u, load_be64(data + 17), data[25]);
	layout = &generator_info[u->generator].layout;
	mask = (UINT64_C(1) << layout->counter_bits) - 1;
	last = load_be64(data + 1) % ((uint64_t) layout->time.last << layout->counter_bits);
	/* a full counter is far from random */
	if (*data & 0x80)
		last = (last & ~mask) | use.limit;
	/* where the format's time ends, callers do not ask */
	end = id_tick_begins(&layout->time, layout->time.last) - layout->lead;
	wall = (int64_t) load_be64(data + 9) % end;
	if (*data & 1)
		wall = clockword_begins(layout, &use, last) + wall % 0xFFFFFF;
	if (wall >= end)
		return;

	check_word(layout, &use, last, wall);

	begins = clockword_begins(layout, &use, clockword_next(layout, &use, last, wall));
	mark = mark_for(begins, (int64_t) (last % 20000000), wall);
	REQUIRE(mark > begins && mark > wall);
	REQUIRE(mark_renew_at(mark, begins) >= begins && mark_renew_at(mark, begins) < mark);
	REQUIRE(mark_leave_until(mark, begins, (int64_t) (last % 20000000)) <= mark);
	REQUIRE(mark_start(mark, false, wall) == mark && mark_start(mark, true, wall) >= mark);
}

/* What an input is taken for; seeds.py knows the first two. */
static void (*const uses[]) (const TestFormat *format, const uint8_t *data, size_t size) = {
	try_text, try_prefix, try_decimal, try_bytes, try_pair, try_window, try_word
};

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static size_t formats = 0;

	while (test_formats[formats] != NULL)
		formats++;
	if (size == 0)
		return 0;
	uses[*data / formats % LENGTH(uses)] (test_formats[*data % formats], data + 1, size - 1);
	/* what failed of the checks that the unit tests share */
	REQUIRE(check_failures == 0);
	return 0;
}
