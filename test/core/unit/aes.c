/*-------------------------------------------------------------------------
 *
 * aes.c
 *	  AES for tests: FIPS 197, sections 4 and 5, encryption only.
 *
 *-------------------------------------------------------------------------
 */
#include <string.h>

#include "aes.h"

/* Product in GF(2^8) modulo x^8 + x^4 + x^3 + x + 1. */
static uint8_t
times(uint8_t a, uint8_t b)
{
	uint8_t		product = 0;

	for (; b != 0; b >>= 1)
	{
		if (b & 1)
			product ^= a;
		a = (uint8_t) (a << 1 ^ (a & 0x80 ? 0x1b : 0));
	}
	return product;
}

/* The S-box: the inverse, and an affine transformation. */
static uint8_t
substitute(uint8_t byte)
{
	static uint8_t box[256];

	if (box[0] == 0)
	{
		for (int i = 0; i < 256; i++)
		{
			int			inverse = 255;

			while (inverse > 0 && times((uint8_t) i, (uint8_t) inverse) != 1)
				inverse--;
			inverse *= 0x0101;
			box[i] = (uint8_t) ((inverse ^ inverse >> 4 ^ inverse >> 5 ^ inverse >> 6 ^
								 inverse >> 7) ^ 0x63);
		}
	}
	return box[byte];
}

void
aes_start(Aes *aes, const uint8_t *key, size_t size)
{
	uint8_t    *words = aes->keys[0];
	uint8_t		constant = 1;

	aes->rounds = (int) size / 4 + 6;
	memcpy(words, key, size);
	for (size_t i = size; i < 16 * ((size_t) aes->rounds + 1); i += 4)
	{
		uint8_t		word[4];

		memcpy(word, words + i - 4, 4);
		if (i % size == 0)
		{
			for (int j = 0; j < 4; j++)
				word[j] = substitute(words[i - 4 + (size_t) (j + 1) % 4]);
			word[0] ^= constant;
			constant = times(constant, 2);
		}
		else if (size > 24 && i % size == 16)
		{
			for (int j = 0; j < 4; j++)
				word[j] = substitute(word[j]);
		}
		for (size_t j = 0; j < 4; j++)
			words[i + j] = words[i + j - size] ^ word[j];
	}
}

static void
add_key(uint8_t state[16], const uint8_t key[16])
{
	for (int i = 0; i < 16; i++)
		state[i] ^= key[i];
}

void
aes_encrypt(void *key, uint8_t block[16])
{
	const Aes  *aes = key;

	add_key(block, aes->keys[0]);
	for (int round = 1; round <= aes->rounds; round++)
	{
		uint8_t		state[16];

		/* the bytes go down the columns: row r is shifted by r columns */
		for (int i = 0; i < 16; i++)
			state[i] = substitute(block[(i + 4 * (i % 4)) % 16]);
		for (int i = 0; i < 16; i++)
		{
			const uint8_t *column = state + i / 4 * 4;

			block[i] = round == aes->rounds ? state[i] :
				times(column[i % 4], 2) ^ times(column[(i + 1) % 4], 3) ^
				column[(i + 2) % 4] ^ column[(i + 3) % 4];
		}
		add_key(block, aes->keys[round]);
	}
}
