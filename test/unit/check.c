/*-------------------------------------------------------------------------
 *
 * check.c
 *	  Harness and main program of the unit tests.
 *
 *-------------------------------------------------------------------------
 */
#include <stdarg.h>
#include <stdlib.h>
#include <time.h>

#include "check.h"

/* Failures printed of one case; a broken loop must not flood the log. */
#define SHOWN 10

static const char *current;
static unsigned long checks;
static unsigned long failures;
static uint64_t random_state;

void
check_count(void)
{
	checks++;
}

void
check_failed(const char *file, int line, const char *condition, const char *format,...)
{
	va_list		args;

	if (failures++ >= SHOWN)
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
	uint64_t	z = random_state += UINT64_C(0x9E3779B97F4A7C15);

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
check_bounds(const IdCodec *codec, uint8_t *lo, uint8_t *hi)
{
	memset(lo, 0x00, (size_t) codec->size);
	memset(hi, 0xFF, (size_t) codec->size);
	if (codec == &tid64_codec)
		lo[0] = 0x80;
	if (codec == &tid64_codec || codec == &ulidflake_codec)
		hi[0] = 0x7F;
}

const char *
check_hex(const uint8_t *bytes, size_t size)
{
	static char buffers[4][2 * ID_MAX_SIZE + 1];
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

int
main(int argc, char **argv)
{
	const TestCase *const suites[] = {
		alphabet_tests, id_tests, siq_tests, scru160_tests, tid64_tests, uid11_tests,
		ulidflake_tests, vector_tests, word_tests,
	};
	int			passed = 0;
	int			failed = 0;

	random_state = argc > 1 ? strtoull(argv[1], NULL, 0) : (uint64_t) time(NULL);
	printf("unit tests of src/core, random seed %" PRIu64 "\n", random_state);

	for (size_t s = 0; s < LENGTH(suites); s++)
	{
		for (const TestCase *test = suites[s]; test->name != NULL; test++)
		{
			unsigned long before = checks;

			current = test->name;
			failures = 0;
			test->run();
			if (checks == before)
				check_failed(__FILE__, __LINE__, "checks > before", "nothing was checked");
			if (failures > SHOWN)
				printf("  ... %lu failures in all\n", failures);
			if (failures > 0)
				failed++;
			else
				passed++;
		}
	}
	printf("%lu checks\n", checks);
	printf("%d passed, %d failed\n", passed, failed);
	return failed > 0;
}
