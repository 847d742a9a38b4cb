/*-------------------------------------------------------------------------
 *
 * test_vectors.c
 *	  The published vectors of test/oracle/vectors against src/core.
 *
 * The files are tables with a header line; what each column means is said in
 * their first lines.
 *
 *-------------------------------------------------------------------------
 */
#include <stdlib.h>
#include <time.h>

#include "../../../src/core/decimal.h"
#include "../../../src/core/ff1.h"
#include "../../../src/core/permute.h"
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

/* Writes an instant, in microseconds since 1970, in UTC. */
static void
print_instant(int64_t us, char *text)
{
	time_t		seconds = (time_t) (us / 1000000 - (us % 1000000 < 0));
	struct tm  *tm = gmtime(&seconds);

	sprintf(text, "%04d-%02d-%02dT%02d:%02d:%02d.%06dZ", tm->tm_year + 1900, tm->tm_mon + 1,
			tm->tm_mday, tm->tm_hour, tm->tm_min, tm->tm_sec,
			(int) (us - seconds * INT64_C(1000000)));
}

/*
 * Writes what a column of an id should hold; returns false of a field, which suites of
 * SQL and JavaScript look at.
 */
static bool
print_column(const TestFormat *format, const uint8_t *id, const char *column, char *text)
{
	const IdCodec *codec = format->codec;

	FOR_EACH_FORM(form, format)
	{
		if (form->column != NULL && strcmp(column, form->column) == 0)
		{
			form->format(id, text);
			return true;
		}
	}
	if (strcmp(column, "timestamp") == 0)
		print_instant(id_tick_begins(&codec->time, id_tick(codec, id)), text);
	else if (strcmp(column, "decimal") == 0 && codec->time.first == 0)
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
	uint8_t		id[ID_MAX_SIZE];

	check_unhex(hex, id, (size_t) codec->size);
	check_id(reading, id);
	for (int i = 0; i < row->columns; i++)
	{
		char		printed[100] = "";

		if (print_column(reading, id, row->name[i], printed))
			CHECK(strcmp(printed, row->value[i]) == 0, "%s %s: %s is %s, not %s", codec->name,
				  hex, row->name[i], printed, row->value[i]);
	}
}

TEST(ids, "vectors: ids of all types")
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

TEST(prefixes, "vectors: prefixes")
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

TEST(invalid, "vectors: invalid texts")
{
	for_each_row("invalid", check_invalid);
}

TEST(invalid_prefixes, "vectors: invalid prefixes")
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

TEST(permutations, "vectors: permutation")
{
	for_each_row("permute", check_permutation);
}

static void
check_encryption(const Row *row)
{
	int			bits = atoi(value_of(row, "bits"));
	size_t		size = ((size_t) bits + 7) / 8;
	const char *tweak = value_of(row, "tweak");
	const char *encrypted = value_of(row, "encrypted");
	CheckCipher cipher = {.key = strtoull(value_of(row, "key"), NULL, 16)};
	uint8_t		number[FF1_MAX_BITS / 8];
	Ff1			ff1;

	check_unhex(value_of(row, "number"), number, size);
	ff1_start(&ff1, bits, check_encipher, &cipher, (const uint8_t *) tweak, strlen(tweak));
	ff1_encrypt(&ff1, number);
	CHECK(strcmp(check_hex(number, size), encrypted) == 0, "%d bits: %s, not %s", bits,
		  check_hex(number, size), encrypted);
}

TEST(encryptions, "vectors: encrypted numbers")
{
	for_each_row("ff1", check_encryption);
}
