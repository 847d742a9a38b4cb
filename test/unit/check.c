/*-------------------------------------------------------------------------
 *
 * check.c
 *	  Harness of the unit tests.
 *
 *-------------------------------------------------------------------------
 */
#include <stdarg.h>
#include <stdlib.h>

#include "check.h"

/* Failures printed of one case; a broken loop must not flood the log. */
#define SHOWN 10

unsigned long check_checks;
unsigned long check_failures;
uint64_t	check_seed;

const TestFormat *const test_formats[] = {
#define ID_TYPE(t, T) &t##_format,
#include "../../src/core/types.h"
	NULL
};

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

void
check_step(const IdCodec *codec, uint8_t *id, int step)
{
	int			i = codec->size;
	uint8_t		wrapped = step > 0 ? 0x00 : 0xFF;

	do
	{
		i--;
		id[i] = (uint8_t) (id[i] + step);
	} while (i > 0 && id[i] == wrapped);
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

const TestForm *
check_find_form(const TestFormat *format, size_t size)
{
	for (size_t i = 0; i < LENGTH(format->forms); i++)
	{
		if (format->forms[i].format != NULL && format->forms[i].size == size)
			return &format->forms[i];
	}
	return NULL;
}

void
check_forms(const TestFormat *format, const uint8_t *id)
{
	const IdCodec *codec = format->codec;

	for (size_t i = 0; i < LENGTH(format->forms) && format->forms[i].format != NULL; i++)
	{
		const TestForm *form = &format->forms[i];
		char		text[ID_MAX_TEXT];
		uint8_t		read[ID_MAX_SIZE] = {0};
		IdError		err = {0};
		IdStatus	status;

		form->format(id, text);
		status = codec->parse(text, form->size, read, &err);
		CHECK(status == ID_OK, "%s: %.*s gave %d", codec->name, (int) form->size, text, status);
		check_same(codec, read, id);
	}
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
	format->prefix_format(a, text_a);
	format->prefix_format(b, text_b);
	by_text = memcmp(text_a, text_b, format->prefix_size);
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

static void
check_status(const char *text, IdStatus status, IdStatus expected, const IdError *err,
			 size_t position)
{
	CHECK(status == expected, "\"%s\" gave status %d, not %d", text, status, expected);
	if (expected == ID_BAD_CHARACTER || expected == ID_BAD_SEPARATOR)
		CHECK(err->position == position, "\"%s\" is bad at %zu, not at %zu", text,
			  err->position, position);
}

void
check_parse(const IdCodec *codec, const ParseCase *cases, size_t count)
{
	size_t		size = (size_t) codec->size;

	for (const ParseCase *c = cases; c < cases + count; c++)
	{
		uint8_t		id[ID_MAX_SIZE];
		uint8_t		untouched[ID_MAX_SIZE];
		IdError		err = {0};
		IdStatus	status;

		memset(id, 0xA5, sizeof(id));
		memset(untouched, 0xA5, sizeof(untouched));
		status = codec->parse(c->text, strlen(c->text), id, &err);

		check_status(c->text, status, c->status, &err, c->position);
		if (c->status != ID_OK)
			CHECK(memcmp(id, untouched, sizeof(id)) == 0, "\"%s\" wrote an id", c->text);
		else
			CHECK(strcmp(check_hex(id, size), c->hex) == 0, "\"%s\" gave %s, not %s",
				  c->text, check_hex(id, size), c->hex);
	}
}

void
check_format(const IdCodec *codec, void (*write) (const uint8_t *id, char *text), size_t size,
			 const ParseCase *cases, size_t count)
{
	for (const ParseCase *c = cases; c < cases + count; c++)
	{
		uint8_t		id[ID_MAX_SIZE];
		char		text[ID_MAX_TEXT];

		check_unhex(c->hex, id, (size_t) codec->size);
		write(id, text);
		CHECK(strlen(c->text) == size && memcmp(text, c->text, size) == 0,
			  "%s is written %.*s, not %s", c->hex, (int) size, text, c->text);
	}
}

void
check_prefix(const IdCodec *codec, const PrefixCase *cases, size_t count)
{
	size_t		size = (size_t) codec->size;

	for (const PrefixCase *c = cases; c < cases + count; c++)
	{
		uint8_t		lo[ID_MAX_SIZE];
		uint8_t		hi[ID_MAX_SIZE];
		IdError		err = {0};
		IdStatus	status = codec->prefix(c->text, strlen(c->text), lo, hi, &err);

		check_status(c->text, status, c->status, &err, c->position);
		if (c->status == ID_OK && status == ID_OK)
		{
			CHECK(strcmp(check_hex(lo, size), c->lo) == 0, "\"%s\" starts at %s, not %s",
				  c->text, check_hex(lo, size), c->lo);
			CHECK(strcmp(check_hex(hi, size), c->hi) == 0, "\"%s\" ends at %s, not %s",
				  c->text, check_hex(hi, size), c->hi);
		}
	}
}

bool
check_run(const TestCase *test)
{
	unsigned long before = check_checks;

	current = test->name;
	check_failures = 0;
	test->run();
	if (check_checks == before)
		check_failed(__FILE__, __LINE__, "check_checks > before", "nothing was checked");
	if (check_failures > SHOWN)
		printf("  ... %lu failures in all\n", check_failures);
	return check_failures == 0;
}
