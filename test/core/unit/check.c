/*-------------------------------------------------------------------------
 *
 * check.c
 *	  Harness of the unit tests.
 *
 *-------------------------------------------------------------------------
 */
#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>

#include "../../../src/core/decimal.h"
#include "check.h"

/* Failures printed of one case; a broken loop must not flood the log. */
#define SHOWN 10

unsigned long check_checks;
unsigned long check_failures;
uint64_t	check_seed;

const TestFormat *const test_formats[] = {
#define ID_TYPE(t, T) &t##_format,
#include "../../../src/core/types.h"
	NULL
};

#define ID_TYPE(t, T) \
void \
t##_text(const uint8_t *id, char *text) \
{ \
	t##_codec.format(id, text); \
}
#include "../../../src/core/types.h"

static const char *current = "";

void
check_count(void)
{
	check_checks++;
}

void
check_failed(const char *file, int line, const char *condition, const char *format,...)
{
	va_list		args;

	if (check_failures++ >= SHOWN)
		return;
	printf("FAILED %s\n  %s:%d: %s\n  ", current, file, line, condition);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
}

const char *
check_status(IdStatus status)
{
	static const char *const names[] = {
		[ID_OK] = "accepted",
		[ID_BAD_LENGTH] = "length",
		[ID_BAD_CHARACTER] = "character",
		[ID_BAD_SEPARATOR] = "separator",
		[ID_BAD_SCHEME] = "scheme",
		[ID_BAD_CHECKSUM] = "checksum",
		[ID_OUT_OF_RANGE] = "range",
	};

	return (size_t) status < LENGTH(names) ? names[status] : "no status";
}

/* splitmix64 */
uint64_t
check_random(void)
{
	uint64_t	z = check_seed += UINT64_C(0x9E3779B97F4A7C15);

	z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
	z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
	return z ^ z >> 31;
}

void
check_random_bytes(uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		bytes[i] = (uint8_t) (check_random() >> 56);
}

void
check_random_id(const IdCodec *codec, uint8_t *id)
{
	uint64_t	kind = check_random() % 4;

	do
	{
		check_random_bytes(id, (size_t) codec->size);
		for (int i = 0; kind >= 2 && i < codec->size; i++)
		{
			if (check_random() % 8 != 0)
				id[i] = kind == 2 ? 0x00 : 0xFF;
		}
		/* For the one type with a bit that must be zero. */
		if (codec->time.last >> (codec->time.bits - 1) == 0 && codec->time.first == 0)
			id[0] &= 0x7F;
	} while (!id_is_valid(codec, id));
}

int
check_compare(const IdCodec *codec, const uint8_t *a, const uint8_t *b)
{
	int			flip = codec->time.first < 0 ? 0x80 : 0;
	int			high_a = a[0] ^ flip;
	int			high_b = b[0] ^ flip;

	return high_a != high_b ? high_a - high_b : memcmp(a, b, (size_t) codec->size);
}

bool
check_step(const IdCodec *codec, uint8_t *id, bool up)
{
	uint8_t		from[ID_MAX_SIZE];

	memcpy(from, id, (size_t) codec->size);
	bytes_add(id, codec->size, up);
	return id_is_valid(codec, id) && (check_compare(codec, from, id) < 0) == up;
}

void
check_bounds(const TestFormat *format, uint8_t *lo, uint8_t *hi)
{
	check_unhex(format->smallest, lo, (size_t) format->codec->size);
	check_unhex(format->largest, hi, (size_t) format->codec->size);
}

void
check_same(const IdCodec *codec, const uint8_t *made, const uint8_t *id)
{
	CHECK(memcmp(made, id, (size_t) codec->size) == 0, "%s: %s, not %s", codec->name,
		  check_hex(made, (size_t) codec->size), check_hex(id, (size_t) codec->size));
}

