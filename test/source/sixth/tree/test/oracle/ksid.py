"""ksid: what it means, its vectors, and how SQL is asked about it."""

from formats import (DECIMAL, BadId, Format, Questions, bytewise, columns, digits_of, field,
                     instant, iso, number_of, part)

BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'


class Ksid(Format):
    """ksid: 32 bits of seconds since 2014, 32 of a counter, 64 of randomness."""

    name = 'ksid'
    size = 16
    largest = (1 << 128) - 1
    time_bits = 32
    epoch = instant('2014-05-13T16:53:20Z')
    per_second = 1
    prefix_alphabet = BASE62
    prefix_length = 22

    def parse(self, text):
        text = bytewise(text)
        if len(text) != 22:
            raise BadId('length')
        return self.in_range(number_of(text, BASE62))

    def format(self, value):
        return digits_of(value, BASE62, 22)

    def fields(self, value):
        return {'counter': (value >> 64) % (1 << 32),
                'tail': (value % (1 << 64)).to_bytes(8, 'big')}

    def compose(self, us, counter, tail):
        rest = field(counter, 'counter', 32) << 64 | int.from_bytes(tail, 'big')
        return self.at_tick(self.tick_at(us), rest)


ksid = Ksid()
FORMAT = ksid


# ---------------------------------------------------------------------------
# Vectors
# ---------------------------------------------------------------------------

# Columns of the file: name, what it is, and how it comes from a value.
COLUMNS = columns(ksid, [DECIMAL], [('counter', '32 bits', part(ksid, 'counter')),
                                    ('tail', '8 bytes', part(ksid, 'tail'))])


def rows():
    """Rows that are not computed: text or value, where it comes from, what it is."""
    yield EXAMPLE, 'spec', 'the example'


# 2025-01-01, counter 0xabcdef01, tail 0123456789abcdef
EXAMPLE = '0bkrIOKR7tUlYh2w6yuXqJ'

# Text that is refused: class (several where it breaks several rules), why.
INVALID = [
    ('', 'length', 'empty'),
    ('0' * 21, 'length', '21 digits'),
    ('0' * 21 + '-', 'character', 'a dash is no digit'),
    ('7n42DGM5Tflk9n8mt7Fhc8', 'range', 'one more than the largest'),
]

PREFIXES = ['', '0', '7', '7n', '0b', EXAMPLE[:8], EXAMPLE]

# Prefixes that are an error: class, why.
INVALID_PREFIXES = [
    ('-', 'character', 'no digit'),
    ('0' * 23, 'length', 'one too many'),
]


# ---------------------------------------------------------------------------
# Self-test
# ---------------------------------------------------------------------------

def test(t):
    value = ksid.compose(instant('2025-01-01T00:00:00Z'), 0xabcdef01, bytes.fromhex(
        '0123456789abcdef'))
    t.equal('ksid: text of the example', ksid.format(value), EXAMPLE)
    t.equal('ksid: largest', ksid.format(ksid.largest), '7n42DGM5Tflk9n8mt7Fhc7')
    t.equal('ksid: last instant', iso(ksid.timestamp(ksid.largest)),
            '2150-06-19T23:21:35.000000Z')


# ---------------------------------------------------------------------------
# How SQL is asked about it
# ---------------------------------------------------------------------------

class Subject(Questions):
    fields = ('counter', 'tail')

    @staticmethod
    def forms(value, rng):
        return [ksid.format(value)]
