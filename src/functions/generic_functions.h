/*-------------------------------------------------------------------------
 *
 * generic_functions.h
 *	  SQL functions that all types have, written once over a codec.
 *
 * GENERIC_FUNCTIONS(name) in the type's own file defines all of them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_GENERIC_FUNCTIONS_H
#define IDTYPES_GENERIC_FUNCTIONS_H

#include "postgres.h"

#include "access/tupdesc.h"
#include "fmgr.h"

#include "server/compat.h"
#include "core/id.h"
#include "server/epoch.h"
#include "server/report.h"

/*
 * An id as a Datum: ids of 8 bytes are passed as an int8 of the same bits, the
 * longer ones by reference to their bytes.
 */
static inline Datum
datum_from_id(const IdCodec *codec, const uint8 *id)
{
	uint8	   *copy;

	Assert(id_is_valid(codec, id));
	if (codec->size == sizeof(int64))
		return Int64GetDatum((int64) load_be64(id));
	copy = palloc(codec->size);
	memcpy(copy, id, codec->size);
	return PointerGetDatum(copy);
}

/* Return the bytes of a Datum: those it points to, or a copy in buf, of at least 8 bytes. */
static inline const uint8 *
bytes_from_datum(const IdCodec *codec, Datum datum, uint8 *buf)
{
	Assert(codec->size == sizeof(int64) || DatumGetPointer(datum) != NULL);
	if (codec->size != sizeof(int64))
		return (const uint8 *) DatumGetPointer(datum);
	store_be64(buf, (uint64) DatumGetInt64(datum));
	return buf;
}

/* Make an id of 64 bits from its tick and the bits below the tick; both must be in range. */
static inline Datum
make_id64(const IdCodec *codec, int64 tick, uint64 rest)
{
	uint8		id[sizeof(int64)];

	Assert(tick >= codec->time.first && tick <= codec->time.last);
	Assert(rest >> (64 - codec->time.bits) == 0);
	id64_compose(codec, tick, rest, id);
	return datum_from_id(codec, id);
}

#define PG_GETARG_ID(codec, n, buf) bytes_from_datum(codec, PG_GETARG_DATUM(n), buf)

/* Return the tick of an instant; raise an error if the type cannot hold the instant. */
extern int64 tick_of_timestamp(const IdCodec *codec, TimestampTz ts);

/*
 * Return the smallest id of the tick that an instant falls in.  Raises an error if the type
 * cannot hold the instant.
 */
extern Datum generic_first_at(const IdCodec *codec, TimestampTz ts);

/* Return the instant in an id. */
static inline TimestampTz
timestamp_of_id(const IdCodec *codec, const uint8 *id)
{
	return timestamp_of_us(id_tick_begins(&codec->time, id_tick(codec, id)));
}

/*
 * The cache of a function in one FmgrInfo: fn_extra points to it, and it is
 * allocated in fn_mcxt.  Each member is NULL until first needed.  Functions on
 * ranges store a TypeCacheEntry in fn_extra instead, which is the server's
 * convention for them.
 */
typedef struct FunctionCache
{
	const void *arguments;		/* what generic_arguments() found for constant arguments */
	TupleDesc	row;			/* blessed descriptor of the composite result */
	void	   *own;			/* private to the function; encrypt.c has its state there */
} FunctionCache;

/* Return the cache of the calling function, zeroed at its first call. */
extern FunctionCache *generic_cache(FunctionCallInfo fcinfo);

/*
 * Make a value of the composite type that the calling function is declared to
 * return.  Its OUT parameters declare the type, so the type is the same at every
 * call.  nulls may be NULL if no value is null.
 */
extern Datum generic_row(FunctionCallInfo fcinfo, Datum *values, const bool *nulls);

/*
 * Look up what `count` arguments, from the n-th on, mean: return find(fcinfo, n,
 * context).  find() may raise an error; its result must be static or allocated in
 * the current memory context.  If the arguments are constants, as in a DEFAULT, the
 * result is cached, which saves 150 instructions per uid11.
 */
