/*-------------------------------------------------------------------------
 *
 * idtype.h
 *	  SQL functions that all types have, written once over a codec.
 *
 * A type's own file says IDTYPE_FUNCTIONS(name) and has them all.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_IDTYPE_H
#define IDTYPES_IDTYPE_H

#include "postgres.h"

#include "fmgr.h"

#include "compat.h"
#include "core/id.h"
#include "report.h"

/*
 * An id as a Datum: ids of 8 bytes are passed as an int8 of the same bits, the
 * longer ones by reference to their bytes.
 */
static inline Datum
id_get_datum(const IdCodec *codec, const uint8 *id)
{
	uint8	   *copy;

	if (codec->size == sizeof(int64))
		return Int64GetDatum((int64) load_be64(id));
	copy = palloc(codec->size);
	memcpy(copy, id, codec->size);
	return PointerGetDatum(copy);
}

/* The bytes of a Datum: either those it points to or buf, of at least 8 bytes. */
static inline const uint8 *
datum_get_id(const IdCodec *codec, Datum datum, uint8 *buf)
{
	if (codec->size != sizeof(int64))
		return (const uint8 *) DatumGetPointer(datum);
	store_be64(buf, (uint64) DatumGetInt64(datum));
	return buf;
}

/* An id of 64 bits from its tick and the bits below that, both in range. */
static inline Datum
id64_make(const IdCodec *codec, int64 tick, uint64 rest)
{
	uint8		id[sizeof(int64)];

	id64_compose(codec, tick, rest, id);
	return id_get_datum(codec, id);
}

#define ID_GETARG(codec, n, buf) datum_get_id(codec, PG_GETARG_DATUM(n), buf)

/*
 * The tick of an instant; an error if the type cannot hold the instant.
 */
extern int64 idtype_tick_of(const IdCodec *codec, TimestampTz ts);

/*
 * The composite value that the calling function is declared to return; nulls
 * may be NULL if there are none.
 */
extern Datum idtype_row(FunctionCallInfo fcinfo, Datum *values, const bool *nulls);

/*
 * What `count` arguments, from the n-th on, stand for: what find(fcinfo, n)
 * returns, static or in the current memory context, unless it raises an error.
 * Of constants, as in a DEFAULT, that is kept in fn_extra and not looked up for
 * each row: 150 instructions less per uid11.
 */
typedef const void *(*IdArgumentsFind) (FunctionCallInfo fcinfo, int n);

extern const void *idtype_find_arguments(FunctionCallInfo fcinfo, int n, int count,
										 IdArgumentsFind find);

static inline const void *
idtype_arguments(FunctionCallInfo fcinfo, int n, int count, IdArgumentsFind find)
{
	const void *found = fcinfo->flinfo->fn_extra;

	return likely(found != NULL) ? found : idtype_find_arguments(fcinfo, n, count, find);
}

/* A text value of an id in a form of so many characters. */
extern Datum idtype_text(const uint8 *id, void (*format) (const uint8_t *id, char *str), int size);

extern Datum idtype_in(FunctionCallInfo fcinfo, const IdCodec *codec);
extern Datum idtype_out(FunctionCallInfo fcinfo, const IdCodec *codec);
extern Datum idtype_recv(FunctionCallInfo fcinfo, const IdCodec *codec);
extern Datum idtype_send(FunctionCallInfo fcinfo, const IdCodec *codec);
extern Datum idtype_from_bytea(FunctionCallInfo fcinfo, const IdCodec *codec);
extern Datum idtype_timestamp(FunctionCallInfo fcinfo, const IdCodec *codec);
extern Datum idtype_min(FunctionCallInfo fcinfo, const IdCodec *codec);
extern Datum idtype_max(FunctionCallInfo fcinfo, const IdCodec *codec);
extern Datum idtype_prefix(FunctionCallInfo fcinfo, const IdCodec *codec);
extern Datum idtype_range_window(FunctionCallInfo fcinfo, const IdCodec *codec);
extern Datum idtype_range_bounds(FunctionCallInfo fcinfo, const IdCodec *codec);
extern Datum idtype_range_canonical(FunctionCallInfo fcinfo, const IdCodec *codec);
extern Datum idtype_range_first(FunctionCallInfo fcinfo, const IdCodec *codec);
extern Datum idtype_range_last(FunctionCallInfo fcinfo, const IdCodec *codec);
extern Datum idtype_time_encoder(FunctionCallInfo fcinfo, const IdCodec *codec);
extern Datum idtype_time_decoder(FunctionCallInfo fcinfo, const IdCodec *codec);
extern Datum idtype_gist_compress(FunctionCallInfo fcinfo, const IdCodec *codec);	/* gist.c */

/* Conversions that only some types offer. */
extern Datum idtype_from_bigint(FunctionCallInfo fcinfo, const IdCodec *codec);
extern Datum idtype_to_bigint(FunctionCallInfo fcinfo, const IdCodec *codec);
extern Datum idtype_from_numeric(FunctionCallInfo fcinfo, const IdCodec *codec);
extern Datum idtype_to_numeric(FunctionCallInfo fcinfo, const IdCodec *codec);

/*
 * Defines the SQL-callable function `name` as `body` over a codec.
 */
#define IDTYPE_FUNCTION(name, body, codec) \
	PG_FUNCTION_INFO_V1(name); \
	Datum \
	name(PG_FUNCTION_ARGS) \
	{ \
		return body(fcinfo, &codec); \
	} \
	extern int	no_such_variable

#define IDTYPE_FUNCTIONS(T) \
	IDTYPE_FUNCTION(T##_in, idtype_in, T##_codec); \
	IDTYPE_FUNCTION(T##_out, idtype_out, T##_codec); \
	IDTYPE_FUNCTION(T##_recv, idtype_recv, T##_codec); \
	IDTYPE_FUNCTION(T##_send, idtype_send, T##_codec); \
	IDTYPE_FUNCTION(T##_from_bytea, idtype_from_bytea, T##_codec); \
	IDTYPE_FUNCTION(T##_timestamp, idtype_timestamp, T##_codec); \
	IDTYPE_FUNCTION(T##_min, idtype_min, T##_codec); \
	IDTYPE_FUNCTION(T##_max, idtype_max, T##_codec); \
	IDTYPE_FUNCTION(T##_prefix, idtype_prefix, T##_codec); \
	IDTYPE_FUNCTION(T##_range_window, idtype_range_window, T##_codec); \
	IDTYPE_FUNCTION(T##_range_bounds, idtype_range_bounds, T##_codec); \
	IDTYPE_FUNCTION(T##range_canonical, idtype_range_canonical, T##_codec); \
	IDTYPE_FUNCTION(T##_range_first, idtype_range_first, T##_codec); \
	IDTYPE_FUNCTION(T##_range_last, idtype_range_last, T##_codec); \
	IDTYPE_FUNCTION(T##_time_encoder, idtype_time_encoder, T##_codec); \
	IDTYPE_FUNCTION(T##_time_decoder, idtype_time_decoder, T##_codec); \
	IDTYPE_FUNCTION(T##_gist_compress, idtype_gist_compress, T##_codec)

#endif							/* IDTYPES_IDTYPE_H */
