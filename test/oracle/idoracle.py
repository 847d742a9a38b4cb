#!/usr/bin/env python3
"""What the five identifier formats mean, said a second time.

This module is an oracle for the tests of the extension: plain Python, written from the documents
that define the formats and from nothing else, so that a mistake in the C code is not repeated here.
It is slow and obvious on purpose.

An identifier is an int here: its big-endian bytes read as a number, signed for tid64 alone.
Therefore the order of the ints is the order of the SQL type.  An instant is an int too, in
microseconds since 1970-01-01 00:00 UTC; -math.inf and math.inf stand for the infinite instants of
PostgreSQL and None for an end that a window does not have.

Sources: the SIQ page ("siq" below), the SCRU160 specification 0.1.0, the draft
draft-goldman-tid ("TID draft"), the uid11 / xid specification 1.0 and the Ulid-Flake specification.

Run as a program it checks itself against every published vector.
"""

import base64
import datetime
import hashlib
import math
import sys
import zlib

# Error classes of malformed text, and the SQLSTATE that the extension reports for each.
SQLSTATE = {
    'length': '22P02',      # no form of the type has this length
    'character': '22P02',   # a character outside the alphabet
    'separator': '22P02',   # a dash is missing, or stands where none belongs
    'scheme': '22P02',      # a DID of another scheme
    'checksum': '22P02',    # the checksum is not that of the identifier
    'range': '22003',       # well formed, but not a value that the type holds
}

HEX = '0123456789abcdef'
BASE32 = 'abcdefghijklmnopqrstuvwxyz234567'
BASE32HEX = '0123456789ABCDEFGHIJKLMNOPQRSTUV'
BASE32LEX = '234567abcdefghijklmnopqrstuvwxyz'
CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'


class BadId(ValueError):
    """Malformed text; kind is a key of SQLSTATE, position counts bytes from 0."""

    def __init__(self, kind, position=None):
        super().__init__(kind if position is None else '%s at byte %d' % (kind, position))
        self.kind = kind
        self.position = position


class OutOfRange(ValueError):
    """A field or an instant that the type cannot hold."""


def number_of(text, alphabet, either_case=False):
    """Reads text as a number, most significant digit first."""
    value = 0
    for position, character in enumerate(text):
        digit = alphabet.find(character)
        if digit < 0 and either_case:
            digit = alphabet.lower().find(character.lower())
        if digit < 0 or not character.isascii():
            raise BadId('character', position)
        value = value * len(alphabet) + digit
    return value


def digits_of(value, alphabet, length):
    """Writes value as exactly length digits."""
    text = ''
    for _ in range(length):
        value, digit = divmod(value, len(alphabet))
        text = alphabet[digit] + text
    assert value == 0
    return text


def bytewise(text):
    """One character per byte of the UTF-8 form: lengths and positions are counted in bytes."""
    return text.encode('utf-8').decode('latin-1')


def field(value, name, bits):
    """value, if it fits in an unsigned field of that many bits."""
    if not 0 <= value < 1 << bits:
        raise OutOfRange('%s: %d does not fit in %d bits' % (name, value, bits))
    return value


# The calendar repeats itself every 400 years, which is how years beyond 9999 are dealt with.
CYCLE = 146097 * 86400 * 10**6


def iso(us):
    """2024-07-19T16:40:46.480310Z; the year may have more than four digits, or be 0 or negative."""
    cycles, rest = divmod(us, CYCLE)
    moment = datetime.datetime(1970, 1, 1) + datetime.timedelta(microseconds=rest)
    return '%04d-%s' % (moment.year + 400 * cycles, moment.strftime('%m-%dT%H:%M:%S.%fZ'))


def instant(text):
    """The reverse of iso(); the fraction may be missing."""
    date, time = text.rstrip('Z').split('T')
    year, month, day = date.rsplit('-', 2)
    cycles = (int(year) - 1970) // 400
    hour, minute, second = time.split(':')
    second, _, fraction = second.partition('.')
    moment = datetime.datetime(int(year) - 400 * cycles, int(month), int(day),
                               int(hour), int(minute), int(second), int(fraction.ljust(6, '0')))
    return ((moment - datetime.datetime(1970, 1, 1)) // datetime.timedelta(microseconds=1)
            + cycles * CYCLE)