typedef const void *(*ArgumentsFind) (FunctionCallInfo fcinfo, int n, const void *context);

extern const void *generic_find_arguments(FunctionCallInfo fcinfo, int n, int count,
										  ArgumentsFind find, const void *context);

static inline const void *
generic_arguments(FunctionCallInfo fcinfo, int n, int count, ArgumentsFind find,
				  const void *context)
{
	const FunctionCache *cache = fcinfo->flinfo->fn_extra;

	if (likely(cache != NULL && cache->arguments != NULL))
		return cache->arguments;
	return generic_find_arguments(fcinfo, n, count, find, context);
}

/* The names that are valid for an argument, such as those of the profiles of uid11. */
typedef struct ArgumentNames
{
	const char *what;			/* what the names are of, for messages: "uid11 profile" */
	const char *names;			/* all canonical ones, separated by ", " */
	const void *(*by_name) (const char *name, size_t len);	/* NULL if there is none */
} ArgumentNames;

/* ArgumentsFind for one name of an ArgumentNames; raises an error if the name is unknown. */
extern const void *generic_find_name(FunctionCallInfo fcinfo, int n, const void *names);

/* Make a bytea value of these bytes. */
extern Datum generic_bytes(const uint8 *bytes, int size);

/* Make a text value of what format() writes for the id: size characters. */
extern Datum generic_text(const uint8 *id, void (*format) (const uint8_t *id, char *str), int size);

/*
 * The body of SQL functions.  To find that of an SQL function: T_x of the install
 * script has the C symbol T_x unless the script names another.  It is defined in
 * src/types/T.c, for the functions listed below by GENERIC_FUNCTIONS(T), and calls
 * generic_x with T's codec.  C symbols that several types share are those of an
 * order (order_template.h), such as id64u_lt for uid11_lt, and idtypes_... in support.c,
 * estimator.c and gist.c.
 *
 * Each error names the type and shows the value.
 */
typedef Datum GenericBody(FunctionCallInfo fcinfo, const IdCodec *codec);

