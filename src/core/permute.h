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

/* A secret: all of its bits are random. */
typedef struct PermuteKey
{
	uint64_t	k0;				/* of the rounds in the middle */
	uint64_t	k1;
	uint64_t	first[2];		/* of the first round: factor and addend */
	uint64_t	last[2];		/* of the last one */
} PermuteKey;

/*
 * Maps value (below 2^22) to a number below 2^22, by a different permutation for
 * each key and tweak.  Without the key, the image of n + 1 cannot be derived from
 * that of n.
 */
extern uint32_t permute22(const PermuteKey *key, uint64_t tweak, uint32_t value);

#endif							/* IDTYPES_CORE_PERMUTE_H */
