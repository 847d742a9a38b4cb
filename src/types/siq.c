/*-------------------------------------------------------------------------
 *
 * siq.c
 *	  SQL functions of siq.  extension/siq.sql declares and describes each.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <openssl/evp.h>

#include "port/pg_bswap.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"
#include "utils/uuid.h"

#include "core/siq_codec.h"
#include "generators/entropy.h"
#include "functions/generic_functions.h"
#include "generators/settings.h"
#include "generators/clockwords.h"
#include "generators/settled.h"

GENERIC_FUNCTIONS(siq);
GENERIC_FUNCTION(siq_from_numeric, generic_from_numeric, siq_codec);
GENERIC_FUNCTION(siq_to_numeric, generic_to_numeric, siq_codec);

/* ----------
 * Order
 * ----------
 */

#if SIZEOF_DATUM >= 8

/*
 * Make an abbreviated key.  The first 8 bytes of a siq, time and shard, are the
 * same for all ids that a bulk load makes in one tick, up to a hundred.  The serial
 * distinguishes these ids, but the domain precedes the serial and leaves no room
 * for it in 8 bytes.  Most ids of one tick have the same shard and domain, though.
 * So the key consists of 48 bits of the time (the others are zero until 2106), 2
 * bits that say whether shard and domain are below, equal to or above those of the
 * first id of the sort, and if they are equal, 14 bits of serial and type.  Sorting
 * such ids takes less than half the instructions.
 */
#define SIQ_KEY_TIME_BITS	48
#define SIQ_KEY_SIDE_BITS	2
#define SIQ_KEY_TAIL_BITS	14

StaticAssertDecl(SIQ_KEY_TIME_BITS + SIQ_KEY_SIDE_BITS + SIQ_KEY_TAIL_BITS == 64,
				 "an abbreviated siq does not fill its key");

typedef enum SiqKeySide
{
	SIQ_KEY_BELOW,
	SIQ_KEY_EQUAL,
	SIQ_KEY_ABOVE
} SiqKeySide;

static inline Datum
siq_key(uint64 time, SiqKeySide side, uint64 tail)
{
	return (Datum) (((time << SIQ_KEY_SIDE_BITS | side) << SIQ_KEY_TAIL_BITS) |
					tail >> (SIQ_TAIL_BITS - SIQ_KEY_TAIL_BITS));
}

static Datum
abbrev_convert(Datum original, SortSupport ssup)
{
	const uint8 *id = (const uint8 *) DatumGetPointer(original);
	uint64		time = siq_get_time(id);
	uint64		origin = siq_get_origin(id);
	uint64	   *first = ssup->ssup_extra;

	if (unlikely(time >> SIQ_KEY_TIME_BITS != 0))
		return (Datum) PG_UINT64_MAX;
	if (unlikely(first == NULL))
	{
		first = MemoryContextAlloc(ssup->ssup_cxt, sizeof(uint64));
		*first = origin;
		ssup->ssup_extra = first;
	}
	if (likely(origin == *first))
		return siq_key(time, SIQ_KEY_EQUAL, siq_get_tail(id));
	return siq_key(time, origin < *first ? SIQ_KEY_BELOW : SIQ_KEY_ABOVE, 0);
}

#define ORDER_ABBREV	abbrev_convert
#endif

#define ORDER			id112
#define ORDER_SIZE		SIQ_SIZE
#include "functions/order_bytes_template.h"

/* ----------
 * Domain and type
 * ----------
 */

/*
 * A cache of the SHA-256 of the domains that this process used last.  A column
 * default usually has the same domain for every row, and the hash costs ten times
 * as much as an id.  Length and last letter choose the entry; domains that are too
 * long for a entry are not cached.
 */
#define DOMAIN_CACHE_SIZE	16
#define DOMAIN_CACHE_LENGTH 64

static struct
{
	int			len;
	char		domain[DOMAIN_CACHE_LENGTH];
	uint32		hash;
}			domain_cache[DOMAIN_CACHE_SIZE];

/* Return the last four bytes of the SHA-256 of an ASCII domain. */
static uint32
hash_domain(const char *domain, int len)
{
	unsigned char digest[EVP_MAX_MD_SIZE];
	unsigned int digest_len;
	uint32		last;

	if (len >= 8 && pg_strncasecmp(domain, "did:siq:", 8) == 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("\"%s\" is an id, not the domain of a siq", pnstrdup(domain, len)),
				 errhint("For the domain hash in an id, write siq_domain_hash(siq '...').")));
	for (int i = 0; i < len; i++)
		if (IS_HIGHBIT_SET(domain[i]))
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("domain \"%s\" of a siq is not ASCII", pnstrdup(domain, len)),
					 errhint("Pass the punycode form, which starts with xn--.")));
	if (EVP_Digest(domain, len, digest, &digest_len, EVP_sha256(), NULL) != 1)
		ereport(ERROR,
				(errcode(ERRCODE_INTERNAL_ERROR),
				 errmsg("could not compute SHA-256 of a domain")));
	memcpy(&last, digest + digest_len - sizeof(last), sizeof(last));
	return pg_ntoh32(last);
}

