/*-------------------------------------------------------------------------
 *
 * report.h
 *	  From what the core found wrong to SQLSTATE, message, detail and hint.
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
 * Reports text that is not what was expected.  If escontext is an ErrorSaveContext
 * (PostgreSQL 16 and later), the error is soft and the function returns.
 */
extern void report_text(const IdCodec *codec, TextOf of, IdStatus status,
						const IdError *err, const char *str, size_t len, Node *escontext);

/* Reports binary input of a wrong length. */
extern _Noreturn void report_binary(const IdCodec *codec, size_t len);

/* Reports a number, given as text, that is not the number of an id of the type. */
extern _Noreturn void report_number(const IdCodec *codec, const char *value);

/* Reports codec->size bytes that are not an id. */
extern _Noreturn void report_bytes(const IdCodec *codec, const uint8 *bytes);

/* An instant for a message, in the session's time zone and date style. */
extern const char *show_instant(TimestampTz ts);

/* Reports an instant outside the type's range. */
extern _Noreturn void report_instant(const IdCodec *codec, TimestampTz ts);

/*
 * Returns value if it lies within 0 ... max; otherwise reports that the field
 * of the type cannot hold it.
 */
extern uint64 check_field(const IdCodec *codec, const char *field, int64 value, int64 max);

/* Returns the bytes of a value if there are size of them; otherwise reports the field's size. */
extern const uint8 *check_bytes(const IdCodec *codec, const char *field, bytea *value, int size);

#endif							/* IDTYPES_REPORT_H */
