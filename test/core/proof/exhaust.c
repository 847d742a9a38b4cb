/*-------------------------------------------------------------------------
 *
 * exhaust.c
 *	  What is too much for cbmc, piece by piece: divisions by 58, 1000 and 15,625.
 *
 *	exhaust PIECE
 *
 * All cases of a piece are run.  That the pieces make the whole is arithmetic: a
 * quotient and a remainder are what C says they are.
 *
 *-------------------------------------------------------------------------
 */
#include <stdlib.h>

/* what the unit tests know of the type has that name as well */
#define uid11_format uid11_write
#include "../../../src/core/uid11_codec.c"
#undef uid11_format
#include "../unit/check.h"

static unsigned long cases;

#define REQUIRE(condition) \
	(cases++, (condition) ? (void) 0 : \
	 (printf("%s:%d: %s\n", __FILE__, __LINE__, #condition), exit(1)))

/*
 * Base58: an id is one digit and two groups of five, and its text theirs in a row.
 * Each group is read as what was written, and comes after the one before it in the
 * order of text too.  So the text of an id is read as that id, no two have the same,
 * and they are in the same order.
 */
static void
base58(void)
{
	char		before[GROUP_DIGITS] = {0};
	char		text[UID11_TEXT_SIZE + 1];
	uint8_t		valid = ALPHABET_VALID;

	for (uint32_t group = 0; group < GROUP; group++)
	{
		write_group(group, text);
		REQUIRE(read_group(text, &valid) == group);
		REQUIRE(memcmp(before, text, GROUP_DIGITS) < 0);
		memcpy(before, text, GROUP_DIGITS);
	}
	REQUIRE((valid & ALPHABET_VALID) != 0);

	/* the first digit, with the least and the most that can follow */
	for (uint64_t first = 0; first <= MAX_FIRST; first++)
	{
		uint64_t	most = first < MAX_FIRST ? TWO_GROUPS - 1 : MAX_AFTER;

		for (int i = 0; i < 2; i++)
		{
			uint8_t		id[UID11_SIZE];
			uint8_t		read[UID11_SIZE];
			IdError		err;

			store_be64(id, first * TWO_GROUPS + (i == 0 ? 0 : most));
			uid11_write(id, text);
			REQUIRE(text[0] == alphabet_base58.digits[first]);
			REQUIRE(uid11_parse(text, UID11_TEXT_SIZE, read, &err) == ID_OK);
			REQUIRE(memcmp(read, id, UID11_SIZE) == 0);
		}
	}
}

/*
 * Instants: each microsecond of a group of ticks falls in the tick that began last,
 * for the first and last groups of each type and those around zero, and a number of
 * others.  Only the quotient, which is the number of the group, differs in others.
 */
static void
instants_of(const IdTime *time)
{
	int64_t		groups = time->last >> time->group_bits;
	int64_t		first = time->first >> time->group_bits;
	int64_t		length = time->group_us >> time->group_bits;

	for (int i = 0; i < 2000; i++)
	{
		int64_t		group = i < 8 ? first + i : i < 16 ? groups - (i - 8) :
			i < 32 ? i - 24 : first + (int64_t) (check_random() % (uint64_t) (groups - first));
		int64_t		tick = group * (INT64_C(1) << time->group_bits);
		int64_t		end = tick + (INT64_C(1) << time->group_bits);

		if (group < first)
			continue;
		for (int64_t us = id_tick_begins(time, tick); tick < end; us++)
		{
			if (tick < time->last && us == id_tick_begins(time, tick + 1))
			{
				int64_t		took = us - id_tick_begins(time, tick);

				REQUIRE(took == length || (time->group_bits > 0 && took == length + 1));
				tick++;
			}
			if (tick == end || (tick == time->last && us > id_tick_begins(time, tick)))
				break;
			REQUIRE(id_tick_at(time, us) == tick);
		}
	}
	REQUIRE(id_tick_at(time, id_tick_begins(time, time->first) - 1) == time->first - 1);
	REQUIRE(id_tick_at(time, INT64_MIN) == time->first - 1);
	REQUIRE(id_tick_at(time, INT64_MAX) == time->last);
}

static void
instants(void)
{
	for (int i = 0; id_codecs[i] != NULL; i++)
		instants_of(&id_codecs[i]->time);
	for (int i = 0; i < GENERATORS; i++)
		instants_of(&generator_info[i].layout.time);
}

int
main(int argc, char **argv)
{
	static const struct
	{
		const char *name;
		void		(*run) (void);
	}			pieces[] = {{"base58", base58}, {"instants", instants}};

	check_seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
	for (size_t i = 0; argc > 1 && i < LENGTH(pieces); i++)
	{
		if (strcmp(pieces[i].name, argv[1]) == 0)
		{
			pieces[i].run();
			printf("%lu cases\n", cases);
			return cases == 0;
		}
	}
	return 2;
}
