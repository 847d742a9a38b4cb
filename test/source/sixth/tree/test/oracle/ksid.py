"""ksid: what it means, its vectors, and how SQL is asked about it."""

from formats import (HEX, BadId, Format, Questions, bytewise, columns, digits_of, instant,
                     number_of, part)

DIGITS = '456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'


class Ksid(Format):
    """ksid: 40 bits of seconds since 2014, 24 of a counter, 56 of randomness."""

    name = 'ksid'
    size = 15
    largest = (1 << 120) - 1
    time_bits = 40
    epoch = instant('2014-05-13T16:53:20Z')
    per_second = 1
    prefix_alphabet = DIGITS
    prefix_length = 24
    prefix_either_case = True

    def parse(self, text):
        text = bytewise(text)
        for alphabet, length in (DIGITS, 24), (HEX, 30):
            if len(text) == length:
                return number_of(text, alphabet, either_case=True)
        raise BadId('length')

    def format(self, value):
        return digits_of(value, DIGITS, 24)

    def fields(self, value):
        return {'counter': (value >> 56) % (1 << 24), 'random': self.to_bytes(value)[8:]}


ksid = Ksid()
FORMAT = ksid

COLUMNS = columns(ksid, [], [('counter', '24 bits', part(ksid, 'counter')),
                             ('random', '7 bytes', part(ksid, 'random'))])
EXAMPLE = '0014023780abcdef0123456789abcd'
PREFIXES = ['', '4', '44D', 'z', 'Z' * 24]


def rows():
    """Rows that are not computed: text or value, where it comes from, what it is."""
    yield EXAMPLE, 'spec', 'the example'


class Subject(Questions):
    fields = ('counter', 'random')

    @staticmethod
    def forms(value, rng):
        return [ksid.format(value), digits_of(value, HEX, 30)]
