/*-------------------------------------------------------------------------
 *
 * functions.c
 *	  What backends under test do that only a program in an untrusted language, or
 *	  another library, does: make a child of oneself, leave the data directory, and
 *	  use up shared memory; and what else would take millions of statements.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <sys/wait.h>
#include <unistd.h>

#include "executor/spi.h"
#include "fmgr.h"
#include "lib/stringinfo.h"
#include "storage/lwlock.h"
#include "storage/shmem.h"
#include "storage/sinvaladt.h"
#include "utils/builtins.h"

#include "server/compat.h"

PG_MODULE_MAGIC;

PG_FUNCTION_INFO_V1(change_directory);
PG_FUNCTION_INFO_V1(fork_and_call);
PG_FUNCTION_INFO_V1(use_local_xids);
PG_FUNCTION_INFO_V1(shmem_hog);
PG_FUNCTION_INFO_V1(shmem_name_locks);
PG_FUNCTION_INFO_V1(shmem_pretend);

/* use_local_xids(n int) returns void: as if n transactions had been. */
Datum
use_local_xids(PG_FUNCTION_ARGS)
{
	for (int i = 0; i < PG_GETARG_INT32(0); i++)
		GetNextLocalTransactionId();
	PG_RETURN_VOID();
}

/* change_directory(path text) returns void: leaves the data directory. */
Datum
change_directory(PG_FUNCTION_ARGS)
{
	if (chdir(TextDatumGetCString(PG_GETARG_DATUM(0))) != 0)
		elog(ERROR, "chdir: %m");
	PG_RETURN_VOID();
}

/* Calls a function n times, and appends the results, a line each. */
static void
call(SPIPlanPtr plan, int n, StringInfo lines)
{
	for (int i = 0; i < n; i++)
	{
		SPI_execute_plan(plan, NULL, NULL, true, 1);
		appendStringInfo(lines, "%s\n",
						 SPI_getvalue(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1));
		SPI_freetuptable(SPI_tuptable);
	}
}

/*
 * What a child does: make so many calls and write their results into a pipe.  An error
 * is the last result.
 */
static void
call_in_child(SPIPlanPtr plan, int n, StringInfo lines, int pipe)
{
	MemoryContext context = CurrentMemoryContext;

	PG_TRY();
	{
		call(plan, n, lines);
	}
	PG_CATCH();
	{
		ErrorData  *error;

		MemoryContextSwitchTo(context);
		error = CopyErrorData();
		appendStringInfo(lines, "%s: %s\n", unpack_sql_state(error->sqlerrcode), error->message);
	}
	PG_END_TRY();
	/* nothing of the server may run at its exit */
	_exit(write(pipe, lines->data, lines->len) != lines->len);
}

/*
 * fork_and_call(call text, n int) returns text: the results of n calls of that SQL by this
 * process, then of one by a child, then of n more by this one, a line each.
 */
Datum
fork_and_call(PG_FUNCTION_ARGS)
{
	char	   *sql = psprintf("SELECT %s", text_to_cstring(PG_GETARG_TEXT_PP(0)));
	int			n = PG_GETARG_INT32(1);
	SPIPlanPtr	plan;
	StringInfoData lines;
	int			pipes[2];
	pid_t		child;
	char		buf[8192];
	ssize_t		len;
	int			status;

	initStringInfo(&lines);
	SPI_connect();
	plan = SPI_prepare(sql, 0, NULL);
	call(plan, n, &lines);
	if (pipe(pipes) != 0)
		elog(ERROR, "pipe: %m");
	child = fork();
	if (child < 0)
		elog(ERROR, "fork: %m");
	if (child == 0)
	{
		resetStringInfo(&lines);
		close(pipes[0]);
		call_in_child(plan, 1, &lines, pipes[1]);
	}
	close(pipes[1]);
	while ((len = read(pipes[0], buf, sizeof(buf))) > 0)
		appendBinaryStringInfo(&lines, buf, len);
	close(pipes[0]);
	if (waitpid(child, &status, 0) != child || status != 0)
		elog(ERROR, "the child failed");
	call(plan, n, &lines);
	SPI_finish();
	PG_RETURN_TEXT_P(cstring_to_text(lines.data));
}

/*
 * shmem_hog(most bigint) returns bigint: takes all of the free shared memory, or so
 * much, and returns how much it was.
 */
Datum
shmem_hog(PG_FUNCTION_ARGS)
{
	int64		taken = 0;

	/* from large to small, as long as there is so much */
	for (Size size = 1024 * 1024; size >= 64; size /= 2)
		while (taken + (int64) size <= PG_GETARG_INT64(0) && ShmemAllocNoError(size) != NULL)
			taken += size;
	PG_RETURN_INT64(taken);
}

/*
 * shmem_name_locks(count int) returns void: makes as many names of locks, of which
 * some majors have a limited number.
 */
Datum
shmem_name_locks(PG_FUNCTION_ARGS)
{
	for (int i = 0; i < PG_GETARG_INT32(0); i++)
		compat_new_tranche("hog");
	PG_RETURN_VOID();
}

/*
 * shmem_pretend(name text, size int, version int, library text) returns boolean:
 * makes a shared structure as a library of that layout version would, and returns
 * whether it was there already.  As its first fields may be aligned to more than
 * the structure is, all of it is filled with them.
 */
Datum
shmem_pretend(PG_FUNCTION_ARGS)
{
	char	   *name = text_to_cstring(PG_GETARG_TEXT_PP(0));
	struct
	{
		uint32		version;
		char		library[28];
	}		   *shared;
	int			count = PG_GETARG_INT32(1) / sizeof(*shared);
	bool		found;

	LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
	shared = ShmemInitStruct(name, count * sizeof(*shared), &found);
	for (int i = 0; i < count; i++)
	{
		shared[i].version = PG_GETARG_INT32(2);
		text_to_cstring_buffer(PG_GETARG_TEXT_PP(3), shared[i].library, sizeof(shared[i].library));
	}
	LWLockRelease(AddinShmemInitLock);
	PG_RETURN_BOOL(found);
}
