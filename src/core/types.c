/*-------------------------------------------------------------------------
 *
 * types.c
 *	  The codecs of all types.
 *
 *-------------------------------------------------------------------------
 */
#include "types.h"

#define ID_TYPE(t, T) \
	_Static_assert(T##_SIZE >= 8 && T##_SIZE <= ID_MAX_SIZE && T##_TEXT_SIZE <= ID_MAX_TEXT, \
				   "ID_MAX_SIZE, and ID_MAX_DECIMAL with it, or ID_MAX_TEXT is too small for " #t);
#include "types.h"

const IdCodec *const id_codecs[] = {
#define ID_TYPE(t, T) &t##_codec,
#include "types.h"
	NULL
};
