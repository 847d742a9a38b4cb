/*-------------------------------------------------------------------------
 *
 * test_siq.c
 *	  SIQ: typos, fields, UUID form; the vectors have checksums, and names of types
 *	  are asked of SQL.
 *
 *-------------------------------------------------------------------------
 */
#include "../../../src/core/siq_codec.h"
#include "check.h"

/* The version, the variant and the padding of the uuid form are fixed, no other bit. */
TEST(uuid, "siq: uuid form")
{
	uint8_t		id[SIQ_SIZE];
	uint8_t		bytes[SIQ_UUID_SIZE];

	check_random_id(&siq_codec, id);
	for (int bit = 0; bit < 128; bit++)
	{
		bool		fixed = (bit >= 48 && bit < 52) || bit == 64 || bit == 65 || bit >= 118;
		uint8_t		read[SIQ_SIZE] = {0xA5};

		siq_put_uuid(id, bytes);
		bytes[bit / 8] ^= (uint8_t) (0x80 >> bit % 8);
		CHECK(siq_get_uuid(bytes, read) == !fixed, "bit %d of %s", bit,
			  check_hex(bytes, sizeof(bytes)));
		CHECK(!fixed || (read[0] == 0xA5 && read[SIQ_SIZE - 1] == 0), "bit %d: wrote an id", bit);
		siq_format.check_bytes((const char *) bytes, sizeof(bytes));
	}
}

static void
check_fields(const uint8_t *id)
{
	uint8_t		bytes[SIQ_UUID_SIZE];
	uint8_t		made[SIQ_SIZE];
	SiqFields	parts;

	siq_put_uuid(id, bytes);
	CHECK(siq_get_uuid(bytes, made), "%s", check_hex(bytes, sizeof(bytes)));
	check_same(&siq_codec, made, id);
	siq_decompose(id, &parts);
	CHECK(parts.serial <= siq_serial_max(parts.type), "%u", parts.serial);
	CHECK((uint64_t) parts.tick == siq_get_time(id), "%" PRId64, parts.tick);
	CHECK(siq_get_origin(id) == ((uint64_t) parts.shard << SIQ_DOMAIN_BITS | parts.domain),
		  "%u of %u", parts.shard, parts.domain);
	CHECK(siq_get_tail(id) == (parts.serial << parts.type->suffix_bits | parts.type->suffix),
		  "%s %u", parts.type->name, parts.serial);
	siq_compose(&parts, made);
	check_same(&siq_codec, made, id);
}

/* A name, and the uuid form. */
static void
check_bytes(const char *bytes, size_t len)
{
	const SiqType *type = siq_type_by_name(bytes, len);
	uint8_t		id[SIQ_SIZE];
	uint8_t		again[SIQ_UUID_SIZE];

	if (type != NULL)
		CHECK(type->assigned && siq_type_by_name(type->name, strlen(type->name)) == type, "%s",
			  type->name);
	if (len >= SIQ_UUID_SIZE && siq_get_uuid((const uint8_t *) bytes, id))
	{
		siq_put_uuid(id, again);
		CHECK(memcmp(bytes, again, sizeof(again)) == 0, "%s", check_hex(again, sizeof(again)));
	}
}

static void
format_bare(const uint8_t *id, char *out)
{
	char		did[SIQ_TEXT_SIZE];

	siq_codec.format(id, did);
	memcpy(out, did + siq_format.scheme, SIQ_TEXT_SIZE - siq_format.scheme);
}

static const UseCase use_cases[] = {
	{GENERATOR_SIQ, {.step = 1,.limit = 0x7FF,.fine_bits = 13}, 0, 1},
	{GENERATOR_SIQ, {.step = 1,.limit = 0x1FFF,.fine_bits = 13}, 0, 1},
	{.use.step = 0}
};

const TestFormat siq_format = {
	.codec = &siq_codec,
	.per_second = 65536,
	.smallest = "0000000000000000000000000000",
	.largest = "ffffffffffffffffffffffffffff",
	.decimal = "5192296858534827628530496329220095",
	.alphabet = &alphabet_base32,
	.scheme = 8,
	.forms = {{37, siq_text, "text"}, {29, format_bare}, {28, siq_format_hex, "hex"}},
	.ignores_case = true,
	.uses = use_cases,
	.check_fields = check_fields,
	.check_bytes = check_bytes,
};
