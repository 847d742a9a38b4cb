/*-------------------------------------------------------------------------
 *
 * module.c
 *	  The core as a WebAssembly module, whose exports idtypes.mjs calls.
 *
 * A type is given by its number in id_codecs.  All buffers are the caller's, which
 * places them from __heap_base on; one for an id has ID_MAX_SIZE bytes.  Instants
 * are microseconds since 1970.
 *
 *-------------------------------------------------------------------------
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define STB_SPRINTF_IMPLEMENTATION
#define STB_SPRINTF_STATIC
#define STB_SPRINTF_NOFLOAT
#include <stb_sprintf.h>

#include "core/errortext.h"
#include "core/types.h"

#define EXPORT(name) __attribute__((export_name(#name)))

/*
 * For the core.  The C library's snprintf() would make the module import functions
 * that read and write files.
 */
int
snprintf(char *restrict out, size_t size, const char *restrict format,...)
{
	va_list		args;
	int			len;

	va_start(args, format);
	len = stbsp_vsnprintf(out, (int) size, format, args);
	va_end(args);
	return len;
}

/* Of UTF-8; a byte that begins no character counts as one. */
static int
utf8_size(const char *text)
{
	unsigned char c = (unsigned char) *text;

	return c >= 0xF0 ? 4 : c >= 0xE0 ? 3 : c >= 0xC0 ? 2 : 1;
}

static const TextEncoding utf8 = {utf8_size, true};

/* The error of the last text that was read, and its explanation. */
static IdError error;
static Explanation explanation;

/* Reads an id.  Returns an IdStatus, and writes the id if that is ID_OK. */
EXPORT(parse) int
parse(int type, const char *text, size_t len, uint8_t *id)
{
	error = (IdError) {0};
	return id_codecs[type]->parse(text, len, id, &error);
}

/* The same for a prefix, with the first and the last id that begin so. */
EXPORT(prefix) int
prefix(int type, const char *text, size_t len, uint8_t *first, uint8_t *last)
{
	error = (IdError) {0};
	return id_codecs[type]->prefix(text, len, first, last, &error);
}

/*
 * Explains the error of parse() or prefix(): the text is terminated.  Returns the position
 * of the character that is wrong, counted in characters from 1, or 0.
 */
EXPORT(explain) int
explain(int type, int of, int status, const char *text, size_t len)
{
	explain_text(id_codecs[type], (TextOf) of, (IdStatus) status, &error, text, len, &utf8,
				 &explanation);
	if (error.instead != NULL || (status != ID_BAD_CHARACTER && status != ID_BAD_SEPARATOR &&
								  status != ID_BAD_SCHEME))
		return 0;
	return (int) count_characters(text, error.position < len ? error.position : len,
								  &utf8) + 1;
}

EXPORT(detail) const char *
detail(void)
{
	return explanation.detail;
}

EXPORT(hint) const char *
hint(void)
{
	return explanation.hint;
}

/* Forms of an id: form 0 is its text, 1 its digits, and from 2 on its further ones. */
EXPORT(format) void
format(int type, int form, const uint8_t *id, char *text)
{
	const IdCodec *codec = id_codecs[type];

	if (form == 0)
		codec->format(id, text);
	else if (form == 1)
		codec->format_digits(id, text);
	else
		codec->further[form - 2].format(id, text);
}

EXPORT(is_valid) bool
is_valid(int type, const uint8_t *id)
{
	return id_is_valid(id_codecs[type], id);
}

EXPORT(instant) int64_t
instant(int type, const uint8_t *id)
{
	return id_tick_begins(&id_codecs[type]->time, id_tick(id_codecs[type], id));
}

/* First or last id of the tick that an instant falls in; false if the type has none. */
EXPORT(id_at) bool
id_at(int type, int64_t us, bool last, uint8_t *id)
{
	const IdCodec *codec = id_codecs[type];
	int64_t		tick = id_tick_at(&codec->time, us);

	if (tick < codec->time.first ||
		(tick == codec->time.last && us >= id_tick_begins(&codec->time, tick + 1)))
		return false;
	id_of_tick(codec, tick, last ? 0xFF : 0x00, id);
	return true;
}

/* First and last id of a window of time; false if it has none. */
EXPORT(window) bool
window(int type, int64_t since, bool with_since, int64_t upto, bool with_upto, uint8_t *first,
	   uint8_t *last)
{
	const IdCodec *codec = id_codecs[type];
	int64_t		first_tick;
	int64_t		last_tick;

	if (!id_ticks_within(&codec->time, since, with_since, upto, with_upto, &first_tick,
						 &last_tick))
		return false;
	id_of_tick(codec, first_tick, 0x00, first);
	id_of_tick(codec, last_tick, 0xFF, last);
	return true;
}

/* The layout that an id has, or -1 if it may be any. */
EXPORT(layout_of) int
layout_of(int type, const uint8_t *id)
{
	return id_codecs[type]->layout_of == NULL ? -1 : id_codecs[type]->layout_of(id);
}

/* The name in an id's field of names. */
EXPORT(name_of) const char *
name_of(int type, const uint8_t *id)
{
	return id_codecs[type]->name_of(id);
}

