#!/usr/bin/env python3
"""Writes test/vectors/*.tsv from the oracle; with --check, compares them with what it would write.

The computed rows come from SHA-256 of the name of the type and a number, so every run on every
version of Python writes the same files.
"""

import hashlib
import os
import sys

import idoracle
from idoracle import BadId, OutOfRange, iso, instant, scru160, siq, tid64, uid11, ulidflake

DIRECTORY = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, 'vectors')
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


# Columns of each type: name, what it is, and how it comes from a value.

def part(fmt, name, *profile):
    def column(value):
        try:
            got = fmt.fields(value, *profile)[name]
        except OutOfRange:
            return ''
        return got.hex() if isinstance(got, bytes) else str(got)
    return column


def columns(fmt, before, after):
    return ([('text', 'the canonical text', fmt.format)] + before
            + [('hex', 'the %d bytes, most significant first' % fmt.size,
                lambda v: fmt.to_bytes(v).hex()),
               ('timestamp', 'instant of the tick, rounded up to the microsecond',
                lambda v: iso(fmt.timestamp(v)))] + after)


DECIMAL = ('decimal', 'the identifier as a number', str)

COLUMNS = {
    'siq': columns(siq, [DECIMAL, ('uuid', 'the UUIDv8 form', siq.uuid)], [
        ('shard', '8 bits', part(siq, 'shard')),
        ('domain', 'domain hash, 32 bits', part(siq, 'domain')),
        ('serial', '11, 12 or 13 bits', part(siq, 'serial')),
        ('type', 'what the qualifier says', part(siq, 'type'))]),
    'scru160': columns(scru160, [], [
        ('counter', '16 bits', part(scru160, 'counter')),
        ('random', 'the other 12 bytes in hex', part(scru160, 'random'))]),
    'tid64': columns(tid64, [('compact', 'the text without dashes', tid64.compact), DECIMAL], [
        ('clock_id', '10 bits', part(tid64, 'clock_id'))]),
    'uid11': columns(uid11, [DECIMAL], [
        ('random', 'xid: 22 bits', part(uid11, 'random')),
        ('snowish_machine', 'snowish: 10 bits; empty where the reserved bit is set',
         part(uid11, 'machine', 'snowish')),
        ('snowish_sequence', 'snowish: 12 bits; empty where the reserved bit is set',
         part(uid11, 'sequence', 'snowish')),
        ('seq_rand_sequence', 'ts-seq-rand: 12 bits', part(uid11, 'sequence', 'ts-seq-rand')),
        ('seq_rand_random', 'ts-seq-rand: 10 bits', part(uid11, 'random', 'ts-seq-rand'))]),
    'ulidflake': columns(ulidflake, [DECIMAL], [
        ('randomness', 'stand-alone: 20 bits', part(ulidflake, 'randomness')),
        ('scalability', 'scalable: the last 5 of them', part(ulidflake, 'scalability'))]),
}


# Rows that are not computed: text or value, where it comes from, what it is.

def siq_rows():
    yield 7451106619238957490390643507207, 'spec', 'output of the library of the author, content'
    for name in siq.ALIASES:
        suffix = siq.serial_bits(name)
        for serial in (0, (1 << suffix) - 1):
            yield (siq.compose(instant('2025-01-01T00:00:00Z'), 7, siq.domain_hash('example.com'),
                               serial, name), 'edge', '%s, serial %d' % (name, serial))
    for suffix in ('10010', '11010', '11100'):
        yield (siq.at_tick(100 << 16, int('10110011101' + suffix, 2)), 'edge',
               'unassigned suffix ' + suffix)
    at = instant('2025-06-30T12:34:56.789012Z')
    yield siq.compose(at, 255, 0, 0, 'user'), 'edge', 'largest shard'
    yield siq.compose(at, 0, 2**32 - 1, 0, 'user'), 'edge', 'largest domain hash'
    yield siq.compose(at, 1, siq.domain_hash('example.com', 256), 0, 'user'), 'edge', 'local id 256'
    for fraction in (1, 32767, 32768, 65535):
        yield siq.at_tick((1721407246 << 16) + fraction, 0x1f), 'edge', '%d/65536 s' % fraction


