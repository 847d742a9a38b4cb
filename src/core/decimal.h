/*-------------------------------------------------------------------------
 *
 * decimal.h
 *	  An identifier as an unsigned decimal number, in both directions.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_CORE_DECIMAL_H
#define IDTYPES_CORE_DECIMAL_H

#include "id.h"

/*
 * The number is the id's bits, most significant first.  id_to_decimal()
 * writes a terminated string of at most ID_MAX_DECIMAL characters.
 * id_from_decimal() accepts digits only and returns ID_BAD_LENGTH (no digits),
 * ID_BAD_CHARACTER or ID_OUT_OF_RANGE (the number does not fit the type).
 */
#define ID_MAX_DECIMAL 49
extern void id_to_decimal(const IdCodec *codec, const uint8_t *id, char *text);
extern IdStatus id_from_decimal(const IdCodec *codec, const char *text, size_t len,
								uint8_t *id, IdError *err);

#endif							/* IDTYPES_CORE_DECIMAL_H */
