#!/usr/bin/env python3
"""What the identifier formats mean, said a second time.

This module is an oracle for the tests of the extension: plain Python, written from the documents
that define the formats and from nothing else, so that a mistake in the C code is not repeated here.
It is slow and obvious on purpose.

An identifier is an int here: its big-endian bytes read as a number, signed for tid64 alone.
Therefore the order of the ints is the order of the SQL type.  An instant is an int too, in
microseconds since 1970-01-01 00:00 UTC; -math.inf and math.inf stand for the infinite instants of
PostgreSQL and None for an end that a window does not have.

Sources: the SIQ page ("siq" below), the SCRU160 specification 0.1.0, the draft
draft-goldman-tid ("TID draft"), the uid11 / xid specification 1.0 and the Ulid-Flake specification.

What the documents print is in the vectors, and sql/published.sql compares SQL with it as compare.py
compares SQL with this.  Run as a program it checks what is keyed, by examples that others have
published.
"""

import importlib
import subprocess
import sys

import ff1
import keyed
from count import Count
from formats import *

# ---------------------------------------------------------------------------
# The types, from the project's list; each has a module of its name.
# ---------------------------------------------------------------------------

NAMES = subprocess.run(['make', '-s', '--no-print-directory', 'types'],
                       check=True, text=True, stdout=subprocess.PIPE).stdout.split()
MODULES = tuple(importlib.import_module(name) for name in NAMES)
FORMATS = tuple(module.FORMAT for module in MODULES)


def arguments(module, *first):
    """The arguments of a function that generates: these, and those that it needs besides."""
    return ', '.join(first + module.Subject.arguments)


def main():
    t = Count()
    keyed.test(t)
    ff1.test(t)
    return t.finish()


if __name__ == '__main__':
    sys.exit(main())
