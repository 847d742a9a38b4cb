"""hex64: what it means, its vectors, and how SQL is asked about it."""

from formats import (DECIMAL, HEX, BadId, Format, bytewise, columns, digits_of, either_case, field,
                     instant, iso, number_of, part)


class Hex64(Format):
    """hex64: 44 bits of milliseconds since 2020, 20 of a counter."""

    name = 'hex64'
    size = 8
    largest = (1 << 64) - 1
    time_bits = 44
    epoch = instant('2020-01-01T00:00:00Z')
    per_second = 1000
    layouts = (('', (('time', 44), ('counter', 20))),)
    prefix_alphabet = HEX
    prefix_length = 16
    prefix_either_case = True

    def parse(self, text):
        text = bytewise(text)
        if len(text) != 16:
            raise BadId('length')
        return number_of(text, HEX, either_case=True)

    def format(self, value):
        return digits_of(value, HEX, 16)

    def fields(self, value):
        return {'counter': value % (1 << 20)}

    def compose(self, us, counter):
        return self.at_tick(self.tick_at(us), field(counter, 'counter', 20))


hex64 = Hex64()
FORMAT = hex64


# ---------------------------------------------------------------------------
# Vectors
# ---------------------------------------------------------------------------

# Columns of the file: name, what it is, and how it comes from a value.
COLUMNS = columns(hex64, [DECIMAL], [('counter', '20 bits', part(hex64, 'counter'))])


def rows():
    """Rows that are not computed: text or value, where it comes from, what it is."""
    yield '024c0c29400abcde', 'spec', 'the example'


# Text that is refused: class (several where it breaks several rules), why.
INVALID = [
    ('', 'length', 'empty'),
    ('024c0c29400abcd', 'length', '15 digits'),
    ('024c0c29400abcdg', 'character', 'g is no hex digit'),
]

PREFIXES = ['', '0', 'f', 'F', '024c', '024C0C29400abcde']

# Prefixes that are an error: class, why.
INVALID_PREFIXES = [
    ('g', 'character', 'no hex digit'),
    ('0' * 17, 'length', 'one too many'),
]


# ---------------------------------------------------------------------------
# Self-test
# ---------------------------------------------------------------------------

def test(t):
    value = hex64.compose(instant('2025-01-01T00:00:00Z'), 0xabcde)
    t.equal('hex64: text of the example', hex64.format(value), '024c0c29400abcde')
    t.equal('hex64: last instant', iso(hex64.timestamp(hex64.largest)),
            '2577-06-22T06:20:44.415000Z')


# ---------------------------------------------------------------------------
# How SQL is asked about it
# ---------------------------------------------------------------------------

class Subject:
    # Composes the identifier again, from an instant within its tick and its own fields.
    make = 'hex64_make(at::timestamptz, hex64_counter(id))'
    # One with zeros below the time of an instant.
    make_first = 'hex64_make(%s, 0)'

    @staticmethod
    def forms(value, rng):
        return [hex64.format(value), either_case(hex64.format(value), rng)]

    @staticmethod
    def columns(values):
        counters = [str(hex64.fields(v)['counter']) for v in values]
        return [('hex64_counter', 'hex64_counter(id)', counters),
                ('hex64_parts', '(SELECT counter FROM hex64_parts(id))', counters)]

    @staticmethod
    def expectations():
        for counter in (2**20, -1):
            yield "hex64_make('2025-01-01 00:00Z', %d)" % counter, 'ERROR 22003'