/* DO(T, x) for each function T_x that all types have. */
#define FOR_GENERIC_FUNCTIONS(DO, T) \
	/* T_in(cstring): reads text; raises a soft error if the caller passes an ErrorSaveContext */ \
	DO(T, in); \
	/* T_try(text): reads text; NULL if the text is not an id */ \
	DO(T, try); \
	/* T_from_char(character): reads text, without trailing blanks */ \
	DO(T, from_char); \
	/* T_out(T): the canonical text */ \
	DO(T, out); \
	/* T_recv(internal): from codec->size bytes, big-endian */ \
	DO(T, recv); \
	/* T_send(T), T_to_bytea(T): the big-endian bytes */ \
	DO(T, send); \
	/* T_from_bytea(bytea): from the bytes, or from these with the codec's padding in front */ \
	DO(T, from_bytea); \
	/* T_timestamp(T): the instant in the id */ \
	DO(T, timestamp); \
	/* \
	 * T_in_range(T, T, interval, sub, less): whether the instant in the first id is at or \
	 * after (less: at or before) that in the second plus (sub: minus) the interval; errors \
	 * are those of the server's in_range() for timestamptz.  Support function 3 of B-tree, \
	 * see "B-Tree Support Functions". \
	 */ \
	DO(T, in_range); \
	/* \
	 * T_lt_timestamptz(T, timestamptz), T_timestamptz_lt(timestamptz, T) and so on: compare \
	 * the instant in the id with the other argument by <, <=, >= or > \
	 */ \
	DO(T, lt_timestamptz); \
	DO(T, le_timestamptz); \
	DO(T, ge_timestamptz); \
	DO(T, gt_timestamptz); \
	DO(T, timestamptz_lt); \
	DO(T, timestamptz_le); \
	DO(T, timestamptz_ge); \
	DO(T, timestamptz_gt); \
	/* T_min(timestamptz): smallest id of the tick that the instant falls in */ \
	DO(T, min); \
	/* T_max(timestamptz): largest id of the tick that the instant falls in */ \
	DO(T, max); \
	/* T_prefix(text): range of the ids whose text starts with the argument */ \
	DO(T, prefix); \
	/* T_try_prefix(text): T_prefix(), but NULL if the text is not a prefix */ \
	DO(T, try_prefix); \
	/* T_starts_with(T, text), the operator ^@: id <@ T_prefix(text) */ \
	DO(T, starts_with); \
	/* T_range(tstzrange): range of the ids whose instant is in a range of time */ \
	DO(T, range_window); \
	/* T_range(timestamptz, timestamptz, text): T_range(tstzrange(...)) of these arguments */ \
	DO(T, range_bounds); \
	/* T_range_lt(timestamptz) and so on: range of the ids with "id < instant" and so on */ \
	DO(T, range_lt); \
	DO(T, range_le); \
	DO(T, range_ge); \
	DO(T, range_gt); \
	/* Trange_canonical(Trange): to the closed form [first,last] */ \
	DO(T, range_canonical); \
	/* T_range_first(Trange): first id of the range; the type's last id if it is empty */ \
	DO(T, range_first); \
	/* T_range_last(Trange): last id of the range; the type's first id if it is empty */ \
	DO(T, range_last); \
	/* T_time_encoder(timestamptz): T_min() as text, for partition managers */ \
	DO(T, time_encoder); \
	/* T_time_decoder(text): instant of an id given as text, for partition managers */ \
	DO(T, time_decoder); \
	/* T_encrypt(T, bytea, text): the id, encrypted by key and tweak, as digits (encrypt.c) */ \
	DO(T, encrypt); \
	/* T_decrypt(text, bytea, text): the id that T_encrypt() made these digits of */ \
	DO(T, decrypt); \
	/* T_try_decrypt(text, bytea, text): T_decrypt(), but NULL if the text is no encrypted id */ \
	DO(T, try_decrypt); \
	/* T_gist_compress(internal): key of an id in GiST, the range [id,id] (gist.c) */ \
	DO(T, gist_compress)

#define DECLARE_GENERIC_BODY(T, name) extern GenericBody generic_##name

FOR_GENERIC_FUNCTIONS(DECLARE_GENERIC_BODY,);

/* Conversions that only some types have, each by its own GENERIC_FUNCTION. */
/* T_from_bigint(bigint): the id with that number, which must not be negative */
extern GenericBody generic_from_bigint;
/* T_from_integer(integer): as T_from_bigint() */
extern GenericBody generic_from_integer;
/* T_to_bigint(T): the number of an id; raises an error if it is 2^63 or greater */
extern GenericBody generic_to_bigint;
/* T_from_numeric(numeric): the id of that integer */
extern GenericBody generic_from_numeric;
/* T_to_numeric(T): the number of an id */
extern GenericBody generic_to_numeric;

/*
 * Defines the SQL-callable function `name` as `body` over a codec.
 */
#define GENERIC_FUNCTION(name, body, codec) \
	PG_FUNCTION_INFO_V1(name); \
	Datum \
	name(PG_FUNCTION_ARGS) \
	{ \
		return body(fcinfo, &codec); \
	} \
	extern int	no_such_variable

#define DEFINE_GENERIC_FUNCTION(T, name) \
	GENERIC_FUNCTION(T##_##name, generic_##name, T##_codec)

/* Defines the SQL functions of a type that all types have. */
#define GENERIC_FUNCTIONS(T) FOR_GENERIC_FUNCTIONS(DEFINE_GENERIC_FUNCTION, T)

#endif							/* IDTYPES_GENERIC_FUNCTIONS_H */
