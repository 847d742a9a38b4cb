/*-------------------------------------------------------------------------
 *
 * clock.c
 *	  Watching for steps of the system clock.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "generators/clock.h"

/*
 * Steps of the system clock that are worth a line in the log.  One forward is
 * what harms, if it was wrong, as ids then carry times of the future; but a
 * machine that was suspended also makes some.
 */
#define STEP_BACK		USECS_PER_SEC
#define STEP_FORWARD	(5 * USECS_PER_SEC)

/*
 * The first process to notice a step reports it.  To the server log alone: a client would
 * not expect it, and might not read it.
 */
void
clock_watch(pg_atomic_uint64 *ahead)
{
	/* first, so that a process held up in here cannot put back what is outdated */
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

	/* readings far apart, because of an interruption or a step, tell nothing */
	if (wall < before || wall > before + 10000)
		return;
	/* most looks see nothing new, and must not disturb who reads that memory */
	if (step > -1000 && step < 1000)
		return;
	if (!pg_atomic_compare_exchange_u64(ahead, &old, (uint64) (wall - mono)))
		return;
	/* the first look finds nothing to compare with */
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
