/*-------------------------------------------------------------------------
 *
 * entropy.c
 *	  Bytes from the server's cryptographic random number generator, fetched
 *	  by the pool: pg_strong_random() costs one or two microseconds a call,
 *	  however few the bytes.
 *
 * The pool belongs to one process.  What has been taken is wiped, and a process
 * that finds another one's pool, inherited by fork, throws it away: no byte is
 * ever handed out twice.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"

#include "entropy.h"

EntropyPool entropy_pool;

void
entropy_fill(void)
{
	entropy_pool.left = 0;
	if (!pg_strong_random(entropy_pool.bytes, sizeof(entropy_pool.bytes)))
		ereport(ERROR,
				(errcode(ERRCODE_INTERNAL_ERROR),
				 errmsg("could not generate random values for an identifier")));
	entropy_pool.pid = MyProcPid;
	entropy_pool.left = sizeof(entropy_pool.bytes);
}
