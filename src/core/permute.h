/*-------------------------------------------------------------------------
 *
 * permute.h
 *	  A keyed permutation of 22-bit numbers, for the random field of xid.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_CORE_PERMUTE_H
#define IDTYPES_CORE_PERMUTE_H

#include <stdint.h>

#define PERMUTE_BITS	22

/* A secret of 128 random bits. */
typedef struct PermuteKey
{
	uint64_t	k0;
	uint64_t	k1;
} PermuteKey;

/*
 * Maps value (below 2^22) to a number below 2^22: another permutation for each
 * key and tweak.  Who does not know the key cannot tell one from a permutation
 * drawn at random, so the image of n says nothing of that of n + 1.
 */
extern uint32_t permute22(const PermuteKey *key, uint64_t tweak, uint32_t value);

#endif							/* IDTYPES_CORE_PERMUTE_H */
