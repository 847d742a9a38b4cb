/*-------------------------------------------------------------------------
 *
 * types.c
 *	  The codecs of all types.
 *
 *-------------------------------------------------------------------------
 */
#include "types.h"

const IdCodec *const id_codecs[] = {
#define ID_TYPE(t, T) &t##_codec,
#include "types.h"
	NULL
};