def scru160_rows():
    for text in ('05TTUP1HNCPNH30VEK64KDQT9BSNU4C4', '05TTUP1HNCPNIB63R8IN5V2L3VFGNFET',
                 '017bdf6431bb33750751eb63beb3c3f8c5969d86',
                 '017bdf6431bb337662412e6a5758890735c33c2b'):
        yield text, 'seed', 'example of the specification, given as ' + text
    at = scru160.tick_at(instant('2021-09-24T00:00:00Z')) << 112
    yield at | 0xffff << 96, 'edge', 'largest counter, zero random'
    yield at | 0x7fff << 96, 'edge', 'largest first counter'
    yield at | (999 << 6 | 63) << 96, 'edge', 'microsecond 999, its largest counter'
    yield at | ((1 << 96) - 1), 'edge', 'zero counter, all random bits set'
    yield at | 0xffff << 80, 'edge', 'random16 all ones'
    yield at | ((1 << 80) - 1), 'edge', 'random80 all ones'


def tid64_rows():
    yield '3kxn-lhr-3gxq-23', 'seed', 'worked example of the draft'
    yield '3iso-34e-qpw2-22', 'seed', 'the UUIDv6 vector of the draft, clock id 0'
    yield 's222-222-2222-22', 'seed', 'smallest timestamp of the draft'
    yield '2222-222-2222-22', 'seed', '1970'
    yield 'bzzz-zzz-zzzz-22', 'seed', 'largest timestamp of the draft'
    yield 'zzzz-zzz-zzzz-22', 'seed', 'the draft calls it unsafe; it is one microsecond before 1970'
    yield '3kxm-tyq-iinc-22', 'spec', 'what the number printed in the draft encodes to'
    for text in ('3jzfcijpj2z2a', '7777777777777', '3zzzzzzzzzzzz', '2222222222222'):
        yield text, 'foreign', 'valid in the AT Protocol, given as ' + text
    for prefix in ('3kxn-lhr-3gxq', '3kxn-lhr', '3kxn', '3k'):
        for value, which in zip(tid64.prefix(prefix), ('first', 'last')):
            yield value, 'spec', '%s of prefix %s' % (which, prefix)
    for clock_id in (0, 1, 31, 32, 991, 992, 1023):
        yield 1721407246480310 * 1024 + clock_id, 'edge', 'clock id %d' % clock_id


def uid11_rows():
    yield '11111111111', 'seed', 'zero'
    yield '1111111NVpb', 'seed', '1 ms after the epoch'
    yield '113q8KFkAEs', 'seed', '1 day after the epoch'
    for name, value in (('largest snowish', 2**63 - 1), ('smallest above snowish', 2**63)):
        yield value, 'edge', name
    for prefix in ('1', 'j', 'jpXCZe', '3kx'):
        for value, which in zip(uid11.prefix(prefix), ('first', 'last')):
            yield value, 'spec' if prefix in '1j' else 'edge', '%s of prefix %s' % (which, prefix)
    tick = uid11.tick_at(instant('2025-01-01T00:00:00Z')) << 22
    for rest, name in ((0, 'nothing below the time'), (2**22 - 1, 'everything below the time'),
                       (1023 << 12, 'largest machine'), (4095, 'largest sequence of snowish'),
                       (4095 << 10, 'largest sequence of ts-seq-rand'),
                       (1023, 'largest random of ts-seq-rand')):
        yield tick | rest, 'edge', name


def ulidflake_rows():
    yield '00CMXB6TAK4SA', 'seed', 'example of the specification, 14246757444195114'
    yield '7ZZZZZZZZZZZZ', 'seed', 'the largest'
    tick = ulidflake.tick_at(instant('2025-01-01T00:00:00Z')) << 20
    for rest, name in ((0, 'randomness 0'), (2**20 - 1, 'largest randomness'),
                       (31, 'largest scalability'), (32767 << 5, 'largest scalable randomness')):
        yield tick | rest, 'edge', name
    for first in '1234567':
        yield first + '000000000000', 'edge', 'first of prefix ' + first


ROWS = {'siq': siq_rows, 'scru160': scru160_rows, 'tid64': tid64_rows, 'uid11': uid11_rows,
        'ulidflake': ulidflake_rows}


