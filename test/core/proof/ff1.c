/*-------------------------------------------------------------------------
 *
 * ff1.c
 *	  What FF1 has encrypted is decrypted again, for the width of each type.
 *
 * That holds of a Feistel network with any block cipher whatever, so any it is here,
 * and any key and tweak.
 *
 *-------------------------------------------------------------------------
 */
#include "../../../src/core/ff1.h"
#include "proof.h"

uint64_t	__CPROVER_uninterpreted_cipher_high(uint64_t high, uint64_t low);
uint64_t	__CPROVER_uninterpreted_cipher_low(uint64_t high, uint64_t low);

static void
any_cipher(void *key, uint8_t block[FF1_BLOCK_SIZE])
{
	uint64_t	high = load_be64(block);
	uint64_t	low = load_be64(block + 8);

	store_be64(block, __CPROVER_uninterpreted_cipher_high(high, low));
	store_be64(block + 8, __CPROVER_uninterpreted_cipher_low(high, low));
}

void
prove_encryption(void)
{
	const int	bits = FORMAT.codec->bits;
	const size_t size = (size_t) (bits + 7) / 8;
	const uint8_t unused = bits % 8 == 0 ? 0 : (uint8_t) (0xFF << bits % 8);
	Ff1			ff1;
	uint8_t		number[size];
	uint8_t		before[size];

	ff1.cipher = any_cipher;
	ff1.key = NULL;
	ff1.bits = bits;
	ASSUME((number[0] & unused) == 0);
	memcpy(before, number, size);
	ff1_encrypt(&ff1, number);
	PROVE((number[0] & unused) == 0);
	ff1_decrypt(&ff1, number);
	PROVE(memcmp(number, before, size) == 0);
	REACHED();
}