class Format:
    """What the formats share.  A subclass says how it is laid out and how it is written."""

    name = None             # of the SQL type
    size = None             # bytes
    smallest = 0            # smallest and largest identifier
    largest = None
    time_bits = None        # the time field is that many of the most significant bits
    epoch = 0               # instant of tick 0
    per_second = None       # ticks in a second
    prefix_alphabet = None  # prefixes are prefixes of this many digits of this alphabet
    prefix_length = None
    prefix_either_case = False

    def parse(self, text):
        raise NotImplementedError

    def format(self, value):
        raise NotImplementedError

    # ---- bytes

    def to_bytes(self, value):
        return value.to_bytes(self.size, 'big', signed=self.smallest < 0)

    def from_bytes(self, data):
        if len(data) != self.size:
            raise BadId('length')
        return self.in_range(int.from_bytes(data, 'big', signed=self.smallest < 0))

    def in_range(self, value):
        if not self.smallest <= value <= self.largest:
            raise BadId('range')
        return value

    # ---- time

    @property
    def low_bits(self):
        """Bits below the time field."""
        return 8 * self.size - self.time_bits

    @property
    def first_tick(self):
        return self.tick(self.smallest)

    @property
    def last_tick(self):
        return self.tick(self.largest)

    def tick(self, value):
        return value >> self.low_bits

    def begins(self, tick):
        """The instant of a tick: its beginning, rounded up to the next microsecond."""
        return self.epoch - (-tick * 10**6 // self.per_second)

    def tick_at(self, us):
        """The tick that an instant falls in."""
        if us in (math.inf, -math.inf):
            raise OutOfRange('infinite instant')
        tick = (us - self.epoch) * self.per_second // 10**6
        if not self.first_tick <= tick <= self.last_tick:
            raise OutOfRange('%s does not reach %s' % (self.name, iso(us)))
        return tick

    def timestamp(self, value):
        return self.begins(self.tick(value))

    def at_tick(self, tick, rest):
        return (tick << self.low_bits) | field(rest, 'rest', self.low_bits)

    def min_at(self, us):
        return self.at_tick(self.tick_at(us), 0)

    def max_at(self, us):
        return self.at_tick(self.tick_at(us), (1 << self.low_bits) - 1)

    # ---- ranges: (smallest, largest) or None for the empty range

    def window(self, lower, upper, bounds='[)'):
        """The identifiers whose timestamp lies in the window; None is an open end."""
        def early(us):
            return lower is not None and (us < lower or (us == lower and bounds[0] == '('))

        def late(us):
            return upper is not None and (us > upper or (us == upper and bounds[1] == ')'))

        def near(us):
            """A tick of the type within one tick of the instant."""
            if us in (None, math.inf, -math.inf):
                return self.last_tick if us == math.inf else self.first_tick
            tick = (us - self.epoch) * self.per_second // 10**6
            return min(max(tick, self.first_tick), self.last_tick)

        first = self.first_tick if lower is None else near(lower)
        last = self.last_tick if upper is None else near(upper)
        # Start on the safe side, then step over what is outside of the window.
        first = max(first - 2, self.first_tick)
        last = min(last + 2, self.last_tick)
        while first <= last and early(self.begins(first)):
            first += 1
        while first <= last and late(self.begins(last)):
            last -= 1
        if first > last:
            return None
        return self.at_tick(first, 0), self.at_tick(last, (1 << self.low_bits) - 1)

    def prefix(self, text):
        text = self.prefix_digits(bytewise(text))
        if len(text) > self.prefix_length:
            raise BadId('length')
        if text == '':
            return self.smallest, self.largest
        scale = len(self.prefix_alphabet) ** (self.prefix_length - len(text))
        low = number_of(text, self.prefix_alphabet, self.prefix_either_case) * scale
        return self.prefix_values(low, low + scale - 1)

    def prefix_digits(self, text):
        return text

    def prefix_values(self, low, high):
        """The identifiers whose text is a number from low to high."""
        return None if low > self.largest else (low, min(high, self.largest))

    def shown_for_prefix(self, value):
        """The text that prefixes are prefixes of."""
        return self.format(value)


class Siq(Format):
    """SIQ: 40 bits of seconds, 16 of fraction, 8 of shard, 32 of domain, 16 of serial and type."""

    name = 'siq'
    size = 14
    largest = (1 << 112) - 1
    time_bits = 56
    per_second = 65536
    prefix_alphabet = HEX
    prefix_length = 28
    prefix_either_case = True

    # The table "Qualifiers": the last bits of an identifier tell its type.
    SUFFIXES = {
        '00000': 'user', '10000': 'application', '01000': 'event', '11000': 'product',
        '00100': 'group', '10100': 'collection', '01100': 'invite', '11100': 'unassigned',
        '00010': 'tag', '10010': 'unassigned', '01010': 'channel', '11010': 'unassigned',
        '0110': 'thread', '1110': 'message',
        '001': 'relationship', '101': 'many_to_many', '011': 'array_element', '111': 'content',
    }
    ALIASES = {
        'user': ['account'],
        'application': ['app', 'api', 'client', 'bot', 'form'],
        'event': ['task'],
        'product': ['subscription', 'premium'],
        'group': ['membership', 'role'],
        'collection': ['feed'],
        'invite': [],
        'tag': ['category'],
        'channel': ['guild', 'chat', 'forum', 'wiki'],
        'thread': ['page'],
        'message': ['post', 'revision'],
        'relationship': ['ternary'],
        'many_to_many': ['hash_array_element'],
        'array_element': ['one_to_many'],
        'content': [],
    }

    def parse(self, text):
        text = bytewise(text)
        if len(text) == 28:
            return number_of(text, HEX, either_case=True)
        start = 0
        if text.startswith('did:siq:'):
            start = 8
        elif text.lower().startswith('did:'):
            raise BadId('scheme', 0)
        if len(text) - start != 29:
            raise BadId('length')
        try:
            number = number_of(text[start:], BASE32, either_case=True)
        except BadId as bad:
            raise BadId(bad.kind, bad.position + start)
        if number >= 1 << 144:      # 29 characters are 145 bits, one more than there are
            raise BadId('range', start)
        checksum, value = divmod(number, 1 << 112)
        if checksum != self.checksum(value):
            raise BadId('checksum')
        return value

    def checksum(self, value):
        return zlib.crc32(self.to_bytes(value))

    def bare(self, value):
        return digits_of(self.checksum(value) << 112 | value, BASE32, 29)

    def format(self, value):
        return 'did:siq:' + self.bare(value)

    def hex(self, value):
        return digits_of(value, HEX, 28)

    def shown_for_prefix(self, value):
        return self.hex(value)

    def uuid(self, value):
        bits = format(value, '0112b')
        bits = bits[:48] + '1000' + bits[48:60] + '10' + bits[60:] + '0' * 10
        text = digits_of(int(bits, 2), HEX, 32)
        return '-'.join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))

    def from_uuid(self, text):
        bits = format(int(text.replace('-', ''), 16), '0128b')
        if bits[48:52] != '1000' or bits[64:66] != '10' or bits[118:] != '0' * 10:
            raise BadId('length')
        return int(bits[:48] + bits[52:64] + bits[66:118], 2)

    def fields(self, value):
        word = format(value % 65536, '016b')
        suffix = next(s for s in self.SUFFIXES if word.endswith(s))
        return {
            'shard': (value >> 48) % 256,
            'domain': (value >> 16) % (1 << 32),
            'serial': int(word[:-len(suffix)], 2),
            'type': self.SUFFIXES[suffix],
        }

    def type_named(self, name):
        """Canonical name of a type; case does not matter, '-' and space count as '_'."""
        name = name.lower().replace('-', '_').replace(' ', '_')
        for canonical, others in self.ALIASES.items():
            if name == canonical or name in others:
                return canonical
        raise OutOfRange('no type is called ' + name)

    def serial_bits(self, name):
        return 16 - len(self.suffix(self.type_named(name)))

    def suffix(self, name):
        return next(s for s, n in self.SUFFIXES.items() if n == name)

    def compose(self, us, shard, domain, serial, name):
        bits = self.serial_bits(name)
        suffix = self.suffix(self.type_named(name))
        word = format(field(serial, 'serial', bits), '0%db' % bits) + suffix
        rest = (field(shard, 'shard', 8) << 48 | field(domain, 'domain', 32) << 16
                | int(word, 2))
        return self.at_tick(self.tick_at(us), rest)

    @staticmethod
    def domain_hash(domain, local_id=0):
        """Last 4 bytes of SHA-256; a local id replaces the first of them, 256 by zero."""
        if domain in ('', '0'):
            return 0
        tail = hashlib.sha256(domain.encode('ascii')).digest()[-4:]
        if local_id != 0:
            tail = bytes([local_id % 256]) + tail[1:]
        return int.from_bytes(tail, 'big')


