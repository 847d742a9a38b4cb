/*-------------------------------------------------------------------------
 *
 * report.c
 *	  Error reports: each names the type, shows the value and says what was
 *	  wrong and where.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <ctype.h>

#include "mb/pg_wchar.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "compat.h"
#include "core/decimal.h"
#include "epoch.h"
#include "report.h"

/* A numeric may have thousands of digits. */
#define SHOWN_DIGITS 60

/*
 * The character at a position for a message: itself in quotes, or its code
 * where it cannot be shown.
 */
static const char *
show_character(const char *str)
{
	unsigned char c = (unsigned char) *str;

	if (c < 0x20 || c == 0x7F)
		return psprintf("0x%02X", c);
	return psprintf("\"%.*s\"", pg_mblen(str), str);
}

/*
 * A sentence on what is wrong with the text; NULL where the message says all.
 */
static const char *
describe(const IdCodec *codec, IdStatus status, const IdError *err, const char *str, size_t len)
{
	int			position = pg_mbstrlen_with_len(str, (int) Min(err->position, len)) + 1;

	if (err->instead != NULL)
		return err->instead;
	switch (status)
	{
		case ID_BAD_LENGTH:
			if (err->most > 0)
				return psprintf("It is longer than the %zu digits of an id.", err->most);
			if (err->exactly > 0)
				return psprintf("Its length is %d, not %zu.",
								pg_mbstrlen_with_len(str, (int) len), err->exactly);
			return psprintf("Its length is %d. %s", pg_mbstrlen_with_len(str, (int) len),
							codec->forms);
		case ID_BAD_CHARACTER:
			return psprintf("Character %s at position %d is not in the %s alphabet.",
							show_character(str + err->position), position, err->alphabet->name);
		case ID_BAD_SEPARATOR:
			return psprintf("There is %s at position %d, where a dash is missing or misplaced. "
							"%s", err->position < len ? show_character(str + err->position) :
							"nothing", position, codec->forms);
		case ID_BAD_SCHEME:
			return psprintf("The scheme, written in lower case, differs at position %d. %s",
							position, codec->forms);
		case ID_BAD_CHECKSUM:
			return psprintf("The text carries the checksum %08x, but its identifier has the "
							"checksum %08x.", err->found, err->expected);
		case ID_OUT_OF_RANGE:
			return codec->range;
		case ID_OK:
			break;
	}
	return NULL;
}

/* What people write where an id belongs: "id > '2026-01-01'", and other ids. */
static const char date_form[] = "dddd-dd-dd";
static const char uuid_form[] = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";

#define ULID_DIGITS		26

/* Numbers that hold a time, such as Snowflake IDs, have at least this many digits. */
#define NUMBER_MIN		15
static const char largest_bigint[] = "9223372036854775807";

/*
 * True if the text starts with the form, in which d stands for a decimal and x
 * for a hexadecimal digit, and any other character for itself.
 */
static bool
starts_with(const char *str, const char *form)
{
	for (; *form != '\0'; form++, str++)
		if (*form == 'd' ? !isdigit((unsigned char) *str) :
			*form == 'x' ? !isxdigit((unsigned char) *str) : *form != *str)
			return false;
	return true;
}

/* True if there are ids that begin with the len bytes at str, as T_prefix() reads them. */
static bool
is_prefix(const IdCodec *codec, const char *str, size_t len)
{
	uint8		lo[ID_MAX_SIZE];
	uint8		hi[ID_MAX_SIZE];
	IdError		ignored = {0};

	return codec->prefix(str, len, lo, hi, &ignored) == ID_OK;
}

/*
 * A sentence that says what the text is instead of an id and what to do with it,
 * for the mistakes that people often make; NULL if it is none of them.  White
 * space around the text does not matter.
 */
