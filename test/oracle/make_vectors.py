#!/usr/bin/env python3
"""Writes vectors/*.tsv from the oracle, or the same files into another folder that is named.

The tables of refused texts are written by hand, and the oracle must refuse them, too.

The computed rows come from SHA-256 of the name of the type and a number, so every run on every
version of Python writes the same files.
"""

import csv
import hashlib
import os
import sys

import ff1
import idoracle
import keyed
from idoracle import instant

DIRECTORY = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'vectors')
COMPUTED = 40


def noise(name, number, bits):
    """A number of that many bits that looks random and is always the same."""
    digest = hashlib.sha256(('%s %d' % (name, number)).encode()).digest()
    return int.from_bytes(digest, 'big') % (1 << bits)


def computed(fmt):
    """Identifiers of the 2020s and 2030s, and every fourth of any time at all."""
    for number in range(COMPUTED):
        if number % 4 == 3:
            tick = fmt.first_tick + noise(fmt.name + ' tick', number, fmt.time_bits) % (
                fmt.last_tick - fmt.first_tick + 1)
        else:
            start = instant('2024-01-01T00:00:00Z')
            tick = fmt.tick_at(start + noise(fmt.name + ' time', number, 60) % (4 * 10**14))
        yield fmt.at_tick(tick, noise(fmt.name + ' rest', number, fmt.low_bits))