class Scru160(Format):
    """SCRU160: 48 bits of milliseconds, 16 of counter, 16 + 80 of randomness."""

    name = 'scru160'
    size = 20
    largest = (1 << 160) - 1
    time_bits = 48
    per_second = 1000
    prefix_alphabet = BASE32HEX
    prefix_length = 32
    prefix_either_case = True

    def parse(self, text):
        text = bytewise(text)
        if len(text) == 32:
            return number_of(text, BASE32HEX, either_case=True)
        if len(text) == 40:
            return number_of(text, HEX, either_case=True)
        raise BadId('length')

    def format(self, value):
        return digits_of(value, BASE32HEX, 32)

    def hex(self, value):
        return digits_of(value, HEX, 40)

    def fields(self, value):
        return {'counter': (value >> 96) % 65536, 'random': self.to_bytes(value)[8:]}

    def compose(self, us, counter, random):
        if len(random) != 12:
            raise OutOfRange('random is 12 bytes')
        rest = field(counter, 'counter', 16) << 96 | int.from_bytes(random, 'big')
        return self.at_tick(self.tick_at(us), rest)


class Tid64(Format):
    """TID: a signed 64-bit number, microseconds * 1024 + clock id."""

    name = 'tid64'
    size = 8
    smallest = -(1 << 63)
    largest = (1 << 63) - 1
    time_bits = 54
    per_second = 10**6
    prefix_alphabet = BASE32LEX
    prefix_length = 13
    DASHES = (4, 7, 11)         # digits before each dash

    def parse(self, text):
        text = bytewise(text)
        if len(text) == 16:
            dashes = [before + i for i, before in enumerate(self.DASHES)]
        elif len(text) == 13:
            dashes = []
        else:
            raise BadId('length')
        for position, character in enumerate(text):
            if (character == '-') != (position in dashes):
                raise BadId('separator', position)
            if character != '-' and character not in BASE32LEX:
                raise BadId('character', position)
        value = self.signed(number_of(text.replace('-', ''), BASE32LEX))
        if value is None:
            raise BadId('range', 0)
        return value

    @staticmethod
    def signed(number):
        """The value of 13 digits, a 65-bit number whose two top bits must be the same."""
        if number < 1 << 63:
            return number
        if number >= (1 << 65) - (1 << 63):
            return number - (1 << 65)
        return None

    def compact(self, value):
        return digits_of(value % (1 << 65), BASE32LEX, 13)

    def format(self, value):
        text = self.compact(value)
        return '-'.join((text[:4], text[4:7], text[7:11], text[11:]))

    def prefix_digits(self, text):
        """Drops the dashes that are in their places."""
        digits = ''
        for position, character in enumerate(text):
            if character == '-':
                if len(digits) not in self.DASHES or text[position - 1] == '-':
                    raise BadId('separator', position)
            elif character not in BASE32LEX:
                raise BadId('character', position)
            else:
                digits += character
        return digits

    def prefix_values(self, low, high):
        if self.signed(low) is None:
            return None
        return self.signed(low), self.signed(high)

    def fields(self, value):
        return {'clock_id': value % 1024}

    def compose(self, us, clock_id):
        return self.at_tick(self.tick_at(us), field(clock_id, 'clock_id', 10))


