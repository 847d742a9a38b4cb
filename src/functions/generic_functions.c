/*-------------------------------------------------------------------------
 *
 * generic_functions.c
 *	  SQL functions that all types have, written once over a codec: all but those
 *	  of ranges (generic_range.c), of encryption (encrypt.c) and of GiST (gist.c).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "funcapi.h"
#include "libpq/pqformat.h"
#include "nodes/primnodes.h"
#include "utils/builtins.h"
#include "utils/numeric.h"
#include "utils/timestamp.h"

#include "server/compat.h"
#include "core/decimal.h"
#include "server/epoch.h"
#include "functions/generic_functions.h"

/* ----------
 * Input and output
 * ----------
 */

/*
 * Write the id that a text says.  Otherwise report the error, and return false if
 * escontext is an ErrorSaveContext.
 */
static inline bool
read_text(const IdCodec *codec, const char *str, size_t len, uint8 *id, Node *escontext)
{
	IdError		err = {0};
	IdStatus	status = codec->parse(str, len, id, &err);

	if (likely(status == ID_OK))
		return true;
	report_text(codec, TEXT_OF_ID, status, &err, str, len, escontext);
	return false;
}

Datum
generic_in(FunctionCallInfo fcinfo, const IdCodec *codec)
{
	const char *str = PG_GETARG_CSTRING(0);
	uint8		id[ID_MAX_SIZE];

	if (!read_text(codec, str, strlen(str), id, fcinfo->context))
		return (Datum) 0;
	return datum_from_id(codec, id);
}

Datum
generic_from_char(FunctionCallInfo fcinfo, const IdCodec *codec)
{
	BpChar	   *arg = PG_GETARG_BPCHAR_PP(0);
	const char *str = VARDATA_ANY(arg);
	uint8		id[ID_MAX_SIZE];

	read_text(codec, str, bpchartruelen(unconstify(char *, str), VARSIZE_ANY_EXHDR(arg)), id, NULL);
	return datum_from_id(codec, id);
}

Datum
generic_try(FunctionCallInfo fcinfo, const IdCodec *codec)
{
	text	   *arg = PG_GETARG_TEXT_PP(0);
	uint8		id[ID_MAX_SIZE];
	IdError		err = {0};

	if (codec->parse(VARDATA_ANY(arg), VARSIZE_ANY_EXHDR(arg), id, &err) != ID_OK)
		PG_RETURN_NULL();
	return datum_from_id(codec, id);
}

Datum
generic_out(FunctionCallInfo fcinfo, const IdCodec *codec)
{
	uint8		buf[sizeof(int64)];
	char	   *str = palloc(codec->text_size + 1);

	str[codec->text_size] = '\0';
	codec->format(PG_GETARG_ID(codec, 0, buf), str);
	Assert(strlen(str) == codec->text_size);
	PG_RETURN_CSTRING(str);
}

/* Make an id from untrusted bytes; raise an error if their number or value is invalid. */
static Datum
datum_from_bytes(const IdCodec *codec, const char *bytes, size_t len)
{
	const uint8 *id = (const uint8 *) bytes;

	if (len != codec->size)
		report_binary(codec, len);
	if (!id_is_valid(codec, id))
		report_bytes(codec, id);
	return datum_from_id(codec, id);
}

Datum
generic_recv(FunctionCallInfo fcinfo, const IdCodec *codec)
{
	StringInfo	buf = (StringInfo) PG_GETARG_POINTER(0);
	int			len = buf->len - buf->cursor;

	return datum_from_bytes(codec, pq_getmsgbytes(buf, len), len);
}

Datum
generic_from_bytea(FunctionCallInfo fcinfo, const IdCodec *codec)
{
	bytea	   *bytes = PG_GETARG_BYTEA_PP(0);
	const char *start = VARDATA_ANY(bytes);
	size_t		len = VARSIZE_ANY_EXHDR(bytes);

	if (len == codec->size + codec->padding)
	{
		int			zeros = 0;

		while (zeros < codec->padding && start[zeros] == 0)
			zeros++;
		if (zeros == codec->padding)
		{
			start += zeros;
			len -= zeros;
		}
	}
	return datum_from_bytes(codec, start, len);
}

