/*-------------------------------------------------------------------------
 *
 * codec.c
 *	  What holds of the codec of every type.
 *
 *-------------------------------------------------------------------------
 */
#include "../../src/core/decimal.h"
#include "proof.h"

/* The checksum of a siq is any function whatever of the bytes. */
uint64_t	__CPROVER_uninterpreted_checksum(uint64_t high, uint64_t low);

uint32_t
siq_checksum(const uint8_t *id)
{
	return (uint32_t) __CPROVER_uninterpreted_checksum(load_be64(id), load_be64(id + 6));
}

/* A prefix of a siq is filled up with hexadecimal digits, and never read as anything else. */
#ifdef REPLACED_siq_read_base32
int
siq_read_base32(const char *text, uint8_t *id, IdError *err)
{
	PROVE(false);
	return ID_BAD_CHARACTER;
}
#endif

/* Nor is that refused, nor the text of an id. */
#ifdef REPLACED_siq_reject
int
siq_reject(const char *text, size_t len, IdError *err)
{
	PROVE(false);
	return ID_BAD_LENGTH;
}
#endif

/* Each text form of every id is read as that id. */
void
prove_there_and_back(void)
{
	const IdCodec *codec = FORMAT.codec;

	for (size_t f = 0; f < LENGTH(FORMAT.forms) && FORMAT.forms[f].format != NULL; f++)
	{
		char		text[ID_MAX_TEXT];
		uint8_t		read[ID_MAX_SIZE];
		IdError		err;
		IdStatus	status;

		ANY_ID(id);
		FORMAT.forms[f].format(id, text);
		status = codec->parse(text, FORMAT.forms[f].size, read, &err);
		PROVE(status == ID_OK && memcmp(read, id, (size_t) codec->size) == 0);
	}
	REACHED();
}

static char
in_one_case(char c)
{
	return c >= 'a' && c <= 'z' ? (char) (c - 'a' + 'A') : c;
}

/* Whether a character that was read is the one that is written. */
static bool
is_written(char read, char written, bool any_case)
{
	return read == written || (any_case && in_one_case(read) == in_one_case(written));
}

/*
 * What is read as an id is one of its texts, but for the case of letters, and what is
 * not read as one leaves the caller's id alone.
 */
void
prove_canonical(void)
{
	const IdCodec *codec = FORMAT.codec;
	uint8_t		id[ID_MAX_SIZE];
	uint8_t		before[ID_MAX_SIZE];
	IdError		err;
	bool		found = false;

	ANY_TEXT(text, len);
	memcpy(before, id, sizeof(id));
	if (codec->parse(text, len, id, &err) != ID_OK)
		PROVE(memcmp(id, before, sizeof(id)) == 0);
	else
	{
		PROVE(id_is_valid(codec, id));
		for (size_t f = 0; f < LENGTH(FORMAT.forms) && FORMAT.forms[f].format != NULL; f++)
		{
			const TestForm *form = &FORMAT.forms[f];
			size_t		scheme = f == 0 ? FORMAT.scheme : 0;
			char		written[ID_MAX_TEXT];

			if (len != form->size)
				continue;
			found = true;
			form->format(id, written);
			for (size_t i = 0; i < form->size; i++)
				PROVE(is_written(text[i], written[i], FORMAT.ignores_case && i >= scheme));
		}
		PROVE(found);
	}
	REACHED();
}

/* Two ids are in the order of their texts: see check_order(). */
void
prove_order(void)
{
	ANY_ID(a);
	ANY_ID(b);

	check_order(&FORMAT, a, b);
	REACHED();
}

/* What is said about a refusal is so. */
static void
check_refusal(IdStatus status, const char *text, size_t len, const IdError *err)
{
	PROVE(status >= ID_OK && status <= ID_OUT_OF_RANGE);
	if (status == ID_BAD_CHARACTER)
	{
		PROVE(err->position < len && err->alphabet != NULL);
		PROVE(err->alphabet->value[(uint8_t) text[err->position]] == 0);
	}
	if (status == ID_BAD_SEPARATOR)
		PROVE(err->position < len);
	if (status == ID_BAD_CHECKSUM)
		PROVE(err->found != err->expected);
}

/*
 * Whatever text is read, nothing beside it is, nothing beside the caller's id is
 * written, and nothing undefined is done.
 */
void
prove_bounds(void)
{
	uint8_t		id[FORMAT.codec->size];
	IdError		err;

	ANY_TEXT(text, len);
	check_refusal(FORMAT.codec->parse(text, len, id, &err), text, len, &err);
	REACHED();
}

/* The same of prefixes. */
void
prove_bounds_of_prefix(void)
{
	uint8_t		lo[FORMAT.codec->size];
	uint8_t		hi[FORMAT.codec->size];
	IdError		err;

	ANY_TEXT(text, len);
	check_refusal(FORMAT.codec->prefix(text, len, lo, hi, &err), text, len, &err);
	REACHED();
}

