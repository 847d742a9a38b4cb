/*-------------------------------------------------------------------------
 *
 * entropy.c
 *	  Bytes from the server's cryptographic random number generator, fetched
 *	  by the pool: pg_strong_random() costs about a microsecond a call, however
 *	  few the bytes.
 *
 * The pool belongs to one process.  What has been taken is wiped, and a process
 * that finds another one's pool, inherited by fork, throws it away: no byte is
 * ever handed out twice.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "port/pg_bswap.h"

#include "core/id.h"
#include "entropy.h"

static struct
{
	int			pid;			/* process that filled it */
	size_t		left;			/* bytes not yet taken, at the end of bytes[] */
	uint8		bytes[4096];
}			pool;

static void
fill_pool(void)
{
	pool.left = 0;
	if (!pg_strong_random(pool.bytes, sizeof(pool.bytes)))
		ereport(ERROR,
				(errcode(ERRCODE_INTERNAL_ERROR),
				 errmsg("could not generate random values for an identifier")));
	pool.pid = MyProcPid;
	pool.left = sizeof(pool.bytes);
}

void
entropy_take(void *dst, size_t size)
{
	uint8	   *src;

	Assert(size <= ENTROPY_MAX);
	if (unlikely(pool.left < size || pool.pid != MyProcPid))
		fill_pool();
	src = pool.bytes + sizeof(pool.bytes) - pool.left;
	memcpy(dst, src, size);
	memset(src, 0, size);
	pool.left -= size;
}

uint64
entropy_bits(int bits)
{
	uint64		value = 0;

	entropy_take(&value, (bits + 7) / 8);
#ifdef WORDS_BIGENDIAN
	value = pg_bswap64(value);
#endif
	return bits == 64 ? value : value & ((UINT64CONST(1) << bits) - 1);
}
