"""TID: what it means, its vectors, and how SQL is asked about it."""

from formats import (BASE32LEX, BadId, number_of, digits_of, bytewise, Format, Questions, columns,
                     part, DECIMAL)


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
                raise BadId('separator')
            if character != '-' and character not in BASE32LEX:
                raise BadId('character')
        value = self.signed(number_of(text.replace('-', ''), BASE32LEX))
        if value is None:
            raise BadId('range')
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
                    raise BadId('separator')
            elif character not in BASE32LEX:
                raise BadId('character')
            else:
                digits += character
        return digits

    def prefix_values(self, low, high):
        if self.signed(low) is None:
            return None
        return self.signed(low), self.signed(high)

    def fields(self, value):
        return {'clock_id': value % 1024}


tid64 = Tid64()
FORMAT = tid64


# ---------------------------------------------------------------------------
# Vectors
# ---------------------------------------------------------------------------

# Columns of the file: name, what it is, and how it comes from a value.
COLUMNS = columns(tid64, [('compact', 'the text without dashes', tid64.compact), DECIMAL], [
    ('clock_id', '10 bits', part(tid64, 'clock_id'))])


def rows():
    """Rows that are not computed: text or value, where it comes from, what it is."""
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


PREFIXES = ['', '2', '7', 'a', 'b', 'c', 'd', 'k', 'r', 's', 'z', 'cz', 'r22', '3', '3k', '3kxn',
            '3kxn-', '3kxn-l', '3kxn-lhr', '3kxnlhr', '3kxn-lhr-3gxq', '3kxnlhr3gxq',
            '3kxn-lhr-3gxq-', '3kxn-lhr-3gxq-2', '3kxn-lhr-3gxq-23', '3kxnlhr3gxq23', 'bz',
            'bzzz', 's2', 's222-222', 'zz', 'zzzz-zzz-zzzz-zz']


# ---------------------------------------------------------------------------
# How SQL is asked about it
# ---------------------------------------------------------------------------

class Subject(Questions):
    fields = ('clock_id',)
    casts = ('bigint',)

    @staticmethod
    def forms(value, rng):
        return [tid64.format(value), tid64.compact(value)]

    @staticmethod
    def columns(values):
        return [('tid64_compact', 'tid64_compact(id)', [tid64.compact(v) for v in values])]
