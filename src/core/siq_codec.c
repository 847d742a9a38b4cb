/*-------------------------------------------------------------------------
 *
 * siq_codec.c
 *	  SIQ: text, hexadecimal, UUID form and qualifiers.
 *
 * id.h describes the functions of an IdCodec, such as siq_parse().
 *
 *-------------------------------------------------------------------------
 */
#include <string.h>

#include "codec.h"
#include "siq_codec.h"

#define SCHEME			"did:siq:"
#define SCHEME_SIZE		(sizeof(SCHEME) - 1)
#define BASE32_SIZE		29

/*
 * The 29 digits hold checksum and id, 144 bits, right-aligned in 145.  They
 * are processed as three numbers, most significant first:
 *
 *	high    5 digits: a zero bit, 24 bits of checksum
 *	middle 12 digits: 8 bits of checksum, 48 of the id, 4 of its low 64 bits
 *	low    12 digits: 60 bits
 */
#define HIGH_DIGITS		5
#define PART_DIGITS		12
#define PART_BITS		60

_Static_assert(HIGH_DIGITS + 2 * PART_DIGITS == BASE32_SIZE &&
			   SCHEME_SIZE + BASE32_SIZE == SIQ_TEXT_SIZE, "digits do not add up");

#define MASK(bits)		((UINT64_C(1) << (bits)) - 1)

/* UUID form: the widths of the parts between version, variant and padding. */
#define UUID_VERSION_8	UINT64_C(0x8000)
#define UUID_VARIANT	(UINT64_C(1) << 63)
#define UUID_MID_BITS	12
#define UUID_LOW_BITS	52
#define UUID_PAD_BITS	10

typedef struct Qualifier
{
	SiqType		type;
	const char *alias[6];		/* ends with NULL */
} Qualifier;

static const Qualifier qualifiers[] = {
	{{"user", 5, 0x00, true}, {"account", "user_account"}},
	{{"application", 5, 0x10, true}, {"app", "api", "client", "bot", "form"}},
	{{"event", 5, 0x08, true}, {"task"}},
	{{"product", 5, 0x18, true}, {"subscription", "premium"}},
	{{"group", 5, 0x04, true}, {"membership", "role", "user_group"}},
	{{"collection", 5, 0x14, true}, {"feed"}},
	{{"invite", 5, 0x0C, true}, {NULL}},
	{{"tag", 5, 0x02, true}, {"category"}},
	{{"channel", 5, 0x0A, true}, {"guild", "chat", "forum", "wiki", "live_chat"}},
	{{"thread", 4, 0x06, true}, {"page"}},
	{{"message", 4, 0x0E, true}, {"post", "revision"}},
	{{"relationship", 3, 0x01, true}, {"ternary"}},
	{{"many_to_many", 3, 0x05, true}, {"hash_array_element", "manytomany"}},
	{{"array_element", 3, 0x03, true}, {"one_to_many", "multi"}},
	{{"content", 3, 0x07, true}, {NULL}},
	{{"unassigned", 5, 0x1C, false}, {NULL}},
	{{"unassigned", 5, 0x12, false}, {NULL}},
	{{"unassigned", 5, 0x1A, false}, {NULL}},
};

#define QUALIFIERS		(sizeof(qualifiers) / sizeof(qualifiers[0]))

const char	siq_type_names[] =
	"user (account, user_account), application (app, api, client, bot, form), event (task), "
	"product (subscription, premium), group (membership, role, user_group), collection "
	"(feed), invite, tag (category), channel (guild, chat, forum, wiki, live_chat), thread "
	"(page), message (post, revision), relationship (ternary), many_to_many "
	"(hash_array_element, manytomany), array_element (one_to_many, multi), content";

/*
 * Tables for a CRC-32 of 14 bytes without a loop-carried dependency.  A CRC is
 * linear, so the CRC of an id is that of 14 zero bytes XORed with one value for
 * each of the id's 28 hexadecimal digits.  A row gives these values for the bits 1,
 * 2, 4 and 8 of one digit, from which the macro makes all 16.  The tables have less
 * than 2 kB, the usual slicing tables 8 kB.
 */