class Uid11(Format):
    """uid11: an unsigned 64-bit number; the profiles divide it differently."""

    name = 'uid11'
    size = 8
    largest = (1 << 64) - 1
    time_bits = 42
    epoch = 1321009871111 * 1000
    per_second = 1000
    prefix_alphabet = BASE58
    prefix_length = 11
    PROFILES = ('xid', 'fullrand', 'snowish', 'ts-seq-rand')

    def parse(self, text):
        text = bytewise(text)
        if len(text) != 11:
            raise BadId('length')
        return self.in_range(number_of(text, BASE58))

    def format(self, value):
        return digits_of(value, BASE58, 11)

    def fields(self, value, profile='xid'):
        low = value % (1 << 22)
        parts = {'machine': None, 'sequence': None, 'random': None}
        if profile == 'xid':
            parts['random'] = low
        elif profile == 'fullrand':
            parts['random'] = value
        elif profile == 'snowish':
            if value >= 1 << 63:
                raise OutOfRange('the reserved bit is set')
            parts['machine'], parts['sequence'] = low >> 12, low % (1 << 12)
        elif profile == 'ts-seq-rand':
            parts['sequence'], parts['random'] = low >> 10, low % (1 << 10)
        return parts

    def compose(self, us, rest, profile='xid'):
        value = self.at_tick(self.tick_at(us), rest)
        if profile == 'snowish' and value >= 1 << 63:
            raise OutOfRange('snowish has 41 bits of time')
        return value


class UlidFlake(Format):
    """Ulid-Flake: a zero bit, 43 bits of milliseconds since 2024, 20 of randomness."""

    name = 'ulidflake'
    size = 8
    largest = (1 << 63) - 1
    time_bits = 44
    epoch = instant('2024-01-01T00:00:00Z')
    per_second = 1000
    prefix_alphabet = CROCKFORD
    prefix_length = 13
    prefix_either_case = True

    def parse(self, text):
        text = bytewise(text)
        if len(text) != 13:
            raise BadId('length')
        return self.in_range(number_of(text, CROCKFORD, either_case=True))

    def format(self, value):
        return digits_of(value, CROCKFORD, 13)

    def fields(self, value):
        return {'randomness': value % (1 << 20), 'scalability': value % 32}

    def compose(self, us, randomness):
        return self.at_tick(self.tick_at(us), field(randomness, 'randomness', 20))

    def compose_scalable(self, us, randomness, scalability):
        return self.compose(us, field(randomness, 'randomness', 15) << 5
                            | field(scalability, 'scalability', 5))


siq = Siq()
scru160 = Scru160()
tid64 = Tid64()
uid11 = Uid11()
ulidflake = UlidFlake()
FORMATS = (siq, scru160, tid64, uid11, ulidflake)


def by_name(name):
    return next(fmt for fmt in FORMATS if fmt.name == name)


