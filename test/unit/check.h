/*-------------------------------------------------------------------------
 *
 * check.h
 *	  A small harness for testing src/core without a server.
 *
 * A test case is a function that calls CHECK any number of times; it passes
 * if every one of them held and there was at least one.  Random values come
 * from check_random(), whose seed is printed first and can be given again as
 * the program's argument.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_TEST_CHECK_H
#define IDTYPES_TEST_CHECK_H

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../../src/core/generators.h"

typedef struct TestCase
{
	const char *name;
	void		(*run) (void);
} TestCase;

/* One list per file, ended by a NULL name; main.c runs them all. */
extern const TestCase alphabet_tests[];
extern const TestCase ff1_tests[];
extern const TestCase id_tests[];
extern const TestCase vector_tests[];
extern const TestCase word_tests[];

/* How a generator counts, as its SQL function does. */
typedef struct UseCase
{
	Generator	generator;
	WordUse		use;
	uint64_t	random_start;	/* start is random up to here */
	uint64_t	random_step;	/* step is use.step and a random number below this */
	bool		blocks;			/* takes as many words as a step is wide */
} UseCase;

/* A way to write an id, which is also read. */
typedef struct TestForm
{
	size_t		size;			/* characters; no two forms of a type have the same */
	void		(*format) (const uint8_t *id, char *text);
} TestForm;

/*
 * What the tests of all types must know about one, stated on its own.  Where
 * prefixes are of another form than the canonical text, it is that form's
 * alphabet, digits and format that are named.
 */
typedef struct TestFormat
{
	const IdCodec *codec;
	int			per_second;		/* ticks in a second, by the documents */
	const char *smallest;		/* of all ids, in hexadecimal */
	const char *largest;
	const char *decimal;		/* the largest number that has the bits of an id */
	const Alphabet *alphabet;	/* of the canonical text */
	size_t		scheme;			/* characters in front of the digits */
	char		separator;		/* that stands between digits, or NUL */
	TestForm	forms[3];		/* of its text, the canonical one first */
	bool		ignores_case;

	const Alphabet *prefix_alphabet;
	size_t		prefix_size;
	void		(*prefix_format) (const uint8_t *id, char *text);

	const UseCase *uses;		/* of its generators; after the last, one without a step */

	/*
	 * Writes what a column of test/vectors/T.tsv that only this type has should
	 * hold; returns false if it is not known.
	 */
	bool		(*print_column) (const uint8_t *id, const char *column, char *text);

	/*
	 * Checks that an id is the same when put together again from its fields, or
	 * from what it is written as that is no text.
	 */
	void		(*check_fields) (const uint8_t *id);

	/* What else of the type reads bytes of any origin, or NULL; len is at most 80. */
	void		(*check_bytes) (const char *bytes, size_t len);
} TestFormat;

/* Of all types, in the order of types.h, and NULL at the end. */
extern const TestFormat *const test_formats[];

/* Each type's file has its tests as T_tests, and T_format. */
#define ID_TYPE(t, T) \
	extern const TestCase t##_tests[]; \
	extern const TestFormat t##_format;
#include "../../src/core/types.h"

/* The condition, and what the values were (printf style) if it does not hold. */
#define CHECK(condition, ...) \
	(check_count(), (condition) ? (void) 0 : \
	 check_failed(__FILE__, __LINE__, #condition, __VA_ARGS__))

extern void check_count(void);

/* Runs a case; false if a check failed, or if there was none. */
extern bool check_run(const TestCase *test);

extern unsigned long check_checks;	/* of all cases */
extern unsigned long check_failures;	/* of the current case */
extern uint64_t check_seed;		/* of the random values to come */

extern void check_failed(const char *file, int line, const char *condition,
						 const char *format,...) __attribute__((format(printf, 4, 5)));

extern uint64_t check_random(void);
extern void check_random_bytes(uint8_t *bytes, size_t size);

/* A random valid id: all bits random, or mostly zeros, or mostly ones. */
extern void check_random_id(const IdCodec *codec, uint8_t *id);

/* Compares in the order of the type: as bytes, but those of a signed type with their sign. */
extern int	check_compare(const IdCodec *codec, const uint8_t *a, const uint8_t *b);

/* The next (step 1) or previous (step -1) number; wraps around. */
extern void check_step(const IdCodec *codec, uint8_t *id, int step);

/* Smallest and largest id of a type, as its TestFormat has them. */
extern void check_bounds(const TestFormat *format, uint8_t *lo, uint8_t *hi);

/* The form of so many characters, or NULL if there is none. */
extern const TestForm *check_find_form(const TestFormat *format, size_t size);

/* Each text form of an id is read back. */
extern void check_forms(const TestFormat *format, const uint8_t *id);

/*
 * Two ids come in the same order as their texts; where ids are signed, if both have
 * the same sign.
 */
extern void check_order(const TestFormat *format, const uint8_t *a, const uint8_t *b);

/* Two ids that must be the same. */
extern void check_same(const IdCodec *codec, const uint8_t *made, const uint8_t *id);

/* Up to 32 bytes as terminated hexadecimal, in one of a few buffers used in turn. */
#define CHECK_HEX_MAX 32
extern const char *check_hex(const uint8_t *bytes, size_t size);

/* Reverse of check_hex(). */
extern void check_unhex(const char *hex, uint8_t *bytes, size_t size);

/*
 * What a text must be read as: its bytes in hexadecimal, or a status and for
 * a bad character or separator the position.
 */
typedef struct ParseCase
{
	const char *text;
	const char *hex;			/* expected id, or NULL */
	IdStatus	status;
	size_t		position;
} ParseCase;

extern void check_parse(const IdCodec *codec, const ParseCase *cases, size_t count);

/* The texts of cases are what write() writes, size characters, for their ids. */
extern void check_format(const IdCodec *codec, void (*write) (const uint8_t *id, char *text),
						 size_t size, const ParseCase *cases, size_t count);

/* A prefix and the smallest and largest id it must give, or a status. */
typedef struct PrefixCase
{
	const char *text;
	const char *lo;
	const char *hi;
	IdStatus	status;
	size_t		position;
} PrefixCase;

extern void check_prefix(const IdCodec *codec, const PrefixCase *cases, size_t count);

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

#endif							/* IDTYPES_TEST_CHECK_H */