static uint32
cached_hash_domain(const char *domain, int len)
{
	int			entry = (len ^ (unsigned char) domain[len - 1]) % DOMAIN_CACHE_SIZE;

	if (len > DOMAIN_CACHE_LENGTH)
		return hash_domain(domain, len);
	if (domain_cache[entry].len != len || memcmp(domain_cache[entry].domain, domain, len) != 0)
	{
		uint32		hash = hash_domain(domain, len);

		memcpy(domain_cache[entry].domain, domain, len);
		domain_cache[entry].len = len;
		domain_cache[entry].hash = hash;
	}
	return domain_cache[entry].hash;
}

/*
 * Return the domain field for a domain and a local id, as make_domain_hash() of the
 * specification computes it.
 */
static uint32
domain_field(text *domain, int32 local_id)
{
	const char *str = VARDATA_ANY(domain);
	int			len = VARSIZE_ANY_EXHDR(domain);
	uint32		hash;

	check_field(&siq_codec, "local_id", local_id, 256);
	if (len == 0 || (len == 1 && str[0] == '0'))
		return 0;
	hash = cached_hash_domain(str, len);
	if (local_id != 0)
		hash = ((uint32) local_id % 256) << 24 | (hash & 0xFFFFFF);
	return hash;
}

static const ArgumentNames types = {"siq type", siq_type_names, siq_type_by_name};

/* The meaning of a generator's arguments domain, type and local_id. */
typedef struct Kind
{
	uint32		domain;			/* value of the domain field */
	const SiqType *type;
} Kind;

/* ArgumentsFind for domain, type and local_id, from the n-th argument on. */
static const void *
find_kind(FunctionCallInfo fcinfo, int n, const void *context)
{
	Kind	   *kind = palloc(sizeof(Kind));

	kind->domain = domain_field(PG_GETARG_TEXT_PP(n), PG_GETARG_INT32(n + 2));
	kind->type = generic_find_name(fcinfo, n + 1, &types);
	return kind;
}

static const Kind *
kind_args(FunctionCallInfo fcinfo, int n)
{
	return generic_arguments(fcinfo, n, 3, find_kind, NULL);
}

/* ----------
 * Making ids of given fields
 * ----------
 */

static Datum
make_siq(const SiqFields *fields)
{
	uint8	   *id = palloc(SIQ_SIZE);

	Assert(fields->tick >= siq_codec.time.first && fields->tick <= siq_codec.time.last);
	Assert(fields->shard <= 255 && fields->serial <= siq_serial_max(fields->type));
	siq_compose(fields, id);
	return PointerGetDatum(id);
}

PG_FUNCTION_INFO_V1(siq_domain_hash);
Datum
siq_domain_hash(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT64(domain_field(PG_GETARG_TEXT_PP(0), PG_GETARG_INT32(1)));
}

PG_FUNCTION_INFO_V1(siq_generate);
Datum
siq_generate(PG_FUNCTION_ARGS)
{
	const Kind *kind = kind_args(fcinfo, 0);
	SiqFields	fields = {
		.shard = setting_node_number(SETTING_SIQ_SHARD),
		.domain = kind->domain,
		.type = kind->type
	};
	ClockWordUse use = {
		.step = 1,
		.limit = siq_serial_max(fields.type),
		.fine_bits = generator_info[GENERATOR_SIQ].layout.counter_bits
	};
	uint64		word = clockwords_next(GENERATOR_SIQ, use, "siq_generate()");

	fields.tick = clockwords_tick(GENERATOR_SIQ, word);
	fields.serial = clockwords_counter(GENERATOR_SIQ, word);
	return make_siq(&fields);
}

PG_FUNCTION_INFO_V1(siq_settled);
Datum
siq_settled(PG_FUNCTION_ARGS)
{
	TimestampTz instant;

	if (!settled_instant(GENERATOR_SIQ, "siq_settled()", &instant))
		PG_RETURN_NULL();
	return generic_first_at(&siq_codec, instant);
}

