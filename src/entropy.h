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

/*
 * Writes size random bytes, at most ENTROPY_MAX.  An ERROR if the system has
 * none: never anything weaker.
 */
#define ENTROPY_MAX 64
extern void entropy_take(void *dst, size_t size);

/* A uniform number of the given bits, at most 64. */
extern uint64 entropy_bits(int bits);

#endif							/* IDTYPES_ENTROPY_H */
