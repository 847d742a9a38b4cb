"""Ulid-Flake: what it means, its vectors, and how SQL is asked about it."""

from formats import (CROCKFORD, BadId, number_of, digits_of, bytewise, instant, Format, Questions,
                     either_case, columns, part, DECIMAL)


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


ulidflake = UlidFlake()
FORMAT = ulidflake


# ---------------------------------------------------------------------------
# Vectors
# ---------------------------------------------------------------------------

# Columns of the file: name, what it is, and how it comes from a value.
COLUMNS = columns(ulidflake, [DECIMAL], [
    ('randomness', 'stand-alone: 20 bits', part(ulidflake, 'randomness')),
    ('scalability', 'scalable: the last 5 of them', part(ulidflake, 'scalability'))])


def rows():
    """Rows that are not computed: text or value, where it comes from, what it is."""
    yield '00CMXB6TAK4SA', 'seed', 'example of the specification, 14246757444195114'
    yield '7ZZZZZZZZZZZZ', 'seed', 'the largest'
    tick = ulidflake.tick_at(instant('2025-01-01T00:00:00Z')) << 20
    for rest, name in ((0, 'randomness 0'), (2**20 - 1, 'largest randomness'),
                       (31, 'largest scalability'), (32767 << 5, 'largest scalable randomness')):
        yield tick | rest, 'edge', name
    for first in '1234567':
        yield first + '000000000000', 'edge', 'first of prefix ' + first


PREFIXES = ['', '0', '00', '00C', '00c', '00CMXB6TA', '00CMXB6TAK4SA', '7', '7Z', '7z', '8',
            '8Z', 'A', 'Z', 'z', '7ZZZZZZZZZZZZ', '8000000000000', '00CMXB6TAK4S']


# ---------------------------------------------------------------------------
# How SQL is asked about it
# ---------------------------------------------------------------------------

class Subject(Questions):
    fields = ('randomness',)
    casts = ('bigint',)
    refused = [(b'\x80' + b'\0' * 7, '22003')]

    @staticmethod
    def forms(value, rng):
        text = ulidflake.format(value)
        return [text, text.lower(), either_case(text, rng)]

    @staticmethod
    def columns(values):
        fields = [ulidflake.fields(v) for v in values]
        rows = ['%d %d' % (f['randomness'] >> 5, f['scalability']) for f in fields]
        both = "concat_ws(' ', %s, %s)"
        return [
            ('fields of the scalable form',
             both % ('ulidflake_randomness_scalable(id)', 'ulidflake_scalability(id)'), rows),
            ('ulidflake_parts_scalable', '(SELECT %s FROM ulidflake_parts_scalable(id))'
             % both % ('randomness', 'scalability'), rows),
            ('ulidflake_make_scalable',
             'ulidflake_make_scalable(at::timestamptz, ulidflake_randomness_scalable(id), '
             'ulidflake_scalability(id))', [ulidflake.format(v) for v in values]),
        ]
