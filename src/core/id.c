/*-------------------------------------------------------------------------
 *
 * id.c
 *	  Functions on the time of an identifier of any format.
 *
 *-------------------------------------------------------------------------
 */
#include <string.h>

#include "id.h"

void
id_of_tick(const IdCodec *codec, int64_t tick, uint8_t filler, uint8_t *id)
{
	int			shift = 64 - codec->time.bits;
	uint64_t	below = filler == 0 ? 0 : (UINT64_C(1) << shift) - 1;

	memset(id, filler, codec->size);
	store_be64(id, (uint64_t) tick << shift | below);
}

/*
 * Let F(us) be the last tick that begins at or before us.  Then F(a - 1) + 1 is the
 * first tick that begins at a or later, and F(b - 1) is the last tick that begins
 * before b.  No tick begins at INT64_MIN, so there "before" and "at or before" are
 * the same.
 */
bool
id_ticks_within(const IdTime *time,
				int64_t lower, bool lower_inclusive,
				int64_t upper, bool upper_inclusive,
				int64_t *first, int64_t *last)
{
	if (lower_inclusive && lower > INT64_MIN)
		lower--;
	if (!upper_inclusive && upper > INT64_MIN)
		upper--;

	*first = id_tick_at(time, lower) + 1;
	*last = id_tick_at(time, upper);
	return *first <= *last;
}
