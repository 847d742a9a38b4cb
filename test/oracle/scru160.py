"""SCRU160: what it means, its vectors, and how SQL is asked about it."""

from formats import (HEX, BASE32HEX, BadId, number_of, digits_of, bytewise, instant, Format,
                     Questions, either_case, columns, part)


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


scru160 = Scru160()
FORMAT = scru160


# ---------------------------------------------------------------------------
# Vectors
# ---------------------------------------------------------------------------

# Columns of the file: name, what it is, and how it comes from a value.
COLUMNS = columns(scru160, [], [
    ('counter', '16 bits', part(scru160, 'counter')),
    ('random', 'the other 12 bytes in hex', part(scru160, 'random'))])


def rows():
    """Rows that are not computed: text or value, where it comes from, what it is."""
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


PREFIXES = ['', '0', '05', '05TTUP1', '05ttup1hnc', 'V', 'v', '05TTUP1HNCPNH30VEK64KDQT9BSNU4C',
            '05TTUP1HNCPNH30VEK64KDQT9BSNU4C4', 'V' * 32, '0' * 32]


# ---------------------------------------------------------------------------
# How SQL is asked about it
# ---------------------------------------------------------------------------

class Subject(Questions):
    fields = ('counter', 'random')

    @staticmethod
    def forms(value, rng):
        text, digits = scru160.format(value), scru160.hex(value)
        return [text, text.lower(), either_case(text, rng), digits, either_case(digits, rng)]

    @staticmethod
    def columns(values):
        return [('scru160_hex', 'scru160_hex(id)', [scru160.hex(v) for v in values])]
