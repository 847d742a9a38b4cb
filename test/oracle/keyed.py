"""What is keyed, said a second time: the permutation of the random field of an xid.

Sources: SipHash is Aumasson and Bernstein, "SipHash: a fast short-input PRF" (2012), sections 2.1
to 2.4.  The permutation is what the head of src/core/permute.c says in words.
"""

MASK64 = (1 << 64) - 1


def rotated(number, by):
    return (number << by | number >> (64 - by)) & MASK64


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
            b, d = rotated(b, 13) ^ a, rotated(d, 16) ^ c
            a = rotated(a, 32)
            c, a = (c + b) & MASK64, (a + d) & MASK64
            b, d = rotated(b, 17) ^ c, rotated(d, 21) ^ a
            c = rotated(c, 32)
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


def test(t):
    t.equal('SipHash-2-4: the example of the paper',
            siphash(bytes(range(15)), 0x0706050403020100, 0x0f0e0d0c0b0a0908, 2, 4),
            0xa129ca6149be45e5)
    image = {permute22(3, 5, (7, 11), (13, 17), 19, value) for value in range(0, 2**22, 4001)}
    t.equal('permute22: no image twice', len(image), len(range(0, 2**22, 4001)))
