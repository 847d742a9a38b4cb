/*-------------------------------------------------------------------------
 *
 * aes.h
 *	  AES for tests, without a library: slow and plain.
 *
 *-------------------------------------------------------------------------
 */
#ifndef IDTYPES_TEST_AES_H
#define IDTYPES_TEST_AES_H

#include <stddef.h>
#include <stdint.h>

typedef struct Aes
{
	int			rounds;
	uint8_t		keys[15][16];	/* of the rounds */
} Aes;

/* The key has 16, 24 or 32 bytes. */
extern void aes_start(Aes *aes, const uint8_t *key, size_t size);

/* Encrypts a block in place: an Ff1Cipher, whose key is an Aes. */
extern void aes_encrypt(void *aes, uint8_t block[16]);

#endif							/* IDTYPES_TEST_AES_H */
