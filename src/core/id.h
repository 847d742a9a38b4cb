/*-------------------------------------------------------------------------
 *
 * id.h
 *	  The description of an identifier format, and functions on any format.
 *
 * src/core is plain C11: no PostgreSQL header, no memory allocation, no
 * global state, no clock and no randomness of its own.  An identifier is
 * always its big-endian bytes ("id" below: codec->size bytes in the caller's
 * buffer), so that one piece of code serves formats of any size from 8 bytes on.
 * A format is described by one constant IdCodec; code that works on any
 * format takes the codec and never asks which one it is.
 *
 * Functions that can fail return an IdStatus and fill in the caller's
 * IdError; nothing here prints or raises.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_CORE_ID_H
#define IDTYPES_CORE_ID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "alphabet.h"

/*
 * For functions that are called with a constant layout where speed matters.  Once
 * such a function is inlined, divisions become multiplications.  Compilers do not inline
 * functions of this size on their own.  A generator's step takes 38 instead of
 * 144 instructions (tid64).
 */
#define ID_ALWAYS_INLINE static inline __attribute__((always_inline))

/* Bytes of the longest identifier (scru160) and characters of the longest text (siq). */
#define ID_MAX_SIZE 20
#define ID_MAX_TEXT 40

typedef enum IdStatus
{
	ID_OK = 0,
	ID_BAD_LENGTH,				/* the text has a length that no form of the type has */
	ID_BAD_CHARACTER,			/* err->position, err->alphabet */
	ID_BAD_SEPARATOR,			/* err->position: a dash missing or where none belongs */
	ID_BAD_SCHEME,				/* a DID of another scheme */
	ID_BAD_CHECKSUM,			/* err->found in the text, err->expected by the identifier */
	ID_OUT_OF_RANGE				/* well formed, but not a value of the type */
} IdStatus;

typedef struct IdError
{
	size_t		position;		/* offset in bytes from the start of the text, from 0 */
	const Alphabet *alphabet;	/* the alphabet that was expected there */
	size_t		most;			/* of a prefix: how many digits it may have */
	size_t		exactly;		/* of digits alone: how many there must be */
	uint32_t	found;
	uint32_t	expected;

	/*
	 * If the text is something else that people mistake for an id of the type: a
	 * sentence that says what it is, and one that says what to do about it.
	 */
	const char *instead;
	const char *remedy;
} IdError;

/*
 * How a format counts time.  A tick is one step of the time field; tick 0 is
 * at epoch_us (microseconds since 1970-01-01 00:00 UTC), and 2^group_bits ticks
 * take group_us microseconds, in lowest terms.  The time field is
 * always the most significant `bits` bits of the identifier; it is signed
 * where `first` is negative.
 */
typedef struct IdTime
{
	int64_t		epoch_us;
	int32_t		group_us;
	int32_t		group_bits;
	int32_t		bits;
	int64_t		first;			/* smallest and largest tick the field can hold */
	int64_t		last;
} IdTime;

/*
 * How the bits of an id are divided into fields, for programs that show them.  The
 * fields follow each other from the most significant bit on and fill the id.
 */
typedef enum IdFieldKind
{
	ID_FIELD_TIME,				/* the tick */
	ID_FIELD_ZERO,				/* reserved bits, none of which is set */
	ID_FIELD_NUMBER,			/* an unsigned number */
	ID_FIELD_BYTES,				/* an unsigned number, shown as bytes */
	ID_FIELD_NAME				/* a code for one of a few names: codec->name_of */
} IdFieldKind;

typedef struct IdField
{
	IdFieldKind kind;
	const char *name;			/* that of its column in T_parts(), if it has one */
	int			bits;			/* 0: T_parts() returns NULL for it */
} IdField;

#define ID_MAX_FIELDS 5

typedef struct IdLayout
{
	const char *name;			/* "" where a type has only one */
	const char *parts;			/* SQL for the fields of an id named id, as a row */
	IdField		fields[ID_MAX_FIELDS + 1];	/* ended by one without a name */
} IdLayout;

/* A further form of an id as text, which the SQL function T_NAME(id) returns. */
typedef struct IdForm
{
	const char *name;
	int			size;			/* characters */
	void		(*format) (const uint8_t *id, char *text);
} IdForm;

/*
 * For estimating how often two servers without numbers of their own generate the same
 * id.  Two ids are the same if they have the same tick, their random bits agree and, if
 * each server counts from the same number within a tick (counts), their counts agree.
 */
typedef struct IdRepeats
{
	const char *name;			/* the kind of ids, as some types have several */
	int			random_bits;
	bool		counts;
} IdRepeats;

