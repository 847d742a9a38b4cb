#!/usr/bin/env python3
"""Compares FF1 in radix 2 with that of Bouncy Castle, which knows nothing of this project: random
numbers of each width that a type has.

    ff1_peer.py [--seed N]

Needs a JDK and Debian's libbcprov-java and python3-jpype; "./dev test clients" installs them.
"""

import random
import sys

import jpype

import ff1
import idoracle
from count import Count, options_of

# Debian's jpype does not find its own classes by itself.
LIBRARIES = ['/usr/share/java/%s.jar' % name for name in ('org.jpype', 'bcprov')]
RANDOM = 40


def peer(encrypts, key, tweak, numerals):
    """The numerals that Bouncy Castle makes of others."""
    bouncy = jpype.JPackage('org').bouncycastle.crypto
    engine = bouncy.fpe.FPEFF1Engine()
    engine.init(encrypts, bouncy.params.FPEParameters(bouncy.params.KeyParameter(key), 2, tweak))
    result = jpype.JArray(jpype.JByte)(len(numerals))
    engine.processBlock(bytes(numerals), 0, len(numerals), result, 0)
    return list(result)


def main():
    rng = random.Random(options_of(__doc__).seed)
    t = Count()
    if sys.version_info >= (3, 13) and jpype.__version__ < '1.5.1':
        print('1..0 # SKIP jpype %s fails with this Python' % jpype.__version__)
        return 0
    jpype.startJVM(classpath=LIBRARIES)
    for fmt in idoracle.FORMATS:
        wrong = []
        for _ in range(RANDOM):
            key = rng.getrandbits(256).to_bytes(32, 'big')[:rng.choice((16, 24, 32))]
            tweak = bytes(rng.getrandbits(8) for _ in range(rng.choice((rng.randrange(50), 1024))))
            plain = [rng.randrange(2) for _ in range(ff1.bits_of(fmt))]
            encrypted = ff1.Ff1(key, 2).encrypt(plain, tweak)
            if (peer(True, key, tweak, plain), peer(False, key, tweak, encrypted)) != (
                    encrypted, plain):
                wrong.append('key %s, tweak %s, %s' % (key.hex(), tweak.hex(), plain))
        t.test('%s: as Bouncy Castle (%d)' % (fmt.name, RANDOM), wrong)
    return t.finish()


if __name__ == '__main__':
    sys.exit(main())