static const char *
suggest(const IdCodec *codec, IdStatus status, const char *str)
{
	static const char blanks[] = " \t\n\v\f\r";
	const char *start = str + strspn(str, blanks);
	const char *end = start + strlen(start);
	size_t		len;

	while (end > start && strchr(blanks, end[-1]) != NULL)
		end--;
	len = end - start;

	if (starts_with(start, uuid_form))
		return "It has the form of a UUID, which belongs in a column of type uuid.";
	if (starts_with(start + strspn(start, "[(\""), date_form))
		return psprintf("To compare ids with an instant, use %s_range(), %s_min() or %s_max().",
						codec->name, codec->name, codec->name);
	if (len == ULID_DIGITS && alphabet_span(&alphabet_crockford, start, len) == len)
		return "It has the form of a ULID, which belongs in a column of type text or, "
			"converted, uuid.";
	if (len >= NUMBER_MIN && strspn(start, "0123456789") == len &&
		(len < strlen(largest_bigint) ||
		 (len == strlen(largest_bigint) && strncmp(start, largest_bigint, len) <= 0)))
		return codec->number == NULL ?
			"A number such as a Snowflake ID belongs in a column of type bigint." :
			psprintf("A number such as a Snowflake ID belongs in a column of type bigint; "
					 "the number of a %s is cast from %s, not from text.",
					 codec->name, codec->number);
	if (len < strlen(str))
		return "Remove the white space around it.";
	if (len > 0 && end[-1] == '%' && is_prefix(codec, start, len - 1))
		return psprintf("To find the ids that begin with it, use %s_prefix(), without \"%%\".",
						codec->name);
	if (status != ID_BAD_LENGTH)
		return NULL;
	if (len == 0)
		return "Where there is no id, write NULL.";
	if (is_prefix(codec, start, len))
		return psprintf("To find the ids that begin with it, use %s_prefix().", codec->name);
	return NULL;
}

void
report_text(const IdCodec *codec, TextOf of, IdStatus status, const IdError *err,
			const char *str, size_t len, Node *escontext)
{
	static const char *const names[] = {
		[TEXT_OF_ID] = "input syntax",
		[TEXT_OF_PREFIX] = "prefix",
		[TEXT_OF_ENCRYPTED] = "encrypted text"
	};

	/* A prefix comes from a text value, which has no terminator. */
	char	   *shown = pnstrdup(str, len);
	const char *detail = describe(codec, status, err, shown, len);
	const char *hint = err->remedy;

	Assert(err->position <= len);
	Assert(status != ID_BAD_CHARACTER || (err->position < len && err->alphabet != NULL));
	/* what is encrypted may look like anything */
	if (hint == NULL && of != TEXT_OF_ENCRYPTED)
		hint = suggest(codec, status, shown);
	if (hint == NULL && status == ID_BAD_CHARACTER)
		hint = err->alphabet->hint;
	if (hint == NULL && status == ID_BAD_CHECKSUM)
		hint = "One or more characters were changed or mistyped.";

	if (status == ID_OUT_OF_RANGE)
		errsave(escontext,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("value \"%s\" is out of range for type %s", shown, codec->name),
				 detail ? errdetail("%s", detail) : 0));
	else
		errsave(escontext,
				(errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
				 errmsg("invalid %s for type %s: \"%s\"", names[of], codec->name, shown),
				 detail ? errdetail("%s", detail) : 0,
				 hint ? errhint("%s", hint) : 0));
}

void
report_binary(const IdCodec *codec, size_t len)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
			 errmsg("invalid binary value for type %s", codec->name),
			 errdetail("Its length in bytes is %zu, not %d.", len, codec->size)));
}

void
report_number(const IdCodec *codec, const char *value)
{
	uint8		last[ID_MAX_SIZE];
	char		largest[ID_MAX_DECIMAL + 1];

	id_of_tick(codec, codec->time.last, 0xFF, last);
	id_to_decimal(codec, last, largest);
	ereport(ERROR,
			(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
			 errmsg("value \"%.*s%s\" is out of range for type %s", SHOWN_DIGITS, value,
					strlen(value) > SHOWN_DIGITS ? "..." : "", codec->name),
			 errdetail("It must be an integer between 0 and %s.", largest)));
}

void
report_bytes(const IdCodec *codec, const uint8 *bytes)
{
	ereport(ERROR,
			(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
			 errmsg("value \"\\x%016llx\" is out of range for type %s",
					(unsigned long long) load_be64(bytes), codec->name),
			 errdetail("%s", codec->range)));
}

const char *
show_instant(TimestampTz ts)
{
	return DatumGetCString(DirectFunctionCall1(timestamptz_out, TimestampTzGetDatum(ts)));
}

void
report_instant(const IdCodec *codec, TimestampTz ts)
{
	const IdTime *time = &codec->time;

	ereport(ERROR,
			(errcode(ERRCODE_DATETIME_FIELD_OVERFLOW),
			 errmsg("timestamp \"%s\" is out of range for type %s", show_instant(ts), codec->name),
			 errdetail("Type %s holds instants from %s to %s.", codec->name,
					   show_instant(timestamp_of_us(id_tick_begins(time, time->first))),
					   show_instant(timestamp_of_us(id_tick_begins(time, time->last))))));
}

uint64
check_field(const IdCodec *codec, const char *field, int64 value, int64 max)
{
	Assert(max >= 0);
	if (value < 0 || value > max)
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("%s " INT64_FORMAT " is out of range for type %s",
						field, value, codec->name),
				 errdetail("It must be between 0 and " INT64_FORMAT ".", max)));
	return (uint64) value;
}
