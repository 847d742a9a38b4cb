/*-------------------------------------------------------------------------
 *
 * codec.h
 *	  Functions that only codecs call; callers of a codec need id.h.
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
 * Return why the len bytes at text could not be read as digits of one alphabet:
 * ID_BAD_CHARACTER, with the first character that is not in the alphabet, otherwise
 * ID_BAD_LENGTH.  If both are wrong the character is reported, so that the error
 * for a trailing blank names the blank.
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
