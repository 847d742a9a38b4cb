"""uid11: what it means, its vectors, and how SQL is asked about it."""

from formats import (BASE58, BadId, OutOfRange, number_of, digits_of, bytewise, instant, Format,
                     Questions, columns, part, DECIMAL)


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


uid11 = Uid11()
FORMAT = uid11


# ---------------------------------------------------------------------------
# Vectors
# ---------------------------------------------------------------------------

# Columns of the file: name, what it is, and how it comes from a value.
COLUMNS = columns(uid11, [DECIMAL], [
    ('random', 'xid: 22 bits', part(uid11, 'random')),
    ('snowish_machine', 'snowish: 10 bits; empty where the reserved bit is set',
     part(uid11, 'machine', 'snowish')),
    ('snowish_sequence', 'snowish: 12 bits; empty where the reserved bit is set',
     part(uid11, 'sequence', 'snowish')),
    ('seq_rand_sequence', 'ts-seq-rand: 12 bits', part(uid11, 'sequence', 'ts-seq-rand')),
    ('seq_rand_random', 'ts-seq-rand: 10 bits', part(uid11, 'random', 'ts-seq-rand'))])


def rows():
    """Rows that are not computed: text or value, where it comes from, what it is."""
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


PREFIXES = ['', '1', '11', '2', '3kx', 'j', 'jp', 'jpX', 'jpY', 'jpXCZedGfV', 'jpXCZedGfVQ',
            'jpXCZedGfVR', 'jpXCZedGfW', 'k', 'z', 'zzzzzzzzzzz', '1111111NVp', '113q8KFkAEs',
            '11111111111', 'a', 'A', 'jq', 'i', 'iz']


# ---------------------------------------------------------------------------
# How SQL is asked about it
# ---------------------------------------------------------------------------

class Subject(Questions):
    fields = ('random',)
    make = 'uid11_make(ts => at::timestamptz, rest => uid11_random(id)::bigint)'
    casts = ('numeric',)

    @staticmethod
    def forms(value, rng):
        return [uid11.format(value)]

    @staticmethod
    def columns(values):
        def rows(profile):
            """Machine, sequence and random of each value, or None if the profile has no such."""
            for v in values:
                try:
                    fields = uid11.fields(v, profile)
                except OutOfRange:
                    yield None
                else:
                    yield ' '.join('-' if f is None else str(f) for f in fields.values())

        # What is asked only of values below 2^63, which fit in a bigint and in snowish.
        small = 'CASE WHEN decimal::numeric <= 9223372036854775807 THEN %s END'
        checks = [
            ('cast to bigint', small % 'id::bigint',
             [str(v) if v < 1 << 63 else None for v in values]),
            ('cast from bigint',
             small % 'decimal::bigint::uid11',
             [uid11.format(v) if v < 1 << 63 else None for v in values]),
            ("uid11_timestamp for 'fullrand'", "uid11_timestamp(id, 'fullrand')",
             [None] * len(values)),
            ("uid11_timestamp for 'ts-seq-rand'",
             "microseconds(uid11_timestamp(id, 'ts-seq-rand'))",
             [str(uid11.timestamp(v)) for v in values]),
            ("uid11_timestamp for 'snowish'",
             small % "microseconds(uid11_timestamp(id, 'uid11-snowish'))",
             [str(uid11.timestamp(v)) if v < 1 << 63 else None for v in values]),
            ('uid11_make for ts-seq-rand',
             "uid11_make(at::timestamptz, uid11_random(id)::bigint, 'uid11-ts-seq-rand')",
             [uid11.format(v) for v in values]),
        ]
        for profile in uid11.PROFILES:
            guard = small if profile == 'snowish' else '%s'
            expected = list(rows(profile))
            checks.append((
                "uid11_parts for '%s'" % profile,
                guard % ("(SELECT concat_ws(' ', coalesce(machine::text, '-'), "
                         "coalesce(sequence::text, '-'), coalesce(random::text, '-')) "
                         "FROM uid11_parts(id, '%s'))" % profile), expected))
            checks.append((
                "uid11_random for '%s'" % profile,
                guard % ("coalesce(uid11_random(id, '%s')::text, '-')" % profile),
                [None if row is None else row.split()[2] for row in expected]))
        return checks