void
check_reads(const IdCodec *codec, const char *text, size_t size, const uint8_t *id)
{
	uint8_t		read[ID_MAX_SIZE] = {0};
	IdError		err = {0};
	IdStatus	status = codec->parse(text, size, read, &err);

	CHECK(status == ID_OK, "%s: \"%.*s\" gave %s", codec->name, (int) size, text,
		  check_status(status));
	check_same(codec, read, id);
}

/* Each form has as many characters as it says, and is read back, in the other case too. */
static void
check_forms(const TestFormat *format, const uint8_t *id)
{
	const IdCodec *codec = format->codec;

	FOR_EACH_FORM(form, format)
	{
		char		text[ID_MAX_TEXT + 1];

		memset(text, '#', sizeof(text));
		form->format(id, text);
		CHECK(text[form->size] == '#' && memchr(text, '#', form->size) == NULL,
			  "%s: %s is not written in %zu characters", codec->name,
			  check_hex(id, (size_t) codec->size), form->size);
		check_reads(codec, text, form->size, id);
		if (!format->ignores_case)
			continue;
		for (size_t i = form == format->forms ? format->scheme : 0; i < form->size; i++)
		{
			int			c = (unsigned char) text[i];

			text[i] = (char) (isupper(c) ? tolower(c) : toupper(c));
		}
		check_reads(codec, text, form->size, id);
	}
}

/* Multiplies and shifts both halves, each into the other. */
void
check_encipher(void *cipher, uint8_t block[16])
{
	CheckCipher *by = cipher;
	uint64_t	x = load_be64(block) ^ by->key;
	uint64_t	y = load_be64(block + 8) + by->key;

	x = (x ^ x >> 29) * UINT64_C(0x9e3779b97f4a7c15);
	y = (y ^ x ^ y >> 31) * UINT64_C(0xd6e8feb86659fd93);
	store_be64(block, x ^ y >> 32);
	store_be64(block + 8, y);
}

void
check_tick(const IdCodec *codec, int64_t tick)
{
	const IdTime *time = &codec->time;
	int64_t		begins = id_tick_begins(time, tick);
	uint8_t		lo[ID_MAX_SIZE];
	uint8_t		hi[ID_MAX_SIZE];

	CHECK(tick >= time->first && tick <= time->last, "%s: tick %" PRId64, codec->name, tick);
	CHECK(id_tick_at(time, begins) == tick, "%s: tick %" PRId64, codec->name, tick);
	CHECK(id_tick_at(time, begins - 1) == tick - 1, "%s: tick %" PRId64, codec->name, tick);

	id_of_tick(codec, tick, 0x00, lo);
	id_of_tick(codec, tick, 0xFF, hi);
	CHECK(id_is_valid(codec, lo) && id_is_valid(codec, hi), "%s: tick %" PRId64, codec->name,
		  tick);
	CHECK(id_tick(codec, lo) == tick && id_tick(codec, hi) == tick, "%s: tick %" PRId64,
		  codec->name, tick);
	CHECK(!check_step(codec, lo, false) || id_tick(codec, lo) == tick - 1, "%s: tick %" PRId64,
		  codec->name, tick);
	CHECK(!check_step(codec, hi, true) || id_tick(codec, hi) == tick + 1, "%s: tick %" PRId64,
		  codec->name, tick);
}

void
check_id(const TestFormat *format, const uint8_t *id)
{
	const IdCodec *codec = format->codec;
	const size_t digits = (size_t) codec->digits;
	char		text[ID_MAX_TEXT];
	char		decimal[ID_MAX_DECIMAL + 1];
	uint8_t		read[ID_MAX_SIZE];
	size_t		len;
	IdError		err;

	CHECK(id_is_valid(codec, id), "%s: %s", codec->name, check_hex(id, (size_t) codec->size));
	check_forms(format, id);
	format->check_fields(id);

	id_to_decimal(codec, id, decimal);
	CHECK(decimal[0] != '0' || decimal[1] == '\0', "%s: %s", codec->name, decimal);
	CHECK(id_from_decimal(codec, decimal, strlen(decimal), read, &err) == ID_OK, "%s: %s",
		  codec->name, decimal);
	check_same(codec, read, id);

	codec->format_digits(id, text);
	CHECK(id_parse_digits(codec, text, digits, read, &err) == ID_OK, "%s: %.*s", codec->name,
		  (int) digits, text);
	check_same(codec, read, id);
	len = id[codec->size - 1] % (digits + 1);
	CHECK(check_prefix(format, text, len, &err) == ID_OK, "%s: prefix %.*s", codec->name, (int) len,
		  text);

	check_tick(codec, id_tick(codec, id));
}

