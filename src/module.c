/*-------------------------------------------------------------------------
 *
 * module.c
 *	  Entry point of the loadable module.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <pthread.h>

#include "fmgr.h"
#include "miscadmin.h"

#include "server/compat.h"
#include "generators/entropy.h"
#include "generators/settings.h"
#include "generators/shared.h"

COMPAT_MODULE_MAGIC("idtypes", IDTYPES_VERSION);

void		_PG_init(void);

/*
 * Runs in a child of fork(), which code in an untrusted language can create inside a
 * backend, and in each backend if the postmaster has loaded the library.  What the child
 * inherits belongs to the parent.
 */
static void
after_fork(void)
{
	entropy_after_fork();
	shared_after_fork();
}

/* Runs when a process loads the library, often with the first call of one of its functions. */
void
_PG_init(void)
{
	settings_define();
	if (pthread_atfork(NULL, NULL, after_fork) != 0)
		ereport(ERROR,
				(errcode(ERRCODE_OUT_OF_MEMORY),
				 errmsg("out of memory"),
				 errdetail("Failed to register what is to be done after fork().")));
	if (process_shared_preload_libraries_in_progress)
		shared_request();
}