/* An id is written into as many characters as the form has, and into no other. */
void
prove_bounds_of_format(void)
{
	ANY_ID(id);

	for (size_t f = 0; f < LENGTH(FORMAT.forms) && FORMAT.forms[f].format != NULL; f++)
	{
		char		text[FORMAT.forms[f].size];

		FORMAT.forms[f].format(id, text);
	}
	REACHED();
}

/* Whether the text of an id starts with a prefix. */
static bool
starts_with(const uint8_t *id, const char *text, size_t len)
{
	char		written[ID_MAX_TEXT];
	size_t		digits = 0;
	bool		starts = true;

	FORMAT.prefix_format(id, written);
	for (size_t i = 0; i < len; i++)
	{
		if (FORMAT.separator != '\0' && text[i] == FORMAT.separator)
			continue;
		starts = starts && digits < FORMAT.prefix_size &&
			is_written(text[i], written[digits], FORMAT.ignores_case);
		digits++;
	}
	return starts;
}

/* The next or previous id, unless that is the last or first one. */
static bool
step(uint8_t *id, bool up)
{
	uint8_t		from[ID_MAX_SIZE];

	memcpy(from, id, sizeof(from));
	bytes_add(id, FORMAT.codec->size, up);
	return id_is_valid(FORMAT.codec, id) &&
		(check_compare(FORMAT.codec, from, id) < 0) == up;
}

/*
 * A prefix selects the ids whose text starts with it, and no others: the text of the
 * first and last does, that of the ids beside them does not, and ids are in the order
 * of their texts (prove_order).
 */
void
prove_prefixes(void)
{
	uint8_t		lo[ID_MAX_SIZE];
	uint8_t		hi[ID_MAX_SIZE];
	IdError		err;

	ANY_TEXT(text, len);
	if (FORMAT.codec->prefix(text, len, lo, hi, &err) == ID_OK)
	{
		PROVE(id_is_valid(FORMAT.codec, lo) && id_is_valid(FORMAT.codec, hi));
		PROVE(check_compare(FORMAT.codec, lo, hi) <= 0);
		PROVE(starts_with(lo, text, len) && starts_with(hi, text, len));
		PROVE(!step(lo, false) || !starts_with(lo, text, len));
		PROVE(!step(hi, true) || !starts_with(hi, text, len));
	}
	REACHED();
}

/* Nor does a prefix that no id can have refuse one that it has. */
void
prove_no_prefix(void)
{
	uint8_t		lo[ID_MAX_SIZE];
	uint8_t		hi[ID_MAX_SIZE];
	IdError		err;
	IdStatus	status;

	ANY_ID(id);
	ANY_TEXT(text, len);
	ASSUME(starts_with(id, text, len));
	status = FORMAT.codec->prefix(text, len, lo, hi, &err);
	PROVE(status != ID_OUT_OF_RANGE);
	REACHED();
}

/* An id is the same when put together again from its fields, which are in range. */
void
prove_fields(void)
{
	ANY_ID(id);

	FORMAT.check_fields(id);
	REACHED();
}

/* The first and the last id of a tick are its own, and all others are between them. */
void
prove_ticks(void)
{
	const IdCodec *codec = FORMAT.codec;
	uint8_t		lo[codec->size];
	uint8_t		hi[codec->size];
	int64_t		tick;

	ANY_ID(id);
	ASSUME(tick >= codec->time.first && tick <= codec->time.last);
	id_of_tick(codec, tick, 0x00, lo);
	id_of_tick(codec, tick, 0xFF, hi);
	PROVE(id_tick(codec, lo) == tick && id_tick(codec, hi) == tick);
	PROVE((id_tick(codec, id) == tick) ==
		  (check_compare(codec, lo, id) <= 0 && check_compare(codec, id, hi) <= 0));
	REACHED();
}

/* The decimal number of an id consists of digits, and fits its buffer. */
void
prove_decimal_is_written(void)
{
	char		written[ID_MAX_DECIMAL + 1];
	size_t		digits = 0;

	ANY_ID(id);
	id_to_decimal(FORMAT.codec, id, written);
	while (digits < sizeof(written) && written[digits] >= '0' && written[digits] <= '9')
		digits++;
	PROVE(digits > 0 && digits < sizeof(written) && written[digits] == '\0');
	REACHED();
}

/* Of any text, only digits are read as a number. */
void
prove_decimal_is_read(void)
{
	const IdCodec *codec = FORMAT.codec;
	uint8_t		read[codec->size];
	IdError		err;
	IdStatus	status;

	ANY_TEXT(text, len);
	status = id_from_decimal(codec, text, len, read, &err);
	check_refusal(status, text, len, &err);
	if (status == ID_OK)
		PROVE(id_is_valid(codec, read));
	REACHED();
}
