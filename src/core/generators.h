/*-------------------------------------------------------------------------
 *
 * generators.h
 *	  The generators, each with the layout of its clock word.
 *
 * A table in a header, as constants, so that each generator's arithmetic folds.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_CORE_GENERATORS_H
#define IDTYPES_CORE_GENERATORS_H

#include "siq_codec.h"
#include "uid11_codec.h"
#include "ulidflake_codec.h"
#include "word.h"

typedef enum Generator
{
	GENERATOR_SIQ,
	GENERATOR_SCRU160,
	GENERATOR_TID64,
	GENERATOR_XID,
	GENERATOR_SNOWISH,
	GENERATOR_TS_SEQ_RAND,
	GENERATOR_ULIDFLAKE,
	GENERATORS					/* number of generators */
} Generator;

typedef struct GeneratorInfo
{
	const char *name;			/* as idtypes_generators() shows it */
	WordLayout	layout;
} GeneratorInfo;

/*
 * How far tid64 and snowish may run ahead of the clock, in microseconds: they
 * count by taking the next tick instead of waiting for it.
 */
#define GENERATOR_LEAD INT64_C(1000000)

/* Ticks of so many bits from an epoch on: all of them. */
#define GENERATOR_TICKS(epoch_us, group_us, group_bits, bits) \
	{(epoch_us), (group_us), (group_bits), (bits), 0, (INT64_C(1) << (bits)) - 1}

static const GeneratorInfo generator_info[GENERATORS] = {
	/* 35 bits of seconds (until the year 3058), to leave room for the serial */
	[GENERATOR_SIQ] = {"siq", {GENERATOR_TICKS(0, SIQ_GROUP_US, SIQ_GROUP_BITS, 51), 13, 0}},
	/* the first and the last of 2^48 milliseconds are reserved */
	[GENERATOR_SCRU160] = {"scru160", {{0, 1000, 0, 48, 1, (INT64_C(1) << 48) - 2}, 16, 0}},
	[GENERATOR_TID64] = {"tid64", {GENERATOR_TICKS(0, 1, 0, 53), 0, GENERATOR_LEAD}},
	[GENERATOR_XID] = {
		"uid11 xid", {GENERATOR_TICKS(UID11_EPOCH_MS * 1000, 1000, 0, 42), 22, 0}
	},
	[GENERATOR_SNOWISH] = {
		"uid11 snowish", {GENERATOR_TICKS(UID11_EPOCH_MS * 1000, 1000, 0, 41), 12, GENERATOR_LEAD}
	},
	[GENERATOR_TS_SEQ_RAND] = {
		"uid11 ts-seq-rand", {GENERATOR_TICKS(UID11_EPOCH_MS * 1000, 1000, 0, 42), 12, 0}
	},
	[GENERATOR_ULIDFLAKE] = {
		"ulidflake", {GENERATOR_TICKS(ULIDFLAKE_EPOCH_MS * 1000, 1000, 0, 43), 20, 0}
	}
};

#endif							/* IDTYPES_CORE_GENERATORS_H */