#define CRC_OF_ZEROS	UINT32_C(0xd1bb79c7)
#define HALF(x, a, b, c) \
	(x), (x) ^ (a), (x) ^ (b), (x) ^ (a) ^ (b), \
	(x) ^ (c), (x) ^ (a) ^ (c), (x) ^ (b) ^ (c), (x) ^ (a) ^ (b) ^ (c)
#define ROW(a, b, c, d) {HALF(0, a, b, c), HALF(d, a, b, c)}

static const uint32_t crc_change[SIQ_HEX_SIZE][16] = {
	ROW(0x66b23c6c, 0xcd6478d8, 0x41b9f7f1, 0x8373efe2),
	ROW(0x9d0fe176, 0xe16ec4ad, 0x19ac8f1b, 0x33591e36),
	ROW(0xb407a6da, 0xb37e4bf5, 0xbd8d91ab, 0xa06a2517),
	ROW(0xdd96d985, 0x605cb54b, 0xc0b96a96, 0x5a03d36d),
	ROW(0x0c18edfc, 0x1831dbf8, 0x3063b7f0, 0x60c76fe0),
	ROW(0x9ba54c6f, 0xec3b9e9f, 0x03063b7f, 0x060c76fe),
	ROW(0xaef6c4cb, 0x869c8fd7, 0xd64819ef, 0x77e1359f),
	ROW(0xc18edfc0, 0x586cb9c1, 0xb0d97382, 0xbac3e145),
	ROW(0x27ae81e8, 0x4f5d03d0, 0x9eba07a0, 0xe6050901),
	ROW(0xefc26b3e, 0x04f5d03d, 0x09eba07a, 0x13d740f4),
	ROW(0xacc04271, 0x82f182a3, 0xde920307, 0x6655004f),
	ROW(0x177b1443, 0x2ef62886, 0x5dec510c, 0xbbd8a218),
	ROW(0x7cbb312b, 0xf9766256, 0x299dc2ed, 0x533b85da),
	ROW(0xccaa009e, 0x4225077d, 0x844a0efa, 0xd3e51bb5),
	ROW(0x67de9cce, 0xcfbd399c, 0x440b7579, 0x8816eaf2),
	ROW(0xa6770bb4, 0x979f1129, 0xf44f2413, 0x33ef4e67),
	ROW(0x03d6029b, 0x07ac0536, 0x0f580a6c, 0x1eb014d8),
	ROW(0xcb5cd3a5, 0x4dc8a10b, 0x9b914216, 0xec53826d),
	ROW(0x60e09782, 0xc1c12f04, 0x58f35849, 0xb1e6b092),
	ROW(0x3d6029b0, 0x7ac05360, 0xf580a6c0, 0x30704bc1),
	ROW(0x5019579f, 0xa032af3e, 0x9b14583d, 0xed59b63b),
	ROW(0xb8bc6765, 0xaa09c88b, 0x8f629757, 0xc5b428ef),
	ROW(0x1c26a370, 0x384d46e0, 0x709a8dc0, 0xe1351b80),
	ROW(0x01c26a37, 0x0384d46e, 0x0709a8dc, 0x0e1351b8),
	ROW(0x4ac21251, 0x958424a2, 0xf0794f05, 0x3b83984b),
	ROW(0x191b3141, 0x32366282, 0x646cc504, 0xc8d98a08),
	ROW(0x1db71064, 0x3b6e20c8, 0x76dc4190, 0xedb88320),
	ROW(0x77073096, 0xee0e612c, 0x076dc419, 0x0edb8832),
};

uint32_t
siq_checksum(const uint8_t *id)
{
	uint32_t	crc = CRC_OF_ZEROS;

	/* unrolled, so that the rows are constant: this saves 140 instructions */
#pragma GCC unroll 14
	for (int i = 0; i < SIQ_SIZE; i++)
		crc ^= crc_change[2 * i][id[i] >> 4] ^ crc_change[2 * i + 1][id[i] & 0x0F];
	return crc;
}

/*
 * These functions process an id as its first 8 and its last 8 bytes.  The two bytes
 * in the middle are in both: the low 16 bits of high are the high 16 bits of low.
 */
static inline uint64_t
siq_high(const uint8_t *id)
{
	return load_be64(id);
}

static inline uint64_t
siq_low(const uint8_t *id)
{
	return load_be64(id + SIQ_SIZE - 8);
}

