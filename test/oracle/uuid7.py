"""UUID version 7 in columns of type uuid, from RFC 9562, and how SQL is asked about it.

Not one of the project's types: the server reads and writes uuids, so this has no vectors.
"""

from formats import HEX, BadId, Format, Questions, digits_of, instant, number_of

GROUPS = (8, 4, 4, 4, 12)       # section 4: digits between the dashes
# Appendix A.6: an example, and its time "February 22, 2022 2:22:22.00 PM GMT-05:00"
EXAMPLE = '017F22E2-79B0-7CC3-98C4-DC0C0C07398F', instant('2022-02-22T19:22:22Z')
# Appendices A.1 to A.8 of the other versions, and uuids that are of none: their time is NULL.
OTHERS = ('C232AB00-9414-11EC-B3C8-9F6BDECED846', '5df41881-3aed-3515-88a7-2f4a814cf09e',
          '919108f7-52d1-4320-9bac-f847db4148a8', '2ed6657d-e927-568b-95e1-2665a8aea6a2',
          '1EC9414C-232A-6B00-B3C8-9F6BDECED846', '2489E9AD-2EE2-8E00-8EC9-32D5F69181C0',
          '017F22E2-79B0-7CC3-18C4-DC0C0C07398F', '017F22E2-79B0-7CC3-D8C4-DC0C0C07398F',
          '00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff')


class Uuid(Format):
    """Section 5.7: 48 bits of Unix milliseconds, big-endian; the rest is of any version."""

    name = 'uuid'
    size = 16
    largest = (1 << 128) - 1
    time_bits = 48
    per_second = 1000
    prefix_alphabet = HEX
    prefix_length = 32
    prefix_either_case = True

    def parse(self, text):
        return number_of(text.replace('-', ''), HEX, either_case=True)

    def format(self, value):
        digits, text = digits_of(value, HEX, 32), []
        for length in GROUPS:
            text.append(digits[:length])
            digits = digits[length:]
        return '-'.join(text)

    def prefix_digits(self, text):
        """Without dashes, of which each is where the canonical text has one."""
        digits = ''
        for before, character in zip('-' + text, text):
            if character != '-':
                digits += character
            elif before == '-' or len(digits) not in (8, 12, 16, 20):
                raise BadId('separator')
        return digits

    def instant_of(self, value):
        """The time of version 7 (section 4.2) and variant 10x (section 4.1), otherwise None."""
        version, variant = value >> 76 & 15, value >> 62 & 3
        return self.timestamp(value) if (version, variant) == (7, 2) else None


FORMAT = Uuid()

PREFIXES = ['', '0', 'f', 'F' * 32, '017F22E2', '017f22e2-', '017f22e279', '017f22e2-79b0-7cc3',
            '017F22E279B0-7CC398C4-DC', '017F22E2-79B0-7CC3-98C4-DC0C0C07398F']
INVALID_PREFIXES = ['g', '017-', '-', '017f22e2--', '017f22e2-79-', '0' * 33, '0' * 32 + '-',
                    '{017f', '017f22e2-79b0-7cc3-98c4-dc0c0c07398f0', '017f 22e2', '\xe9', '%']


class Subject(Questions):
    @staticmethod
    def forms(value, rng):
        return [FORMAT.format(value)]
