/*-------------------------------------------------------------------------
 *
 * hex96_codec.h
 *	  hex96: milliseconds since 2020 (44 bits), a counter (20 bits) and a random
 *	  tail (32 bits), written as 24 hexadecimal digits.
 *
 * A format of no use but to be the sixth, of a size that no other type has: see
 * test/sixth/run.sh.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_CORE_HEX96_CODEC_H
#define IDTYPES_CORE_HEX96_CODEC_H

#include "id.h"

extern const IdCodec hex96_codec;

#define HEX96_SIZE			12
#define HEX96_TEXT_SIZE		24

#define HEX96_TIME_BITS		44
#define HEX96_COUNTER_BITS	20
#define HEX96_TAIL_BITS	32

_Static_assert(HEX96_TIME_BITS + HEX96_COUNTER_BITS == 64 &&
			   64 + HEX96_TAIL_BITS == HEX96_SIZE * 8,
			   "fields of a hex96 do not add up");

/* 2020-01-01 00:00 UTC in milliseconds since 1970 */
#define HEX96_EPOCH_MS		INT64_C(1577836800000)

#define HEX96_GENERATORS(G) \
	G(HEX96, "hex96", HEX96_EPOCH_MS * 1000, 1000, 0, HEX96_TIME_BITS, 0, \
	  GENERATOR_LAST(HEX96_TIME_BITS), HEX96_COUNTER_BITS, 0)

/* An id from its clock word, which is time and counter, and its tail. */
static inline void
hex96_compose(uint64_t word, uint32_t tail, uint8_t *id)
{
	store_be64(id, word);
	/* the last 8 bytes: the low half of the word once more, and the tail */
	store_be64(id + HEX96_SIZE - 8, word << HEX96_TAIL_BITS | tail);
}

static inline uint32_t
hex96_get_counter(const uint8_t *id)
{
	return (uint32_t) (load_be64(id) & ((1u << HEX96_COUNTER_BITS) - 1));
}

static inline uint32_t
hex96_get_tail(const uint8_t *id)
{
	return (uint32_t) load_be64(id + HEX96_SIZE - 8);
}

#endif							/* IDTYPES_CORE_HEX96_CODEC_H */

/* The row of types.h. */
#ifdef ID_TYPE
ID_TYPE(hex96, HEX96)
#endif
