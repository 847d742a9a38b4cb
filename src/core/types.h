/*-------------------------------------------------------------------------
 *
 * types.h
 *	  The types: the one list of them.
 *
 * Without further definitions, it includes the codecs of all types.  If
 *
 *		ID_TYPE(t, T)	(the name of a type as in SQL, and in capitals)
 *
 * is defined, it is expanded for each type, in this order, and undefined, so this
 * file may be included any number of times.  The row of a type is at the end
 * of its header.  The Makefile takes the names of the types from the lines below,
 * and scripts take them from "make types".
 *
 *-------------------------------------------------------------------------
 */
#include "siq_codec.h"
#include "scru160_codec.h"
#include "tid64_codec.h"
#include "uid11_codec.h"
#include "ulidflake_codec.h"

#undef ID_TYPE
