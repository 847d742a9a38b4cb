/*-------------------------------------------------------------------------
 *
 * test_vectors.c
 *	  The published vectors of test/oracle/vectors against src/core.
 *
 * The files are tables with a header line; what each column means is said in
 * their first lines.  A column that is not known here fails the test, so that
 * none is passed over in silence.
 *
 *-------------------------------------------------------------------------
 */
#include <stdlib.h>

#include "../../../src/core/decimal.h"
#include "../../../src/core/ff1.h"
#include "../../../src/core/permute.h"
#include "aes.h"
#include "check.h"

#define COLUMNS 16

typedef struct Row
{
	const char *file;
	int			columns;
	const char *name[COLUMNS];
	const char *value[COLUMNS];
} Row;

static const char *
value_of(const Row *row, const char *column)
{
	for (int i = 0; i < row->columns; i++)
	{
		if (strcmp(row->name[i], column) == 0)
			return row->value[i];
	}
	CHECK(false, "%s has no column %s", row->file, column);
	return "";
}

/* Splits a line at its tabs, in place; returns the number of fields. */
static int
split(char *line, const char **field)
{
	int			n = 0;

	line[strcspn(line, "\r\n")] = '\0';
	while (line != NULL && n < COLUMNS)
	{
		char	   *tab = strchr(line, '\t');

		field[n++] = line;
		if (tab != NULL)
			*tab++ = '\0';
		line = tab;
	}
	return n;
}

/* Calls check() for each row of a table. */
static void
for_each_row(const char *file, void (*check) (const Row *row))
{
	char		path[200];
	char		header[1000];
	char		line[1000];
	Row			row = {.file = file};
	FILE	   *table;
	int			rows = 0;

	snprintf(path, sizeof(path), "../../oracle/vectors/%s.tsv", file);
	table = fopen(path, "r");
	CHECK(table != NULL, "cannot open %s", path);
	if (table == NULL)
		return;
	while (fgets(line, sizeof(line), table) != NULL)
	{
		if (line[0] == '#')
			continue;
		if (row.columns == 0)
		{
			strcpy(header, line);
			row.columns = split(header, row.name);
			continue;
		}
		CHECK(split(line, row.value) == row.columns, "%s: %s", file, line);
		check(&row);
		rows++;
	}
	fclose(table);
	CHECK(rows > 0, "%s has no rows", path);
}

/* The type that a row is of. */
static const TestFormat *
format_of(const Row *row)
{
	const char *name = value_of(row, "type");

	FOR_EACH_FORMAT(f)
	{
		if (strcmp(f->codec->name, name) == 0)
			return f;
	}
	CHECK(false, "no type %s", name);
	abort();
}

