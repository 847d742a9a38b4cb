"""hex96: what it means, its vectors, and how SQL is asked about it."""

from formats import (DECIMAL, HEX, BadId, Format, Questions, bytewise, columns, digits_of,
                     either_case, field, instant, iso, number_of, part)


class Hex96(Format):
    """hex96: 44 bits of milliseconds since 2020, 20 of a counter, 32 of randomness."""

    name = 'hex96'
    size = 12
    largest = (1 << 96) - 1
    time_bits = 44
    epoch = instant('2020-01-01T00:00:00Z')
    per_second = 1000
    layouts = (('', (('time', 44), ('counter', 20), ('tail', 32))),)
    prefix_alphabet = HEX
    prefix_length = 24
    prefix_either_case = True

    def parse(self, text):
        text = bytewise(text)
        if len(text) != 24:
            raise BadId('length')
        return number_of(text, HEX, either_case=True)

    def format(self, value):
        return digits_of(value, HEX, 24)

    def fields(self, value):
        return {'counter': (value >> 32) % (1 << 20), 'tail': value % (1 << 32)}

    def compose(self, us, counter, tail):
        rest = field(counter, 'counter', 20) << 32 | field(tail, 'tail', 32)
        return self.at_tick(self.tick_at(us), rest)


hex96 = Hex96()
FORMAT = hex96


# ---------------------------------------------------------------------------
# Vectors
# ---------------------------------------------------------------------------

# Columns of the file: name, what it is, and how it comes from a value.
COLUMNS = columns(hex96, [DECIMAL], [('counter', '20 bits', part(hex96, 'counter')),
                                     ('tail', '32 bits', part(hex96, 'tail'))])


def rows():
    """Rows that are not computed: text or value, where it comes from, what it is."""
    yield '024c0c29400abcde89abcdef', 'spec', 'the example'


# Text that is refused: class (several where it breaks several rules), why.
INVALID = [
    ('', 'length', 'empty'),
    ('024c0c29400abcde89abcde', 'length', '23 digits'),
    ('024c0c29400abcde89abcdeg', 'character', 'g is no hex digit'),
]

PREFIXES = ['', '0', 'f', 'F', '024c', '024C0C29400abcde8', '024c0c29400abcde89abcdef']

# Prefixes that are an error: class, why.
INVALID_PREFIXES = [
    ('g', 'character', 'no hex digit'),
    ('0' * 25, 'length', 'one too many'),
]


# ---------------------------------------------------------------------------
# Self-test
# ---------------------------------------------------------------------------

def test(t):
    value = hex96.compose(instant('2025-01-01T00:00:00Z'), 0xabcde, 0x89abcdef)
    t.equal('hex96: text of the example', hex96.format(value), '024c0c29400abcde89abcdef')
    t.equal('hex96: last instant', iso(hex96.timestamp(hex96.largest)),
            '2577-06-22T06:20:44.415000Z')


# ---------------------------------------------------------------------------
# How SQL is asked about it
# ---------------------------------------------------------------------------

class Subject(Questions):
    fields = ('counter', 'tail')

    @staticmethod
    def forms(value, rng):
        return [hex96.format(value), either_case(hex96.format(value), rng)]
