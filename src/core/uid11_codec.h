/*-------------------------------------------------------------------------
 *
 * uid11_codec.h
 *	  uid11: its profiles, which give the 64-bit payload a meaning.
 *
 * Source: "uid11: Fixed-length (11) Base58 identifier - Profile: xid", spec
 * version 1.0 (draft).
 *
 * The text says nothing about the profile.  All profiles with a time count
 * milliseconds from the epoch of xid above 22 other bits, so the time of an
 * id and the ids of a window of time need no profile.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_CORE_UID11_CODEC_H
#define IDTYPES_CORE_UID11_CODEC_H

#include "id.h"

#define UID11_SIZE			8
#define UID11_TEXT_SIZE		11

#define UID11_TIME_BITS		42
#define UID11_REST_BITS		22	/* machine, sequence, random: by profile */

_Static_assert(UID11_TIME_BITS + UID11_REST_BITS == UID11_SIZE * 8,
			   "fields of a uid11 do not add up");

/* 2011-11-11 11:11:11.111 UTC in milliseconds since 1970 */
#define UID11_EPOCH_MS		INT64_C(1321009871111)

/*
 * Widths of the fields, most significant first; what they leave of 64 bits is
 * reserved, above them all, and zero.
 */
typedef struct Uid11Profile
{
	const char *name;
	int			time_bits;
	int			machine_bits;
	int			sequence_bits;
	int			random_bits;
} Uid11Profile;

enum
{
	UID11_XID,
	UID11_FULLRAND,
	UID11_SNOWISH,
	UID11_TS_SEQ_RAND,
	UID11_PROFILES				/* number of profiles */
};

extern const Uid11Profile uid11_profiles[UID11_PROFILES];

/* The names of all profiles, separated by ", ". */
extern const char uid11_profile_names[];

/* What lies below the time; a field that the profile does not have is 0. */
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
