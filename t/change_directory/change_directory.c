/*-------------------------------------------------------------------------
 *
 * change_directory.c
 *	  For t/005_mark.pl: a backend that leaves the data directory, as a program in
 *	  an untrusted language can make it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <unistd.h>

#include "fmgr.h"
#include "utils/builtins.h"

PG_MODULE_MAGIC;

PG_FUNCTION_INFO_V1(change_directory);

Datum
change_directory(PG_FUNCTION_ARGS)
{
	if (chdir(TextDatumGetCString(PG_GETARG_DATUM(0))) != 0)
		elog(ERROR, "chdir: %m");
	PG_RETURN_VOID();
}
