/*-------------------------------------------------------------------------
 *
 * test_ff1.c
 *	  Format-preserving encryption, for any width; the vectors have results.
 *
 *-------------------------------------------------------------------------
 */
#include "../../../src/core/ff1.h"
#include "check.h"

#define MAX_SIZE	(FF1_MAX_BITS / 8)

/*
 * Every number of each small width, where what has an inverse is a permutation; of each
 * other width both ends of the range, where sums carry all the way, and random ones.
 */
TEST(widths, "ff1: all widths")
{
	for (int bits = FF1_MIN_BITS; bits <= FF1_MAX_BITS; bits++)
	{
		size_t		size = ((size_t) bits + 7) / 8;
		uint8_t		unused = bits % 8 == 0 ? 0 : (uint8_t) (0xFF << bits % 8);
		uint8_t		tweak[40];
		CheckCipher mixer = {.key = check_random()};
		Ff1			ff1;

		check_random_bytes(tweak, sizeof(tweak));
		ff1_start(&ff1, bits, check_encipher, &mixer, tweak, check_random() % (sizeof(tweak) + 1));
		for (uint32_t round = 0; round < (bits <= 16 ? UINT32_C(1) << bits : 50); round++)
		{
			uint8_t		number[MAX_SIZE + 1];
			uint8_t		before[MAX_SIZE + 1];

			check_random_bytes(number, sizeof(number));
			if (bits > 16 && round < 2)
				memset(number, round == 0 ? 0x00 : 0xFF, size);
			for (size_t i = 0; bits <= 16 && i < size; i++)
				number[i] = (uint8_t) (round >> 8 * (size - 1 - i));
			number[0] &= (uint8_t) ~unused;
			memcpy(before, number, sizeof(number));
			ff1_encrypt(&ff1, number);
			CHECK((number[0] & unused) == 0, "%d bits: %s", bits, check_hex(number, size));
			CHECK(bits < 40 || memcmp(number, before, size) != 0, "%d bits: %s", bits,
				  check_hex(number, size));
			CHECK(number[size] == before[size], "%d bits: wrote behind", bits);
			ff1_decrypt(&ff1, number);
			CHECK(memcmp(number, before, sizeof(number)) == 0, "%d bits: %s, not %s", bits,
				  check_hex(number, size), check_hex(before, size));
		}
	}
}
