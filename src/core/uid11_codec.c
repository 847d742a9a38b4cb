/*-------------------------------------------------------------------------
 *
 * uid11_codec.c
 *	  uid11: text in Base58 and profiles.
 *
 * id.h describes the functions of an IdCodec, such as uid11_parse().
 *
 *-------------------------------------------------------------------------
 */
#include "codec.h"
#include "uid11_codec.h"

/*
 * The 11 digits are processed as one digit and two groups of five.  A group fits
 * in 32 bits and both together in 64, and the CPU can compute them in parallel.
 * All divisors are constants, so the compiler multiplies instead of dividing.
 */
#define GROUP_DIGITS	5
#define GROUP			UINT32_C(656356768) /* 58^5 */
#define TWO_GROUPS		((uint64_t) GROUP * GROUP)	/* 58^10 */

_Static_assert(GROUP == UINT32_C(58) * 58 * 58 * 58 * 58 && 1 + 2 * GROUP_DIGITS == UID11_TEXT_SIZE,
			   "groups do not add up");

/* The largest first digit, and the largest number that may follow it. */
#define MAX_FIRST		(UINT64_MAX / TWO_GROUPS)
#define MAX_AFTER		(UINT64_MAX % TWO_GROUPS)

const Uid11Profile uid11_profiles[UID11_PROFILES] = {
#define PROFILE_ROW(ID, name, time, machine, sequence, random) \
	[UID11_##ID] = {UID11_##ID, name, time, machine, sequence, random},
	UID11_PROFILE_LIST(PROFILE_ROW)
#undef PROFILE_ROW
};

const char	uid11_profile_names[] = "xid, fullrand, snowish, ts-seq-rand";

/* Read five digits.  If one is not in the alphabet, clear ALPHABET_VALID in *valid. */
static inline uint32_t
read_group(const char *text, uint8_t *valid)
{
	uint32_t	group = 0;

	for (int i = 0; i < GROUP_DIGITS; i++)
	{
		uint8_t		d = alphabet_base58.value[(uint8_t) text[i]];

		*valid &= d;
		group = group * 58 + (d & ALPHABET_DIGIT);
	}
	return group;
}

static inline void
write_group(uint32_t group, char *text)
{
	for (int i = GROUP_DIGITS; i-- > 0; group /= 58)
		text[i] = alphabet_base58.digits[group % 58];
}

static IdStatus
uid11_parse(const char *text, size_t len, uint8_t *id, IdError *err)
{
	uint8_t		valid;
	uint64_t	first;
	uint64_t	after;

	if (len != UID11_TEXT_SIZE)
		return codec_reject(&alphabet_base58, text, len, err);

	valid = alphabet_base58.value[(uint8_t) text[0]];
	first = valid & ALPHABET_DIGIT;
	after = (uint64_t) read_group(text + 1, &valid) * GROUP;
	after += read_group(text + 1 + GROUP_DIGITS, &valid);

	if ((valid & ALPHABET_VALID) == 0)
		return codec_reject(&alphabet_base58, text, len, err);
	if (first > MAX_FIRST || (first == MAX_FIRST && after > MAX_AFTER))
		return ID_OUT_OF_RANGE;
	store_be64(id, first * TWO_GROUPS + after);
	return ID_OK;
}

static void
uid11_format(const uint8_t *id, char *text)
{
	uint64_t	payload = load_be64(id);
	uint64_t	after = payload % TWO_GROUPS;

	text[0] = alphabet_base58.digits[payload / TWO_GROUPS];
	write_group((uint32_t) (after / GROUP), text + 1);
	write_group((uint32_t) (after % GROUP), text + 1 + GROUP_DIGITS);
}

static IdStatus
uid11_prefix(const char *text, size_t len, uint8_t *lo, uint8_t *hi, IdError *err)
{
	return codec_prefix(&uid11_codec, text, len, lo, hi, err);
}

static const IdLayout uid11_layouts[] = {
#define PROFILE_LAYOUT(ID, name, time, machine, sequence, random) \
	{name, "uid11_parts(id, '" name "')", { \
		{ID_FIELD_ZERO, "zero", 64 - (time) - (machine) - (sequence) - (random)}, \
		{ID_FIELD_TIME, "time", time}, \
		{ID_FIELD_NUMBER, "machine", machine}, \
		{ID_FIELD_NUMBER, "sequence", sequence}, \
		{ID_FIELD_NUMBER, "random", random} \
	}},
	UID11_PROFILE_LIST(PROFILE_LAYOUT)
#undef PROFILE_LAYOUT
	{.name = NULL}
};

static const IdRepeats uid11_repeats[] = {
	{"uid11 xid", UID11_XID_RANDOM_BITS, false},
	{"uid11 ts-seq-rand", UID11_TS_SEQ_RAND_RANDOM_BITS, true},
	{"uid11 snowish, same number", UID11_SNOWISH_RANDOM_BITS, true},
	{.name = NULL}
};

const IdCodec uid11_codec = {
	.name = "uid11",
	.size = UID11_SIZE,
	.bits = 8 * UID11_SIZE,
	.text_size = UID11_TEXT_SIZE,
	.alphabet = &alphabet_base58,
	.digits = UID11_TEXT_SIZE,
	.format_digits = uid11_format,
	.time = {
		.epoch_us = UID11_EPOCH_MS * 1000,
		.group_us = 1000,
		.bits = UID11_TIME_BITS,
		.first = 0,
		.last = (INT64_C(1) << UID11_TIME_BITS) - 1,
	},
	.forms = "A uid11 is written as 11 Base58 digits.",
	.range = "The largest uid11 is jpXCZedGfVQ.",
	.number = "bigint",
	.parse = uid11_parse,
	.format = uid11_format,
	.prefix = uid11_prefix,
	.layouts = uid11_layouts,
	.repeats = uid11_repeats,
};

const void *
uid11_profile_by_name(const char *name, size_t len)
{
	static const char family[] = "uid11-";
	size_t		skip = sizeof(family) - 1;

	if (len >= skip && codec_name_matches(family, name, skip))
	{
		name += skip;
		len -= skip;
	}
	for (int i = 0; i < UID11_PROFILES; i++)
	{
		if (codec_name_matches(uid11_profiles[i].name, name, len))
			return &uid11_profiles[i];
	}
	return NULL;
}

/* Remove the least significant bits (0 to 64) from the payload and return them. */
static uint64_t
take(uint64_t *payload, int bits)
{
	uint64_t	mask = bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX;
	uint64_t	field = *payload & mask;

	*payload = bits < 64 ? *payload >> bits : 0;
	return field;
}

bool
uid11_fits(const Uid11Profile *profile, uint64_t payload)
{
	take(&payload, profile->time_bits + profile->machine_bits +
		 profile->sequence_bits + profile->random_bits);
	return payload == 0;
}

void
uid11_fields(const Uid11Profile *profile, uint64_t payload, Uid11Fields *fields)
{
	fields->random = take(&payload, profile->random_bits);
	fields->sequence = take(&payload, profile->sequence_bits);
	fields->machine = take(&payload, profile->machine_bits);
}
