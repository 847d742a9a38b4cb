/*-------------------------------------------------------------------------
 *
 * core_bench.c
 *	  What src/core costs per call, in instructions.
 *
 * To be run by "valgrind --tool=callgrind", which writes a profile of its own
 * for each operation, named after the operation and the type.  Prints how many
 * calls a profile has.  Each operation is called through a pointer, in a loop
 * over the same ids.  The first operation, "empty", does nothing: subtract it
 * from the others.
 *
 *-------------------------------------------------------------------------
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <valgrind/callgrind.h>

#include "../src/core/ff1.h"
#include "../src/core/generators.h"
#include "../src/core/permute.h"
#include "../src/core/types.h"

#define SAMPLES		256			/* different ids; all of them stay in the first cache */
#define CALLS		(4 * SAMPLES)	/* calls counted per operation */

typedef struct Sample
{
	uint8_t		id[ID_MAX_SIZE];
	char		text[ID_MAX_TEXT];
} Sample;

typedef struct Operation Operation;
struct Operation
{
	const char *name;
	const IdCodec *codec;		/* NULL: of no type */
	void		(*run) (const Operation *op, Sample *sample);
};

/* Results go here, so that no compiler can do without the work. */
static volatile uint64_t sink;

/* The state that a generator step goes on from, and a clock that ticks for it. */
static uint64_t last_word;
static int64_t wall;

/* Of a type that a generator was told once, not for each id. */
static const SiqType *siq_type;

/* One more call each microsecond: a busy server, mostly within a tick. */
static int64_t
next_wall(void)
{
	return wall++;
}

static void
run_empty(const Operation *op, Sample *sample)
{
	(void) op;
	(void) sample;
}

static void
run_parse(const Operation *op, Sample *sample)
{
	uint8_t		id[ID_MAX_SIZE];
	IdError		err;

	if (op->codec->parse(sample->text, op->codec->text_size, id, &err) != ID_OK)
		abort();
	sink = id[7];
}

static void
run_format(const Operation *op, Sample *sample)
{
	char		text[ID_MAX_TEXT];

	op->codec->format(sample->id, text);
	sink = (uint8_t) text[op->codec->text_size - 1];
}

/* The time of an id in microseconds, and the first id of that instant. */
static void
run_instant(const Operation *op, Sample *sample)
{
	const IdTime *time = &op->codec->time;
	int64_t		us = id_tick_begins(time, id_tick(op->codec, sample->id));
	uint8_t		id[ID_MAX_SIZE];

	id_of_tick(op->codec, id_tick_at(time, us), 0x00, id);
	sink = id[7];
}

/*
 * What a generator does between reading the clock and returning the id, less
 * the entropy.  The generator is a constant in each caller, as in the server.
 */
static inline __attribute__((always_inline)) uint64_t
step(Generator generator, const ClockWordUse *use)
{
	const ClockWordLayout *layout = &generator_info[generator].layout;
	int64_t		now = next_wall();
	uint64_t	next = clockword_next(layout, use, last_word, now);

	sink = clockword_begins(layout, use, next) <= now + layout->lead;
	last_word = next;
	return next;
}

#define COUNTER_BITS(generator) (generator_info[generator].layout.counter_bits)
#define COUNTER_MASK(generator) ((UINT64_C(1) << COUNTER_BITS(generator)) - 1)
#define TICK(generator, word)	((int64_t) ((word) >> COUNTER_BITS(generator)))
#define COUNTER(generator, word) ((uint32_t) ((word) & COUNTER_MASK(generator)))

static void
run_generate_siq(const Operation *op, Sample *sample)
{
	SiqFields	fields = {.shard = 7,.domain = 2261653831,.type = siq_type};
	ClockWordUse use = {
		.step = 1,
		.limit = siq_serial_max(fields.type),
		.fine_bits = COUNTER_BITS(GENERATOR_SIQ)
	};
	uint64_t	word = step(GENERATOR_SIQ, &use);

	(void) op;
	fields.tick = TICK(GENERATOR_SIQ, word);
	fields.serial = COUNTER(GENERATOR_SIQ, word);
	siq_compose(&fields, sample->id);
}

static void
run_generate_scru160(const Operation *op, Sample *sample)
{
	ClockWordUse use = {
		.start = sample->id[19],
		.step = 1,
		.limit = COUNTER_MASK(GENERATOR_SCRU160),
		.fine_bits = COUNTER_BITS(GENERATOR_SCRU160)
	};
	uint64_t	word = step(GENERATOR_SCRU160, &use);
	uint8_t		random[SCRU160_RANDOM_SIZE] = {sample->id[18]};

	(void) op;
	scru160_compose(TICK(GENERATOR_SCRU160, word), COUNTER(GENERATOR_SCRU160, word), random,
					sample->id);
}