Datum
generic_bytes(const uint8 *bytes, int size)
{
	bytea	   *result = palloc(VARHDRSZ + size);

	SET_VARSIZE(result, VARHDRSZ + size);
	memcpy(VARDATA(result), bytes, size);
	PG_RETURN_BYTEA_P(result);
}

/* Also the cast to bytea: both are the id's bytes, most significant first. */
Datum
generic_send(FunctionCallInfo fcinfo, const IdCodec *codec)
{
	uint8		buf[sizeof(int64)];

	return generic_bytes(PG_GETARG_ID(codec, 0, buf), codec->size);
}

/* ----------
 * Time
 * ----------
 */

int64
tick_of_timestamp(const IdCodec *codec, TimestampTz ts)
{
	int64		us = us_of_timestamp(ts);
	int64		tick = id_tick_at(&codec->time, us);

	/* id_tick_at() returns the last tick for all later instants, too */
	if (tick < codec->time.first ||
		(tick == codec->time.last && us >= id_tick_begins(&codec->time, tick + 1)))
		report_instant(codec, ts);
	Assert(tick <= codec->time.last);
	return tick;
}

Datum
generic_timestamp(FunctionCallInfo fcinfo, const IdCodec *codec)
{
	uint8		buf[sizeof(int64)];

	PG_RETURN_TIMESTAMPTZ(timestamp_of_id(codec, PG_GETARG_ID(codec, 0, buf)));
}

/*
 * Compare the instant in an id with another: return -1, 0 or 1.  So "id >= instant" means
 * exactly T_timestamp(id) >= instant.  The server's infinities are the smallest and the
 * largest of its 64-bit instants, and every id's instant lies between them, so they need no
 * special case.
 */
static inline int
compare_with_instant(const IdCodec *codec, Datum id, TimestampTz instant)
{
	uint8		buf[sizeof(int64)];
	TimestampTz own = timestamp_of_id(codec, bytes_from_datum(codec, id, buf));

	return own < instant ? -1 : own > instant;
}

#define INSTANT_COMPARISONS(name, op) \
	Datum \
	generic_##name##_timestamptz(FunctionCallInfo fcinfo, const IdCodec *codec) \
	{ \
		PG_RETURN_BOOL(compare_with_instant(codec, PG_GETARG_DATUM(0), \
											PG_GETARG_TIMESTAMPTZ(1)) op 0); \
	} \
	\
	Datum \
	generic_timestamptz_##name(FunctionCallInfo fcinfo, const IdCodec *codec) \
	{ \
		PG_RETURN_BOOL(0 op compare_with_instant(codec, PG_GETARG_DATUM(1), \
												 PG_GETARG_TIMESTAMPTZ(0))); \
	} \
	extern int	no_such_variable

INSTANT_COMPARISONS(lt, <);
INSTANT_COMPARISONS(le, <=);
INSTANT_COMPARISONS(ge, >=);
INSTANT_COMPARISONS(gt, >);

#undef INSTANT_COMPARISONS

/*
 * Ids sort by their instants first, so a window frame over ids is the same as the
 * window frame over their instants.
 */
Datum
generic_in_range(FunctionCallInfo fcinfo, const IdCodec *codec)
{
	uint8		buf[sizeof(int64)];
	TimestampTz val = timestamp_of_id(codec, PG_GETARG_ID(codec, 0, buf));
	TimestampTz base = timestamp_of_id(codec, PG_GETARG_ID(codec, 1, buf));

	return DirectFunctionCall5(in_range_timestamptz_interval,
							   TimestampTzGetDatum(val), TimestampTzGetDatum(base),
							   PG_GETARG_DATUM(2), PG_GETARG_DATUM(3), PG_GETARG_DATUM(4));
}

