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

/*
 * The tweak is enciphered once, not with each number, and every byte of it
 * counts.  Where it ends in a block without room for half a number, that takes a
 * block more.
 */
TEST(tweaks, "ff1: tweaks")
{
	for (int bits = 63; bits <= 160; bits++)
	{
		uint8_t		tweak[70] = {0};
		size_t		room = 15 - ((size_t) bits / 2 + (size_t) bits % 2 + 7) / 8;

		for (size_t len = 0; len <= sizeof(tweak); len++)
		{
			uint8_t		number[MAX_SIZE] = {0};
			uint8_t		other[MAX_SIZE] = {0};
			CheckCipher mixer = {.key = check_random()};
			Ff1			ff1;

			ff1_start(&ff1, bits, check_encipher, &mixer, tweak, len);
			CHECK(mixer.calls == 1 + (int) (len / 16) + (len % 16 > room), "%d bits, %zu: %d", bits,
				  len, mixer.calls);
			mixer.calls = 0;
			ff1_encrypt(&ff1, number);
			CHECK(mixer.calls == 10, "%d bits, %zu: %d", bits, len, mixer.calls);
			for (size_t i = 0; i < len; i++)
			{
				memset(other, 0, sizeof(other));
				tweak[i] ^= 1;
				ff1_start(&ff1, bits, check_encipher, &mixer, tweak, len);
				tweak[i] ^= 1;
				ff1_encrypt(&ff1, other);
				CHECK(memcmp(number, other, sizeof(number)) != 0, "%d bits, %zu: byte %zu", bits,
					  len, i);
			}
			/* nor does a longer one of zeros do the same */
			memset(other, 0, sizeof(other));
			ff1_start(&ff1, bits, check_encipher, &mixer, tweak, len < sizeof(tweak) ? len + 1 : 0);
			ff1_encrypt(&ff1, other);
			CHECK(memcmp(number, other, sizeof(number)) != 0, "%d bits, %zu", bits, len);
		}
	}
}