PG_FUNCTION_INFO_V1(siq_generate_at);
Datum
siq_generate_at(PG_FUNCTION_ARGS)
{
	const Kind *kind = kind_args(fcinfo, 1);
	SiqFields	fields = {
		.tick = tick_of_timestamp(&siq_codec, PG_GETARG_TIMESTAMPTZ(0)),
		.shard = setting_node_number(SETTING_SIQ_SHARD),
		.domain = kind->domain,
		.type = kind->type
	};

	/* the largest serial is all ones */
	fields.serial = entropy_bits(16) & siq_serial_max(fields.type);
	return make_siq(&fields);
}

PG_FUNCTION_INFO_V1(siq_make);
Datum
siq_make(PG_FUNCTION_ARGS)
{
	SiqFields	fields = {
		.tick = tick_of_timestamp(&siq_codec, PG_GETARG_TIMESTAMPTZ(0)),
		.shard = check_field(&siq_codec, "shard", PG_GETARG_INT32(1), 255),
		.domain = check_field(&siq_codec, "domain_hash", PG_GETARG_INT64(2), PG_UINT32_MAX),
		.type = generic_arguments(fcinfo, 4, 1, generic_find_name, &types)
	};

	fields.serial = check_field(&siq_codec, psprintf("serial of type \"%s\"", fields.type->name),
								PG_GETARG_INT32(3), siq_serial_max(fields.type));
	return make_siq(&fields);
}

/* ----------
 * Fields of an id
 * ----------
 */

static SiqFields
fields_arg(FunctionCallInfo fcinfo)
{
	SiqFields	fields;

	siq_decompose((uint8 *) PG_GETARG_POINTER(0), &fields);
	return fields;
}

PG_FUNCTION_INFO_V1(siq_shard);
Datum
siq_shard(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT32(fields_arg(fcinfo).shard);
}

PG_FUNCTION_INFO_V1(siq_domain_hash_of_id);
Datum
siq_domain_hash_of_id(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT64(fields_arg(fcinfo).domain);
}

PG_FUNCTION_INFO_V1(siq_serial);
Datum
siq_serial(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT32(fields_arg(fcinfo).serial);
}

PG_FUNCTION_INFO_V1(siq_type);
Datum
siq_type(PG_FUNCTION_ARGS)
{
	PG_RETURN_TEXT_P(cstring_to_text(fields_arg(fcinfo).type->name));
}

PG_FUNCTION_INFO_V1(siq_has_type);
Datum
siq_has_type(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(fields_arg(fcinfo).type ==
				   generic_arguments(fcinfo, 1, 1, generic_find_name, &types));
}

PG_FUNCTION_INFO_V1(siq_is_leaf);
Datum
siq_is_leaf(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(siq_get_tail((uint8 *) PG_GETARG_POINTER(0)) & SIQ_LEAF);
}

PG_FUNCTION_INFO_V1(siq_parts);
Datum
siq_parts(PG_FUNCTION_ARGS)
{
	return generic_row(fcinfo, (Datum[])
					  {
						  siq_timestamp(fcinfo), siq_shard(fcinfo), siq_domain_hash_of_id(fcinfo),
						  siq_serial(fcinfo), siq_type(fcinfo)
					  }, NULL);
}

/* ----------
 * Other forms
 * ----------
 */

PG_FUNCTION_INFO_V1(siq_hex);
Datum
siq_hex(PG_FUNCTION_ARGS)
{
	return generic_text((uint8 *) PG_GETARG_POINTER(0), siq_format_hex, SIQ_HEX_SIZE);
}

PG_FUNCTION_INFO_V1(siq_from_uuid);
Datum
siq_from_uuid(PG_FUNCTION_ARGS)
{
	pg_uuid_t  *uuid = PG_GETARG_UUID_P(0);
	uint8		id[SIQ_SIZE];

	if (!siq_get_uuid(uuid->data, id))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
				 errmsg("uuid \"%s\" is not a siq",
						DatumGetCString(DirectFunctionCall1(uuid_out, PG_GETARG_DATUM(0)))),
				 errdetail("The uuid form of a siq has version 8, the variant of RFC 9562, and "
						   "ends in ten zero bits.")));
	return datum_from_id(&siq_codec, id);
}

PG_FUNCTION_INFO_V1(siq_to_uuid);
Datum
siq_to_uuid(PG_FUNCTION_ARGS)
{
	pg_uuid_t  *uuid = palloc(sizeof(pg_uuid_t));

	siq_put_uuid((uint8 *) PG_GETARG_POINTER(0), uuid->data);
	PG_RETURN_UUID_P(uuid);
}
