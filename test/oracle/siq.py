"""SIQ: what it means, its vectors, and how SQL is asked about it."""

import hashlib
import zlib

from formats import (HEX, BASE32, BadId, number_of, digits_of, bytewise, field, instant, Format,
                     Questions, either_case, columns, part, DECIMAL)


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
        'user': ['account', 'user_account'],
        'application': ['app', 'api', 'client', 'bot', 'form'],
        'event': ['task'],
        'product': ['subscription', 'premium'],
        'group': ['membership', 'role', 'user_group'],
        'collection': ['feed'],
        'invite': [],
        'tag': ['category'],
        'channel': ['guild', 'chat', 'forum', 'wiki', 'live_chat'],
        'thread': ['page'],
        'message': ['post', 'revision'],
        'relationship': ['ternary'],
        'many_to_many': ['hash_array_element', 'manytomany'],
        'array_element': ['one_to_many', 'multi'],
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
            raise BadId('scheme')
        if len(text) - start != 29:
            raise BadId('length')
        number = number_of(text[start:], BASE32, either_case=True)
        if number >= 1 << 144:      # 29 characters are 145 bits, one more than there are
            raise BadId('range')
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

    def fields(self, value):
        word = format(value % 65536, '016b')
        suffix = next(s for s in self.SUFFIXES if word.endswith(s))
        return {
            'shard': (value >> 48) % 256,
            'domain_hash': (value >> 16) % (1 << 32),
            'serial': int(word[:-len(suffix)], 2),
            'type': self.SUFFIXES[suffix],
        }

    def suffix(self, name):
        return next(s for s, n in self.SUFFIXES.items() if n == name)

    def serial_bits(self, name):
        return 16 - len(self.suffix(name))

    def compose(self, us, shard, domain, serial, name):
        word = format(field(serial, 'serial', self.serial_bits(name)),
                      '0%db' % self.serial_bits(name)) + self.suffix(name)
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


siq = Siq()
FORMAT = siq


# ---------------------------------------------------------------------------
# Vectors
# ---------------------------------------------------------------------------

# Columns of the file: name, what it is, and how it comes from a value.
COLUMNS = columns(siq, [DECIMAL, ('uuid', 'the UUIDv8 form', siq.uuid)], [
    ('shard', '8 bits', part(siq, 'shard')),
    ('domain_hash', 'domain hash, 32 bits', part(siq, 'domain_hash')),
    ('serial', '11, 12 or 13 bits', part(siq, 'serial')),
    ('type', 'what the qualifier says', part(siq, 'type'))])


def rows():
    """Rows that are not computed: text or value, where it comes from, what it is."""
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


PREFIXES = ['', '0', '00', 'f', 'F', '005e0bd2f', '005E0BD2F0', '0000668', 'ffffffffff',
            '005e0bd2f000000000000000000', '005e0bd2f0000000000000000007', 'f' * 28, '0' * 28]


# ---------------------------------------------------------------------------
# How SQL is asked about it
# ---------------------------------------------------------------------------

class Subject(Questions):
    arguments = ("'example.org'", "'post'")
    fields = ('shard', 'domain_hash', 'serial', 'type')
    make = ("CASE WHEN siq_type(id) <> 'unassigned' THEN siq_make(ts => at::timestamptz, "
            "shard => siq_shard(id), domain_hash => siq_domain_hash(id), "
            "serial => siq_serial(id), type => siq_type(id)) ELSE id END")
    casts = ('numeric',)
    refused = [(b'\0' * 16, '22P03')]

    @staticmethod
    def forms(value, rng):
        bare = siq.bare(value)
        return [siq.format(value), 'did:siq:' + either_case(bare, rng), bare, bare.upper(),
                siq.hex(value), siq.hex(value).upper()]

    @staticmethod
    def columns(values):
        texts = [siq.format(v) for v in values]
        return [
            ('siq_hex', 'siq_hex(id)', [siq.hex(v) for v in values]),
            ('siq_is_leaf', 'siq_is_leaf(id)', [('false', 'true')[v & 1] for v in values]),
            ('cast to uuid', 'id::uuid', [siq.uuid(v) for v in values]),
            ('cast to uuid and back', 'id::uuid::siq', texts),
            ('cast from 16 bytes', "decode('0000' || hex, 'hex')::siq", texts),
        ]

    @staticmethod
    def answers():
        one = "siq_make('2025-01-01 00:00Z', 255, %d, %d, '%s')"
        at = instant('2025-01-01T00:00:00Z')
        for name, aliases in siq.ALIASES.items():
            largest = (1 << siq.serial_bits(name)) - 1
            yield (one % (2**32 - 1, largest, name),
                   siq.format(siq.compose(at, 255, 2**32 - 1, largest, name)))
            for alias in [name] + aliases:
                for spelling in (alias, alias.upper(), alias.replace('_', '-'),
                                 alias.title().replace('_', ' ')):
                    yield 'siq_type(%s)' % (one % (0, 1, spelling)), name
        for domain in ('example.com', 'Example.com', 'a', '', '0', '00', 'x' * 253,
                       'xn--mnchen-3ya.example'):
            for local_id in (0, 1, 7, 128, 255, 256):
                yield ("siq_domain_hash('%s', %d)" % (domain, local_id),
                       '%d' % siq.domain_hash(domain, local_id))
