/*-------------------------------------------------------------------------
 *
 * scru160_codec.h
 *	  SCRU160: fields and the hexadecimal form.
 *
 * Source: "SCRU160: Sortable, Clock and Random number-based Unique
 * identifier", specification v0.1.0 (2021-09-24).
 *
 * Most significant first: 48 bits of Unix milliseconds, 16 of counter, 96
 * random bits (random16 and random80 of the specification, which have the same
 * use here).
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_CORE_SCRU160_CODEC_H
#define IDTYPES_CORE_SCRU160_CODEC_H

#include <string.h>

#include "id.h"

extern const IdCodec scru160_codec;

#define SCRU160_SIZE			20
#define SCRU160_TEXT_SIZE		32	/* base32hex */
#define SCRU160_HEX_SIZE		40

#define SCRU160_TIME_BITS		48
#define SCRU160_COUNTER_BITS	16
#define SCRU160_RANDOM_OFFSET	8	/* in bytes */
#define SCRU160_RANDOM_SIZE		12

_Static_assert(SCRU160_TIME_BITS + SCRU160_COUNTER_BITS == SCRU160_RANDOM_OFFSET * 8 &&
			   SCRU160_RANDOM_OFFSET + SCRU160_RANDOM_SIZE == SCRU160_SIZE,
			   "fields of a scru160 do not add up");

/* The first and the last of 2^48 milliseconds are reserved. */
#define SCRU160_GENERATORS(G) \
	G(SCRU160, "scru160", 0, 1000, 0, SCRU160_TIME_BITS, 1, \
	  GENERATOR_LAST(SCRU160_TIME_BITS) - 1, SCRU160_COUNTER_BITS, 0)

/* Milliseconds since 1970 (48 bits), counter (16 bits) and 12 random bytes. */
static inline void
scru160_compose(int64_t ms, uint32_t counter, const uint8_t *random, uint8_t *id)
{
	store_be64(id, (uint64_t) ms << SCRU160_COUNTER_BITS | counter);
	memcpy(id + SCRU160_RANDOM_OFFSET, random, SCRU160_RANDOM_SIZE);
}

static inline uint32_t
scru160_get_counter(const uint8_t *id)
{
	return (uint32_t) (load_be64(id) & ((1u << SCRU160_COUNTER_BITS) - 1));
}

/* The 12 random bytes within the id. */
static inline const uint8_t *
scru160_get_random(const uint8_t *id)
{
	return id + SCRU160_RANDOM_OFFSET;
}

/* Writes 40 lower-case hexadecimal digits, not terminated. */
extern void scru160_format_hex(const uint8_t *id, char *text);

/*
 * How the counter may be used.  The default use counts within a millisecond, the other
 * within a microsecond.  Each starts at a random number, which has one bit less than
 * the bits that it counts with.
 */
typedef struct Scru160CounterUse
{
	const char *name;
	const char *alias;			/* the document's name, where it has another one, or NULL */
	uint64_t	limit;			/* largest counter of a millisecond */
	int			fine_bits;		/* bits of the counter below the microsecond, or all of it */
	int			random_bits;	/* of the start */
} Scru160CounterUse;

/* The names of all uses, with those of the document in parentheses. */
extern const char scru160_counter_use_names[];

/* The use of that name, a Scru160CounterUse, or NULL; case does not matter. */
extern const void *scru160_counter_use_by_name(const char *name, size_t len);

#endif							/* IDTYPES_CORE_SCRU160_CODEC_H */

/* The row of types.h. */
#ifdef ID_TYPE
ID_TYPE(scru160, SCRU160)
#endif
