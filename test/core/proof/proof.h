/*-------------------------------------------------------------------------
 *
 * proof.h
 *	  What the harnesses have in common, which cbmc goes through.
 *
 * A harness is a function without arguments.  A variable without a value has any
 * value at all; ASSUME() says which ones are meant, PROVE() what must hold of all of
 * them, and REACHED() stands at the end: with REACH defined, the harness must fail
 * there and nowhere else, or its assumptions contradict each other and it has proved
 * nothing.
 *
 * With TYPE defined, FORMAT is what the unit tests know about that type.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_TEST_PROOF_H
#define IDTYPES_TEST_PROOF_H

#include <stdlib.h>

#include "../unit/check.h"

#define ASSUME(condition) __CPROVER_assume(condition)
#define PROVE(condition) __CPROVER_assert(condition, #condition)
#ifdef REACH
#define REACHED() __CPROVER_assert(0, "reached")
#else
#define REACHED() ((void) 0)
#endif

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define FORMAT PASTE(TYPE, _format)

/* The longest text that is tried: one character more than any form has. */
#define MOST_TEXT (ID_MAX_TEXT + 1)

/* Declares text, any one of len bytes, with nothing before it and behind it. */
#define ANY_TEXT(text, len) \
	size_t		len; \
	char	   *text; \
	ASSUME(len <= MOST_TEXT); \
	text = malloc(len); \
	ASSUME(text != NULL)

/* Declares id, any one of the type. */
#define ANY_ID(id) \
	uint8_t		id[ID_MAX_SIZE]; \
	ASSUME(id_is_valid(FORMAT.codec, id))

#endif							/* IDTYPES_TEST_PROOF_H */
