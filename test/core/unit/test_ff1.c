/*-------------------------------------------------------------------------
 *
 * test_ff1.c
 *	  Format-preserving encryption, for any width; test_vectors.c has those of
 *	  the types.
 *
 *-------------------------------------------------------------------------
 */
#include "../../../src/core/ff1.h"
#include "aes.h"
#include "check.h"

#define MAX_SIZE	(FF1_MAX_BITS / 8)

/*
 * NIST's own samples are of other radices.  These, in radix 2, are of Zcash's
 * test vectors (zcash-test-vectors, ff1.py), and the last of the Rust crate fpe.
 */
typedef struct Published
{
	const char *key;
	size_t		tweak_size;		/* bytes 0, 1, 2 ... */
	int			bits;
	const char *plain;
	const char *encrypted;
} Published;

#define SAMPLE_KEY "2b7e151628aed2a6abf7158809cf4f3cef4359d8d580aa4f7f036d6f04fc6a94"
#define ZERO_KEY "0000000000000000000000000000000000000000000000000000000000000000"

static const Published published[] = {
	{SAMPLE_KEY, 0, 88, "0000000000000000000000", "093577fcc1b3e7756a44cf"},
	{SAMPLE_KEY, 0, 88, "093577fcc1b3e7756a44cf", "dad18f04cfd9d5a1e457d8"},
	{SAMPLE_KEY, 0, 88, "5555555555555555555555", "0f41ed77f194036e897326"},
	{SAMPLE_KEY, 255, 88, "5555555555555555555555", "7d881d6115a039e48adea3"},
	{ZERO_KEY, 0, 32, "00000000", "de9f20d8"},
};

static void
vectors(void)
{
	for (const Published *p = published; p < published + LENGTH(published); p++)
	{
		size_t		size = (size_t) p->bits / 8;
		uint8_t		key[32];
		uint8_t		tweak[255];
		uint8_t		number[MAX_SIZE];
		Aes			cipher;
		Ff1			ff1;

		for (size_t i = 0; i < sizeof(tweak); i++)
			tweak[i] = (uint8_t) i;
		check_unhex(p->key, key, sizeof(key));
		check_unhex(p->plain, number, size);
		aes_start(&cipher, key, sizeof(key));
		ff1_start(&ff1, p->bits, aes_encrypt, &cipher, tweak, p->tweak_size);
		ff1_encrypt(&ff1, number);
		CHECK(strcmp(check_hex(number, size), p->encrypted) == 0, "%s: %s, not %s", p->plain,
			  check_hex(number, size), p->encrypted);
		ff1_decrypt(&ff1, number);
		CHECK(strcmp(check_hex(number, size), p->plain) == 0, "%s: %s, not %s", p->encrypted,
			  check_hex(number, size), p->plain);
	}
}

/*
 * With any function for a cipher, decrypting undoes encrypting: this one is fast, and
 * counts its calls.
 */
typedef struct Mixer
{
	uint64_t	key;
	int			calls;
} Mixer;

static void
mix(void *key, uint8_t block[FF1_BLOCK_SIZE])
{
	Mixer	   *mixer = key;
	uint64_t	x = load_be64(block) ^ mixer->key;
	uint64_t	y = load_be64(block + 8) + mixer->key;

	x = (x ^ x >> 29) * UINT64_C(0x9e3779b97f4a7c15);
	y = (y ^ x ^ y >> 31) * UINT64_C(0xd6e8feb86659fd93);
	store_be64(block, x ^ y >> 32);
	store_be64(block + 8, y);
	mixer->calls++;
}

/*
 * Every number of each small width, where what has an inverse is a permutation; of each
 * other width both ends of the range, where sums carry all the way, and random ones.
 */
static void
widths(void)
{
	for (int bits = FF1_MIN_BITS; bits <= FF1_MAX_BITS; bits++)
	{
		size_t		size = ((size_t) bits + 7) / 8;
		uint8_t		unused = bits % 8 == 0 ? 0 : (uint8_t) (0xFF << bits % 8);
		uint8_t		tweak[40];
		Mixer		mixer = {.key = check_random()};
		Ff1			ff1;

		check_random_bytes(tweak, sizeof(tweak));
		ff1_start(&ff1, bits, mix, &mixer, tweak, check_random() % (sizeof(tweak) + 1));
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
static void
tweaks(void)
{
	for (int bits = 63; bits <= 160; bits++)
	{
		uint8_t		tweak[70] = {0};
		size_t		room = 15 - ((size_t) bits / 2 + (size_t) bits % 2 + 7) / 8;

		for (size_t len = 0; len <= sizeof(tweak); len++)
		{
			uint8_t		number[MAX_SIZE] = {0};
			uint8_t		other[MAX_SIZE] = {0};
			Mixer		mixer = {.key = check_random()};
			Ff1			ff1;

			ff1_start(&ff1, bits, mix, &mixer, tweak, len);
			CHECK(mixer.calls == 1 + (int) (len / 16) + (len % 16 > room), "%d bits, %zu: %d", bits,
				  len, mixer.calls);
			mixer.calls = 0;
			ff1_encrypt(&ff1, number);
			CHECK(mixer.calls == 10, "%d bits, %zu: %d", bits, len, mixer.calls);
			for (size_t i = 0; i < len; i++)
			{
				memset(other, 0, sizeof(other));
				tweak[i] ^= 1;
				ff1_start(&ff1, bits, mix, &mixer, tweak, len);
				tweak[i] ^= 1;
				ff1_encrypt(&ff1, other);
				CHECK(memcmp(number, other, sizeof(number)) != 0, "%d bits, %zu: byte %zu", bits,
					  len, i);
			}
			/* nor does a longer one of zeros do the same */
			memset(other, 0, sizeof(other));
			ff1_start(&ff1, bits, mix, &mixer, tweak, len < sizeof(tweak) ? len + 1 : 0);
			ff1_encrypt(&ff1, other);
			CHECK(memcmp(number, other, sizeof(number)) != 0, "%d bits, %zu", bits, len);
		}
	}
}

const TestCase ff1_tests[] = {
	{"ff1: published vectors", vectors},
	{"ff1: all widths", widths},
	{"ff1: tweaks", tweaks},
	{NULL, NULL}
};
