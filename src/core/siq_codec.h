/*-------------------------------------------------------------------------
 *
 * siq_codec.h
 *	  SIQ, the SIS Identifier and Qualifier: fields, types and other forms.
 *
 * Source: "SIQ - SIS Identifier and Qualifier" (Sakuragasaki46, 2025), with
 * the text form as its author's library prints it.
 *
 * Most significant first: 56 bits of time in 1/65536 s, 8 of shard, 32 of
 * domain hash, and 16 that a serial and the qualifier share.  The qualifier
 * is the suffix of a prefix-free code, so a short one leaves the serial more
 * room.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_CORE_SIQ_CODEC_H
#define IDTYPES_CORE_SIQ_CODEC_H

#include "id.h"

extern const IdCodec siq_codec;

#define SIQ_SIZE			14
#define SIQ_TEXT_SIZE		37	/* "did:siq:" and 29 digits of base32 */
#define SIQ_HEX_SIZE		28
#define SIQ_UUID_SIZE		16

#define SIQ_TIME_BITS		56
#define SIQ_SHARD_BITS		8
#define SIQ_DOMAIN_BITS		32
#define SIQ_TAIL_BITS		16	/* serial and qualifier */
#define SIQ_LEAF			1	/* bit of the tail: the id names a leaf */

_Static_assert(SIQ_TIME_BITS + SIQ_SHARD_BITS == 64 &&
			   SIQ_DOMAIN_BITS + SIQ_TAIL_BITS == 48 &&
			   SIQ_SIZE * 8 == 64 + 48, "fields of a siq do not add up");

/* The shortest suffix leaves the widest serial. */
#define SIQ_MIN_SUFFIX_BITS	3
#define SIQ_MAX_SUFFIX_BITS	5
#define SIQ_MAX_SERIAL_BITS	(SIQ_TAIL_BITS - SIQ_MIN_SUFFIX_BITS)

/*
 * 16 of the time's bits are a binary fraction of the second: 2^10 ticks are
 * 10^6 / 2^6 microseconds.
 */
#define SIQ_GROUP_US		15625
#define SIQ_GROUP_BITS		10

/*
 * The clock word of a siq has 51 bits of time, 35 of them for the seconds (until the
 * year 3058), to leave room for the serial.
 */
#define SIQ_TICK_BITS		(64 - SIQ_MAX_SERIAL_BITS)
#define SIQ_GENERATORS(G) \
	G(SIQ, "siq", 0, SIQ_GROUP_US, SIQ_GROUP_BITS, SIQ_TICK_BITS, 0, \
	  GENERATOR_LAST(SIQ_TICK_BITS), SIQ_MAX_SERIAL_BITS, 0)

_Static_assert(SIQ_TICK_BITS <= SIQ_TIME_BITS, "the time of a siq's word does not fit the id");

typedef struct SiqType
{
	const char *name;			/* canonical name */
	uint8_t		suffix_bits;	/* SIQ_MIN_SUFFIX_BITS to SIQ_MAX_SUFFIX_BITS */
	uint8_t		suffix;			/* the least significant bits of an id */
	bool		assigned;		/* false: may be read, must not be generated */
} SiqType;

typedef struct SiqFields
{
	int64_t		tick;			/* of 1/65536 s since 1970 */
	uint32_t	shard;
	uint32_t	domain;			/* domain hash */
	uint32_t	serial;
	const SiqType *type;
} SiqFields;

/* The canonical names of all assigned types, each with its aliases in parentheses. */
extern const char siq_type_names[];

/*
 * The assigned type of that name or alias, a SiqType, or NULL.  Case does not matter;
 * '-' and ' ' count as '_'.
 */
extern const void *siq_type_by_name(const char *name, size_t len);

/* The type of an id, never NULL: every pattern of 16 bits has a suffix. */
extern const SiqType *siq_type_of(const uint8_t *id);

/* Largest serial of a type: 2^13 - 1, 2^12 - 1 or 2^11 - 1. */
extern uint32_t siq_serial_max(const SiqType *type);

/* All fields must be in range; siq_decompose() undoes siq_compose() exactly. */
extern void siq_compose(const SiqFields *fields, uint8_t *id);
extern void siq_decompose(const uint8_t *id, SiqFields *fields);

/*
 * The bytes of an id as three numbers, most significant first: time, origin (shard and
 * domain hash) and tail (serial and qualifier).
 */
static inline uint64_t
siq_get_time(const uint8_t *id)
{
	return load_be64(id) >> SIQ_SHARD_BITS;
}

static inline uint64_t
siq_get_origin(const uint8_t *id)
{
	return load_be64(id + SIQ_SIZE - 8) << (64 - SIQ_SHARD_BITS - SIQ_DOMAIN_BITS - SIQ_TAIL_BITS)
		>> (64 - SIQ_SHARD_BITS - SIQ_DOMAIN_BITS);
}

static inline uint64_t
siq_get_tail(const uint8_t *id)
{
	return load_be64(id + SIQ_SIZE - 8) & ((1u << SIQ_TAIL_BITS) - 1);
}

/* CRC-32 (IEEE 802.3, as in zlib) of the 14 bytes: the first part of the text. */
extern uint32_t siq_checksum(const uint8_t *id);

/* Writes 28 lower-case hexadecimal digits, not terminated. */
extern void siq_format_hex(const uint8_t *id, char *text);

/*
 * The id as a version 8 UUID (RFC 9562) of 16 bytes, which sorts as the id does:
 * 48 bits of the id, the version, 12 bits, the variant, 52 bits, ten zero bits.
 * siq_get_uuid() returns false, and writes nothing, if the bytes do not have that
 * form.
 */
extern void siq_put_uuid(const uint8_t *id, uint8_t *uuid);
extern bool siq_get_uuid(const uint8_t *uuid, uint8_t *id);

/* Writes that UUID as text: 36 characters, not terminated. */
#define SIQ_UUID_TEXT_SIZE	36
extern void siq_format_uuid(const uint8_t *id, char *text);

#endif							/* IDTYPES_CORE_SIQ_CODEC_H */

/* The row of types.h. */
#ifdef ID_TYPE
ID_TYPE(siq, SIQ)
#endif
