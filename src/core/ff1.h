/*-------------------------------------------------------------------------
 *
 * ff1.h
 *	  Format-preserving encryption: a keyed permutation of the numbers of n bits.
 *
 * Source: FF1 of NIST Special Publication 800-38G, "Recommendation for Block
 * Cipher Modes of Operation: Methods for Format-Preserving Encryption" (2016),
 * for radix 2 only: a numeral is a bit, and a numeral string is a number with its
 * most significant bit first.  FF1 is a Feistel network of ten rounds whose round
 * function is the CBC-MAC of a block cipher.
 *
 * The caller provides the block cipher, so that this file needs no library.  The
 * publication requires an approved cipher with blocks of 128 bits, which is AES.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_CORE_FF1_H
#define IDTYPES_CORE_FF1_H

#include <stddef.h>
#include <stdint.h>

#define FF1_BLOCK_SIZE	16		/* bytes */

/*
 * Bits of a number.  The publication requires 7 or more; fewer are for tests.
 * Beyond 192 bits, a round would need more than one block.
 */
#define FF1_MIN_BITS	2
#define FF1_MAX_BITS	192

/*
 * Encrypts one block in place.  A cipher that fails must not return; it may throw an
 * error, because nothing in this file has to be released.
 */
typedef void (*Ff1Cipher) (void *key, uint8_t block[FF1_BLOCK_SIZE]);

/* The state for one key, tweak and width, which serves any number of encryptions. */
typedef struct Ff1
{
	Ff1Cipher	cipher;
	void	   *key;
	int			bits;

	/*
	 * The block that a round enciphers, without the round's number and half; the
	 * blocks before it are the same in each round.  This is as secret as the key.
	 */
	uint8_t		chained[FF1_BLOCK_SIZE];
} Ff1;

/*
 * Prepare *ff1 for numbers of the given width, FF1_MIN_BITS to FF1_MAX_BITS.  The key
 * is passed on to the cipher and must stay valid.  The tweak has len bytes, fewer than
 * 2^32; it is not needed afterwards.  This enciphers 1 + len / 16 blocks, or one more.
 */
extern void ff1_start(Ff1 *ff1, int bits, Ff1Cipher cipher, void *key,
					  const uint8_t *tweak, size_t len);

/*
 * Encrypt or decrypt a number in place.  The number is big-endian, right-aligned in
 * (bits + 7) / 8 bytes; unused bits in front must be zero and stay zero.  Each call
 * enciphers ten blocks.
 */
extern void ff1_encrypt(const Ff1 *ff1, uint8_t *number);
extern void ff1_decrypt(const Ff1 *ff1, uint8_t *number);

#endif							/* IDTYPES_CORE_FF1_H */
