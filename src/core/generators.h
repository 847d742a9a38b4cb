/*-------------------------------------------------------------------------
 *
 * generators.h
 *	  The generators, each with the layout of its clock word.
 *
 * A type's own header lists its generators as T_GENERATORS(G), and uuid7_codec.h that of the
 * server's type uuid, one row each:
 *
 *		G(ID, name, epoch, group_us, group_bits, tick_bits, first, last,
 *		  counter_bits, lead)
 *
 * where idtypes_generators() shows name, epoch is in microseconds since 1970,
 * 2^group_bits ticks take group_us microseconds, ticks from first to the one before
 * last are handed out, and lead is how far generation alone may run ahead of the
 * clock, in microseconds.
 *
 * The table is constant and in a header so that compilers can fold each generator's
 * arithmetic.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_CORE_GENERATORS_H
#define IDTYPES_CORE_GENERATORS_H

#include "types.h"
#include "uuid7_codec.h"
#include "clockword.h"

/*
 * How far tid64 and snowish may run ahead of the clock, in microseconds: they
 * count by taking the next tick instead of waiting for it.
 */
#define GENERATOR_LEAD INT64_C(1000000)

/* The last tick of a time field of that many bits. */
#define GENERATOR_LAST(bits) ((INT64_C(1) << (bits)) - 1)

typedef enum Generator
{
#define GENERATOR_ID(ID, ...) GENERATOR_##ID,
#define ID_TYPE(t, T) T##_GENERATORS(GENERATOR_ID)
#include "types.h"
	UUID7_GENERATORS(GENERATOR_ID)
#undef GENERATOR_ID
} Generator;

/* The number of generators; not in the enum, so that a switch need not handle it. */
enum
{
#define GENERATOR_ONE(ID, ...) +1
#define ID_TYPE(t, T) T##_GENERATORS(GENERATOR_ONE)
	GENERATORS = 0
#include "types.h"
	UUID7_GENERATORS(GENERATOR_ONE)
#undef GENERATOR_ONE
};

typedef struct GeneratorInfo
{
	const char *name;			/* as idtypes_generators() shows it */
	ClockWordLayout layout;
} GeneratorInfo;

static const GeneratorInfo generator_info[GENERATORS] = {
#define GENERATOR_INFO(ID, name, epoch, group_us, group_bits, tick_bits, first, last, \
					   counter_bits, lead) \
	[GENERATOR_##ID] = { \
		name, {{epoch, group_us, group_bits, tick_bits, first, last}, counter_bits, lead} \
	},
#define ID_TYPE(t, T) T##_GENERATORS(GENERATOR_INFO)
#include "types.h"
	UUID7_GENERATORS(GENERATOR_INFO)
#undef GENERATOR_INFO
};

#define GENERATOR_FITS(ID, name, epoch, group_us, group_bits, tick_bits, first, last, \
					   counter_bits, lead) \
	_Static_assert((tick_bits) + (counter_bits) <= 64 && \
				   (first) >= 0 && (last) <= GENERATOR_LAST(tick_bits), \
				   "the word of generator " #ID " does not fit 64 bits");
#define ID_TYPE(t, T) T##_GENERATORS(GENERATOR_FITS)
#include "types.h"
UUID7_GENERATORS(GENERATOR_FITS)
#undef GENERATOR_FITS

#endif							/* IDTYPES_CORE_GENERATORS_H */