void
check_order(const TestFormat *format, const uint8_t *a, const uint8_t *b)
{
	const IdCodec *codec = format->codec;
	char		text_a[ID_MAX_TEXT];
	char		text_b[ID_MAX_TEXT];
	int			by_id = check_compare(codec, a, b);
	int			by_text;

	if (codec->time.first < 0 && (a[0] ^ b[0]) >= 0x80)
		return;
	codec->format_digits(a, text_a);
	codec->format_digits(b, text_b);
	by_text = memcmp(text_a, text_b, (size_t) codec->digits);
	CHECK((by_id < 0) == (by_text < 0) && (by_id > 0) == (by_text > 0), "%s: %s %s",
		  codec->name, check_hex(a, (size_t) codec->size), check_hex(b, (size_t) codec->size));
}

const char *
check_hex(const uint8_t *bytes, size_t size)
{
	static char buffers[4][2 * CHECK_HEX_MAX + 1];
	static int	next;
	char	   *hex = buffers[next++ % 4];

	hex[0] = '\0';
	for (size_t i = 0; i < size; i++)
		sprintf(hex + 2 * i, "%02x", bytes[i]);
	return hex;
}

void
check_unhex(const char *hex, uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
	{
		char		byte[3] = {hex[2 * i], hex[2 * i + 1], '\0'};

		bytes[i] = (uint8_t) strtoul(byte, NULL, 16);
	}
}

void
check_error(IdStatus status, const char *text, size_t len, const IdError *err)
{
	bool		within = err->position < len;

	CHECK(status <= ID_OUT_OF_RANGE, "status %d", status);
	if (status == ID_BAD_CHARACTER || status == ID_BAD_SEPARATOR)
		CHECK(within, "\"%.*s\": bad at %zu of %zu", (int) len, text, err->position, len);
	if (status == ID_BAD_CHARACTER && within)
		CHECK(err->alphabet != NULL && err->alphabet->value[(uint8_t) text[err->position]] == 0,
			  "\"%.*s\" is good at %zu", (int) len, text, err->position);
	if (status == ID_BAD_CHECKSUM)
		CHECK(err->found != err->expected, "\"%.*s\"", (int) len, text);
}

static char
in_one_case(char c)
{
	return c >= 'a' && c <= 'z' ? (char) (c - 'a' + 'A') : c;
}

/* Whether a character that was read is the one that is written. */
static bool
is_written(char read, char written, bool any_case)
{
	return read == written || (any_case && in_one_case(read) == in_one_case(written));
}

IdStatus
check_text(const TestFormat *format, const char *text, size_t len, uint8_t *id, IdError *err)
{
	const IdCodec *codec = format->codec;
	uint8_t		before[ID_MAX_SIZE];
	bool		found = false;
	IdStatus	status;

	memcpy(before, id, sizeof(before));
	*err = (IdError) {.position = SIZE_MAX};
	status = codec->parse(text, len, id, err);
	check_error(status, text, len, err);
	if (status != ID_OK)
	{
		CHECK(memcmp(id, before, sizeof(before)) == 0, "%s: \"%.*s\" wrote an id", codec->name,
			  (int) len, text);
		return status;
	}
	CHECK(id_is_valid(codec, id), "%s: \"%.*s\" is no id", codec->name, (int) len, text);
	FOR_EACH_FORM(form, format)
	{
		size_t		scheme = form == format->forms ? format->scheme : 0;
		char		written[ID_MAX_TEXT];

		if (len != form->size)
			continue;
		found = true;
		form->format(id, written);
		for (size_t i = 0; i < form->size; i++)
			CHECK(is_written(text[i], written[i], format->ignores_case && i >= scheme),
				  "%s: \"%.*s\" is read as %.*s", codec->name, (int) len, text, (int) len, written);
	}
	CHECK(found, "%s: \"%.*s\" has no form", codec->name, (int) len, text);
	return status;
}