def rows_of(fmt):
    """All rows of a type, each identifier once."""
    seen = set()

    def once(text_or_value, source, note):
        value = text_or_value
        if isinstance(value, str):
            value = fmt.parse(value)
        if value not in seen:
            seen.add(value)
            yield [column(value) for _, _, column in COLUMNS[fmt.name]] + [source, note]

    for row in ROWS[fmt.name]():
        yield from once(*row)
    edges = idoracle.edge_values(fmt)
    step = max(1, len(edges) // 50)
    for i, value in enumerate(edges):
        if i % step == 0 or i < 4 or i >= len(edges) - 4:
            yield from once(value, 'edge', edge_note(fmt, value))
    for value in computed(fmt):
        yield from once(value, 'computed', 'varied')


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


# Text that the types refuse: type, text, class (several where it breaks several rules), why.

INVALID = [
    ('siq', '', 'length', 'empty'),
    ('siq', 'iuxvojaaf4c6s6aaaaaaaaaaaaaa', 'length|character', '28 characters are hex digits'),
    ('siq', 'did:siq:iuxvojaaf4c6s6aaaaaaaaaaaaaa', 'length', 'a character short'),
    ('siq', 'did:siq:iuxvojaaf4c6s6aaaaaaaaaaaaaahh', 'length', 'a character long'),
    ('siq', '005e0bd2f000000000000000000', 'length', '27 hex digits'),
    ('siq', '005e0bd2f000000000000000000g', 'character', 'g is no hex digit'),
    ('siq', '005e0bd2-f000-8000-8000-000000001c00', 'length|character', 'the uuid form'),
    ('siq', 'did:siq:', 'length', 'nothing after the scheme'),
    ('siq', 'DID:SIQ:iuxvojaaf4c6s6aaaaaaaaaaaaaah', 'scheme', 'the scheme is lower case'),
    ('siq', 'did:plc:iuxvojaaf4c6s6aaaaaaaaaaaaaah', 'scheme', 'another DID method'),
    ('siq', 'urn:siq:iuxvojaaf4c6s6aaaaaaaaaaaaaah', 'length|character', 'not a DID'),
    ('siq', 'did:siq:iuxvojaaf4c6s6aaaaaaaaaaaaaai', 'checksum', 'last character changed'),
    ('siq', 'did:siq:juxvojaaf4c6s6aaaaaaaaaaaaaah', 'checksum', 'first character changed'),
    ('siq', 'iuxvojaaf4c6s6aaaaaaaaaaaaaahh', 'length', 'bare and a character long'),
    ('siq', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'checksum', 'zero with a checksum of zero'),
    ('siq', 'iuxvojaaf4c6s6aaaaaaaaaaaaaa1', 'character', '1 is not in base32'),
    ('siq', 'iuxvojaaf4c6s6aaaaaaaaaaaaaa0', 'character', '0 is not in base32'),
    ('siq', 'iuxvojaaf4c6s6aaaaaaaaaaaaaa8', 'character', '8 is not in base32'),
    ('siq', 'iuxvojaaf4c6s6aaaaaaaaaaaaaa=', 'character', 'padding is not in base32'),
    ('siq', 'iuxvojaaf4c6s6aaaaaaaaaaaaa\xe9', 'character', 'a letter of two bytes'),
    ('siq', ' did:siq:iuxvojaaf4c6s6aaaaaaaaaaaaaah', 'length|character', 'white space before'),
    ('siq', 'did:siq:iuxvojaaf4c6s6aaaaaaaaaaaaaah ', 'length|character', 'white space after'),
    ('siq', 'quxvojaaf4c6s6aaaaaaaaaaaaaah', 'range', 'the 145th bit is set'),
    ('siq', '7uxvojaaf4c6s6aaaaaaaaaaaaaah', 'range', 'the 145th bit is set'),
    ('scru160', '', 'length', 'empty'),
    ('scru160', '05TTUP1HNCPNH30VEK64KDQT9BSNU4C', 'length', '31 characters'),
    ('scru160', '05TTUP1HNCPNH30VEK64KDQT9BSNU4C44', 'length', '33 characters'),
    ('scru160', '017bdf6431bb33788c1f750c4a375d4af97f118', 'length', '39 hex digits'),
    ('scru160', '017bdf6431bb33788c1f750c4a375d4af97f11840', 'length', '41 hex digits'),
    ('scru160', '05TTUP1HNCPNH30VEK64KDQT9BSNU4CW', 'character', 'W is not in base32hex'),
    ('scru160', 'w5TTUP1HNCPNH30VEK64KDQT9BSNU4C4', 'character', 'w is not in base32hex'),
    ('scru160', '05TTUP1HNCPNH30V-K64KDQT9BSNU4C4', 'character', 'no dashes'),
    ('scru160', '05TTUP1HNCPNH30VEK64KDQT9BSNU4\xe9', 'character', 'a letter of two bytes'),
    ('scru160', '017bdf6431bb33788c1f750c4a375d4af97f118g', 'character', 'g is no hex digit'),
    ('scru160', ' 05TTUP1HNCPNH30VEK64KDQT9BSNU4C4', 'length|character', 'white space before'),
    ('scru160', '05TTUP1HNCPNH30VEK64KDQT9BSNU4C ', 'character', 'white space within the length'),
    ('scru160', '\\x017bdf6431bb33788c1f750c4a375d4af97f1184', 'length|character', 'bytea form'),
    ('tid64', '', 'length', 'empty'),
    ('tid64', '3jzfcijpj2z2', 'length', '12 characters'),
    ('tid64', '3jzfcijpj2z2aa', 'length', '14 characters'),
    ('tid64', '3kxn-lhr-3gxq', 'separator', 'no clock id: 13 characters, but with dashes'),
    ('tid64', '3kxn-lhr-3gxq-2', 'length', 'half a clock id'),
    ('tid64', '3kxn-lhr-3gxq-234', 'length', '17 characters'),
    ('tid64', '3kxnlhr3gxq-23', 'length', 'one dash of three'),
    ('tid64', '3kx-nlhr-3gxq-23', 'separator', 'dash one too early'),
    ('tid64', '3kxn_lhr_3gxq_23', 'separator', 'not dashes'),
    ('tid64', '3kxn-lhr-3gx--23', 'separator', 'a dash where a digit belongs'),
    ('tid64', '3jzfcijpj2z-a', 'separator', 'a dash among 13 characters'),
    ('tid64', '3JZFCIJPJ2Z2A', 'character', 'upper case'),
    ('tid64', '3Kxn-lhr-3gxq-23', 'character', 'upper case'),
    ('tid64', '3jzfcijpj2z21', 'character', '1 is not in base32lex'),
    ('tid64', '0000000000000', 'character', '0 is not in base32lex'),
    ('tid64', '3kxn-lhr-3gxq-28', 'character', '8 is not in base32lex'),
    ('tid64', '3kxn-lhr-3gxq-29', 'character', '9 is not in base32lex'),
    ('tid64', '3jzfcijpj2z\xe9', 'character', 'a letter of two bytes'),
    ('tid64', ' 3jzfcijpj2z2a', 'length|character', 'white space before'),
    ('tid64', '3jzfcijpj2z2 ', 'character', 'white space within the length'),
    ('tid64', 'kjzfcijpj2z2a', 'range', 'not valid in the AT Protocol either'),
    ('tid64', 'c222222222222', 'range', 'just above the largest'),
    ('tid64', 'rzzz-zzz-zzzz-zz', 'range', 'just below the smallest'),
    ('uid11', '', 'length', 'empty'),
    ('uid11', '1111111111', 'length', '10 characters'),
    ('uid11', '111111111111', 'length', '12 characters'),
    ('uid11', '113q8KFkAE0', 'character', '0 is not in base58'),
    ('uid11', '113O8KFkAEs', 'character', 'O is not in base58'),
    ('uid11', 'I13q8KFkAEs', 'character', 'I is not in base58'),
    ('uid11', '113q8lFkAEs', 'character', 'l is not in base58'),
    ('uid11', '113q8-FkAEs', 'character', 'no dashes'),
    ('uid11', '113q8KFkA\xe9', 'character', 'a letter of two bytes'),
    ('uid11', ' 113q8KFkAEs', 'length|character', 'white space before'),
    ('uid11', '113q8KFkAE\n', 'character', 'a line feed within the length'),
    ('uid11', 'jpXCZedGfVR', 'range', 'the largest plus 1'),
    ('uid11', 'jpXCZedGfW1', 'range', 'the largest plus a few'),
    ('uid11', 'k1111111111', 'range', 'above the largest in its first character'),
    ('uid11', 'zzzzzzzzzzz', 'range', 'the largest text'),
    ('ulidflake', '', 'length', 'empty'),
    ('ulidflake', '00CMXB6TAK4S', 'length', '12 characters'),
    ('ulidflake', '00CMXB6TAK4SAA', 'length', '14 characters'),
    ('ulidflake', '00CMXB6TAK4SI', 'character', 'I is not in the alphabet'),
    ('ulidflake', '00CMXB6TAK4SL', 'character', 'L is not in the alphabet'),
    ('ulidflake', 'O0CMXB6TAK4SA', 'character', 'O is not in the alphabet'),
    ('ulidflake', '00CMXBuTAK4SA', 'character', 'u is not in the alphabet'),
    ('ulidflake', '00CMXB-TAK4SA', 'character', 'no dashes'),
    ('ulidflake', '00CMXB6TAK4\xe9', 'character', 'a letter of two bytes'),
    ('ulidflake', '14246757444195114', 'length', 'the decimal form, which is a cast'),
    ('ulidflake', ' 00CMXB6TAK4SA', 'length|character', 'white space before'),
    ('ulidflake', '00CMXB6TAK4S\t', 'character', 'a tab within the length'),
    ('ulidflake', '8000000000000', 'range', 'the largest plus 1'),
    ('ulidflake', 'ZZZZZZZZZZZZZ', 'range', 'the largest text'),
    ('ulidflake', 'zzzzzzzzzzzzz', 'range', 'the largest text, lower case'),
]

PREFIXES = {
    'siq': ['', '0', '00', 'f', 'F', '005e0bd2f', '005E0BD2F0', '0000668', 'ffffffffff',
            '005e0bd2f000000000000000000', '005e0bd2f0000000000000000007', 'f' * 28, '0' * 28],
    'scru160': ['', '0', '05', '05TTUP1', '05ttup1hnc', 'V', 'v', '05TTUP1HNCPNH30VEK64KDQT9BSNU4C',
                '05TTUP1HNCPNH30VEK64KDQT9BSNU4C4', 'V' * 32, '0' * 32],
    'tid64': ['', '2', '7', 'a', 'b', 'c', 'd', 'k', 'r', 's', 'z', 'cz', 'r22', '3', '3k', '3kxn',
              '3kxn-', '3kxn-l', '3kxn-lhr', '3kxnlhr', '3kxn-lhr-3gxq', '3kxnlhr3gxq',
              '3kxn-lhr-3gxq-', '3kxn-lhr-3gxq-2', '3kxn-lhr-3gxq-23', '3kxnlhr3gxq23', 'bz',
              'bzzz', 's2', 's222-222', 'zz', 'zzzz-zzz-zzzz-zz'],
    'uid11': ['', '1', '11', '2', '3kx', 'j', 'jp', 'jpX', 'jpY', 'jpXCZedGfV', 'jpXCZedGfVQ',
              'jpXCZedGfVR', 'jpXCZedGfW', 'k', 'z', 'zzzzzzzzzzz', '1111111NVp', '113q8KFkAEs',
              '11111111111', 'a', 'A', 'jq', 'i', 'iz'],
    'ulidflake': ['', '0', '00', '00C', '00c', '00CMXB6TA', '00CMXB6TAK4SA', '7', '7Z', '7z', '8',
                  '8Z', 'A', 'Z', 'z', '7ZZZZZZZZZZZZ', '8000000000000', '00CMXB6TAK4S'],
}

# Prefixes that are an error: type, prefix, class, why.
INVALID_PREFIXES = [
    ('siq', 'did:siq:', 'character', 'prefixes are of the hex digits'),
    ('siq', 'g', 'character', 'no hex digit'),
    ('siq', '0' * 29, 'length', 'one too many'),
    ('scru160', 'W', 'character', 'not in base32hex'),
    ('scru160', '05-', 'character', 'no dashes'),
    ('scru160', '0' * 33, 'length', 'one too many'),
    ('scru160', '0' * 40, 'length', 'prefixes are of the base32hex form only'),
    ('tid64', '3K', 'character', 'upper case'),
    ('tid64', '1', 'character', 'not in base32lex'),
    ('tid64', 'c1', 'character', 'not in base32lex, though no identifier starts with c'),
    ('tid64', '3-', 'separator', 'no dash belongs there'),
    ('tid64', '-', 'separator', 'no dash belongs there'),
    ('tid64', '3kxn--', 'separator', 'two dashes'),
    ('tid64', '3kxnlhr3gxq234', 'length', 'one too many'),
    ('uid11', '0', 'character', 'not in base58'),
    ('uid11', 'kO', 'character', 'not in base58, though no identifier starts with k'),
    ('uid11', ' 1', 'character', 'white space'),
    ('uid11', '1' * 12, 'length', 'one too many'),
    ('ulidflake', 'U', 'character', 'not in the alphabet'),
    ('ulidflake', '8I', 'character', 'not in the alphabet, though no identifier starts with 8'),
    ('ulidflake', '0' * 14, 'length', 'one too many'),
]


def escaped(text):
    r"""ASCII for a file: every other byte, and the backslash, as \xNN."""
    return ''.join(chr(b) if 32 <= b < 127 and b != 0x5c else '\\x%02x' % b
                   for b in text.encode('utf-8'))


def unescaped(text):
    """The reverse of escaped()."""
    data = bytearray()
    while text:
        if text.startswith('\\x'):
            data.append(int(text[2:4], 16))
            text = text[4:]
        else:
            data += text[0].encode('ascii')
            text = text[1:]
    return data.decode('utf-8')


def table(comments, header, rows):
    lines = [('# ' + comment).rstrip() for comment in comments] + ['\t'.join(header)]
    lines += ['\t'.join(row) for row in rows]
    return '\n'.join(lines) + '\n'


def refused(rows, function):
    """Rows of an error file, after asking the oracle whether each is refused for that reason."""
    for name, text, kind, why in rows:
        try:
            function(idoracle.by_name(name), text)
        except BadId as bad:
            if bad.kind not in kind.split('|'):
                raise AssertionError('%s %r: %s, not %s' % (name, text, bad.kind, kind))
            yield [name, escaped(text), kind, idoracle.SQLSTATE[bad.kind], why]
        else:
            raise AssertionError('%s accepts %r' % (name, text))


def prefix_rows():
    for fmt in idoracle.FORMATS:
        for text in PREFIXES[fmt.name]:
            ends = fmt.prefix(text)
            yield [fmt.name, text] + ([fmt.format(end) for end in ends] if ends else ['', ''])


ERROR_COLUMNS = [
    'type      name of the SQL type',
    r'text      \xNN is the byte NN in hex, used for all but printable ASCII and for the backslash',
    'class     ' + ', '.join(idoracle.SQLSTATE) + ';',
    '          more than one where the text breaks two rules: either may be reported',
    'sqlstate  of the error that the extension reports',
    'why       for the reader',
]


def files():
    for fmt in idoracle.FORMATS:
        cols = COLUMNS[fmt.name]
        width = max(len(name) for name, _, _ in cols)
        comments = ['Identifiers of type %s, one a line, fields separated by tabs.' % fmt.name, '']
        comments += ['%-*s  %s' % (width, name, what) for name, what, _ in cols]
        comments += [
            '%-*s  seed: published with the format; spec: worked out from its errata; foreign: of '
            'other' % (width, 'source'),
            '%-*s  software; edge: where mistakes show; computed: varied bits' % (width, ''),
            '%-*s  for the reader' % (width, 'note')]
        yield (fmt.name + '.tsv',
               table(comments, [name for name, _, _ in cols] + ['source', 'note'], rows_of(fmt)))
    yield ('invalid.tsv',
           table(['Text that is not an identifier.', ''] + ERROR_COLUMNS,
                 ['type', 'text', 'class', 'sqlstate', 'why'],
                 refused(INVALID, lambda fmt, text: fmt.parse(text))))
    yield ('prefix.tsv',
           table(['Prefixes and the range of identifiers that start with them.', '',
                  'type    name of the SQL type',
                  'prefix  of the text; of the 28 hex digits for siq',
                  'lo, hi  canonical text of the smallest and largest; empty for the empty range'],
                 ['type', 'prefix', 'lo', 'hi'], prefix_rows()))
    yield ('prefix_invalid.tsv',
           table(['Text that is not a prefix.', ''] + ERROR_COLUMNS,
                 ['type', 'text', 'class', 'sqlstate', 'why'],
                 refused(INVALID_PREFIXES, lambda fmt, text: fmt.prefix(text))))


def read(name):
    """The rows of a vector file as dictionaries."""
    with open(os.path.join(DIRECTORY, name), encoding='ascii', newline='\n') as file:
        lines = [line.rstrip('\n').split('\t') for line in file if not line.startswith('#')]
    return [dict(zip(lines[0], row)) for row in lines[1:]]


def main():
    t = idoracle.Tally()
    if sys.argv[1:] not in ([], ['--check']):
        sys.exit('usage: make_vectors.py [--check]')
    for name, text in files():
        path = os.path.join(DIRECTORY, name)
        if '--check' not in sys.argv:
            with open(path, 'w', encoding='ascii', newline='\n') as file:
                file.write(text)
            print('wrote', name)
            continue
        try:
            with open(path, encoding='ascii', newline='\n') as file:
                found = file.read()
        except FileNotFoundError:
            found = ''
        t.check(name + ' is up to date', found == text, 'run make_vectors.py')
    return t.finish() if '--check' in sys.argv else 0


if __name__ == '__main__':
    sys.exit(main())
