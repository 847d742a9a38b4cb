#!/usr/bin/env python3
"""Writes the fuzzer's inputs, each as a file of the folder FOLDER.

    seeds.py FOLDER CORPUS VECTORS TYPE...

They are the lines of CORPUS, and of the folder VECTORS the texts of ids, the refused texts and the
refused prefixes.  The types are all, in the order of types.h: the first byte of an input is a
type's number, and that of a prefix is as many more as there are types (fuzz_core.c).
"""

import sys
from pathlib import Path

folder, corpus, vectors, *types = sys.argv[1:]


def rows(name):
    lines = Path(vectors, name + ".tsv").read_text("ascii").splitlines()
    return [line.split("\t") for line in lines if not line.startswith("#")][1:]


inputs = [bytes.fromhex(line) for line in Path(corpus).read_text("ascii").split()]
inputs += [bytes([n]) + row[0].encode() for n, name in enumerate(types) for row in rows(name)]
for use, name in enumerate(("invalid", "prefix_invalid")):
    inputs += [bytes([types.index(of) + use * len(types)]) +
               text.encode().decode("unicode_escape").encode("latin-1")
               for of, text, *_ in rows(name)]
for n, one in enumerate(inputs):
    Path(folder, str(n)).write_bytes(one)
