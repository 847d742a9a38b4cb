/*-------------------------------------------------------------------------
 *
 * ulidflake_codec.h
 *	  Ulid-Flake: fields of the stand-alone and of the scalable form.
 *
 * Source: "Ulid-Flake: A 64-bit ULID variant featuring Snowflake"
 * (ulid-flake/spec).
 *
 * Most significant first: a zero bit, 43 bits of milliseconds since 2024, 20
 * of randomness.  The scalable form splits the 20 into 15 of randomness and 5
 * of scalability; an id does not tell which form it has.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_CORE_ULIDFLAKE_CODEC_H
#define IDTYPES_CORE_ULIDFLAKE_CODEC_H

#include "id.h"

extern const IdCodec ulidflake_codec;

#define ULIDFLAKE_SIZE					8
#define ULIDFLAKE_TEXT_SIZE				13

#define ULIDFLAKE_TIME_BITS				44	/* with the zero bit */
#define ULIDFLAKE_RANDOM_BITS			20	/* stand-alone */
#define ULIDFLAKE_SCALABLE_RANDOM_BITS	15
#define ULIDFLAKE_SCALABILITY_BITS		5

_Static_assert(ULIDFLAKE_TIME_BITS + ULIDFLAKE_RANDOM_BITS == ULIDFLAKE_SIZE * 8 &&
			   ULIDFLAKE_SCALABLE_RANDOM_BITS + ULIDFLAKE_SCALABILITY_BITS ==
			   ULIDFLAKE_RANDOM_BITS, "fields of a ulidflake do not add up");

/* 2024-01-01 00:00 UTC in milliseconds since 1970 */
#define ULIDFLAKE_EPOCH_MS				INT64_C(1704067200000)

/* Both forms share one clock word, which is the id without its zero bit. */
#define ULIDFLAKE_TICK_BITS				(ULIDFLAKE_TIME_BITS - 1)
#define ULIDFLAKE_GENERATORS(G) \
	G(ULIDFLAKE, "ulidflake", ULIDFLAKE_EPOCH_MS * 1000, 1000, 0, ULIDFLAKE_TICK_BITS, 0, \
	  GENERATOR_LAST(ULIDFLAKE_TICK_BITS), ULIDFLAKE_RANDOM_BITS, 0)

/* The 20 bits below the time in the scalable form: randomness (15 bits) and scalability (5). */
static inline uint32_t
ulidflake_pack(uint32_t randomness, uint32_t scalability)
{
	return randomness << ULIDFLAKE_SCALABILITY_BITS | scalability;
}

/* The 20 bits of the stand-alone form. */
static inline uint32_t
ulidflake_get_randomness(const uint8_t *id)
{
	return (uint32_t) (load_be64(id) & ((1u << ULIDFLAKE_RANDOM_BITS) - 1));
}

/* The 15 bits of the scalable form. */
static inline uint32_t
ulidflake_get_scalable_randomness(const uint8_t *id)
{
	return ulidflake_get_randomness(id) >> ULIDFLAKE_SCALABILITY_BITS;
}

static inline uint32_t
ulidflake_get_scalability(const uint8_t *id)
{
	return (uint32_t) (load_be64(id) & ((1u << ULIDFLAKE_SCALABILITY_BITS) - 1));
}

#endif							/* IDTYPES_CORE_ULIDFLAKE_CODEC_H */

/* The row of types.h. */
#ifdef ID_TYPE
ID_TYPE(ulidflake, ULIDFLAKE)
#endif
