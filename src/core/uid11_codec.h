/*-------------------------------------------------------------------------
 *
 * uid11_codec.h
 *	  uid11: its profiles, which give the 64-bit payload a meaning.
 *
 * Source: "uid11: Fixed-length (11) Base58 identifier - Profile: xid", spec
 * version 1.0 (draft).
 *
 * The text does not show the profile.  All profiles that have a time count
 * milliseconds from the epoch of xid and have 22 bits below it, so neither the
 * time of an id nor the ids of a range of time depend on the profile.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_CORE_UID11_CODEC_H
#define IDTYPES_CORE_UID11_CODEC_H

#include "id.h"

extern const IdCodec uid11_codec;

#define UID11_SIZE			8
#define UID11_TEXT_SIZE		11

#define UID11_TIME_BITS		42
#define UID11_REST_BITS		22	/* machine, sequence, random: by profile */

_Static_assert(UID11_TIME_BITS + UID11_REST_BITS == UID11_SIZE * 8,
			   "fields of a uid11 do not add up");

/* 2011-11-11 11:11:11.111 UTC in milliseconds since 1970 */
#define UID11_EPOCH_MS		INT64_C(1321009871111)

/*
 * The profiles: bits of time, machine, sequence and randomness, most significant
 * first.  The rest of the 64 bits is reserved, above all others, and zero.
 */
#define UID11_PROFILE_LIST(P) \
	P(XID, "xid", 42, 0, 0, 22) \
	P(FULLRAND, "fullrand", 0, 0, 0, 64) \
	P(SNOWISH, "snowish", 41, 10, 12, 0) \
	P(TS_SEQ_RAND, "ts-seq-rand", 42, 0, 12, 10)

typedef enum Uid11ProfileId
{
#define PROFILE_ID(ID, ...) UID11_##ID,
	UID11_PROFILE_LIST(PROFILE_ID)
#undef PROFILE_ID
} Uid11ProfileId;

typedef struct Uid11Profile
{
	Uid11ProfileId id;
	const char *name;
	int			time_bits;
	int			machine_bits;
	int			sequence_bits;
	int			random_bits;
} Uid11Profile;

/* The widths as constants, and the number of profiles. */
enum
{
#define PROFILE_BITS(ID, name, time, machine, sequence, random) \
	UID11_##ID##_TIME_BITS = time, \
	UID11_##ID##_MACHINE_BITS = machine, \
	UID11_##ID##_SEQUENCE_BITS = sequence, \
	UID11_##ID##_RANDOM_BITS = random,
	UID11_PROFILE_LIST(PROFILE_BITS)
#undef PROFILE_BITS
#define PROFILE_ONE(...) +1
	UID11_PROFILES = 0 UID11_PROFILE_LIST(PROFILE_ONE)
#undef PROFILE_ONE
};

#define PROFILE_FITS(ID, name, time, machine, sequence, random) \
	_Static_assert((time) <= UID11_TIME_BITS && \
				   (machine) + (sequence) + (random) == ((time) > 0 ? UID11_REST_BITS : 64), \
				   "fields of profile " name " do not add up");
UID11_PROFILE_LIST(PROFILE_FITS)
#undef PROFILE_FITS

extern const Uid11Profile uid11_profiles[UID11_PROFILES];

/*
 * The clock word of a profile has the time and a counter.  For xid, the random field is
 * made from the counter (see permute.h); for the others, the counter is the sequence.
 */
#define UID11_GENERATOR(G, ID, name, counter_bits, lead) \
	G(ID, name, UID11_EPOCH_MS * 1000, 1000, 0, UID11_##ID##_TIME_BITS, 0, \
	  GENERATOR_LAST(UID11_##ID##_TIME_BITS), counter_bits, lead)
#define UID11_GENERATORS(G) \
	UID11_GENERATOR(G, XID, "uid11 xid", UID11_XID_RANDOM_BITS, 0) \
	UID11_GENERATOR(G, SNOWISH, "uid11 snowish", UID11_SNOWISH_SEQUENCE_BITS, GENERATOR_LEAD) \
	UID11_GENERATOR(G, TS_SEQ_RAND, "uid11 ts-seq-rand", UID11_TS_SEQ_RAND_SEQUENCE_BITS, 0)

/* The names of all profiles, separated by ", ". */
extern const char uid11_profile_names[];

/* The fields below the time; a field that the profile does not have is 0. */
typedef struct Uid11Fields
{
	uint64_t	machine;
	uint64_t	sequence;
	uint64_t	random;
} Uid11Fields;

/*
 * The profile of that name, a Uid11Profile, or NULL.  A leading "uid11-" may be given or left
 * out; case does not matter.
 */
extern const void *uid11_profile_by_name(const char *name, size_t len);

/* True if the payload leaves the profile's reserved bits zero. */
extern bool uid11_fits(const Uid11Profile *profile, uint64_t payload);

extern void uid11_fields(const Uid11Profile *profile, uint64_t payload, Uid11Fields *fields);

#endif							/* IDTYPES_CORE_UID11_CODEC_H */

/* The row of types.h. */
#ifdef ID_TYPE
ID_TYPE(uid11, UID11)
#endif