def edge_values(fmt):
    """Values where a mistake would show: ends, powers of two, the ends of ticks."""
    values = {fmt.smallest, fmt.smallest + 1, fmt.largest - 1, fmt.largest}
    for bit in range(8 * fmt.size):
        for value in ((1 << bit) - 1, 1 << bit, -(1 << bit), -(1 << bit) - 1):
            if fmt.smallest <= value <= fmt.largest:
                values.add(value)
    for tick in (fmt.first_tick, fmt.first_tick + 1, -1, 0, 1, fmt.last_tick - 1, fmt.last_tick):
        if fmt.first_tick <= tick <= fmt.last_tick:
            values.add(fmt.at_tick(tick, 0))
            values.add(fmt.at_tick(tick, (1 << fmt.low_bits) - 1))
    return sorted(values)


# ---------------------------------------------------------------------------
# Self-test: every vector and every number that the documents give.
# ---------------------------------------------------------------------------

class Tally:
    """Counts named checks and prints one line each."""

    def __init__(self):
        self.passed = self.failed = 0

    def check(self, name, ok, why=''):
        if ok:
            self.passed += 1
            print('ok - ' + name)
        else:
            self.failed += 1
            print('not ok - %s: %s' % (name, why))

    def equal(self, name, got, want):
        self.check(name, got == want, 'got %r, expected %r' % (got, want))

    def finish(self):
        print('%d passed, %d failed' % (self.passed, self.failed))
        return 1 if self.failed or not self.passed else 0


def bad_kind(function, *arguments):
    """The class of error that a call raises."""
    try:
        return 'accepted: %r' % (function(*arguments),)
    except BadId as bad:
        return bad.kind
    except OutOfRange:
        return 'out of range'


