/*-------------------------------------------------------------------------
 *
 * report.c
 *	  Error reports: each message names the type, shows the value, and states what
 *	  was wrong and where.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "mb/pg_wchar.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "server/compat.h"
#include "core/decimal.h"
#include "server/epoch.h"
#include "server/report.h"

/* Digits of a number that a message shows; a numeric may have thousands. */
#define SHOWN_DIGITS 60

static const char *
shorten(const char *number)
{
	return strlen(number) <= SHOWN_DIGITS ? number :
		psprintf("%.*s...", SHOWN_DIGITS, number);
}

void
report_text(const IdCodec *codec, TextOf of, IdStatus status, const IdError *err,
			const char *str, size_t len, Node *escontext)
{
	int			sqlstate = status == ID_OUT_OF_RANGE ? ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE :
		ERRCODE_INVALID_TEXT_REPRESENTATION;
	char	   *shown;
	TextEncoding encoding = {pg_mblen, GetDatabaseEncoding() == PG_UTF8};
	Explanation why;

	Assert(err->position <= len);
	Assert(status != ID_BAD_CHARACTER || (err->position < len && err->alphabet != NULL));

	/* pg_input_is_valid(), for example, only needs to know that there is an error */
	if (!compat_wants_details(escontext))
	{
		errsave(escontext, (errcode(sqlstate)));
		return;
	}

	/* copy: a prefix comes from a text value, which is not null-terminated */
	shown = pnstrdup(str, len);
	explain_text(codec, of, status, err, shown, len, &encoding, &why);

	if (status == ID_OUT_OF_RANGE)
		errsave(escontext,
				(errcode(sqlstate),
				 errmsg(MESSAGE_TEXT_RANGE, shown, codec->name),
				 why.detail ? errdetail("%s", why.detail) : 0));
	else
		errsave(escontext,
				(errcode(sqlstate),
				 errmsg(MESSAGE_INVALID_TEXT, text_of_names[of], codec->name, shown),
				 why.detail ? errdetail("%s", why.detail) : 0,
				 why.hint ? errhint("%s", why.hint) : 0));
}

void
report_binary(const IdCodec *codec, size_t len)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
			 errmsg(MESSAGE_INVALID_BINARY, codec->name),
			 errdetail(DETAIL_INVALID_BINARY, len, codec->size)));
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
			 errmsg("value \"%s\" is out of range for type %s", shorten(value), codec->name),
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
			 errmsg(MESSAGE_INSTANT_RANGE, show_instant(ts), codec->name),
			 errdetail(DETAIL_INSTANT_RANGE, codec->name,
					   show_instant(timestamp_of_us(id_tick_begins(time, time->first))),
					   show_instant(timestamp_of_us(id_tick_begins(time, time->last))))));
}

void
report_field(const IdCodec *codec, const char *field, const char *value, int64 max)
{
	ereport(ERROR,
			(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
			 errmsg(MESSAGE_FIELD_RANGE, field, shorten(value), codec->name),
			 errdetail(DETAIL_FIELD_RANGE, (long long) max)));
}

uint64
check_field(const IdCodec *codec, const char *field, int64 value, int64 max)
{
	Assert(max >= 0);
	if (value < 0 || value > max)
		report_field(codec, field, psprintf(INT64_FORMAT, value), max);
	return (uint64) value;
}

const uint8 *
check_bytes(const IdCodec *codec, const char *field, bytea *value, int size)
{
	if (VARSIZE_ANY_EXHDR(value) != size)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("%s field of type %s must have %d bytes, not %zu", field, codec->name, size,
						(size_t) VARSIZE_ANY_EXHDR(value))));
	return (const uint8 *) VARDATA_ANY(value);
}
