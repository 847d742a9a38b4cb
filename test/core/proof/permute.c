/*-------------------------------------------------------------------------
 *
 * permute.c
 *	  The permutation of xid's random field is one, for every key and tweak.
 *
 * That holds of a Feistel network with any functions whatever in its rounds, so any
 * they are here: SipHash's steps, and the multiplications at either end.
 *
 *-------------------------------------------------------------------------
 */
#include "proof.h"

/* without arguments, as their types are those of the file below */
void		sip_absorb();
uint64_t	sip_finish();
uint32_t	multiply_shift();

#include "../../../src/core/permute.c"

uint64_t	__CPROVER_uninterpreted_absorb(uint64_t state, uint64_t message);
uint64_t	__CPROVER_uninterpreted_finish(uint64_t state);
uint64_t	__CPROVER_uninterpreted_shift(uint64_t factor, uint64_t addend, uint32_t value);

void
sip_absorb(SipState *s, uint64_t message)
{
	s->v0 = __CPROVER_uninterpreted_absorb(s->v0, message);
}

uint64_t
sip_finish(SipState s)
{
	return __CPROVER_uninterpreted_finish(s.v0);
}

uint32_t
multiply_shift(const uint64_t key[2], uint32_t value)
{
	return (uint32_t) __CPROVER_uninterpreted_shift(key[0], key[1], value) & HALF_MASK;
}

void
prove_permutation(void)
{
	PermuteKey	key;
	uint64_t	tweak;
	uint32_t	a;
	uint32_t	b;

	ASSUME(a >> PERMUTE_BITS == 0 && b >> PERMUTE_BITS == 0 && a != b);
	PROVE(permute22(&key, tweak, a) >> PERMUTE_BITS == 0);
	PROVE(permute22(&key, tweak, a) != permute22(&key, tweak, b));
	REACHED();
}
