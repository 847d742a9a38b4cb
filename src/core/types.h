/*-------------------------------------------------------------------------
 *
 * types.h
 *	  The types: the one list of them.
 *
 * Included as it is, it brings the codecs of all types.  Included with
 *
 *		ID_TYPE(t, T)	what to make of a type: its name as in SQL, and in capitals
 *
 * defined, it makes that of each of them, in this order, and undefines it; so
 * it may be included any number of times.  The row of a type stands at the end
 * of its header.  The Makefile takes the names from the lines below, and scripts
 * from "make types".
 *
 *-------------------------------------------------------------------------
 */
#include "siq_codec.h"
#include "scru160_codec.h"
#include "tid64_codec.h"
#include "uid11_codec.h"
#include "ulidflake_codec.h"

#undef ID_TYPE
