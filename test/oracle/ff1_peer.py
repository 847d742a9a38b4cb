#!/usr/bin/env python3
"""Compares FF1 in radix 2 with that of Bouncy Castle, which knows nothing of this project: the
vectors of encrypted ids, and random numbers of each type's width that ff1.py encrypts.

    ff1_peer.py [--seed N]

Needs a JDK and Debian's libbcprov-java; "./dev test clients" installs them.
"""

import os
import random
import subprocess
import sys

import ff1
import idoracle
import make_vectors
from count import Count, options_of

HERE = os.path.dirname(os.path.abspath(__file__))
LIBRARY = '/usr/share/java/bcprov.jar'
RANDOM = 40


def encrypted_by_peer(rows):
    """Numbers of key, tweak, number and bits, encrypted by Bouncy Castle."""
    lines = ['%s %s %x %d\n' % (key.hex(), tweak.hex() or "-", number, bits)
             for key, tweak, number, bits in rows]
    done = subprocess.run(['java', '-cp', LIBRARY, os.path.join(HERE, 'ff1_peer.java')], check=True,
                          input=''.join(lines), text=True, stdout=subprocess.PIPE)
    return [int(line, 16) for line in done.stdout.split()]


def vectors(fmt, bits):
    """Of the file, as what the peer is given, and the number that it must give."""
    for row in make_vectors.read('encrypt.tsv'):
        if row['type'] == fmt.name:
            tweak = make_vectors.unescaped(row['tweak']).encode('utf-8')
            yield ((bytes.fromhex(row['key']), tweak, fmt.parse(row['id']) % 2**bits, bits),
                   fmt.prefix(row['encrypted'])[0] % 2**bits)


def randoms(bits, rng):
    for _ in range(RANDOM):
        key = rng.getrandbits(256).to_bytes(32, 'big')[:rng.choice((16, 24, 32))]
        tweak = bytes(rng.getrandbits(8) for _ in range(rng.choice((rng.randrange(50), 1024))))
        number = rng.getrandbits(bits)
        numerals = ff1.Ff1(key, 2).encrypt(ff1.numerals_of(number, 2, bits), tweak)
        yield (key, tweak, number, bits), ff1.num(numerals, 2)


def main():
    rng = random.Random(options_of(__doc__).seed)
    t = Count()
    checks = []
    for fmt in idoracle.FORMATS:
        bits = ff1.bits_of(fmt)
        checks.append((fmt.name + ': vectors as Bouncy Castle', list(vectors(fmt, bits))))
        checks.append((fmt.name + ': random numbers as Bouncy Castle', list(randoms(bits, rng))))
    got = encrypted_by_peer([row for _, rows in checks for row, _ in rows])
    for title, rows in checks:
        t.check('%s (%d)' % (title, len(rows)), rows and
                got[:len(rows)] == [number for _, number in rows], 'they differ')
        del got[:len(rows)]
    return t.finish()


if __name__ == '__main__':
    sys.exit(main())
