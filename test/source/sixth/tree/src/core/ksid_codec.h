/*-------------------------------------------------------------------------
 *
 * ksid_codec.h
 *	  ksid: seconds since 2014 (32 bits), a counter (32 bits) and 8 random bytes,
 *	  written as 22 digits of Base62.
 *
 * A format of no use but to be the sixth, and unlike the others: its size, its
 * alphabet, the length of its tick, the width of its counter and the start of
 * its time are those of no other type.  See test/source/sixth/run.sh.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_CORE_KSID_CODEC_H
#define IDTYPES_CORE_KSID_CODEC_H

#include "id.h"

extern const IdCodec ksid_codec;

/* 0 to 9, A to Z, a to z; case-sensitive. */
extern const Alphabet alphabet_base62;

#define KSID_SIZE			16
#define KSID_TEXT_SIZE		22

#define KSID_TIME_BITS		32
#define KSID_COUNTER_BITS	32
#define KSID_TAIL_SIZE		8	/* bytes */

_Static_assert(KSID_TIME_BITS + KSID_COUNTER_BITS + 8 * KSID_TAIL_SIZE == KSID_SIZE * 8,
			   "fields of a ksid do not add up");

/* 2014-05-13 16:53:20 UTC in seconds since 1970 */
#define KSID_EPOCH			INT64_C(1400000000)

#define KSID_GENERATORS(G) \
	G(KSID, "ksid", KSID_EPOCH * 1000000, 1000000, 0, KSID_TIME_BITS, 0, \
	  GENERATOR_LAST(KSID_TIME_BITS), KSID_COUNTER_BITS, 0)

/* An id from its clock word, which is time and counter, and the bytes of its tail. */
static inline void
ksid_compose(uint64_t word, const uint8_t *tail, uint8_t *id)
{
	store_be64(id, word);
	__builtin_memcpy(id + KSID_SIZE - KSID_TAIL_SIZE, tail, KSID_TAIL_SIZE);
}

static inline uint32_t
ksid_get_counter(const uint8_t *id)
{
	return (uint32_t) load_be64(id);
}

static inline const uint8_t *
ksid_get_tail(const uint8_t *id)
{
	return id + KSID_SIZE - KSID_TAIL_SIZE;
}

#endif							/* IDTYPES_CORE_KSID_CODEC_H */

/* The row of types.h. */
#ifdef ID_TYPE
ID_TYPE(ksid, KSID)
#endif
