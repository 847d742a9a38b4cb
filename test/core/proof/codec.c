/*-------------------------------------------------------------------------
 *
 * codec.c
 *	  What holds of the codec of every type.
 *
 *-------------------------------------------------------------------------
 */
#include "../../../src/core/decimal.h"
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
	FOR_EACH_FORM(form, &FORMAT)
	{
		char		text[ID_MAX_TEXT];

		ANY_ID(id);
		form->format(id, text);
		check_reads(FORMAT.codec, text, form->size, id);
	}
	REACHED();
}

/* Any text is read as check_text() says. */
void
prove_canonical(void)
{
	uint8_t		id[ID_MAX_SIZE];
	IdError		err;

	ANY_TEXT(text, len);
	check_text(&FORMAT, text, len, id, &err);
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
	check_error(FORMAT.codec->parse(text, len, id, &err), text, len, &err);
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
	check_error(FORMAT.codec->prefix(text, len, lo, hi, &err), text, len, &err);
	REACHED();
}

/* An id is written into as many characters as the form has, and into no other. */
void
prove_bounds_of_format(void)
{
	ANY_ID(id);

	FOR_EACH_FORM(form, &FORMAT)
	{
		char		text[form->size];

		form->format(id, text);
	}
	REACHED();
}

/* Any prefix selects what check_prefix() says. */
void
prove_prefixes(void)
{
	IdError		err;

	ANY_TEXT(text, len);
	check_prefix(&FORMAT, text, len, &err);
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
	ASSUME(check_starts_with(&FORMAT, id, text, len));
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
	check_error(status, text, len, &err);
	if (status == ID_OK)
		PROVE(id_is_valid(codec, read));
	REACHED();
}