static inline void
siq_store(uint8_t *id, uint64_t high, uint64_t low)
{
	store_be64(id, high);
	store_be64(id + SIQ_SIZE - 8, low);
}

/*
 * Read the 29 digits of base32 at text, which hold checksum and id.  Write id only on
 * ID_OK.  On ID_BAD_CHARACTER, err is not set: the caller must find the position.
 */
static IdStatus
siq_read_base32(const char *text, uint8_t *id, IdError *err)
{
	uint64_t	high,
				middle,
				low;
	uint8_t		read[SIQ_SIZE];

	if (!(alphabet_read(&alphabet_base32, 5, text, HIGH_DIGITS, &high) &&
		  alphabet_read(&alphabet_base32, 5, text + HIGH_DIGITS, PART_DIGITS, &middle) &&
		  alphabet_read(&alphabet_base32, 5, text + HIGH_DIGITS + PART_DIGITS, PART_DIGITS,
						&low)))
		return ID_BAD_CHARACTER;
	if (high >> 24 != 0)
		return ID_OUT_OF_RANGE;

	low |= middle << PART_BITS;
	siq_store(read, (middle >> 4) << 16 | low >> 48, low);

	err->found = (uint32_t) (high << 8 | middle >> 52);
	err->expected = siq_checksum(read);
	if (err->found != err->expected)
		return ID_BAD_CHECKSUM;

	memcpy(id, read, SIQ_SIZE);
	return ID_OK;
}

/* Read 28 hexadecimal digits.  Return false, and leave id alone, if one is bad. */
static bool
siq_read_hex(const char *text, uint8_t *id)
{
	uint64_t	high,
				low;

	if (!(alphabet_read(&alphabet_hex, 4, text, 16, &high) &&
		  alphabet_read(&alphabet_hex, 4, text + SIQ_HEX_SIZE - 16, 16, &low)))
		return false;
	siq_store(id, high, low);
	return true;
}

static size_t
count_aliens(const Alphabet *alphabet, const char *text, size_t len)
{
	size_t		aliens = 0;

	for (size_t i = 0; i < len; i++)
		aliens += alphabet->value[(uint8_t) text[i]] == 0;
	return aliens;
}

/*
 * Return what is wrong with a text without a scheme.  The digits, not the length,
 * decide which form was meant, because the length may be what is wrong: base32
 * with a missing digit must not be reported as bad hexadecimal, nor hexadecimal
 * with a trailing blank as bad base32.
 */
static IdStatus
siq_reject(const char *text, size_t len, IdError *err)
{
	bool		hex = count_aliens(&alphabet_hex, text, len) <
		count_aliens(&alphabet_base32, text, len);

	/* the UUIDv8 form of a siq */
	if (len == 36 && text[8] == '-' && text[13] == '-' && text[14] == '8' && text[18] == '-' &&
		text[23] == '-')
		err->remedy = "The uuid form of a siq is cast from uuid, not from text.";
	return codec_reject(hex ? &alphabet_hex : &alphabet_base32, text, len, err);
}

static IdStatus
siq_parse(const char *text, size_t len, uint8_t *id, IdError *err)
{
	size_t		scheme = 0;
	IdStatus	status;

	if (len >= SCHEME_SIZE && memcmp(text, SCHEME, SCHEME_SIZE) == 0)
		scheme = SCHEME_SIZE;
	else if (len >= 4 && codec_name_matches("did:", text, 4))
	{
		err->position = 0;
		while (err->position < len && err->position < SCHEME_SIZE &&
			   text[err->position] == SCHEME[err->position])
			err->position++;
		return ID_BAD_SCHEME;
	}
	text += scheme;
	len -= scheme;

	if (len == BASE32_SIZE)
	{
		status = siq_read_base32(text, id, err);
		if (status != ID_BAD_CHARACTER)
			return status;
	}
	else if (len == SIQ_HEX_SIZE && scheme == 0 && siq_read_hex(text, id))
		return ID_OK;

	if (scheme == 0)
		return siq_reject(text, len, err);
	status = codec_reject(&alphabet_base32, text, len, err);
	err->position += scheme;
	return status;
}

