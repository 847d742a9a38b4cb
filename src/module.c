/*-------------------------------------------------------------------------
 *
 * module.c
 *	  Module entry.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "miscadmin.h"

#include "clock.h"
#include "settings.h"

PG_MODULE_MAGIC;

void		_PG_init(void);

void
_PG_init(void)
{
	settings_define();
	if (process_shared_preload_libraries_in_progress)
		clock_request_shmem();
}
