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

#include "../../../src/core/generators.h"

typedef struct TestCase
{
	const char *name;
	void		(*run) (void);
} TestCase;

/* Begins the function of a case.  The linker makes a list of all cases, which main.c runs. */
#define TEST(function, what) \
	static void function(void); \
	static const TestCase function##_case = {what, function}; \
	static const TestCase *const function##_listed \
		__attribute__((section("test_cases"), used)) = &function##_case; \
	static void \
	function(void)

/* How a generator counts, as its SQL function does. */
typedef struct UseCase
{
	Generator	generator;
	ClockWordUse use;
	uint64_t	random_start;	/* start is random up to here */
	uint64_t	random_step;	/* step is use.step and a random number below this */
	bool		blocks;			/* takes blocks, of as many counters as a step is wide */
} UseCase;

/* A way to write an id, which is also read. */
typedef struct TestForm
{
	size_t		size;			/* characters; no two forms of a type have the same */
	void		(*format) (const uint8_t *id, char *text);
	const char *column;			/* of test/oracle/vectors/T.tsv that has it, or NULL */
} TestForm;

/* What the tests of all types must know about one, stated on its own. */
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

	const UseCase *uses;		/* of its generators; after the last, one without a step */

	/*
	 * Checks that an id is the same when put together again from its fields, or
	 * from what it is written as that is no text, and that all that reads a field agrees.
	 */
	void		(*check_fields) (const uint8_t *id);

	/* What else of the type reads bytes of any origin, or NULL; len is at most 80. */
	void		(*check_bytes) (const char *bytes, size_t len);
} TestFormat;

/* Of all types, in the order of types.h, and NULL at the end. */
extern const TestFormat *const test_formats[];

#define FOR_EACH_FORMAT(f) \
	for (const TestFormat *const *f##_ = test_formats, *f; (f = *f##_) != NULL; f##_++)

/*
 * Each type's file has its T_format.  T_text() is the format() of its codec, which is no
 * constant.
 */
#define ID_TYPE(t, T) \
	extern const TestFormat t##_format; \
	extern void t##_text(const uint8_t *id, char *text);
#include "../../../src/core/types.h"

/* For each form of a format. */
#define FOR_EACH_FORM(form, f) \
	for (const TestForm *form = (f)->forms; \
		 form < (f)->forms + LENGTH((f)->forms) && form->format != NULL; form++)

/* The condition, and what the values were (printf style) if it does not hold. */
#define CHECK(condition, ...) \
	(check_count(), (condition) ? (void) 0 : \
	 check_failed(__FILE__, __LINE__, #condition, __VA_ARGS__))

extern void check_count(void);

/* What a status is called, as in the tables of test/oracle/vectors/. */
extern const char *check_status(IdStatus status);

/* Runs a case, whose name it prints first; false if a check failed, or if there was none. */
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

/* Makes an id the next or previous one; false if there is none, and then it is wrapped around. */
extern bool check_step(const IdCodec *codec, uint8_t *id, bool up);

/* Smallest and largest id of a type, as its TestFormat has them. */
extern void check_bounds(const TestFormat *format, uint8_t *lo, uint8_t *hi);

/* Two ids that must be the same. */
extern void check_same(const IdCodec *codec, const uint8_t *made, const uint8_t *id);

/* An instant falls in the tick that began last, and id_of_tick() gives its ends. */
extern void check_tick(const IdCodec *codec, int64_t tick);

/* What holds for every id: of its forms, fields, numbers, prefixes and tick. */
extern void check_id(const TestFormat *format, const uint8_t *id);

/*
 * Two ids come in the same order as their texts; where ids are signed, if both have
 * the same sign.
 */
extern void check_order(const TestFormat *format, const uint8_t *a, const uint8_t *b);

/* A text of size characters must be read as an id. */
extern void check_reads(const IdCodec *codec, const char *text, size_t size, const uint8_t *id);

/* What is said about a refusal is so. */
extern void check_error(IdStatus status, const char *text, size_t len, const IdError *err);

/*
 * Reads any text into id, which has room for any.  What is read as an id is one of its
 * texts, but for the case of letters, and what is not read as one leaves id alone.
 */
extern IdStatus check_text(const TestFormat *format, const char *text, size_t len, uint8_t *id,
						   IdError *err);

/* Whether the text of an id, in the form of prefixes, starts with one; separators do not count. */
extern bool check_starts_with(const TestFormat *format, const uint8_t *id, const char *prefix,
							  size_t len);

/*
 * Reads any prefix.  It selects the ids whose text starts with it, and no others: the
 * text of the first and last does, that of the ids beside them does not, and ids are
 * in the order of their texts.
 */
extern IdStatus check_prefix(const TestFormat *format, const char *text, size_t len, IdError *err);

/* A window of time, in microseconds since 1970; the ends may be any. */
typedef struct Window
{
	int64_t		lower;
	int64_t		upper;
	bool		with_lower;
	bool		with_upper;
} Window;

/* The ticks that begin in a window are those that are found: the first, the last, no others. */
extern void check_window(const IdCodec *codec, const Window *window);

/* How a generator counts for one call; start and step are random numbers. */
extern ClockWordUse check_use(const UseCase *use_case, uint64_t start, uint64_t step);

/* What holds of the clock word after another one of any use, when the clock shows an instant. */
extern void check_word(const ClockWordLayout *layout, const ClockWordUse *use, uint64_t last,
					   int64_t wall);

/*
 * A cipher for FF1, as test/oracle/ff1.py has it: it is no secret, but fast, and needs
 * no library.
 */
typedef struct CheckCipher
{
	uint64_t	key;
} CheckCipher;

extern void check_encipher(void *cipher, uint8_t block[16]);

/* Up to 32 bytes as terminated hexadecimal, in one of a few buffers used in turn. */
#define CHECK_HEX_MAX 32
extern const char *check_hex(const uint8_t *bytes, size_t size);

/* Reverse of check_hex(). */
extern void check_unhex(const char *hex, uint8_t *bytes, size_t size);

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

#endif							/* IDTYPES_TEST_CHECK_H */