static void
siq_format(const uint8_t *id, char *text)
{
	uint64_t	crc = siq_checksum(id);
	uint64_t	high = siq_high(id);
	uint64_t	low = siq_low(id);

	memcpy(text, SCHEME, SCHEME_SIZE);
	text += SCHEME_SIZE;
	alphabet_write(&alphabet_base32, 5, crc >> 8, text, HIGH_DIGITS);
	text += HIGH_DIGITS;
	/* the 15 bytes that remain, five at a time */
	alphabet_write8(&alphabet_base32, crc << 32 | high >> 32, text);
	alphabet_write8(&alphabet_base32, high << 8 | (low >> 40 & 0xFF), text + 8);
	alphabet_write8(&alphabet_base32, low, text + 16);
}

static IdStatus
siq_prefix(const char *text, size_t len, uint8_t *lo, uint8_t *hi, IdError *err)
{
	IdStatus	status = codec_prefix(&siq_codec, text, len, lo, hi, err);

	/* the argument may be the text of an id, or its beginning, instead of hexadecimal digits */
	if (status == ID_BAD_CHARACTER &&
		((len >= 4 && codec_name_matches("did:", text, 4)) ||
		 count_aliens(&alphabet_base32, text, len) == 0))
		err->remedy = "The text of a siq begins with a checksum. siq_hex() returns the digits that "
			"a prefix is taken from.";
	return status;
}

/* One layout for each length of a suffix; a shorter suffix leaves a wider serial. */
#define LAYOUT(types, suffix_bits) { \
	types, "siq_parts(id)", { \
		{ID_FIELD_TIME, "time", SIQ_TIME_BITS}, \
		{ID_FIELD_NUMBER, "shard", SIQ_SHARD_BITS}, \
		{ID_FIELD_NUMBER, "domain_hash", SIQ_DOMAIN_BITS}, \
		{ID_FIELD_NUMBER, "serial", SIQ_TAIL_BITS - (suffix_bits)}, \
		{ID_FIELD_NAME, "type", suffix_bits} \
	} \
}

static const IdLayout siq_layouts[] = {
	LAYOUT("user, event, ...", SIQ_MAX_SUFFIX_BITS),
	LAYOUT("thread, message", SIQ_MAX_SUFFIX_BITS - 1),
	LAYOUT("content, ...", SIQ_MIN_SUFFIX_BITS),
	{.name = NULL}
};

static int
siq_layout_of(const uint8_t *id)
{
	return SIQ_MAX_SUFFIX_BITS - siq_type_of(id)->suffix_bits;
}

static const char *
siq_name_of(const uint8_t *id)
{
	return siq_type_of(id)->name;
}

static bool
siq_code_of(const char *name, size_t len, int *bits, uint32_t *code)
{
	const SiqType *type = siq_type_by_name(name, len);

	if (type == NULL)
		return false;
	*bits = type->suffix_bits;
	*code = type->suffix;
	return true;
}

static const IdForm siq_further[] = {
	{"hex", SIQ_HEX_SIZE, siq_format_hex},
	{"to_uuid", SIQ_UUID_TEXT_SIZE, siq_format_uuid},
	{.name = NULL}
};

/* Without a server number the shard is derived from the process id, so count it as random. */
static const IdRepeats siq_repeats[] = {
	{"siq, same domain and kind, no number", SIQ_SHARD_BITS, true},
	{.name = NULL}
};

const IdCodec siq_codec = {
	.name = "siq",
	.size = SIQ_SIZE,
	.bits = 8 * SIQ_SIZE,
	.text_size = SIQ_TEXT_SIZE,
	.padding = 2,				/* the seed advises 16-byte strings */
	.alphabet = &alphabet_hex,
	.digits = SIQ_HEX_SIZE,
	.format_digits = siq_format_hex,
	.time = {
		.epoch_us = 0,
		.group_us = SIQ_GROUP_US,
		.group_bits = SIQ_GROUP_BITS,
		.bits = SIQ_TIME_BITS,
		.first = 0,
		.last = (INT64_C(1) << SIQ_TIME_BITS) - 1,
	},
	.forms = "A siq is written as did:siq: and 29 base32 digits, as these 29 digits alone, "
	"or as 28 hexadecimal digits.",
	.range = "The first of the 29 base32 digits of a siq is one of a to p.",
	.number = "numeric",
	.parse = siq_parse,
	.format = siq_format,
	.prefix = siq_prefix,
	.layouts = siq_layouts,
	.further = siq_further,
	.repeats = siq_repeats,
	.layout_of = siq_layout_of,
	.name_of = siq_name_of,
	.code_of = siq_code_of,
};