/* Microseconds since 1970 of an instant in UTC; years have four digits or more. */
static int64_t
read_instant(const char *text)
{
	static const int before_month[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
	int			year;
	int			month;
	int			day;
	int			hour;
	int			minute;
	int			second;
	int			us;
	int			leap_years;
	int64_t		days;

	if (sscanf(text, "%d-%d-%dT%d:%d:%d.%6dZ", &year, &month, &day, &hour, &minute, &second,
			   &us) != 7)
		return INT64_MIN;
	/* this year's leap day counts from March on */
	leap_years = month > 2 ? year : year - 1;
	days = (int64_t) year * 365 + leap_years / 4 - leap_years / 100 + leap_years / 400 +
		before_month[month - 1] + day;
	/* less those of 1970-01-01 */
	days -= INT64_C(1970) * 365 + 1969 / 4 - 1969 / 100 + 1969 / 400 + 1;
	return (((days * 24 + hour) * 60 + minute) * 60 + second) * 1000000 + us;
}

/* Writes what a column of an id should hold; returns false if it is not known. */
static bool
print_column(const TestFormat *format, const uint8_t *id, const char *column, char *text)
{
	const IdCodec *codec = format->codec;

	if (format->print_column(id, column, text))
		return true;
	FOR_EACH_FORM(form, format)
	{
		if (form->column != NULL && strcmp(column, form->column) == 0)
		{
			form->format(id, text);
			return true;
		}
	}
	if (strcmp(column, "hex") == 0)
		strcpy(text, check_hex(id, (size_t) codec->size));
	else if (strcmp(column, "decimal") == 0)
		id_to_decimal(codec, id, text);
	else
		return false;
	return true;
}

/* The type whose file is being read. */
static const TestFormat *reading;

static void
check_row(const Row *row)
{
	const IdCodec *codec = reading->codec;
	const char *hex = value_of(row, "hex");
	const char *timestamp = value_of(row, "timestamp");
	uint8_t		id[ID_MAX_SIZE];
	int64_t		begins;

	check_unhex(hex, id, (size_t) codec->size);
	check_id(reading, id);
	begins = id_tick_begins(&codec->time, id_tick(codec, id));
	CHECK(begins == read_instant(timestamp), "%s %s: at %" PRId64 ", not %s", codec->name, hex,
		  begins, timestamp);
	for (int i = 0; i < row->columns; i++)
	{
		char		printed[100] = "";

		if (row->value[i] == timestamp || strcmp(row->name[i], "source") == 0 ||
			strcmp(row->name[i], "note") == 0)
			continue;
		CHECK(print_column(reading, id, row->name[i], printed), "%s: unknown column %s",
			  row->file, row->name[i]);
		CHECK(strcmp(printed, row->value[i]) == 0, "%s %s: %s is %s, not %s", codec->name,
			  hex, row->name[i], printed, row->value[i]);
	}
}

static void
ids(void)
{
	FOR_EACH_FORMAT(f)
	{
		reading = f;
		for_each_row(f->codec->name, check_row);
	}
}

static void
check_one_prefix(const Row *row)
{
	const IdCodec *codec = format_of(row)->codec;
	const char *prefix = value_of(row, "prefix");
	const char *ends[2] = {value_of(row, "lo"), value_of(row, "hi")};
	uint8_t		id[2][ID_MAX_SIZE];
	IdError		err;
	IdStatus	status = codec->prefix(prefix, strlen(prefix), id[0], id[1], &err);

	CHECK(status == (ends[0][0] == '\0' ? ID_OUT_OF_RANGE : ID_OK), "%s prefix %s gave %s",
		  codec->name, prefix, check_status(status));
	for (int i = 0; status == ID_OK && i < 2; i++)
	{
		char		text[ID_MAX_TEXT + 1] = "";

		codec->format(id[i], text);
		CHECK(strcmp(text, ends[i]) == 0, "%s prefix %s: %s, not %s", codec->name, prefix,
			  text, ends[i]);
	}
}

static void
prefixes(void)
{
	for_each_row("prefix", check_one_prefix);
}

/* Undoes \xNN, in a buffer that the next call reuses. */
static const char *
unescape(const char *text, size_t *len)
{
	static char plain[200];

	for (*len = 0; *text != '\0' && *len < sizeof(plain); (*len)++)
	{
		if (strncmp(text, "\\x", 2) == 0)
		{
			check_unhex(text + 2, (uint8_t *) &plain[*len], 1);
			text += 4;
		}
		else
			plain[*len] = *text++;
	}
	return plain;
}

/* The status must be one of those that the table allows, such as length|character. */
static void
check_refused(const Row *row, IdStatus status)
{
	const char *class = check_status(status);
	const char *allowed = value_of(row, "class");
	const char *at = strstr(allowed, class);

	CHECK(at != NULL && strchr("|", at[strlen(class)]) != NULL && (at == allowed || at[-1] == '|'),
		  "%s %s \"%s\": %s, not %s", row->file, value_of(row, "type"), value_of(row, "text"),
		  class, allowed);
}

static void
check_invalid(const Row *row)
{
	size_t		len;
	const char *text = unescape(value_of(row, "text"), &len);
	uint8_t		id[ID_MAX_SIZE] = {0};
	IdError		err;

	check_refused(row, check_text(format_of(row), text, len, id, &err));
}

static void
check_invalid_prefix(const Row *row)
{
	size_t		len;
	const char *text = unescape(value_of(row, "text"), &len);
	IdError		err;

	check_refused(row, check_prefix(format_of(row), text, len, &err));
}

static void
invalid(void)
{
	for_each_row("invalid", check_invalid);
}

static void
invalid_prefixes(void)
{
	for_each_row("prefix_invalid", check_invalid_prefix);
}

static void
check_permutation(const Row *row)
{
	const char *const columns[] = {"k0", "k1", "first0", "first1", "last0", "last1", "tweak"};
	uint64_t	word[LENGTH(columns)];
	PermuteKey	key;
	uint32_t	value = (uint32_t) strtoul(value_of(row, "value"), NULL, 10);
	uint32_t	expected = (uint32_t) strtoul(value_of(row, "image"), NULL, 10);
	uint32_t	image;

	for (size_t i = 0; i < LENGTH(columns); i++)
		word[i] = strtoull(value_of(row, columns[i]), NULL, 16);
	key = (PermuteKey) {word[0], word[1], {word[2], word[3]}, {word[4], word[5]}};
	image = permute22(&key, word[6], value);
	CHECK(image == expected, "%s, tweak %s: image of %u is %u, not %u", value_of(row, "k0"),
		  value_of(row, "tweak"), value, image, expected);
}

static void
permutations(void)
{
	for_each_row("permute", check_permutation);
}

static void
check_encryption(const Row *row)
{
	const IdCodec *codec = format_of(row)->codec;
	const char *text = value_of(row, "id");
	const char *encrypted = value_of(row, "encrypted");
	size_t		key_size = strlen(value_of(row, "key")) / 2;
	size_t		tweak_size;
	const char *tweak = unescape(value_of(row, "tweak"), &tweak_size);
	uint8_t		key[32];
	uint8_t		id[ID_MAX_SIZE];
	uint8_t		number[ID_MAX_SIZE];
	char		digits[ID_MAX_TEXT + 1] = "";
	IdError		err;
	Aes			aes;
	Ff1			ff1;

	check_unhex(value_of(row, "key"), key, key_size);
	aes_start(&aes, key, key_size);
	ff1_start(&ff1, codec->bits, aes_encrypt, &aes, (const uint8_t *) tweak, tweak_size);
	CHECK(codec->parse(text, strlen(text), id, &err) == ID_OK, "%s %s", codec->name, text);
	memcpy(number, id, sizeof(id));
	ff1_encrypt(&ff1, number);
	codec->format_digits(number, digits);
	CHECK(strcmp(digits, encrypted) == 0, "%s %s: encrypted %s, not %s", codec->name, text, digits,
		  encrypted);
	CHECK(id_parse_digits(codec, encrypted, strlen(encrypted), number, &err) == ID_OK, "%s %s",
		  codec->name, encrypted);
	ff1_decrypt(&ff1, number);
	check_same(codec, number, id);
}

static void
encryptions(void)
{
	for_each_row("encrypt", check_encryption);
}

const TestCase vector_tests[] = {
	{"vectors: ids of all types", ids},
	{"vectors: prefixes", prefixes},
	{"vectors: invalid texts", invalid},
	{"vectors: invalid prefixes", invalid_prefixes},
	{"vectors: permutation", permutations},
	{"vectors: encrypted ids", encryptions},
	{NULL, NULL}
};