typedef struct IdCodec
{
	const char *name;			/* name of the SQL type, for messages */
	int			size;			/* bytes of an identifier, at least 8 */
	int			bits;			/* 8 * size, less those in front that are always zero */
	int			text_size;		/* characters of the canonical text, no terminator counted */
	int			padding;		/* zero bytes that may stand before it in storage elsewhere */

	/*
	 * The text form that is a fixed number of digits of one alphabet.  Prefixes are
	 * prefixes of this form, and encrypted ids are written in it.
	 */
	const Alphabet *alphabet;
	int			digits;
	void		(*format_digits) (const uint8_t *id, char *text);

	IdTime		time;
	const char *forms;			/* for messages: what text the type accepts */
	const char *range;			/* for messages: what well-formed text is out of range */
	const char *number;			/* for messages: SQL type whose numbers are cast to it, or NULL */

	/*
	 * Reads the len bytes at text, which need not be terminated.  Writes id
	 * only on ID_OK.
	 */
	IdStatus	(*parse) (const char *text, size_t len, uint8_t *id, IdError *err);

	/* Writes exactly text_size characters and no terminator. */
	void		(*format) (const uint8_t *id, char *text);

	/*
	 * Smallest and largest id whose text (siq: whose 28 hex digits) starts
	 * with the len bytes at text; the empty prefix is every id.  ID_OUT_OF_RANGE
	 * means a valid prefix that no id can have; ID_BAD_LENGTH one that is too
	 * long.
	 */
	IdStatus	(*prefix) (const char *text, size_t len, uint8_t *lo, uint8_t *hi,
						   IdError *err);

	/*
	 * For programs that show ids.  Each list ends with an entry whose first string is
	 * NULL.
	 */
	const IdLayout *layouts;
	const IdForm *further;		/* forms, or NULL */
	const IdRepeats *repeats;

	/*
	 * Returns the layout of an id, as its index in layouts.  NULL if the id does not
	 * determine its layout.
	 */
	int			(*layout_of) (const uint8_t *id);

	/*
	 * For a type with an ID_FIELD_NAME, otherwise NULL.  name_of() returns the name in
	 * that field.  code_of() sets the code for a name and its number of bits, or
	 * returns false if there is no such name.
	 */
	const char *(*name_of) (const uint8_t *id);
	bool		(*code_of) (const char *name, size_t len, int *bits, uint32_t *code);
} IdCodec;

/* The codecs of all types, in the order of types.h, and NULL at the end. */
extern const IdCodec *const id_codecs[];

/*
 * Like codec->parse, but reads only the form of format_digits; the error says how
 * many digits there must be.
 */
extern IdStatus id_parse_digits(const IdCodec *codec, const char *text, size_t len,
								uint8_t *id, IdError *err);

/*
 * Big-endian load and store.
 */
static inline uint64_t
load_be64(const uint8_t *p)
{
	uint64_t	v;

	__builtin_memcpy(&v, p, sizeof(v));
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	v = __builtin_bswap64(v);
#endif
	return v;
}

static inline void
store_be64(uint8_t *p, uint64_t v)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	v = __builtin_bswap64(v);
#endif
	__builtin_memcpy(p, &v, sizeof(v));
}

/*
 * Increment or decrement a big-endian number of size bytes.  Return false if it
 * wrapped around.
 */
static inline bool
bytes_add(uint8_t *bytes, int size, bool up)
{
	uint8_t		wrap = up ? 0xFF : 0x00;

	for (int i = size; i-- > 0;)
	{
		bool		carry = (bytes[i] == wrap);

		bytes[i] += up ? 1 : -1;
		if (!carry)
			return true;
	}
	return false;
}

/* Return the time field of an id. */
static inline int64_t
id_tick(const IdCodec *codec, const uint8_t *id)
{
	uint64_t	high = load_be64(id);
	int			shift = 64 - codec->time.bits;

	return codec->time.first < 0 ? (int64_t) high >> shift : (int64_t) (high >> shift);
}

/* True if the bytes are an id of the type; only ulidflake has bytes that are not. */
static inline bool
id_is_valid(const IdCodec *codec, const uint8_t *id)
{
	return id_tick(codec, id) <= codec->time.last;
}

/* Write an id of 64 bits from its tick and the bits below the tick; both must be in range. */
static inline void
id64_compose(const IdCodec *codec, int64_t tick, uint64_t rest, uint8_t *id)
{
	store_be64(id, (uint64_t) tick << (64 - codec->time.bits) | rest);
}

/*
 * Write the smallest (filler 0x00) or largest (filler 0xFF) id of a tick, which
 * must be within codec->time.first and last.
 */
extern void id_of_tick(const IdCodec *codec, int64_t tick, uint8_t filler, uint8_t *id);

/*
 * Ticks and instants.  A tick is split into whole groups and the rest before it
 * is scaled: groups times group_us fit 64 bits for every format (siq needs 60),
 * a tick times group_us does not.  Inline, because generators call these with
 * constant times, for which the divisions become multiplications.
 */

/* Return the instant at which a tick begins, in microseconds since 1970, rounded up. */
ID_ALWAYS_INLINE int64_t
id_tick_begins(const IdTime *time, int64_t tick)
{
	int64_t		mask = (INT64_C(1) << time->group_bits) - 1;

	return time->epoch_us + (tick >> time->group_bits) * time->group_us +
		(((tick & mask) * time->group_us + mask) >> time->group_bits);
}

/*
 * Return the tick that an instant falls in.  Ticks survive the round trip through
 * id_tick_begins().  Any int64 is allowed: before the first tick the result is
 * first - 1, and from the start of the last tick on it is last.
 */
ID_ALWAYS_INLINE int64_t
id_tick_at(const IdTime *time, int64_t us)
{
	int64_t		since;

	/* Outside the range first: there, us - epoch_us might overflow. */
	if (us < id_tick_begins(time, time->first))
		return time->first - 1;
	if (us >= id_tick_begins(time, time->last))
		return time->last;

	/* Only a type whose group is one microsecond has ticks before its epoch: no rounding. */
	since = us - time->epoch_us;
	return since / time->group_us * (INT64_C(1) << time->group_bits) +
		(since % time->group_us << time->group_bits) / time->group_us;
}

/*
 * Find the first and last tick that begins (id_tick_begins) between two instants in
 * microseconds, which may be any int64.  Return false if no tick of the type does.
 */
extern bool id_ticks_within(const IdTime *time,
							int64_t lower, bool lower_inclusive,
							int64_t upper, bool upper_inclusive,
							int64_t *first, int64_t *last);

#endif							/* IDTYPES_CORE_ID_H */
