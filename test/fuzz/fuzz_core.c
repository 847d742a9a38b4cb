/*-------------------------------------------------------------------------
 *
 * fuzz_core.c
 *	  libFuzzer target for all of src/core.
 *
 * The first byte of the input chooses the format and what the rest is taken
 * for: a text, a prefix, a decimal number, the bytes of an id, a name, or the
 * numbers of a window.  Whatever comes in, what must hold is asserted; the
 * sanitizers watch the rest.
 *
 *-------------------------------------------------------------------------
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/core/id.h"
#include "../../src/core/scru160_codec.h"
#include "../../src/core/siq_codec.h"
#include "../../src/core/tid64_codec.h"
#include "../../src/core/uid11_codec.h"
#include "../../src/core/ulidflake_codec.h"

#define REQUIRE(condition) \
	((condition) ? (void) 0 : \
	 (fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition), abort()))

static const IdCodec *const codecs[] = {
	&siq_codec, &scru160_codec, &tid64_codec, &uid11_codec, &ulidflake_codec,
};

#define CODECS (sizeof(codecs) / sizeof(codecs[0]))

extern int	LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int
compare(const IdCodec *codec, const uint8_t *a, const uint8_t *b)
{
	int64_t		tick_a = id_tick(codec, a);
	int64_t		tick_b = id_tick(codec, b);

	if (tick_a != tick_b)
		return tick_a < tick_b ? -1 : 1;
	return memcmp(a, b, (size_t) codec->size);
}

/* A form that is not the canonical one must be read back too. */
static void
require_form(const IdCodec *codec, void (*format) (const uint8_t *id, char *text), size_t len,
			 const uint8_t *id)
{
	char		text[ID_MAX_TEXT];
	uint8_t		read[ID_MAX_SIZE];
	IdError		err;

	format(id, text);
	REQUIRE(codec->parse(text, len, read, &err) == ID_OK);
	REQUIRE(memcmp(id, read, (size_t) codec->size) == 0);
}

/* What holds for every id. */
static void
require_id(const IdCodec *codec, const uint8_t *id)
{
	size_t		size = (size_t) codec->size;
	char		decimal[ID_MAX_DECIMAL + 1];
	uint8_t		read[ID_MAX_SIZE];
	uint8_t		again[ID_MAX_SIZE];
	uint8_t		uuid[SIQ_UUID_SIZE];
	int64_t		tick = id_tick(codec, id);
	int64_t		begins = id_tick_begins(&codec->time, tick);
	IdError		err;

	REQUIRE(id_is_valid(codec, id));
	require_form(codec, codec->format, (size_t) codec->text_size, id);

	id_to_decimal(codec, id, decimal);
	REQUIRE(id_from_decimal(codec, decimal, strlen(decimal), read, &err) == ID_OK);
	REQUIRE(memcmp(id, read, size) == 0);

	REQUIRE(tick >= codec->time.first && tick <= codec->time.last);
	REQUIRE(id_tick_at(&codec->time, begins) == tick);
	REQUIRE(id_tick_at(&codec->time, begins - 1) == tick - 1);
	id_of_tick(codec, tick, 0x00, read);
	id_of_tick(codec, tick, 0xFF, again);
	REQUIRE(compare(codec, read, id) <= 0 && compare(codec, id, again) <= 0);

	if (codec == &siq_codec)
	{
		SiqFields	fields;

		require_form(codec, siq_format_hex, SIQ_HEX_SIZE, id);
		siq_put_uuid(id, uuid);
		REQUIRE(siq_get_uuid(uuid, read) && memcmp(id, read, size) == 0);
		siq_decompose(id, &fields);
		REQUIRE(fields.serial <= siq_serial_max(fields.type));
		siq_compose(&fields, read);
		REQUIRE(memcmp(id, read, size) == 0);
	}
	else if (codec == &scru160_codec)
	{
		require_form(codec, scru160_format_hex, SCRU160_HEX_SIZE, id);
		scru160_compose(tick, scru160_get_counter(id), scru160_get_random(id), read);
		REQUIRE(memcmp(id, read, size) == 0);
	}
	else if (codec == &tid64_codec)
	{
		require_form(codec, tid64_format_compact, TID64_COMPACT_SIZE, id);
		id64_compose(&tid64_codec, tick, tid64_get_clock_id(id), read);
		REQUIRE(memcmp(id, read, size) == 0);
	}
	else if (codec == &uid11_codec)
	{
		for (int i = 0; i < UID11_PROFILES; i++)
		{
			const Uid11Profile *profile = &uid11_profiles[i];
			Uid11Fields fields;

			uid11_fields(profile, load_be64(id), &fields);
			REQUIRE(profile->random_bits == 64 ? fields.random == load_be64(id) :
					fields.random >> profile->random_bits == 0);
			REQUIRE(fields.sequence >> profile->sequence_bits == 0);
			REQUIRE(fields.machine >> profile->machine_bits == 0);
			REQUIRE(uid11_fits(profile, load_be64(id)) || i == UID11_SNOWISH);
		}
	}
	else
	{
		id64_compose(codec, tick, ulidflake_pack(ulidflake_get_scalable_randomness(id),
												 ulidflake_get_scalability(id)), read);
		REQUIRE(memcmp(id, read, size) == 0);
	}
}

/* What holds for every refusal. */
static void
require_error(IdStatus status, const char *text, size_t len, const IdError *err)
{
	REQUIRE(status >= ID_OK && status <= ID_OUT_OF_RANGE);
	if (status == ID_BAD_CHARACTER)
	{
		REQUIRE(err->position < len && err->alphabet != NULL);
		REQUIRE(err->alphabet->value[(uint8_t) text[err->position]] == 0);
	}
	if (status == ID_BAD_SEPARATOR)
		REQUIRE(err->position < len);
	if (status == ID_BAD_CHECKSUM)
		REQUIRE(err->found != err->expected);
}

