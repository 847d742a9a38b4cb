/*-------------------------------------------------------------------------
 *
 * hex64_codec.h
 *	  hex64: milliseconds since 2020 (44 bits) and a counter (20 bits), written
 *	  as 16 hexadecimal digits.
 *
 * A format of no use but to be the sixth: see test/sixth/run.sh.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_CORE_HEX64_CODEC_H
#define IDTYPES_CORE_HEX64_CODEC_H

#include "id.h"

extern const IdCodec hex64_codec;

#define HEX64_SIZE			8
#define HEX64_TEXT_SIZE		16

#define HEX64_TIME_BITS		44
#define HEX64_COUNTER_BITS	20

_Static_assert(HEX64_TIME_BITS + HEX64_COUNTER_BITS == HEX64_SIZE * 8,
			   "fields of a hex64 do not add up");

/* 2020-01-01 00:00 UTC in milliseconds since 1970 */
#define HEX64_EPOCH_MS		INT64_C(1577836800000)

#define HEX64_GENERATORS(G) \
	G(HEX64, "hex64", HEX64_EPOCH_MS * 1000, 1000, 0, HEX64_TIME_BITS, 0, \
	  GENERATOR_LAST(HEX64_TIME_BITS), HEX64_COUNTER_BITS, 0)

static inline uint32_t
hex64_get_counter(const uint8_t *id)
{
	return (uint32_t) (load_be64(id) & ((1u << HEX64_COUNTER_BITS) - 1));
}

#endif							/* IDTYPES_CORE_HEX64_CODEC_H */

/* The row of types.h. */
#ifdef ID_TYPE
ID_TYPE(hex64, HEX64)
#endif