void
siq_format_hex(const uint8_t *id, char *text)
{
	alphabet_write(&alphabet_hex, 4, siq_high(id), text, 16);
	alphabet_write(&alphabet_hex, 4, siq_low(id), text + SIQ_HEX_SIZE - 16, 16);
}

const void *
siq_type_by_name(const char *name, size_t len)
{
	for (const Qualifier *q = qualifiers; q < qualifiers + QUALIFIERS && q->type.assigned; q++)
	{
		if (codec_name_matches(q->type.name, name, len))
			return &q->type;
		for (const char *const *alias = q->alias; *alias != NULL; alias++)
		{
			if (codec_name_matches(*alias, name, len))
				return &q->type;
		}
	}
	return NULL;
}

const SiqType *
siq_type_of(const uint8_t *id)
{
	uint8_t		tail = id[SIQ_SIZE - 1];
	const Qualifier *q = qualifiers;

	/* every 16-bit pattern has a suffix, so the loop ends */
	while (((tail ^ q->type.suffix) & MASK(q->type.suffix_bits)) != 0)
		q++;
	return &q->type;
}

uint32_t
siq_serial_max(const SiqType *type)
{
	return (uint32_t) MASK(SIQ_TAIL_BITS - type->suffix_bits);
}

void
siq_compose(const SiqFields *fields, uint8_t *id)
{
	uint64_t	high = (uint64_t) fields->tick << SIQ_SHARD_BITS | fields->shard;
	uint64_t	tail = fields->serial << fields->type->suffix_bits | fields->type->suffix;

	siq_store(id, high,
			  high << 48 | (uint64_t) fields->domain << SIQ_TAIL_BITS | tail);
}

void
siq_decompose(const uint8_t *id, SiqFields *fields)
{
	uint64_t	high = siq_high(id);
	uint64_t	low = siq_low(id);

	fields->type = siq_type_of(id);
	fields->tick = (int64_t) (high >> SIQ_SHARD_BITS);
	fields->shard = (uint32_t) (high & MASK(SIQ_SHARD_BITS));
	fields->domain = (uint32_t) (low >> SIQ_TAIL_BITS);
	fields->serial = (uint32_t) (low & MASK(SIQ_TAIL_BITS)) >> fields->type->suffix_bits;
}

void
siq_put_uuid(const uint8_t *id, uint8_t *uuid)
{
	uint64_t	high = siq_high(id);

	store_be64(uuid, (high >> 16) << 16 | UUID_VERSION_8 | (high >> 4 & MASK(UUID_MID_BITS)));
	store_be64(uuid + 8, UUID_VARIANT | (siq_low(id) & MASK(UUID_LOW_BITS)) << UUID_PAD_BITS);
}

void
siq_format_uuid(const uint8_t *id, char *text)
{
	static const int group_digits[] = {8, 4, 4, 4, 12};
	uint8_t		uuid[SIQ_UUID_SIZE];
	char		digits[2 * SIQ_UUID_SIZE];
	const char *from = digits;

	siq_put_uuid(id, uuid);
	alphabet_write(&alphabet_hex, 4, load_be64(uuid), digits, 16);
	alphabet_write(&alphabet_hex, 4, load_be64(uuid + 8), digits + 16, 16);
	for (int i = 0; i < 5; i++)
	{
		if (i > 0)
			*text++ = '-';
		memcpy(text, from, group_digits[i]);
		text += group_digits[i];
		from += group_digits[i];
	}
}

bool
siq_get_uuid(const uint8_t *uuid, uint8_t *id)
{
	uint64_t	high = load_be64(uuid);
	uint64_t	low = load_be64(uuid + 8);
	uint64_t	mid = high & MASK(UUID_MID_BITS);

	if ((high & 0xF000) != UUID_VERSION_8 || low >> 62 != 2 || (low & MASK(UUID_PAD_BITS)) != 0)
		return false;

	/* shift out two bits of variant and ten of padding, 12 in all */
	low = mid << UUID_LOW_BITS | (low >> UUID_PAD_BITS & MASK(UUID_LOW_BITS));
	siq_store(id, (high >> 16) << 16 | low >> 48, low);
	return true;
}