/* The code for a name, and 2^16 times its bits; 0 if there is no such name. */
EXPORT(code_of) uint32_t
code_of(int type, const char *name, size_t len)
{
	int			bits;
	uint32_t	code;

	return id_codecs[type]->code_of(name, len, &bits, &code) ? (uint32_t) bits << 16 | code : 0;
}

/* ----------
 * The types, as JSON
 * ----------
 */

static char description[16384];
static size_t described;

#define PUT(...) (described += (size_t) snprintf(description + described, \
												 sizeof(description) - described, __VA_ARGS__))

/* Writes a name in quotes after a comma or bracket. */
static void
put_name(const char *name, const char *before)
{
	PUT("%s\"%s\":", before, name);
}

static void
put_string(const char *name, const char *value, const char *before)
{
	put_name(name, before);
	PUT("\"");
	for (; *value != '\0'; value++)
		PUT("%s%.*s", *value == '"' ? "\\" : "", 1, value);
	PUT("\"");
}

/* As a string, since JSON's numbers are floating point. */
static void
put_integer(const char *name, int64_t value, const char *before)
{
	put_name(name, before);
	PUT("\"%lld\"", (long long) value);
}

static void
put_layout(const IdLayout *layout)
{
	static const char *const kinds[] = {
		[ID_FIELD_TIME] = "time",
		[ID_FIELD_ZERO] = "zero",
		[ID_FIELD_NUMBER] = "number",
		[ID_FIELD_BYTES] = "bytes",
		[ID_FIELD_NAME] = "name"
	};

	put_string("name", layout->name, "{");
	put_string("parts", layout->parts, ",");
	put_name("fields", ",");
	for (const IdField *field = layout->fields; field->name != NULL; field++)
	{
		put_string("name", field->name, field == layout->fields ? "[{" : ",{");
		put_string("kind", kinds[field->kind], ",");
		PUT(",\"bits\":%d}", field->bits);
	}
	PUT("]}");
}

static void
put_type(const IdCodec *codec)
{
	const char *before = "[";

	put_string("name", codec->name, "{");
	PUT(",\"size\":%d,\"textSize\":%d,\"digits\":%d", codec->size, codec->text_size,
		codec->digits);
	PUT(",\"signed\":%s", codec->time.first < 0 ? "true" : "false");
	if (codec->number != NULL)
		put_string("number", codec->number, ",");
	put_integer("groupMicroseconds", codec->time.group_us, ",");
	PUT(",\"groupBits\":%d,\"timeBits\":%d", codec->time.group_bits, codec->time.bits);
	put_integer("first", id_tick_begins(&codec->time, codec->time.first), ",");
	put_integer("last", id_tick_begins(&codec->time, codec->time.last), ",");

	put_name("layouts", ",");
	for (const IdLayout *layout = codec->layouts; layout->name != NULL; layout++, before = ",")
	{
		PUT("%s", before);
		put_layout(layout);
	}
	put_name("further", "],");
	PUT("[");
	for (const IdForm *form = codec->further; form != NULL && form->name != NULL; form++)
	{
		put_string("name", form->name, form == codec->further ? "{" : ",{");
		PUT(",\"size\":%d}", form->size);
	}
	put_name("repeats", "],");
	before = "[{";
	for (const IdRepeats *repeats = codec->repeats; repeats->name != NULL; repeats++)
	{
		put_string("name", repeats->name, before);
		PUT(",\"randomBits\":%d,\"counts\":%s}", repeats->random_bits,
			repeats->counts ? "true" : "false");
		before = ",{";
	}
	PUT("]}");
}

/* Describes the types and the formats of messages; returns a terminated text. */
EXPORT(describe) const char *
describe(void)
{
	described = 0;
	put_name("messages", "{");
	put_string("text", MESSAGE_INVALID_TEXT, "{");
	put_string("textRange", MESSAGE_TEXT_RANGE, ",");
	put_string("rangeOrder", MESSAGE_RANGE_ORDER, ",");
	put_string("binary", MESSAGE_INVALID_BINARY, ",");
	put_string("binaryDetail", DETAIL_INVALID_BINARY, ",");
	put_string("instantRange", MESSAGE_INSTANT_RANGE, ",");
	put_string("instantDetail", DETAIL_INSTANT_RANGE, ",");
	put_string("fieldRange", MESSAGE_FIELD_RANGE, ",");
	put_string("fieldDetail", DETAIL_FIELD_RANGE, ",");
	put_string("reserved", DETAIL_RESERVED_BITS, ",");
	put_name("textOf", "},");
	for (int of = TEXT_OF_ID; of <= TEXT_OF_PREFIX; of++)
		PUT("%s\"%s\"", of == TEXT_OF_ID ? "[" : ",", text_of_names[of]);
	put_name("types", "],");
	for (const IdCodec *const *codec = id_codecs; *codec != NULL; codec++)
	{
		PUT("%s", codec == id_codecs ? "[" : ",");
		put_type(*codec);
	}
	PUT("]}");
	return described < sizeof(description) ? description : NULL;
}