Datum
generic_first_at(const IdCodec *codec, TimestampTz ts)
{
	uint8		id[ID_MAX_SIZE];

	id_of_tick(codec, tick_of_timestamp(codec, ts), 0x00, id);
	return datum_from_id(codec, id);
}

Datum
generic_min(FunctionCallInfo fcinfo, const IdCodec *codec)
{
	return generic_first_at(codec, PG_GETARG_TIMESTAMPTZ(0));
}

Datum
generic_max(FunctionCallInfo fcinfo, const IdCodec *codec)
{
	uint8		id[ID_MAX_SIZE];

	id_of_tick(codec, tick_of_timestamp(codec, PG_GETARG_TIMESTAMPTZ(0)), 0xFF, id);
	return datum_from_id(codec, id);
}

/*
 * The bound of a time partition as text, and back, as partition managers need it:
 * the smallest id of an instant, and the instant of an id.
 */
Datum
generic_time_encoder(FunctionCallInfo fcinfo, const IdCodec *codec)
{
	uint8		id[ID_MAX_SIZE];

	id_of_tick(codec, tick_of_timestamp(codec, PG_GETARG_TIMESTAMPTZ(0)), 0x00, id);
	return generic_text(id, codec->format, codec->text_size);
}

Datum
generic_time_decoder(FunctionCallInfo fcinfo, const IdCodec *codec)
{
	text	   *arg = PG_GETARG_TEXT_PP(0);
	uint8		id[ID_MAX_SIZE];

	read_text(codec, VARDATA_ANY(arg), VARSIZE_ANY_EXHDR(arg), id, NULL);
	PG_RETURN_TIMESTAMPTZ(timestamp_of_id(codec, id));
}

/* ----------
 * Numbers
 *
 * The number of an id is its bits as an integer.  Only a signed type has negative
 * numbers; its cast to bigint is binary-coercible and needs no function.
 * ----------
 */

static Datum
datum_from_int64(const IdCodec *codec, int64 value)
{
	uint8		id[sizeof(int64)];

	Assert(codec->size == sizeof(id));
	store_be64(id, (uint64) value);
	if (value < 0 || !id_is_valid(codec, id))
		report_number(codec, psprintf(INT64_FORMAT, value));
	return datum_from_id(codec, id);
}

Datum
generic_from_bigint(FunctionCallInfo fcinfo, const IdCodec *codec)
{
	return datum_from_int64(codec, PG_GETARG_INT64(0));
}

Datum
generic_from_integer(FunctionCallInfo fcinfo, const IdCodec *codec)
{
	return datum_from_int64(codec, PG_GETARG_INT32(0));
}

Datum
generic_to_bigint(FunctionCallInfo fcinfo, const IdCodec *codec)
{
	int64		value = PG_GETARG_INT64(0);

	if (value < 0)
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("bigint out of range"),
				 errdetail("The number of this %s is " UINT64_FORMAT ".",
						   codec->name, (uint64) value),
				 errhint("Cast it to text, or to numeric for a client that does not round it.")));
	PG_RETURN_INT64(value);
}

Datum
generic_from_numeric(FunctionCallInfo fcinfo, const IdCodec *codec)
{
	Datum		value = PG_GETARG_DATUM(0);
	char	   *str = DatumGetCString(DirectFunctionCall1(numeric_out, value));
	size_t		len = strcspn(str, ".");
	uint8		id[ID_MAX_SIZE];
	IdError		err = {0};

	/* only zeros may follow the point, since an id must not be rounded */
	if (strspn(str + len, ".0") != strlen(str + len) ||
		id_from_decimal(codec, str, len, id, &err) != ID_OK)
		report_number(codec, str);
	return datum_from_id(codec, id);
}