bool
check_starts_with(const TestFormat *format, const uint8_t *id, const char *prefix, size_t len)
{
	char		written[ID_MAX_TEXT];
	size_t		digits = 0;
	bool		starts = true;

	format->codec->format_digits(id, written);
	for (size_t i = 0; i < len; i++)
	{
		if (format->separator != '\0' && prefix[i] == format->separator)
			continue;
		starts = starts && digits < (size_t) format->codec->digits &&
			is_written(prefix[i], written[digits], format->ignores_case);
		digits++;
	}
	return starts;
}

IdStatus
check_prefix(const TestFormat *format, const char *text, size_t len, IdError *err)
{
	const IdCodec *codec = format->codec;
	uint8_t		lo[ID_MAX_SIZE];
	uint8_t		hi[ID_MAX_SIZE];
	IdStatus	status;

	*err = (IdError) {.position = SIZE_MAX};
	status = codec->prefix(text, len, lo, hi, err);
	check_error(status, text, len, err);
	if (status == ID_OK)
	{
		CHECK(id_is_valid(codec, lo) && id_is_valid(codec, hi), "%s: %.*s", codec->name,
			  (int) len, text);
		CHECK(check_compare(codec, lo, hi) <= 0, "%s: %.*s", codec->name, (int) len, text);
		CHECK(check_starts_with(format, lo, text, len), "%s: %.*s starts at %s", codec->name,
			  (int) len, text, check_hex(lo, (size_t) codec->size));
		CHECK(check_starts_with(format, hi, text, len), "%s: %.*s ends at %s", codec->name,
			  (int) len, text, check_hex(hi, (size_t) codec->size));
		CHECK(!check_step(codec, lo, false) || !check_starts_with(format, lo, text, len),
			  "%s: %.*s starts at %s or before", codec->name, (int) len, text,
			  check_hex(lo, (size_t) codec->size));
		CHECK(!check_step(codec, hi, true) || !check_starts_with(format, hi, text, len),
			  "%s: %.*s ends at %s or behind", codec->name, (int) len, text,
			  check_hex(hi, (size_t) codec->size));
	}
	return status;
}

/* Whether a tick begins in a window. */
static bool
is_within(const IdTime *time, int64_t tick, const Window *w)
{
	int64_t		us = id_tick_begins(time, tick);

	return (us > w->lower || (w->with_lower && us == w->lower)) &&
		(us < w->upper || (w->with_upper && us == w->upper));
}

void
check_window(const IdCodec *codec, const Window *w)
{
	const IdTime *time = &codec->time;
	int64_t		first = 0;
	int64_t		last = 0;
	bool		right;

	if (id_ticks_within(time, w->lower, w->with_lower, w->upper, w->with_upper, &first, &last))
		right = time->first <= first && first <= last && last <= time->last &&
			is_within(time, first, w) && is_within(time, last, w) &&
			(first == time->first || !is_within(time, first - 1, w)) &&
			(last == time->last || !is_within(time, last + 1, w));
	else
	{
		/* the tick that began last, or where the window leaves out its end the one before */
		int64_t		tick = id_tick_at(time, w->upper);

		right = (tick < time->first || !is_within(time, tick, w)) &&
			(tick <= time->first || !is_within(time, tick - 1, w));
	}
	CHECK(right, "%s: %c%" PRId64 ",%" PRId64 "%c gave %" PRId64 "..%" PRId64, codec->name,
		  w->with_lower ? '[' : '(', w->lower, w->upper, w->with_upper ? ']' : ')', first, last);
}

