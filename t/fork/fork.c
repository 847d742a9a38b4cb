/*-------------------------------------------------------------------------
 *
 * fork.c
 *	  For t/013_fork.pl: a backend that makes a child of itself, as a program in
 *	  an untrusted language can.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <sys/wait.h>
#include <unistd.h>

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "lib/stringinfo.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

PG_MODULE_MAGIC;

PG_FUNCTION_INFO_V1(fork_and_call);

/* Calls a function n times, and appends the results, a line each. */
static void
call(FunctionCallInfo fcinfo, FmgrInfo *output, int n, StringInfo lines)
{
	for (int i = 0; i < n; i++)
		appendStringInfo(lines, "%s\n",
						 OutputFunctionCall(output, FunctionCallInvoke(fcinfo)));
}

/*
 * What a child does: make so many calls and write their results into a pipe.  An error
 * is the last result; if no process reads the pipe any more, it goes to the server's log.
 */
static void
call_in_child(FunctionCallInfo fcinfo, FmgrInfo *output, int n, StringInfo lines, int pipe)
{
	MemoryContext context = CurrentMemoryContext;

	PG_TRY();
	{
		call(fcinfo, output, n, lines);
	}
	PG_CATCH();
	{
		ErrorData  *error;

		MemoryContextSwitchTo(context);
		error = CopyErrorData();
		appendStringInfo(lines, "%s: %s\n", error->message, error->detail);
	}
	PG_END_TRY();
	if (write(pipe, lines->data, lines->len) != lines->len)
		write_stderr("child: %s", lines->data);
	/* nothing of the server may run at its exit */
	_exit(0);
}

/*
 * fork_and_call(function regprocedure, arguments text[], n int, child_n int,
 * pause int) returns text: the results of n calls by this process, then, after so
 * many milliseconds, of child_n by a child, then of n more by this one, a line each.
 */
Datum
fork_and_call(PG_FUNCTION_ARGS)
{
	Oid			function = PG_GETARG_OID(0);
	ArrayType  *array = PG_GETARG_ARRAYTYPE_P(1);
	int			n = PG_GETARG_INT32(2);
	int			child_n = PG_GETARG_INT32(3);
	int			pause = PG_GETARG_INT32(4);
	LOCAL_FCINFO(inner, FUNC_MAX_ARGS);
	FmgrInfo	flinfo;
	FmgrInfo	output;
	Oid		   *argtypes;
	int			nargs;
	Oid			rettype = get_func_signature(function, &argtypes, &nargs);
	Oid			outfunc;
	bool		varlena;
	Datum	   *texts;
	int			count;
	StringInfoData lines;
	int			pipes[2];
	pid_t		child;
	char		buf[8192];
	ssize_t		len;
	int			status;

	deconstruct_array(array, TEXTOID, -1, false, TYPALIGN_INT, &texts, NULL, &count);
	if (count != nargs)
		elog(ERROR, "%d arguments, not %d", nargs, count);
	fmgr_info(function, &flinfo);
	getTypeOutputInfo(rettype, &outfunc, &varlena);
	fmgr_info(outfunc, &output);
	InitFunctionCallInfoData(*inner, &flinfo, nargs, InvalidOid, NULL, NULL);
	for (int i = 0; i < nargs; i++)
	{
		Oid			infunc;
		Oid			ioparam;

		getTypeInputInfo(argtypes[i], &infunc, &ioparam);
		inner->args[i].value = OidInputFunctionCall(infunc, TextDatumGetCString(texts[i]),
													ioparam, -1);
		inner->args[i].isnull = false;
	}

	initStringInfo(&lines);
	call(inner, &output, n, &lines);
	if (pipe(pipes) != 0)
		elog(ERROR, "pipe: %m");
	child = fork();
	if (child < 0)
		elog(ERROR, "fork: %m");
	if (child == 0)
	{
		resetStringInfo(&lines);
		usleep(pause * 1000);
		close(pipes[0]);
		call_in_child(inner, &output, child_n, &lines, pipes[1]);
	}
	close(pipes[1]);
	while ((len = read(pipes[0], buf, sizeof(buf))) > 0)
		appendBinaryStringInfo(&lines, buf, len);
	close(pipes[0]);
	if (waitpid(child, &status, 0) != child || status != 0)
		elog(ERROR, "the child failed");
	call(inner, &output, n, &lines);
	PG_RETURN_TEXT_P(cstring_to_text(lines.data));
}
