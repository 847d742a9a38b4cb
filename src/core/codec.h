/*-------------------------------------------------------------------------
 *
 * codec.h
 *	  What the codecs share among themselves; callers of a codec need id.h.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_CORE_CODEC_H
#define IDTYPES_CORE_CODEC_H

#include "id.h"

/*
 * Fills in err for a character at offset position that is not in the
 * alphabet, and returns ID_BAD_CHARACTER.
 */
extern IdStatus codec_bad_character(const Alphabet *alphabet, size_t position, IdError *err);

/*
 * Says why the len bytes at text could not be read as digits of one alphabet:
 * ID_BAD_CHARACTER at the first that is not in it, even if the length is wrong as
 * well (so that a trailing blank is named, not counted), otherwise ID_BAD_LENGTH.
 */
extern IdStatus codec_reject(const Alphabet *alphabet, const char *text, size_t len,
							 IdError *err);

/*
 * IdCodec.prefix for a type whose order is that of its digits.
 */
extern IdStatus codec_prefix(const IdCodec *codec, const char *text, size_t len,
							 uint8_t *lo, uint8_t *hi, IdError *err);

/*
 * True if the len bytes at text are the terminated name, where ASCII letters
 * match in either case and '-', ' ' and '_' match each other.
 */
extern bool codec_name_matches(const char *name, const char *text, size_t len);

#endif							/* IDTYPES_CORE_CODEC_H */
