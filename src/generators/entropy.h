/*-------------------------------------------------------------------------
 *
 * entropy.h
 *	  Bytes from the server's cryptographic random number generator, fetched
 *	  by the pool.
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

/* Fills the pool.  An ERROR if the system has no random bytes: never anything weaker. */
extern void entropy_fill(void);

/* In a child of fork(): throws the parent's pool away. */
extern void entropy_after_fork(void);

/*
 * Writes size random bytes, at most a few dozen.  Inline, because with a constant
 * size taking and wiping are a few moves: two calls cost an id 40 instead of
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

/* A uniform number of the given bits, at most 64; the pool gives 4 or 8 bytes for it. */
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
