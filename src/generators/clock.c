/*-------------------------------------------------------------------------
 *
 * clock.c
 *	  Detecting and reporting steps of the system clock.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "generators/clock.h"

/*
 * The smallest steps of the system clock that are logged.  A wrong step forward does
 * the harm, because ids then carry future times; but a machine that resumes from
 * suspension also steps forward, so that limit is larger.
 */
#define STEP_BACK		USECS_PER_SEC
#define STEP_FORWARD	(5 * USECS_PER_SEC)

/*
 * The first process to notice a step reports it, to the server log only: a client would
 * not expect the message, and might not read it.
 */
void
clock_watch(pg_atomic_uint64 *ahead)
{
	/* read before the clocks: our swap must fail if another backend stored a newer value */
	uint64		old = pg_atomic_read_u64(ahead);
	int64		before;
	int64		mono;
	int64		wall;
	int64		step;

	pg_read_barrier();
	before = clock_wall();
	mono = clock_mono() / 1000;
	wall = clock_wall();
	step = wall - mono - (int64) old;

	/* if the two readings are far apart (interruption, step), the difference is unreliable */
	if (wall < before || wall > before + 10000)
		return;
	/* usually there is no step: do not write to the cache line, which other backends read */
	if (step > -1000 && step < 1000)
		return;
	if (!pg_atomic_compare_exchange_u64(ahead, &old, (uint64) (wall - mono)))
		return;
	/* the first comparison since the server start has no earlier value */
	if (old == 0)
		return;
	if (step < -STEP_BACK)
		ereport(LOG_SERVER_ONLY,
				(errmsg("the system clock was set back by %.3f s", (double) -step / USECS_PER_SEC),
				 errdetail("Identifier generators go on from where they were.")));
	if (step > STEP_FORWARD)
		ereport(LOG_SERVER_ONLY,
				(errmsg("the system clock was set forward by %.3f s",
						(double) step / USECS_PER_SEC),
				 errdetail("Identifier generators follow it, and will not go back with it."),
				 errhint("If it was wrong, set it right and call idtypes_restart_generators().")));
}