static void
run_generate_tid64(const Operation *op, Sample *sample)
{
	static const ClockWordUse use = {.step = 1};

	(void) op;
	id64_compose(&tid64_codec, TICK(GENERATOR_TID64, step(GENERATOR_TID64, &use)), 17, sample->id);
}

static void
run_generate_xid(const Operation *op, Sample *sample)
{
	static const PermuteKey key = {
		UINT64_C(0x0123456789abcdef), UINT64_C(0xfedcba9876543210),
		{UINT64_C(0x13198a2e03707344), UINT64_C(0xa4093822299f31d0)},
		{UINT64_C(0x082efa98ec4e6c89), UINT64_C(0x452821e638d01377)}
	};
	ClockWordUse use = {
		.step = 1,
		.limit = COUNTER_MASK(GENERATOR_XID),
		.fine_bits = COUNTER_BITS(GENERATOR_XID)
	};
	uint64_t	word = step(GENERATOR_XID, &use);
	int64_t		tick = TICK(GENERATOR_XID, word);

	(void) op;
	id64_compose(&uid11_codec, tick, permute22(&key, (uint64_t) tick, COUNTER(GENERATOR_XID, word)),
				  sample->id);
}

static void
run_generate_ulidflake(const Operation *op, Sample *sample)
{
	ClockWordUse use = {
		.start = sample->id[7],
		.step = 1u + sample->id[6],
		.limit = COUNTER_MASK(GENERATOR_ULIDFLAKE),
		.fine_bits = COUNTER_BITS(GENERATOR_ULIDFLAKE)
	};

	(void) op;
	store_be64(sample->id, step(GENERATOR_ULIDFLAKE, &use));
}

/* Ff1Cipher that costs next to nothing: AES is the caller's. */
static void
run_no_cipher(void *key, uint8_t block[FF1_BLOCK_SIZE])
{
	block[0] ^= *(uint8_t *) key;
}

/* What an id takes besides AES, once the key and the tweak are known. */
static void
run_encrypt(const Operation *op, Sample *sample)
{
	static uint8_t key = 1;
	static Ff1	ff1;
	uint8_t		id[ID_MAX_SIZE];
	char		text[ID_MAX_TEXT];

	if (ff1.bits != op->codec->bits)
		ff1_start(&ff1, op->codec->bits, run_no_cipher, &key, NULL, 0);
	memcpy(id, sample->id, (size_t) op->codec->size);
	ff1_encrypt(&ff1, id);
	op->codec->format_digits(id, text);
	sink = (uint8_t) text[op->codec->digits - 1];
}

static const Operation operations[] = {
	{"empty", NULL, run_empty},
#define ID_TYPE(t, T) \
	{"parse", &t##_codec, run_parse}, \
	{"format", &t##_codec, run_format}, \
	{"instant", &t##_codec, run_instant}, \
	{"encrypt", &t##_codec, run_encrypt},
#include "../src/core/types.h"
	{"generate", &siq_codec, run_generate_siq},
	{"generate", &scru160_codec, run_generate_scru160},
	{"generate", &tid64_codec, run_generate_tid64},
	{"generate", &uid11_codec, run_generate_xid},
	{"generate", &ulidflake_codec, run_generate_ulidflake},
};

/* The same ids in every run, with bytes that differ and a time in this century. */
static void
fill(Sample *samples, const Operation *op)
{
	uint64_t	state = UINT64_C(0x9e3779b97f4a7c15);
	const IdTime *time;

	last_word = 0;
	wall = INT64_C(1767225600) * 1000000;
	siq_type = siq_type_by_name("post", 4);
	if (op->codec == NULL)
		return;
	time = &op->codec->time;
	for (Sample *sample = samples; sample < samples + SAMPLES; sample++)
	{
		for (int i = 0; i < ID_MAX_SIZE; i++)
		{
			state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
			sample->id[i] = (uint8_t) (state >> 56);
		}
		store_be64(sample->id,
				   (uint64_t) id_tick_at(time, wall + (int64_t) (state >> 24))
				   << (64 - time->bits) | sample->id[7]);
		op->codec->format(sample->id, sample->text);
	}
}

int
main(void)
{
	static Sample samples[SAMPLES];

	for (size_t i = 0; i < sizeof(operations) / sizeof(operations[0]); i++)
	{
		const Operation *op = &operations[i];
		char		title[64];

		snprintf(title, sizeof(title), "%s %s", op->name, op->codec ? op->codec->name : "-");
		fill(samples, op);
		CALLGRIND_ZERO_STATS;
		for (int call = 0; call < CALLS; call++)
			op->run(op, &samples[call % SAMPLES]);
		CALLGRIND_DUMP_STATS_AT(title);
	}
	printf("%d\n", CALLS);
	return 0;
}
