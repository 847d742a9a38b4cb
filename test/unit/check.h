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

#include "../../src/core/id.h"

typedef struct TestCase
{
	const char *name;
	void		(*run) (void);
} TestCase;

/* One list per file, ended by a NULL name; main.c runs them all. */
extern const TestCase alphabet_tests[];
extern const TestCase id_tests[];
extern const TestCase siq_tests[];
extern const TestCase scru160_tests[];
extern const TestCase tid64_tests[];
extern const TestCase uid11_tests[];
extern const TestCase ulidflake_tests[];
extern const TestCase vector_tests[];
extern const TestCase word_tests[];

/* The condition, and what the values were (printf style) if it does not hold. */
#define CHECK(condition, ...) \
	(check_count(), (condition) ? (void) 0 : \
	 check_failed(__FILE__, __LINE__, #condition, __VA_ARGS__))

extern void check_count(void);
extern void check_failed(const char *file, int line, const char *condition,
						 const char *format,...) __attribute__((format(printf, 4, 5)));

extern uint64_t check_random(void);
extern void check_random_bytes(uint8_t *bytes, size_t size);

/* A random valid id: all bits random, or mostly zeros, or mostly ones. */
extern void check_random_id(const IdCodec *codec, uint8_t *id);

/* Compares in the order of the type: as bytes, but tid64 with its sign. */
extern int	check_compare(const IdCodec *codec, const uint8_t *a, const uint8_t *b);

/* The next (step 1) or previous (step -1) number; wraps around. */
extern void check_step(const IdCodec *codec, uint8_t *id, int step);

/* Smallest and largest id of a type. */
extern void check_bounds(const IdCodec *codec, uint8_t *lo, uint8_t *hi);

/* The bytes as terminated hexadecimal, in one of a few buffers used in turn. */
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
