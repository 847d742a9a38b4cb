/*-------------------------------------------------------------------------
 *
 * settled.c
 *	  T_settled(): the point below which each id is visible, or never will be.
 *
 * openxact.c explains why the reader misses no open transaction.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xact.h"

#include "server/epoch.h"
#include "generators/clockwords.h"
#include "generators/openxact.h"
#include "generators/settled.h"

bool
settled_instant(Generator generator, const char *function, TimestampTz *instant)
{
	const IdTime *time = &generator_info[generator].layout.time;
	int64		tick;
	int64		begins;
	int			pid;

	if (IsolationUsesXactSnapshot())
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("%s needs the isolation level READ COMMITTED", function),
				 errdetail("The snapshot of this transaction is older than the result, and may not "
						   "show rows below it."),
				 errhint("Use READ COMMITTED, or read up to a watermark that another transaction "
						 "has stored in a row.")));
	tick = clockwords_bound(generator, function);
	if (!openxact_available())
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("%s is not available", function),
				 errdetail("The server had no shared memory left for it when the first id was "
						   "generated."),
				 errhint("Add idtypes to shared_preload_libraries, and restart the server.")));
	/* (b) */
	pg_memory_barrier();
	if (openxact_oldest(generator, &begins, &pid))
		tick = Min(tick, id_tick_at(time, begins));
	*instant = timestamp_of_us(id_tick_begins(time, Max(tick, time->first)));
	return !openxact_any_unknown();
}