Datum
generic_to_numeric(FunctionCallInfo fcinfo, const IdCodec *codec)
{
	uint8		buf[sizeof(int64)];
	char		str[ID_MAX_DECIMAL + 1];

	id_to_decimal(codec, PG_GETARG_ID(codec, 0, buf), str);
	return DirectFunctionCall3(numeric_in, CStringGetDatum(str),
							   ObjectIdGetDatum(InvalidOid), Int32GetDatum(-1));
}

/* ----------
 * The cache in fn_extra
 * ----------
 */

FunctionCache *
generic_cache(FunctionCallInfo fcinfo)
{
	FmgrInfo   *flinfo = fcinfo->flinfo;

	if (flinfo->fn_extra == NULL)
		flinfo->fn_extra = MemoryContextAllocZero(flinfo->fn_mcxt, sizeof(FunctionCache));
	return flinfo->fn_extra;
}

/*
 * True if the arguments are constants.  get_fn_expr_arg_stable() would also accept
 * parameters, but PL/pgSQL changes parameters between two calls of one expression.
 */
static bool
are_constants(FunctionCallInfo fcinfo, int n, int count)
{
	Node	   *call = fcinfo->flinfo->fn_expr;

	if (call == NULL || !IsA(call, FuncExpr))
		return false;
	for (int i = n; i < n + count; i++)
		if (!IsA(list_nth(((FuncExpr *) call)->args, i), Const))
			return false;
	return true;
}

const void *
generic_find_arguments(FunctionCallInfo fcinfo, int n, int count, ArgumentsFind find,
					   const void *context)
{
	const void *found;
	MemoryContext caller;

	if (!are_constants(fcinfo, n, count))
		return find(fcinfo, n, context);
	caller = MemoryContextSwitchTo(fcinfo->flinfo->fn_mcxt);
	found = find(fcinfo, n, context);
	MemoryContextSwitchTo(caller);
	generic_cache(fcinfo)->arguments = found;
	return found;
}

/* Return the descriptor of the row type that the calling function is declared to return. */
static TupleDesc
row_descriptor(FunctionCallInfo fcinfo)
{
	FunctionCache   *cache = generic_cache(fcinfo);

	if (cache->row == NULL)
	{
		TupleDesc	desc;
		MemoryContext caller;

		if (get_call_result_type(fcinfo, NULL, &desc) != TYPEFUNC_COMPOSITE)
			elog(ERROR, "return type must be a row type");
		caller = MemoryContextSwitchTo(fcinfo->flinfo->fn_mcxt);
		cache->row = BlessTupleDesc(CreateTupleDescCopy(desc));
		MemoryContextSwitchTo(caller);
	}
	return cache->row;
}

const void *
generic_find_name(FunctionCallInfo fcinfo, int n, const void *names)
{
	const ArgumentNames *known = names;
	text	   *name = PG_GETARG_TEXT_PP(n);
	const void *found = known->by_name(VARDATA_ANY(name), VARSIZE_ANY_EXHDR(name));

	if (found == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("unknown %s \"%s\"", known->what, text_to_cstring(name)),
				 errhint("Known ones are: %s.", known->names)));
	return found;
}

/* ----------
 * Results of other types
 * ----------
 */

Datum
generic_text(const uint8 *id, void (*format) (const uint8_t *id, char *str), int size)
{
	text	   *result = palloc(VARHDRSZ + size);

	SET_VARSIZE(result, VARHDRSZ + size);
	format(id, VARDATA(result));
	Assert(memchr(VARDATA(result), '\0', size) == NULL);
	PG_RETURN_TEXT_P(result);
}

Datum
generic_row(FunctionCallInfo fcinfo, Datum *values, const bool *nulls)
{
	bool		no_nulls[8] = {false};
	TupleDesc	desc = row_descriptor(fcinfo);

	Assert(desc->natts <= lengthof(no_nulls));
	return HeapTupleGetDatum(heap_form_tuple(desc, values, nulls ? (bool *) nulls : no_nulls));
}