ClockWordUse
check_use(const UseCase *use_case, uint64_t start, uint64_t step)
{
	ClockWordUse use = use_case->use;

	use.start += start % (use_case->random_start + 1) << use.low_bits;
	use.step += step % use_case->random_step;
	return use;
}

void
check_word(const ClockWordLayout *layout, const ClockWordUse *use, uint64_t last, int64_t wall)
{
	const int	bits = layout->counter_bits;
	const uint64_t counter_mask = (UINT64_C(1) << bits) - 1;
	const uint64_t fine_mask = (UINT64_C(1) << use->fine_bits) - 1;
	const uint64_t low_mask = (UINT64_C(1) << use->low_bits) - 1;
	const int64_t tick = id_tick_at(&layout->time, wall);
	const int64_t ends = clockword_tick_ends(layout, last);
	const uint64_t after = ((last >> use->fine_bits) + 1) << use->fine_bits;
	uint64_t	next = clockword_next(layout, use, last, wall);
	int64_t		begins = clockword_begins(layout, use, next);
	ClockWordWatch watch = {0};
	uint64_t	before = clockword_before(layout, wall);

	CHECK(next > last && (int64_t) (next >> bits) >= tick, "%" PRIx64 " after %" PRIx64, next,
		  last);
	CHECK((next & counter_mask) <= use->limit && ((next ^ use->start) & low_mask) == 0,
		  "%" PRIx64 " is cut", next);
	/* the random start is for a new tick or microsecond */
	if (next >> use->fine_bits == last >> use->fine_bits)
		CHECK((next >> use->low_bits) - (last >> use->low_bits) == use->step, "%" PRIx64 " after %"
			  PRIx64, next, last);
	else
		CHECK((next & fine_mask) == use->start, "%" PRIx64 " starts a tick", next);
	/* no microsecond is left out */
	if (next >> bits != last >> bits && (int64_t) (last >> bits) >= tick)
		CHECK(after >> bits != last >> bits || (after & counter_mask) > use->limit,
			  "%" PRIx64 " after %" PRIx64, next, last);

	/* ahead of the clock by no more than it must, and due within 16/15 of a tick */
	CHECK(begins <= wall || begins <= ends, "%" PRIx64 " at %" PRId64, next, wall);
	if (clockword_wait(layout, begins, wall) > 0)
	{
		int64_t		pace = clockword_watch(layout, use, &watch, last, next, wall, 1);

		CHECK(pace >= 0 && pace <= (ends - clockword_tick_begins(layout, last)) * 16000 / 15,
			  "%" PRIx64 " waits for %" PRId64 " ns", next, pace);
	}

	/* what starts at the clock begins no earlier, nor later than at the next tick */
	CHECK(before == 0 || ((int64_t) (before >> bits) == id_tick_at(&layout->time, wall - 1) &&
						  clockword_after(layout, use, before) >> bits == (before >> bits) + 1 &&
						  clockword_tick_begins(layout, before) < wall &&
						  clockword_tick_ends(layout, before) >= wall),
		  "%" PRIx64 " before %" PRId64, before, wall);
	CHECK(tick < layout->time.first || (int64_t) (clockword_past(layout, wall) >> bits) == tick,
		  "past %" PRId64, wall);
}

bool
check_run(const TestCase *test)
{
	unsigned long before = check_checks;

	current = test->name;
	check_failures = 0;
	printf("%s ...\n", current);
	test->run();
	if (check_checks == before)
		check_failed(__FILE__, __LINE__, "check_checks > before", "nothing was checked");
	if (check_failures > SHOWN)
		printf("  ... %lu failures in all\n", check_failures);
	return check_failures == 0;
}
