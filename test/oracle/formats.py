"""What the formats of all types share, and what their modules are written with."""

import datetime
import math

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
    """Malformed text; kind is a key of SQLSTATE."""

    def __init__(self, kind):
        super().__init__(kind)
        self.kind = kind


class OutOfRange(ValueError):
    """A field or an instant that the type cannot hold."""


def number_of(text, alphabet, either_case=False):
    """Reads text as a number, most significant digit first."""
    value = 0
    for character in text:
        digit = alphabet.find(character)
        if digit < 0 and either_case:
            digit = alphabet.lower().find(character.lower())
        if digit < 0 or not character.isascii():
            raise BadId('character')
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
    """One character per byte of the UTF-8 form: lengths are counted in bytes."""
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
    """What the formats share.  A subclass says how it is laid out and, by parse(text),
    format(value) and fields(value), how it is written."""

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

    # ---- bytes

    def to_bytes(self, value):
        return value.to_bytes(self.size, 'big', signed=self.smallest < 0)

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


class Questions:
    """How SQL is asked about a type, @T; a type says what is so of it alone."""

    arguments = ()          # that @T_generate needs
    fields = ()             # those that @T_parts and a function of its name give, and @T_make takes
    make = None             # composes the identifier again otherwise, from an instant "at" in its
                            # tick and its own fields
    casts = ()              # types of numbers that there are casts to and from
    refused = []            # bytes of the right length that are no identifier, with the SQLSTATE

    @staticmethod
    def columns(values):
        """Further checks: title, expression of the columns of @ids, and what it gives."""
        return []

    @staticmethod
    def answers():
        """Further queries, and what each gives."""
        return []


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


def bad_kind(function, *arguments):
    """The class of error that a call raises."""
    try:
        return 'accepted: %r' % (function(*arguments),)
    except BadId as bad:
        return bad.kind
    except OutOfRange:
        return 'out of range'


def either_case(text, rng):
    return ''.join(rng.choice((c.lower(), c.upper())) for c in text)


# ---------------------------------------------------------------------------
# Columns of a vector file
# ---------------------------------------------------------------------------

def part(fmt, name, *profile):
    def column(value):
        try:
            got = fmt.fields(value, *profile)[name]
        except OutOfRange:
            return ''
        return got.hex() if isinstance(got, bytes) else str(got)
    return column


def columns(fmt, before, after):
    return ([('text', 'the canonical text', fmt.format)] + before
            + [('hex', 'the %d bytes, most significant first' % fmt.size,
                lambda v: fmt.to_bytes(v).hex()),
               ('timestamp', 'instant of the tick, rounded up to the microsecond',
                lambda v: iso(fmt.timestamp(v)))] + after)


DECIMAL = ('decimal', 'the identifier as a number', str)
