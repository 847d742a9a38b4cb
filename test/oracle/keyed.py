"""What is keyed or hashed, said a second time: the permutation of xid's random field, and the hash
functions of the types.

Sources: SipHash is Aumasson and Bernstein, "SipHash: a fast short-input PRF" (2012), sections 2.1
to 2.4; the hash of bytes is Jenkins's lookup3 (2006), with the start and the tail that PostgreSQL
documents for hash_bytes().  The permutation is what the head of src/core/permute.c says in words.
"""

MASK32 = (1 << 32) - 1
MASK64 = (1 << 64) - 1


# ---------------------------------------------------------------------------
# SipHash, and a permutation of 22 bits from it
# ---------------------------------------------------------------------------

def rotated(number, by, bits):
    return (number << by | number >> (bits - by)) & ((1 << bits) - 1)


class Sip:
    """SipHash-c-3: words of 64 bits are absorbed by c rounds each."""

    def __init__(self, k0, k1, c):
        self.v = [k ^ s for k, s in zip((k0, k1, k0, k1), (
            int.from_bytes(b'somepseu', 'big'), int.from_bytes(b'dorandom', 'big'),
            int.from_bytes(b'lygenera', 'big'), int.from_bytes(b'tedbytes', 'big')))]
        self.c = c

    def rounds(self, count):
        a, b, c, d = self.v
        for _ in range(count):
            a, c = (a + b) & MASK64, (c + d) & MASK64
            b, d = rotated(b, 13, 64) ^ a, rotated(d, 16, 64) ^ c
            a = rotated(a, 32, 64)
            c, a = (c + b) & MASK64, (a + d) & MASK64
            b, d = rotated(b, 17, 64) ^ c, rotated(d, 21, 64) ^ a
            c = rotated(c, 32, 64)
        self.v = [a, b, c, d]

    def absorb(self, word):
        self.v[3] ^= word
        self.rounds(self.c)
        self.v[0] ^= word

    def finish(self, rounds):
        self.v[2] ^= 0xff
        self.rounds(rounds)
        return self.v[0] ^ self.v[1] ^ self.v[2] ^ self.v[3]


def siphash(data, k0, k1, c, d):
    """SipHash-c-d of a string of bytes."""
    sip = Sip(k0, k1, c)
    padded = data + bytes(7 - len(data) % 8) + bytes([len(data) % 256])
    for i in range(0, len(padded), 8):
        sip.absorb(int.from_bytes(padded[i:i + 8], 'little'))
    return sip.finish(d)


def permute22(k0, k1, first, last, tweak, value):
    """Six rounds of Feistel on halves of 11 bits; a key of a round of multiply-shift is a pair."""
    def pairwise(key, half):
        return ((key[0] * half + key[1]) & MASK64) >> 53

    def keyed(number, half):
        sip = Sip(k0, k1, 1)
        sip.absorb(tweak)
        sip.absorb(number * 2**32 + half)
        return sip.finish(3) % 2**11

    left, right = divmod(value, 2**11)
    left ^= pairwise(first, right)
    for number in range(4):
        left, right = right ^ keyed(number, left), left
    right ^= pairwise(last, left)
    return left * 2**11 + right


# ---------------------------------------------------------------------------
# Jenkins's lookup3, as PostgreSQL uses it
# ---------------------------------------------------------------------------

def mixed(a, b, c):
    for by in ((4, 6, 8), (16, 19, 4)):
        a = (a - c & MASK32) ^ rotated(c, by[0], 32)
        c = c + b & MASK32
        b = (b - a & MASK32) ^ rotated(a, by[1], 32)
        a = a + c & MASK32
        c = (c - b & MASK32) ^ rotated(b, by[2], 32)
        b = b + a & MASK32
    return a, b, c


def final(a, b, c):
    # c ^= b; c -= rot(b, 14); and so on round the three
    for by in ((14, 11, 25), (16, 4, 14), (24, None, None)):
        c = (c ^ b) - rotated(b, by[0], 32) & MASK32
        if by[1] is not None:
            a = (a ^ c) - rotated(c, by[1], 32) & MASK32
            b = (b ^ a) - rotated(a, by[2], 32) & MASK32
    return a, b, c


def lookup3(data):
    """hashlittle() of lookup3 itself, to test mixed() and final() by its published values."""
    a = b = c = 0xdeadbeef + len(data) & MASK32
    blocks = [data[i:i + 12] for i in range(0, len(data), 12)]
    for i, block in enumerate(blocks):
        x, y, z = (int.from_bytes(block[j:j + 4], 'little') for j in (0, 4, 8))
        a, b, c = a + x & MASK32, b + y & MASK32, c + z & MASK32
        a, b, c = (final if i == len(blocks) - 1 else mixed)(a, b, c)
    return c


def server_hash(data, seed=0):
    """hash_bytes_extended(); hash_bytes() is its low 32 bits where the seed is 0."""
    a = b = c = 0x9e3779b9 + len(data) + 3923095 & MASK32
    if seed:
        a, b = a + (seed >> 32) & MASK32, b + seed & MASK32
        a, b, c = mixed(a, b, c)
    while len(data) >= 12:
        x, y, z = (int.from_bytes(data[j:j + 4], 'little') for j in (0, 4, 8))
        a, b, c = mixed(a + x & MASK32, b + y & MASK32, c + z & MASK32)
        data = data[12:]
    # the lowest byte of c is the length's
    a = a + int.from_bytes(data[0:4], 'little') & MASK32
    b = b + int.from_bytes(data[4:8], 'little') & MASK32
    c = c + (int.from_bytes(data[8:11], 'little') << 8) & MASK32
    a, b, c = final(a, b, c)
    return b << 32 | c


def signed(number, bits):
    return number - (1 << bits) if number >> (bits - 1) else number


def hashes(fmt, value, seed):
    """What T_hash() and T_hash_extended() return: 8 bytes hash as the server's bigint does."""
    if fmt.size == 8:
        value = signed(value % 2**64, 64)
        folded = (value ^ value >> 32 if value >= 0 else value ^ ~(value >> 32)) & MASK32
        data = folded.to_bytes(4, 'little')
    else:
        data = fmt.to_bytes(value)
    return signed(server_hash(data) & MASK32, 32), signed(server_hash(data, seed), 64)


def partition(fmt, value, modulus):
    """The remainder of the hash partition that an id belongs to, where it is the whole key: the
    server hashes each column with a seed of its own and mixes that into the hash before, here 0."""
    extended = hashes(fmt, value, 0x7a5b22367996dcfd)[1]
    return (extended + 0x49a0f4dd15e5a8e3) % 2**64 % modulus


def test(t):
    t.equal('SipHash-2-4: the example of the paper',
            siphash(bytes(range(15)), 0x0706050403020100, 0x0f0e0d0c0b0a0908, 2, 4),
            0xa129ca6149be45e5)
    t.equal('lookup3: its published values',
            [lookup3(b''), lookup3(b'Four score and seven years ago')], [0xdeadbeef, 0x17770551])
    image = {permute22(3, 5, (7, 11), (13, 17), 19, value) for value in range(0, 2**22, 4001)}
    t.equal('permute22: no image twice', len(image), len(range(0, 2**22, 4001)))
