/*-------------------------------------------------------------------------
 *
 * uuid7_codec.h
 *	  UUID version 7 in the server's own type uuid: its time, and prefixes.
 *
 * Source: RFC 9562, section 5.7.  Most significant first: 48 bits of milliseconds since
 * 1970, the version (4 bits), rand_a (12 bits), the variant (2 bits), rand_b (62 bits).
 *
 * To the codec all bytes are ids, because a column of type uuid may hold other versions.
 * It is not in types.h, since the type is the server's.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_CORE_UUID7_CODEC_H
#define IDTYPES_CORE_UUID7_CODEC_H

#include "id.h"

extern const IdCodec uuid7_codec;

#define UUID7_SIZE			16
#define UUID7_HEX_SIZE		32
#define UUID7_TIME_BITS		48
#define UUID7_COUNTER_BITS	12	/* of a clock word: as many as rand_a has */
#define UUID7_FINE_BITS		2	/* four words in each microsecond */
#define UUID7_COUNTER_LAST	((1000 << UUID7_FINE_BITS) - 1)

/*
 * The tick of a clock word is a millisecond, so that uuid7_settled() is exact, and its
 * counter, in quarters of a microsecond, is made the fraction of 1/4096 by
 * uuid7_compose().
 */
#define UUID7_GENERATORS(G) \
	G(UUID7, "uuid7", 0, 1000, 0, UUID7_TIME_BITS, 0, \
	  GENERATOR_LAST(UUID7_TIME_BITS), UUID7_COUNTER_BITS, 0)

/* True if an id has version 7 and the variant of RFC 9562. */
static inline bool
uuid7_is_version7(const uint8_t *id)
{
	return id[6] >> 4 == 7 && id[8] >> 6 == 2;
}

/*
 * Write bytes 0 to 7 of an id, and the variant over the random bytes 8 to 15, which are in
 * the id.  rand_a is the counter, 0 to UUID7_COUNTER_LAST, as 4096ths of a millisecond; so
 * greater counters of one millisecond give greater ids.  For a counter of whole
 * microseconds, it is what PostgreSQL 18 writes.
 */
static inline void
uuid7_compose(int64_t ms, uint32_t counter, uint8_t *id)
{
	store_be64(id, (uint64_t) ms << 16 | 7 << 12 |
			   ((counter << UUID7_COUNTER_BITS) / (UUID7_COUNTER_LAST + 1)));
	id[8] = (uint8_t) (0x80 | (id[8] & 0x3F));
}

#endif							/* IDTYPES_CORE_UUID7_CODEC_H */