def test_siq(t):
    vector = 7451106619238957490390643507207
    text = 'did:siq:iuxvojaaf4c6s6aaaaaaaaaaaaaah'
    t.equal('siq: hex of the vector', siq.hex(vector), '005e0bd2f0000000000000000007')
    t.equal('siq: text of the vector', siq.format(vector), text)
    t.equal('siq: vector from text', siq.parse(text), vector)
    t.equal('siq: vector from bare text', siq.parse(text[8:].upper()), vector)
    t.equal('siq: vector from hex', siq.parse('005E0BD2f0000000000000000007'), vector)
    t.equal('siq: uuid of the vector', siq.uuid(vector), '005e0bd2-f000-8000-8000-000000001c00')
    t.equal('siq: vector from uuid', siq.from_uuid(siq.uuid(vector)), vector)
    t.equal('siq: fields of the vector', siq.fields(vector),
            {'shard': 0, 'domain': 0, 'serial': 0, 'type': 'content'})
    t.equal('siq: crc32 is the IEEE one', zlib.crc32(b'123456789'), 0xcbf43926)
    t.equal('siq: text is RFC 4648 base32 of the number, right aligned',
            base64.b32encode((siq.checksum(vector) << 112 | vector).to_bytes(20, 'big'))
            .decode().lower()[3:], text[8:])
    t.check('siq: first character is a to p',
            siq.bare(siq.largest)[0] in 'abcdefghijklmnop', siq.bare(siq.largest))
    t.equal('siq: wrong checksum', bad_kind(siq.parse, text[:-1] + 'i'), 'checksum')
    t.equal('siq: scheme in upper case', bad_kind(siq.parse, text.upper()), 'scheme')
    t.equal('siq: domain hash of example.com', siq.domain_hash('example.com'), 2261653831)
    t.equal('siq: local id 256 gives a zero byte', siq.domain_hash('example.com', 256),
            2261653831 % (1 << 24))
    t.equal('siq: local id 7', siq.domain_hash('example.com', 7),
            2261653831 % (1 << 24) + (7 << 24))
    t.equal('siq: no domain, any local id',
            [siq.domain_hash('', 0), siq.domain_hash('', 9), siq.domain_hash('0', 9)], [0, 0, 0])
    t.equal('siq: a domain that is not ASCII has no hash',
            raises(UnicodeEncodeError, siq.domain_hash, 'm\xfcnchen.example'), True)
    t.equal('siq: last instant, in whole seconds',
            siq.timestamp(siq.largest) // 10**6, (1 << 40) - 1)

    # The numbers of the class SiqType in the sample implementation: a leading one, then the bits.
    sample = {'content': 15, 'array_element': 11, 'many_to_many': 13, 'relationship': 9,
              'tag': 34, 'channel': 42, 'thread': 22, 'message': 30, 'user': 32, 'group': 36,
              'event': 40, 'invite': 44, 'application': 48, 'collection': 52, 'product': 56}
    t.equal('siq: suffixes of the sample implementation',
            {name: int('1' + siq.suffix(name), 2) for name in sample}, sample)
    t.equal('siq: every canonical name has a suffix', sorted(siq.ALIASES), sorted(sample))
    t.equal('siq: unassigned suffixes',
            sorted(s for s, n in siq.SUFFIXES.items() if n == 'unassigned'),
            ['10010', '11010', '11100'])
    t.equal('siq: the code is complete and prefix-free',
            [sum(format(w, '05b').endswith(s) for s in siq.SUFFIXES) for w in range(32)],
            [1] * 32)
    t.equal('siq: serial bits', [siq.serial_bits(n) for n in ('content', 'post', 'user')],
            [13, 12, 11])
    t.equal('siq: names', siq.type_named('Hash Array-Element'), 'many_to_many')
    for name in siq.ALIASES:
        largest = (1 << siq.serial_bits(name)) - 1
        value = siq.compose(10**15, 200, 0xdeadbeef, largest, name)
        t.equal('siq: compose ' + name, siq.fields(value),
                {'shard': 200, 'domain': 0xdeadbeef, 'serial': largest, 'type': name})
        t.equal('siq: too large a serial for ' + name,
                bad_kind(siq.compose, 10**15, 200, 0xdeadbeef, largest + 1, name), 'out of range')


def raises(error, function, *arguments):
    try:
        function(*arguments)
    except error:
        return True
    return False


def test_scru160(t):
    hex_of = {'05TTUP1HNCPNH30VEK64KDQT9BSNU4C4': '017bdf6431bb33788c1f750c4a375d4af97f1184'}
    for text, digits in hex_of.items():
        t.equal('scru160: hex of ' + text, scru160.hex(scru160.parse(text)), digits)
        t.equal('scru160: text of ' + digits, scru160.format(scru160.parse(digits)), text)
    published = ['05TTUP1HNCPNH30VEK64KDQT9BSNU4C4', '05TTUP1HNCPNIB63R8IN5V2L3VFGNFET',
                 '017bdf6431bb33750751eb63beb3c3f8c5969d86',
                 '017bdf6431bb337662412e6a5758890735c33c2b']
    for text in published:
        value = scru160.parse(text)
        t.check('scru160: round trip of ' + text,
                text in (scru160.format(value), scru160.hex(value)))
        t.equal('scru160: %s is of 2021-09-13' % text, iso(scru160.timestamp(value)),
                '2021-09-13T13:41:30.683000Z')
        upper = base64.b32encode(scru160.to_bytes(value)).decode()
        t.equal('scru160: RFC 4648 agrees on ' + text, scru160.format(value),
                upper.translate(str.maketrans(BASE32.upper(), BASE32HEX)))
    t.equal('scru160: the pairs of examples are in order',
            [scru160.parse(x) < scru160.parse(y) for x, y in (published[:2], published[2:])],
            [True, True])
    t.equal('scru160: a character short', bad_kind(scru160.parse, published[0][:-1]),
            'length')
    value = scru160.parse(published[0])
    t.equal('scru160: fields', scru160.fields(value),
            {'counter': 0x3378, 'random': bytes.fromhex('8c1f750c4a375d4af97f1184')})
    t.equal('scru160: compose',
            scru160.compose(scru160.timestamp(value), **scru160.fields(value)), value)


def test_tid64(t):
    us = 1721407246480310
    t.equal('tid64: instant of the example', iso(us), '2024-07-19T16:40:46.480310Z')
    t.equal('tid64: the example, clock id 1', tid64.format(us * 1024 + 1), '3kxn-lhr-3gxq-23')
    t.equal('tid64: the example from text', tid64.parse('3kxn-lhr-3gxq-23'), us * 1024 + 1)
    t.equal('tid64: the example without dashes', tid64.parse('3kxnlhr3gxq23'), us * 1024 + 1)
    t.equal('tid64: what the number in the draft encodes to',
            tid64.format(1721382046481000 * 1024)[:13], '3kxm-tyq-iinc')
    t.equal('tid64: the UUIDv6 vector', tid64.format(1645557742000000 * 1024)[:13],
            '3iso-34e-qpw2')
    t.equal('tid64: instant of the UUIDv6 vector', iso(1645557742000000),
            '2022-02-22T19:22:22.000000Z')
    t.equal('tid64: UUIDv6 timestamp of that vector',
            (138648505420000000 - 0x01b21dd213814000) // 10, 1645557742000000)
    for text, ticks in (('s222-222-2222', -2**53), ('2222-222-2222', 0),
                        ('bzzz-zzz-zzzz', 2**53 - 1), ('zzzz-zzz-zzzz', -1)):
        t.equal('tid64: microseconds of ' + text, tid64.timestamp(tid64.parse(text + '-22')), ticks)
    t.equal('tid64: first instant', iso(tid64.timestamp(tid64.smallest))[:19],
            '1684-07-28T00:12:25')
    t.equal('tid64: last instant', iso(tid64.timestamp(tid64.largest))[:19],
            '2255-06-05T23:47:34')
    t.equal('tid64: clock ids as text',
            [tid64.compact(i)[11:] for i in (0, 31, 32, 991, 992, 1023)],
            ['22', '2z', '32', 'yz', 'z2', 'zz'])
    windows = {
        '3kxn-lhr-3gxq': ('2024-07-19T16:40:46.480310Z', '2024-07-19T16:40:46.480310Z'),
        '3kxn-lhr': ('2024-07-19T16:40:46.434304Z', '2024-07-19T16:40:47.482879Z'),
        '3kxn': ('2024-07-19T11:28:52.498432Z', '2024-07-19T21:01:32.236799Z'),
        '3k': ('2023-07-08T20:57:40.263936Z', '2024-08-19T02:23:52.352767Z'),
    }
    for text, ends in windows.items():
        t.equal('tid64: window of prefix ' + text,
                tuple(iso(tid64.timestamp(end)) for end in tid64.prefix(text)), ends)
        t.equal('tid64: prefix without dashes ' + text,
                tid64.prefix(text.replace('-', '')), tid64.prefix(text))
        t.equal('tid64: window to range ' + text,
                tid64.window(instant(ends[0]), instant(ends[1]), '[]'), tid64.prefix(text))
    t.equal('tid64: first characters', ''.join(c for c in BASE32LEX if tid64.prefix(c)),
            '234567abstuvwxyz')
    t.equal('tid64: kjzfcijpj2z2a', bad_kind(tid64.parse, 'kjzfcijpj2z2a'), 'range')
    t.equal('tid64: upper case', bad_kind(tid64.parse, '3JZFCIJPJ2Z2A'), 'character')
    t.equal('tid64: AT Protocol example, read with int()', tid64.parse('3jzfcijpj2z2a'),
            int('3jzfcijpj2z2a'.translate(str.maketrans(BASE32LEX, BASE32HEX)), 32))
    ordered = [tid64.format(v) for v in sorted(v for v in edge_values(tid64) if v >= 0)]
    t.equal('tid64: from 1970 on the text sorts alike', ordered, sorted(ordered))


def test_uid11(t):
    for text, value, ms in (('11111111111', 0, 0), ('1111111NVpb', 0x400000, 1),
                            ('113q8KFkAEs', 0x0001499700000000, 86400000)):
        t.equal('uid11: text of %d' % value, uid11.format(value), text)
        t.equal('uid11: value of ' + text, uid11.parse(text), value)
        t.equal('uid11: instant of ' + text, uid11.timestamp(value), (1321009871111 + ms) * 1000)
        t.equal('uid11: random of ' + text, uid11.fields(value)['random'], 0)
    t.equal('uid11: epoch', iso(uid11.epoch), '2011-11-11T11:11:11.111000Z')
    t.equal('uid11: largest', uid11.format(uid11.largest), 'jpXCZedGfVQ')
    t.equal('uid11: above the largest', bad_kind(uid11.parse, 'jpXCZedGfVR'), 'range')
    t.equal('uid11: last instant', iso(uid11.timestamp(uid11.largest)),
            '2151-03-25T18:46:22.214000Z')
    t.equal('uid11: years it lasts', round(2**42 / 1000 / 86400 / 365.2425, 2), 139.37)
    t.equal('uid11: last instant of snowish', iso(uid11.timestamp((1 << 63) - 1)),
            '2081-07-18T02:58:46.662000Z')
    t.equal('uid11: six symbols are about 156 ms', 58**5 // 2**22, 156)
    t.equal('uid11: prefix j', uid11.prefix('j'), (18093776689775044608, 2**64 - 1))
    t.equal('uid11: prefix k', uid11.prefix('k'), None)
    t.equal('uid11: prefix of nothing', uid11.prefix(''), (0, 2**64 - 1))
    t.equal('uid11: prefix 1', uid11.prefix('1'), (0, 430804206899405823))
    t.equal('uid11: snowish fields', uid11.fields(5 << 22 | 3 << 12 | 4, 'snowish'),
            {'machine': 3, 'sequence': 4, 'random': None})
    t.equal('uid11: ts-seq-rand fields', uid11.fields(5 << 22 | 3 << 10 | 4, 'ts-seq-rand'),
            {'machine': None, 'sequence': 3, 'random': 4})
    t.equal('uid11: snowish with the reserved bit', bad_kind(uid11.fields, 1 << 63, 'snowish'),
            'out of range')
    ordered = [uid11.format(v) for v in edge_values(uid11)]
    t.equal('uid11: text sorts alike', ordered, sorted(ordered))


def test_ulidflake(t):
    value = 14246757444195114
    t.equal('ulidflake: text of the example', ulidflake.format(value), '00CMXB6TAK4SA')
    t.equal('ulidflake: the example from text', ulidflake.parse('00cmxb6tak4sa'), value)
    t.equal('ulidflake: instant of the example', iso(ulidflake.timestamp(value)),
            '2024-06-06T06:06:06.666000Z')
    t.equal('ulidflake: largest', ulidflake.format(ulidflake.largest), '7ZZZZZZZZZZZZ')
    t.equal('ulidflake: last tick', ulidflake.last_tick, 8796093022207)
    t.equal('ulidflake: last instant', iso(ulidflake.timestamp(ulidflake.largest)),
            '2302-09-27T15:10:22.207000Z')
    t.equal('ulidflake: above the largest', bad_kind(ulidflake.parse, '8000000000000'), 'range')
    for letter in 'ILOUilou':
        t.equal('ulidflake: letter ' + letter, bad_kind(ulidflake.parse, '00CMXB6TAK4S' + letter),
                'character')
    t.equal('ulidflake: first characters', ''.join(c for c in CROCKFORD if ulidflake.prefix(c)),
            '01234567')
    t.equal('ulidflake: scalable',
            ulidflake.compose_scalable(ulidflake.timestamp(value), (value >> 5) % 32768,
                                       value % 32), value)


def test_all(t):
    for fmt in FORMATS:
        values = edge_values(fmt)
        t.equal(fmt.name + ': text round trip', [fmt.parse(fmt.format(v)) for v in values], values)
        t.equal(fmt.name + ': bytes round trip',
                [fmt.from_bytes(fmt.to_bytes(v)) for v in values], values)
        ticks = [fmt.tick(v) for v in values]
        t.equal(fmt.name + ': ticks survive', [fmt.tick_at(fmt.begins(k)) for k in ticks], ticks)
        t.equal(fmt.name + ': smallest and largest of an instant',
                [fmt.tick(fmt.min_at(fmt.begins(k))) == k == fmt.tick(fmt.max_at(fmt.begins(k)))
                 and fmt.min_at(fmt.begins(k)) <= fmt.max_at(fmt.begins(k)) for k in ticks],
                [True] * len(ticks))
        t.equal(fmt.name + ': all of time', fmt.window(None, None), (fmt.smallest, fmt.largest))
        t.equal(fmt.name + ': all of time, closed',
                fmt.window(fmt.begins(fmt.first_tick), fmt.begins(fmt.last_tick), '[]'),
                (fmt.smallest, fmt.largest))
        t.equal(fmt.name + ': nothing before the beginning',
                fmt.window(-math.inf, fmt.begins(fmt.first_tick)), None)
        t.equal(fmt.name + ': nothing after infinity', fmt.window(math.inf, None), None)
        whole = [fmt.shown_for_prefix(v) for v in values]
        t.equal(fmt.name + ': a whole text is the prefix of one identifier',
                [fmt.prefix(text) for text in whole], [(v, v) for v in values])
        t.equal(fmt.name + ': nothing before the first instant, or after the last',
                [bad_kind(fmt.tick_at, fmt.begins(fmt.first_tick) - 1),
                 bad_kind(fmt.tick_at, fmt.begins(fmt.last_tick + 1))], ['out of range'] * 2)
    # A window is exact: brute force over every instant near a few ticks.
    for fmt in FORMATS:
        tick = fmt.tick_at(instant('2024-07-19T16:40:46.480310Z'))
        near = range(fmt.begins(tick) - 40, fmt.begins(tick + 2) + 40, 3 if fmt is siq else 97)
        ids = [fmt.at_tick(k, r) for k in range(tick - 3, tick + 6)
               for r in (0, (1 << fmt.low_bits) - 1)]
        wrong = []
        for low in near:
            for high in near:
                for bounds in ('[)', '[]', '(]', '()'):
                    got = fmt.window(low, high, bounds)
                    for v in ids:
                        ts = fmt.timestamp(v)
                        inside = ((low < ts or (low == ts and bounds[0] == '['))
                                  and (ts < high or (ts == high and bounds[1] == ']')))
                        if inside != (got is not None and got[0] <= v <= got[1]):
                            wrong.append((low, high, bounds, v))
        t.equal(fmt.name + ': windows are exact', wrong[:1], [])
    t.equal('iso agrees with datetime',
            [iso(s * 10**6) for s in (0, 951782400, -86400)],
            ['1970-01-01T00:00:00.000000Z', '2000-02-29T00:00:00.000000Z',
             '1969-12-31T00:00:00.000000Z'])
    t.equal('iso beyond the year 9999', iso(253402300800 * 10**6), '10000-01-01T00:00:00.000000Z')
    many = list(range(-10**17, 10**18, 31415926535897931))
    t.equal('iso is reversible', [instant(iso(us)) for us in many], many)


def main():
    t = Tally()
    for test in (test_siq, test_scru160, test_tid64, test_uid11, test_ulidflake, test_all):
        test(t)
    return t.finish()


if __name__ == '__main__':
    sys.exit(main())
