/*-------------------------------------------------------------------------
 *
 * entropy.h
 *	  Bytes from the server's cryptographic random number generator, which a
 *	  backend-local pool fetches many at a time.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_ENTROPY_H
#define IDTYPES_ENTROPY_H

#include "postgres.h"

typedef struct EntropyPool
{
	size_t		left;			/* bytes not yet taken, at the end of bytes[] */
	uint8		bytes[16384];
} EntropyPool;

extern EntropyPool entropy_pool;

/*
 * Fill the pool.  Throws the error of shared_check_process(), and one if pg_strong_random()
 * fails; there is no weaker fallback.
 */
extern void entropy_fill(void);

/* In a child of fork(): discard the pool, whose bytes belong to the parent. */
extern void entropy_after_fork(void);

/*
 * Write size random bytes, at most a few dozen, to dst.  Inline, because with a
 * constant size copying and wiping are a few moves: two calls cost an id 40 instead of
 * 230 instructions.
 */
static inline void
entropy_take(void *dst, size_t size)
{
	uint8	   *src;

	Assert(size <= sizeof(entropy_pool.bytes));
	if (unlikely(entropy_pool.left < size))
		entropy_fill();
	src = entropy_pool.bytes + sizeof(entropy_pool.bytes) - entropy_pool.left;
	memcpy(dst, src, size);
	memset(src, 0, size);
	entropy_pool.left -= size;
}

/* A uniformly distributed number of up to 64 bits; takes 4 or 8 bytes from the pool. */
static inline uint64
entropy_bits(int bits)
{
	Assert(bits >= 0 && bits <= 64);
	if (bits <= 32)
	{
		uint32		value;

		entropy_take(&value, sizeof(value));
		return (uint64) value >> (32 - bits);
	}
	else
	{
		uint64		value;

		entropy_take(&value, sizeof(value));
		return value >> (64 - bits);
	}
}

#endif							/* IDTYPES_ENTROPY_H */