static void
try_text(const IdCodec *codec, const char *text, size_t len)
{
	static const uint8_t untouched[ID_MAX_SIZE] = {0};
	uint8_t		id[ID_MAX_SIZE] = {0};
	IdError		err = {0};
	IdStatus	status = codec->parse(text, len, id, &err);

	require_error(status, text, len, &err);
	if (status == ID_OK)
		require_id(codec, id);
	else
		REQUIRE(memcmp(id, untouched, sizeof(id)) == 0);
}

static void
try_prefix(const IdCodec *codec, const char *text, size_t len)
{
	uint8_t		lo[ID_MAX_SIZE];
	uint8_t		hi[ID_MAX_SIZE];
	uint8_t		shorter_lo[ID_MAX_SIZE];
	uint8_t		shorter_hi[ID_MAX_SIZE];
	IdError		err = {0};
	IdStatus	status = codec->prefix(text, len, lo, hi, &err);

	require_error(status, text, len, &err);
	if (status != ID_OK)
		return;
	require_id(codec, lo);
	require_id(codec, hi);
	REQUIRE(compare(codec, lo, hi) <= 0);
	if (len == 0)
		return;

	/* What a prefix selects, a shorter one does too. */
	REQUIRE(codec->prefix(text, len - 1, shorter_lo, shorter_hi, &err) == ID_OK);
	REQUIRE(compare(codec, shorter_lo, lo) <= 0 && compare(codec, hi, shorter_hi) <= 0);
}

static void
try_decimal(const IdCodec *codec, const char *text, size_t len)
{
	uint8_t		id[ID_MAX_SIZE];
	char		decimal[ID_MAX_DECIMAL + 1];
	IdError		err = {0};
	IdStatus	status = id_from_decimal(codec, text, len, id, &err);

	require_error(status, text, len, &err);
	if (status != ID_OK)
		return;
	require_id(codec, id);
	id_to_decimal(codec, id, decimal);
	while (len > 1 && *text == '0')
		text++, len--;
	REQUIRE(strlen(decimal) == len && memcmp(decimal, text, len) == 0);
}

static void
try_bytes(const IdCodec *codec, const uint8_t *data, size_t size)
{
	uint8_t		id[SIQ_SIZE];
	uint8_t		uuid[SIQ_UUID_SIZE];

	if (size >= (size_t) codec->size && id_is_valid(codec, data))
		require_id(codec, data);
	if (size >= SIQ_UUID_SIZE && siq_get_uuid(data, id))
	{
		siq_put_uuid(id, uuid);
		REQUIRE(memcmp(data, uuid, sizeof(uuid)) == 0);
	}
}

static void
try_name(const char *text, size_t len)
{
	const SiqType *type = siq_type_by_name(text, len);
	const Uid11Profile *profile = uid11_profile_by_name(text, len);

	if (type != NULL)
		REQUIRE(type->assigned && siq_type_by_name(type->name, strlen(type->name)) == type);
	if (profile != NULL)
		REQUIRE(uid11_profile_by_name(profile->name, strlen(profile->name)) == profile);
}

static bool
within(int64_t us, int64_t lower, bool with_lower, int64_t upper, bool with_upper)
{
	return (us > lower || (with_lower && us == lower)) &&
		(us < upper || (with_upper && us == upper));
}

static void
try_window(const IdCodec *codec, const uint8_t *data, size_t size)
{
	const IdTime *time = &codec->time;
	int64_t		lower;
	int64_t		upper;
	int64_t		first;
	int64_t		last;
	bool		with_lower;
	bool		with_upper;

	if (size < 17)
		return;
	lower = (int64_t) load_be64(data);
	upper = (int64_t) load_be64(data + 8);
	with_lower = (data[16] & 1) != 0;
	with_upper = (data[16] & 2) != 0;
	/* A narrow window is far from random: let the second be a distance. */
	if ((data[16] & 4) != 0 && lower < INT64_MAX - 0xFFFF)
		upper = lower + (upper & 0xFFFF);

	if (!id_ticks_within(time, lower, with_lower, upper, with_upper, &first, &last))
	{
		int64_t		tick = id_tick_at(time, upper);

		/* The best candidate is the last tick that begins in time. */
		if (tick >= time->first && !with_upper && id_tick_begins(time, tick) == upper)
			tick--;
		if (tick >= time->first)
			REQUIRE(!within(id_tick_begins(time, tick), lower, with_lower, upper, with_upper));
		return;
	}
	REQUIRE(time->first <= first && first <= last && last <= time->last);
	REQUIRE(within(id_tick_begins(time, first), lower, with_lower, upper, with_upper));
	REQUIRE(within(id_tick_begins(time, last), lower, with_lower, upper, with_upper));
	if (first > time->first)
		REQUIRE(!within(id_tick_begins(time, first - 1), lower, with_lower, upper, with_upper));
	if (last < time->last)
		REQUIRE(!within(id_tick_begins(time, last + 1), lower, with_lower, upper, with_upper));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const IdCodec *codec;
	const char *text;
	int			use;

	if (size == 0)
		return 0;
	codec = codecs[*data % CODECS];
	use = *data / CODECS % 6;
	data++;
	size--;
	text = (const char *) data;

	switch (use)
	{
		case 0:
			try_text(codec, text, size);
			break;
		case 1:
			try_prefix(codec, text, size);
			break;
		case 2:
			try_decimal(codec, text, size);
			break;
		case 3:
			try_bytes(codec, data, size);
			break;
		case 4:
			try_window(codec, data, size);
			break;
		default:
			try_name(text, size);
			break;
	}
	return 0;
}
