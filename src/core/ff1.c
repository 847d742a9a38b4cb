/*-------------------------------------------------------------------------
 *
 * ff1.c
 *	  FF1 of NIST SP 800-38G for radix 2.
 *
 * The names u, v, A, B, P, Q, R, S, y, b, d, m and t are the publication's.  For
 * numbers of up to FF1_MAX_BITS, v is at most 96 bits, b 12 bytes and d 16 bytes.  So
 * S is the start of the single block R, and the round's number and half fit into the
 * last block of Q: a round enciphers only one block.
 *
 *-------------------------------------------------------------------------
 */
#include "ff1.h"
#include "id.h"

#define ROUNDS	10
#define RADIX	2

/* A number of 128 bits: a block, or half of the number to be encrypted, padded with zeros. */
typedef struct Number
{
	uint64_t	high;
	uint64_t	low;
} Number;

static inline Number
load_block(const uint8_t block[FF1_BLOCK_SIZE])
{
	return (Number) {load_be64(block), load_be64(block + 8)};
}

static inline void
store_block(uint8_t block[FF1_BLOCK_SIZE], Number number)
{
	store_be64(block, number.high);
	store_be64(block + 8, number.low);
}

/* Read len bytes, up to 16, as a number. */
static Number
load(const uint8_t *bytes, int len)
{
	uint8_t		block[FF1_BLOCK_SIZE] = {0};

	for (int i = 0; i < len; i++)
		block[FF1_BLOCK_SIZE - len + i] = bytes[i];
	return load_block(block);
}

/* Write the len least significant bytes. */
static void
store(uint8_t *bytes, int len, Number number)
{
	uint8_t		block[FF1_BLOCK_SIZE];

	store_block(block, number);
	for (int i = 0; i < len; i++)
		bytes[i] = block[FF1_BLOCK_SIZE - len + i];
}

/* Shift by 0 to 127 bits. */
static inline Number
shift_left(Number number, int bits)
{
	if (bits >= 64)
		return (Number) {number.low << (bits - 64), 0};
	if (bits > 0)
		number.high = number.high << bits | number.low >> (64 - bits);
	number.low <<= bits;
	return number;
}

static inline Number
shift_right(Number number, int bits)
{
	if (bits >= 64)
		return (Number) {0, number.high >> (bits - 64)};
	if (bits > 0)
		number.low = number.low >> bits | number.high << (64 - bits);
	number.high >>= bits;
	return number;
}

/* Return the least significant bits, 1 to 127 of them. */
static inline Number
modulo(Number number, int bits)
{
	return shift_right(shift_left(number, 128 - bits), 128 - bits);
}

static inline Number
plus(Number a, Number b)
{
	uint64_t	low = a.low + b.low;

	return (Number) {a.high + b.high + (low < a.low), low};
}

static inline Number
minus(Number a, Number b)
{
	return (Number) {a.high - b.high - (a.low < b.low), a.low - b.low};
}

static inline Number
exclusive_or(Number a, Number b)
{
	return (Number) {a.high ^ b.high, a.low ^ b.low};
}

/* u and v: the bits of A, which is the more significant half, and of B. */
static inline int
bits_of_a(const Ff1 *ff1)
{
	return ff1->bits / 2;
}

static inline int
bits_of_b(const Ff1 *ff1)
{
	return ff1->bits - ff1->bits / 2;
}

/* m of a round: the bits of the half that it changes. */
static inline int
bits_of_round(const Ff1 *ff1, int round)
{
	return round % 2 == 0 ? bits_of_a(ff1) : bits_of_b(ff1);
}

/* b: the bytes of a half in Q. */
static inline int
half_size(const Ff1 *ff1)
{
	return (bits_of_b(ff1) + 7) / 8;
}

/*
 * Split a number into its halves, and join them.  If v is not a multiple of 8, one
 * byte holds the end of A and the start of B.
 */
static void
split(const Ff1 *ff1, const uint8_t *number, Number *a, Number *b)
{
	int			size = (ff1->bits + 7) / 8;
	int			v = bits_of_b(ff1);

	*a = shift_right(load(number, size - v / 8), v % 8);
	*b = modulo(load(number + size - half_size(ff1), half_size(ff1)), v);
}

static void
join(const Ff1 *ff1, Number a, Number b, uint8_t *number)
{
	int			size = (ff1->bits + 7) / 8;
	int			v = bits_of_b(ff1);

	store(number + size - half_size(ff1), half_size(ff1), b);
	a = shift_left(a, v % 8);
	if (v % 8 != 0)
		a.low |= number[size - half_size(ff1)];
	store(number, size - v / 8, a);
}

/*
 * This does step 5 of the publication, and the part of step 6 that is the same in
 * each round: it chains all blocks of P || Q but the last, and adds the end of the
 * tweak to the last.
 */
void
ff1_start(Ff1 *ff1, int bits, Ff1Cipher cipher, void *key, const uint8_t *tweak, size_t len)
{
	uint8_t    *state = ff1->chained;
	size_t		room;

	ff1->cipher = cipher;
	ff1->key = key;
	ff1->bits = bits;

	/* P: version, method, additions, the radix, rounds, u mod 256, n and t */
	store_be64(state, UINT64_C(0x0102010000000000) | RADIX << 16 | ROUNDS << 8 |
			   (uint64_t) bits_of_a(ff1));
	store_be64(state + 8, (uint64_t) bits << 32 | (uint32_t) len);
	cipher(key, state);

	/* encipher the blocks of T before the one that also holds the round's number */
	room = (size_t) (FF1_BLOCK_SIZE - 1 - half_size(ff1));
	while (len > room)
	{
		size_t		taken = len < FF1_BLOCK_SIZE ? len : FF1_BLOCK_SIZE;

		for (size_t i = 0; i < taken; i++)
			state[i] ^= tweak[i];
		cipher(key, state);
		tweak += taken;
		len -= taken;
	}
	for (size_t i = 0; i < len; i++)
		state[i] ^= tweak[i];
}

/* y of a round for B: the number of the first d bytes of R. */
static Number
round_function(const Ff1 *ff1, int round, Number b)
{
	int			size = half_size(ff1);
	int			d = 4 * ((size + 3) / 4) + 4;
	Number		q = exclusive_or(shift_left((Number) {0, (uint64_t) round}, 8 * size), b);
	uint8_t		r[FF1_BLOCK_SIZE];

	store_block(r, exclusive_or(load_block(ff1->chained), q));
	ff1->cipher(ff1->key, r);
	return shift_right(load_block(r), 8 * (FF1_BLOCK_SIZE - d));
}

void
ff1_encrypt(const Ff1 *ff1, uint8_t *number)
{
	Number		a,
				b;

	split(ff1, number, &a, &b);
	for (int round = 0; round < ROUNDS; round++)
	{
		Number		c = modulo(plus(a, round_function(ff1, round, b)), bits_of_round(ff1, round));

		a = b;
		b = c;
	}
	join(ff1, a, b, number);
}

void
ff1_decrypt(const Ff1 *ff1, uint8_t *number)
{
	Number		a,
				b;

	split(ff1, number, &a, &b);
	for (int round = ROUNDS; round-- > 0;)
	{
		Number		c = modulo(minus(b, round_function(ff1, round, a)), bits_of_round(ff1, round));

		b = a;
		a = c;
	}
	join(ff1, a, b, number);
}
