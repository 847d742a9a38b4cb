/*-------------------------------------------------------------------------
 *
 * report.h
 *	  Error reports with SQLSTATE, message, detail and hint, from the status that the
 *	  core returns.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_REPORT_H
#define IDTYPES_REPORT_H

#include "postgres.h"

#include "datatype/timestamp.h"
#include "nodes/nodes.h"

#include "core/errortext.h"

/*
 * Report invalid text; "of" is what the text was parsed as.  Throws an error, unless
 * escontext is an ErrorSaveContext (PostgreSQL 16 and later): then the error is soft and
 * the function returns.
 */
extern void report_text(const IdCodec *codec, TextOf of, IdStatus status,
						const IdError *err, const char *str, size_t len, Node *escontext);

/* Throw the error for binary input of a wrong length. */
extern _Noreturn void report_binary(const IdCodec *codec, size_t len);

/* Throw the error for a number, given as text, that is not the number of an id of the type. */
extern _Noreturn void report_number(const IdCodec *codec, const char *value);

/* Throw the error for codec->size bytes that are not an id. */
extern _Noreturn void report_bytes(const IdCodec *codec, const uint8 *bytes);

/* Format a timestamp for a message, in the session's time zone and date style. */
extern const char *show_instant(TimestampTz ts);

/* Throw the error for a timestamp outside the type's range. */
extern _Noreturn void report_instant(const IdCodec *codec, TimestampTz ts);

/* Throw the error for a field, given as text, that is not between 0 and max. */
extern _Noreturn void report_field(const IdCodec *codec, const char *field, const char *value,
								   int64 max);

/*
 * Return value if it is between 0 and max.  Otherwise throw an error: the field of the
 * type cannot hold it.
 */
extern uint64 check_field(const IdCodec *codec, const char *field, int64 value, int64 max);

/* Return the bytes of a value if there are size of them; otherwise throw an error. */
extern const uint8 *check_bytes(const IdCodec *codec, const char *field, bytea *value, int size);

#endif							/* IDTYPES_REPORT_H */