def rows_of(module):
    """All rows of a type, each identifier once."""
    fmt = module.FORMAT
    edges = idoracle.edge_values(fmt)
    some = sorted({*edges[::max(1, len(edges) // 50)], *edges[:4], *edges[-4:]})
    found = {}
    for given, source, note in [
            *module.rows(), *((value, 'edge', edge_note(fmt, value)) for value in some),
            *((value, 'computed', 'varied') for value in computed(fmt))]:
        value = fmt.parse(given) if isinstance(given, str) else given
        found.setdefault(value, [source, note])
    for value, origin in found.items():
        yield [column(value) for _, _, column in module.COLUMNS] + origin


def edge_note(fmt, value):
    """What makes a value an edge."""
    if value == fmt.smallest:
        return 'smallest'
    if value == fmt.largest:
        return 'largest'
    for what, power in (('2^%d', value), ('2^%d - 1', value + 1), ('-2^%d', -value),
                        ('-2^%d - 1', -value - 1)):
        if power > 0 and power & (power - 1) == 0:
            return what % (power.bit_length() - 1)
    rest = value % (1 << fmt.low_bits)
    return ('first' if rest == 0 else 'last' if rest + 1 == 1 << fmt.low_bits else
            'next to an end') + ' of tick %d' % fmt.tick(value)


def escaped(text):
    r"""ASCII for a file: every other byte, and the backslash, as \xNN."""
    return ''.join(chr(b) if 32 <= b < 127 and b != 0x5c else '\\x%02x' % b
                   for b in text.encode('utf-8'))


def unescaped(text):
    """The reverse of escaped()."""
    return text.encode('ascii').decode('unicode_escape').encode('latin-1').decode('utf-8')


def table(comments, header, rows):
    lines = [('# ' + comment).rstrip() for comment in comments] + ['\t'.join(header)]
    lines += ['\t'.join(row) for row in rows]
    return '\n'.join(lines) + '\n'


def check_refused(name, method):
    """Raises an error where the oracle does not refuse a text of a table for the reason there."""
    formats = {fmt.name: fmt for fmt in idoracle.FORMATS}
    for row in read(name):
        kind = idoracle.bad_kind(getattr(formats[row['type']], method), unescaped(row['text']))
        if kind not in row['class'].split('|') or idoracle.SQLSTATE[kind] != row['sqlstate']:
            raise AssertionError('%s: the oracle says %s of %s' % (name, kind, row))


def prefix_rows():
    for module in idoracle.MODULES:
        fmt = module.FORMAT
        for text in module.PREFIXES:
            ends = fmt.prefix(text)
            yield [fmt.name, text] + ([fmt.format(end) for end in ends] if ends else ['', ''])


def permute_rows():
    """Small numbers, the ends, and what looks random: two numbers of each key and tweak."""
    ends = [0, 2**64 - 1]
    for number in range(32):
        words = [ends[number] if number < 2 else noise('permute %d' % word, number, 64)
                 for word in range(7)]
        for value in (noise('permute value', number, 22), number % 2 * (2**22 - 1)):
            k0, k1, f0, f1, l0, l1, tweak = words
            image = keyed.permute22(k0, k1, (f0, f1), (l0, l1), tweak, value)
            yield ['%016x' % word for word in words] + [str(value), str(image)]


# A tweak is followed in its last block by a byte and half an id, which is 4, 7 or 10 bytes.
TWEAKS = ['', 'post', 'Stra\u00dfe', 'user', 'five!', 'eleven byte', 'twelve bytes', 'ids of eight',
          'eight of them', 'fifteen bytes..', 'sixteen bytes...', 'of seventeen byte',
          'one block and eleven bytes.', 'one block and twelve bytes..', 'a' * 32,
          '\U0001f511 ' * 8, 'b' * 60]


def encrypt_rows():
    """Of each type its ends and computed ids, with keys of each length and all of the tweaks."""
    for module in idoracle.MODULES:
        fmt = module.FORMAT
        values = [fmt.smallest, fmt.largest] + list(computed(fmt))[:len(TWEAKS) - 2]
        for number, (value, tweak) in enumerate(zip(values, TWEAKS)):
            size = 16 + number % 3 * 8
            key = noise(fmt.name + ' key', number, 8 * size).to_bytes(size, 'big')
            yield [fmt.name, fmt.format(value), key.hex(), escaped(tweak),
                   ff1.encrypted(fmt, value, key, tweak)]


def ff1_rows():
    """Numbers of all kinds of widths, with tweaks that end anywhere in a block."""
    for number, bits in enumerate((2, 7, 8, 31, 32, 63, 64, 65, 88, 112, 113, 127, 160, 191, 192)):
        for length in (0, number + 1, 16 + number, 33):
            key, value = noise('ff1 key', number, 64), noise('ff1', number, bits)
            tweak = ''.join(chr(97 + at % 25) for at in range(length))
            numerals = ff1.numerals_of(value, 2, bits)
            image = ff1.num(ff1.WithoutLibrary(key).encrypt(numerals, tweak.encode()), 2)
            size = (bits + 7) // 8
            yield [str(bits), '%016x' % key, tweak, value.to_bytes(size, 'big').hex(),
                   image.to_bytes(size, 'big').hex()]


def files():
    for module in idoracle.MODULES:
        fmt = module.FORMAT
        cols = module.COLUMNS
        width = max(len(name) for name, _, _ in cols)
        comments = ['Identifiers of type %s, one a line, fields separated by tabs.' % fmt.name, '']
        comments += ['%-*s  %s' % (width, name, what) for name, what, _ in cols]
        comments += [
            '%-*s  seed: published with the format; spec: worked out from its errata; foreign: of '
            'other' % (width, 'source'),
            '%-*s  software; edge: where mistakes show; computed: varied bits' % (width, ''),
            '%-*s  for the reader' % (width, 'note')]
        yield (fmt.name + '.tsv',
               table(comments, [name for name, _, _ in cols] + ['source', 'note'], rows_of(module)))
    yield ('prefix.tsv',
           table(['Prefixes and the range of identifiers that start with them.', '',
                  'type    name of the SQL type',
                  'prefix  of the text; of the 28 hex digits for siq',
                  'lo, hi  canonical text of the smallest and largest; empty for the empty range'],
                 ['type', 'prefix', 'lo', 'hi'], prefix_rows()))
    yield ('permute.tsv',
           table(['The permutation of the random field of an xid (src/core/permute.c).', '',
                  'k0, k1          key of the rounds in the middle, in hex as all that follow',
                  'first0, first1  key of the first round: factor and addend',
                  'last0, last1    key of the last round',
                  'tweak           the millisecond',
                  'value, image    decimal; below 2^22'],
                 ['k0', 'k1', 'first0', 'first1', 'last0', 'last1', 'tweak', 'value', 'image'],
                 permute_rows()))
    yield ('encrypt.tsv',
           table(['Encrypted identifiers: FF1 of NIST SP 800-38G in radix 2, with AES.', '',
                  'type       name of the SQL type',
                  'id         its text',
                  'key        16, 24 or 32 bytes in hex',
                  r'tweak      in UTF-8; \xNN is the byte NN in hex',
                  'encrypted  what T_encrypt(id, key, tweak) returns'],
                 ['type', 'id', 'key', 'tweak', 'encrypted'], encrypt_rows()))
    yield ('ff1.tsv',
           table(['FF1 in radix 2 with the cipher of test/oracle/ff1.py that is no secret.', '',
                  'bits               of the number',
                  'key                of that cipher, in hex as the numbers are',
                  'tweak              ASCII',
                  'number, encrypted  in as few bytes as hold the bits'],
                 ['bits', 'key', 'tweak', 'number', 'encrypted'], ff1_rows()))


def read(name):
    """The rows of a vector file, or of another one in that form, as dictionaries."""
    with open(os.path.join(DIRECTORY, name), encoding='ascii', newline='\n') as file:
        return list(csv.DictReader((line for line in file if not line.startswith('#')),
                                   delimiter='\t', quoting=csv.QUOTE_NONE))


def main():
    check_refused('invalid.tsv', 'parse')
    check_refused('prefix_invalid.tsv', 'prefix')
    folder = sys.argv[1] if sys.argv[1:] else DIRECTORY
    os.makedirs(folder, exist_ok=True)
    for name, text in files():
        with open(os.path.join(folder, name), 'w', encoding='ascii', newline='\n') as file:
            file.write(text)


if __name__ == '__main__':
    main()
