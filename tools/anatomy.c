/*-------------------------------------------------------------------------
 *
 * anatomy.c
 *	  Prints what the codecs say of their formats, and one id of each: what
 *	  anatomy.py draws.
 *
 * A line is a word and its values, separated by tabs:
 *
 *	type	name, bytes, first and last instant in seconds since 1970
 *	layout	name, then name and bits of each field
 *	example	id in hexadecimal, its text
 *	prefixes	the form that prefixes are of
 *	first	for each bit of the id, the first character of that form that
 *			changes with it
 *	window	characters of a prefix, microseconds that it spans
 *
 *-------------------------------------------------------------------------
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "id.h"

/* 2026-11-21 12:34:56.789012 UTC, and what fills the other bits of the examples */
#define EXAMPLE_US		INT64_C(1795264496789012)
#define EXAMPLE_BYTE(i)	((uint8_t) (0x9E + 0x59 * (i)))

static void
format_hex(const IdCodec *codec, const uint8_t *id, char *text)
{
	for (int i = 0; i < codec->size; i++)
		sprintf(text + 2 * i, "%02x", id[i]);
}

/* Writes the form that prefixes of the type are of: its text, or else its bytes in hexadecimal. */
static void
format_prefixed(const IdCodec *codec, const uint8_t *id, char *text)
{
	uint8_t		lo[ID_MAX_SIZE];
	uint8_t		hi[ID_MAX_SIZE];
	IdError		err;

	codec->format(id, text);
	text[codec->text_size] = '\0';
	if (codec->prefix(text, strlen(text), lo, hi, &err) != ID_OK)
		format_hex(codec, id, text);
}

static void
print_windows(const IdCodec *codec, const char *text)
{
	const IdTime *time = &codec->time;
	uint8_t		lo[ID_MAX_SIZE];
	uint8_t		hi[ID_MAX_SIZE];
	IdError		err;

	double		ticks = 2;

	for (size_t len = 1; ticks > 1 && len <= strlen(text); len++)
	{

		/* a dash is no character of its own */
		if (text[len - 1] == '-' || codec->prefix(text, len, lo, hi, &err) != ID_OK)
			continue;
		ticks = (double) id_tick(codec, hi) - (double) id_tick(codec, lo) + 1;
		printf("window\t%zu\t%.6g\n", len,
			   ticks * time->group_us / (double) (INT64_C(1) << time->group_bits));
	}
}

static void
print_anatomy(const IdCodec *codec)
{
	const IdTime *time = &codec->time;
	uint8_t		id[ID_MAX_SIZE];
	char		text[2 * ID_MAX_SIZE + 1];
	char		changed[2 * ID_MAX_SIZE + 1];
	int			size = codec->size;

	printf("type\t%s\t%d\t%.0f\t%.0f\n", codec->name, size,
		   (double) id_tick_begins(time, time->first) / 1e6,
		   (double) id_tick_begins(time, time->last) / 1e6);
	for (const IdLayout *layout = codec->layouts; layout->name != NULL; layout++)
	{
		printf("layout\t%s", layout->name);
		for (int i = 0; i < ID_MAX_FIELDS; i++)
		{
			if (layout->fields[i].bits > 0)
				printf("\t%s\t%d", layout->fields[i].name, layout->fields[i].bits);
		}
		printf("\n");
	}

	id_of_tick(codec, id_tick_at(time, EXAMPLE_US), 0, id);
	for (int bit = time->bits; bit < size * 8; bit++)
		id[bit / 8] |= EXAMPLE_BYTE(bit / 8) & (0x80 >> bit % 8);
	format_hex(codec, id, text);
	printf("example\t%s", text);
	codec->format(id, text);
	printf("\t%.*s\n", codec->text_size, text);

	format_prefixed(codec, id, text);
	printf("prefixes\t%s\nfirst", text);
	for (int bit = 0; bit < size * 8; bit++)
	{
		size_t		at = 0;

		id[bit / 8] ^= 0x80 >> bit % 8;
		if (id_is_valid(codec, id))
		{
			format_prefixed(codec, id, changed);
			while (changed[at] == text[at] && text[at] != '\0')
				at++;
		}
		id[bit / 8] ^= 0x80 >> bit % 8;
		printf("\t%zu", at);
	}
	printf("\n");
	print_windows(codec, text);
}

int
main(void)
{
	for (const IdCodec *const *codec = id_codecs; *codec != NULL; codec++)
		print_anatomy(*codec);
	return 0;
}
