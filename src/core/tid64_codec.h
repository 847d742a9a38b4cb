/*-------------------------------------------------------------------------
 *
 * tid64_codec.h
 *	  The Time-Ordered ID: fields and the compact form.
 *
 * Source: "The Time-Ordered ID and base32lex Binary Encoding"
 * (draft-goldman-tid).
 *
 * A signed 64-bit number: microseconds since 1970 (54 bits) and below them
 * the clock id.  The order is the signed one.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_CORE_TID64_CODEC_H
#define IDTYPES_CORE_TID64_CODEC_H

#include "id.h"

extern const IdCodec tid64_codec;

#define TID64_SIZE			8
#define TID64_TEXT_SIZE		16	/* STTT-TTT-TTTT-CC */
#define TID64_COMPACT_SIZE	13	/* the same without dashes */

#define TID64_TIME_BITS		54
#define TID64_CLOCK_BITS	10

_Static_assert(TID64_TIME_BITS + TID64_CLOCK_BITS == TID64_SIZE * 8,
			   "fields of a tid64 do not add up");

/* Ids are not generated for a time before 1970, so the clock word has no sign bit. */
#define TID64_TICK_BITS		(TID64_TIME_BITS - 1)
#define TID64_GENERATORS(G) \
	G(TID64, "tid64", 0, 1, 0, TID64_TICK_BITS, 0, GENERATOR_LAST(TID64_TICK_BITS), 0, \
	  GENERATOR_LEAD)

static inline uint32_t
tid64_get_clock_id(const uint8_t *id)
{
	return (uint32_t) (load_be64(id) & ((1u << TID64_CLOCK_BITS) - 1));
}

/* Derive the clock id of a server without a configured one from a random number: 0 to 31. */
static inline uint32_t
tid64_drawn_clock_id(uint64_t random)
{
	return (uint32_t) (random % 32);
}

/* Writes the 13 digits without dashes, not terminated. */
extern void tid64_format_compact(const uint8_t *id, char *text);

#endif							/* IDTYPES_CORE_TID64_CODEC_H */

/* The row of types.h. */
#ifdef ID_TYPE
ID_TYPE(tid64, TID64)
#endif
