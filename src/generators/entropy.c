/*-------------------------------------------------------------------------
 *
 * entropy.c
 *	  Bytes from the server's cryptographic random number generator, which a
 *	  backend-local pool fetches many at a time: a call of pg_strong_random()
 *	  costs one or two microseconds, even for a few bytes.
 *
 * The pool belongs to one process.  entropy_take() wipes the bytes that it hands
 * out, and a child of fork() discards the pool that it inherited and is refused another
 * one, so no byte is ever handed out twice.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "generators/entropy.h"
#include "generators/shared.h"

EntropyPool entropy_pool;

void
entropy_fill(void)
{
	shared_check_process();
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
