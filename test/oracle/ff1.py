"""FF1 of NIST SP 800-38G (2016), said a second time and for any radix, with the AES of the library
cryptography, which has no FF1.

The extension needs radix 2 alone, of which NIST publishes no samples: this is checked with theirs,
in radix 10 and 36, and with those that others have published in radix 2.
"""

import math

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from keyed import MASK64

# ---------------------------------------------------------------------------
# FF1: the steps and names of the publication
# ---------------------------------------------------------------------------

def num(numerals, radix):
    value = 0
    for numeral in numerals:
        value = value * radix + numeral
    return value


def numerals_of(value, radix, length):
    numerals = []
    for _ in range(length):
        value, numeral = divmod(value, radix)
        numerals.insert(0, numeral)
    return numerals


class Ff1:
    def __init__(self, key, radix):
        self.cipher = Cipher(algorithms.AES(key), modes.CBC(bytes(16)))
        self.radix = radix

    def prf(self, x):
        """The last block; of a single block, AES."""
        return self.cipher.encryptor().update(x)[-16:]

    def y(self, n, tweak, i, numerals):
        """Steps 6 i to iv of round i, whose numerals are those of the half that is not changed."""
        u, v, t = n // 2, n - n // 2, len(tweak)
        b = math.ceil(math.ceil(v * math.log2(self.radix)) / 8)
        d = 4 * math.ceil(b / 4) + 4
        p = (bytes([1, 2, 1]) + self.radix.to_bytes(3, 'big') + bytes([10, u % 256])
             + n.to_bytes(4, 'big') + t.to_bytes(4, 'big'))
        q = (tweak + bytes((-t - b - 1) % 16) + bytes([i])
             + num(numerals, self.radix).to_bytes(b, 'big'))
        r = self.prf(p + q)
        s = r
        for j in range(1, math.ceil(d / 16)):
            s += self.prf(bytes(a ^ c for a, c in zip(r, j.to_bytes(16, 'big'))))
        return int.from_bytes(s[:d], 'big')

    def encrypt(self, x, tweak):
        n, u = len(x), len(x) // 2
        a, b = x[:u], x[u:]
        for i in range(10):
            m = u if i % 2 == 0 else n - u
            c = (num(a, self.radix) + self.y(n, tweak, i, b)) % self.radix ** m
            a, b = b, numerals_of(c, self.radix, m)
        return a + b


class WithoutLibrary(Ff1):
    """With a cipher that is no secret in the place of AES: the tests of src/core, which have no
    library, have it too (check_encipher() in test/core/unit/check.c)."""

    def __init__(self, key):
        self.key = key
        self.radix = 2

    def prf(self, x):
        one = other = 0
        for at in range(0, len(x), 16):
            one ^= int.from_bytes(x[at:at + 8], 'big') ^ self.key
            other = (other ^ int.from_bytes(x[at + 8:at + 16], 'big')) + self.key & MASK64
            one = (one ^ one >> 29) * 0x9e3779b97f4a7c15 & MASK64
            other = (other ^ one ^ other >> 31) * 0xd6e8feb86659fd93 & MASK64
            one ^= other >> 32
        return one.to_bytes(8, 'big') + other.to_bytes(8, 'big')


# ---------------------------------------------------------------------------
# Encrypted identifiers
# ---------------------------------------------------------------------------

def bits_of(fmt):
    return (fmt.largest - fmt.smallest).bit_length()


def encrypted(fmt, value, key, tweak):
    """What T_encrypt() returns: the digits that prefixes are of, without a dash.  What is encrypted
    are the bits of an identifier, not its sign."""
    bits = bits_of(fmt)
    result = num(Ff1(key, 2).encrypt(numerals_of(value % 2**bits, 2, bits), tweak.encode()), 2)
    value = result if result <= fmt.largest else result - 2**bits
    return fmt.shown_for_prefix(value).replace('-', '')


# ---------------------------------------------------------------------------
# Self-test
# ---------------------------------------------------------------------------

KEY = bytes.fromhex('2B7E151628AED2A6ABF7158809CF4F3CEF4359D8D580AA4F7F036D6F04FC6A94')
DIGITS = '0123456789abcdefghijklmnopqrstuvwxyz'

# In radix 2, as hex: Zcash's test vectors (zcash-test-vectors, ff1.py), and the last of the Rust
# crate fpe: key, length of a tweak 0, 1, 2 ..., plaintext, ciphertext.
BINARY = [
    (KEY, 0, '0000000000000000000000', '093577fcc1b3e7756a44cf'),
    (KEY, 0, '093577fcc1b3e7756a44cf', 'dad18f04cfd9d5a1e457d8'),
    (KEY, 0, '5555555555555555555555', '0f41ed77f194036e897326'),
    (KEY, 255, '5555555555555555555555', '7d881d6115a039e48adea3'),
    (bytes(32), 0, '00000000', 'de9f20d8'),
]

# "FF1 samples", which NIST publishes with SP 800-38G: length of the key, radix, tweak, plaintext
# and ciphertext.
SAMPLES = [
    (16, 10, '', '0123456789', '2433477484'),
    (16, 10, '39383736353433323130', '0123456789', '6124200773'),
    (16, 36, '3737373770717273373737', '0123456789abcdefghi', 'a9tv40mll9kdu509eum'),
    (24, 10, '', '0123456789', '2830668132'),
    (24, 10, '39383736353433323130', '0123456789', '2496655549'),
    (24, 36, '3737373770717273373737', '0123456789abcdefghi', 'xbj3kv35jrawxv32ysr'),
    (32, 10, '', '0123456789', '6657667009'),
    (32, 10, '39383736353433323130', '0123456789', '1001623463'),
    (32, 36, '3737373770717273373737', '0123456789abcdefghi', 'xs8a0azh2avyalyzuwd'),
]


def test(t):
    for number, (size, radix, tweak, plain, cipher) in enumerate(SAMPLES):
        numerals = [DIGITS.index(digit) for digit in plain]
        got = Ff1(KEY[:size], radix).encrypt(numerals, bytes.fromhex(tweak))
        t.equal('FF1: sample %d of NIST' % (number + 1),
                ''.join(DIGITS[numeral] for numeral in got), cipher)
    for number, (key, size, plain, cipher) in enumerate(BINARY):
        bits = 4 * len(plain)
        numerals = numerals_of(int(plain, 16), 2, bits)
        t.equal('FF1: vector %d in radix 2' % (number + 1),
                '%0*x' % (len(cipher), num(Ff1(key, 2).encrypt(numerals, bytes(range(size))), 2)),
                cipher)
    ff1 = Ff1(KEY[:16], 2)
    image = {num(ff1.encrypt(numerals_of(value, 2, 7), b'tweak'), 2) for value in range(128)}
    t.equal('FF1: a permutation of 7 bits', sorted(image), list(range(128)))
