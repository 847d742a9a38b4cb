/*-------------------------------------------------------------------------
 *
 * entropy.c
 *	  Bytes from the server's cryptographic random number generator, fetched
 *	  by the pool: pg_strong_random() costs one or two microseconds a call,
 *	  however few the bytes.
 *
 * The pool belongs to one process.  What has been taken is wiped, and a child
 * of fork() throws away what it inherited: no byte is ever handed out twice.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "generators/entropy.h"

EntropyPool entropy_pool;

void
entropy_fill(void)
{
	entropy_pool.left = 0;
	if (!pg_strong_random(entropy_pool.bytes, sizeof(entropy_pool.bytes)))
		ereport(ERROR,
				(errcode(ERRCODE_INTERNAL_ERROR),
				 errmsg("could not generate random values for an identifier")));
	entropy_pool.left = sizeof(entropy_pool.bytes);
}

void
entropy_after_fork(void)
{
	explicit_bzero(entropy_pool.bytes + sizeof(entropy_pool.bytes) - entropy_pool.left,
				   entropy_pool.left);
	entropy_pool.left = 0;
}
