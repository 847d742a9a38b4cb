/*-------------------------------------------------------------------------
 *
 * ff1.h
 *	  Format-preserving encryption: a keyed permutation of the numbers of n bits.
 *
 * Source: FF1 of NIST Special Publication 800-38G, "Recommendation for Block
 * Cipher Modes of Operation: Methods for Format-Preserving Encryption" (2016),
 * for radix 2 alone, where a numeral is a bit and a numeral string the number
 * that its bits are, most significant first.  Ten rounds of Feistel, whose
 * function is the CBC-MAC of a block cipher.
 *
 * The block cipher is the caller's, so that this file needs no library for it.
 * The publication wants one of 128 bits that is approved: AES.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_CORE_FF1_H
#define IDTYPES_CORE_FF1_H

#include <stddef.h>
#include <stdint.h>

#define FF1_BLOCK_SIZE	16		/* bytes */

/*
 * Bits of a number.  The publication asks for 7 or more; fewer are for tests.
 * With more than 192, one block would not be enough for a round.
 */
#define FF1_MIN_BITS	2
#define FF1_MAX_BITS	192

/*
 * Encrypts one block in place.  A cipher that fails must not return (it may
 * jump out: nothing here has to be released).
 */
typedef void (*Ff1Cipher) (void *key, uint8_t block[FF1_BLOCK_SIZE]);

/* What all numbers of a key, a tweak and a width have in common. */
typedef struct Ff1
{
	Ff1Cipher	cipher;
	void	   *key;
	int			bits;

	/*
	 * The block that a round enciphers, but for the round's number and half: all
	 * before it is the same in each round.  This is as secret as the key.
	 */
	uint8_t		chained[FF1_BLOCK_SIZE];
} Ff1;

/*
 * Prepares for numbers of so many bits, FF1_MIN_BITS to FF1_MAX_BITS.  The key is
 * passed on to the cipher; the len bytes of the tweak, fewer than 2^32, are not
 * needed any more.  Enciphers 1 + len / 16 blocks, or one more.
 */
extern void ff1_start(Ff1 *ff1, int bits, Ff1Cipher cipher, void *key,
					  const uint8_t *tweak, size_t len);

/*
 * Encrypt and decrypt a number in place, each the inverse of the other.  Big-endian,
 * right-aligned in (bits + 7) / 8 bytes; unused bits in front must be zero and
 * stay so.  Each enciphers ten blocks.
 */
extern void ff1_encrypt(const Ff1 *ff1, uint8_t *number);
extern void ff1_decrypt(const Ff1 *ff1, uint8_t *number);

#endif							/* IDTYPES_CORE_FF1_H */
