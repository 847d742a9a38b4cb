"""What attacks on a server have in common: statements, what may come of them, and the count."""

import re
import time

from psycopg.pq import DiagnosticField, ExecStatus

import idoracle
from sql import Connection, SqlError

TYPES = tuple(idoracle.NAMES)

# Classes of errors that users may be shown: data, syntax or access, unsupported feature, program
# limit, resources, cancellation, the state of an object, protocol (binary input cut short), and
# conditions like an exhausted generator.
ALLOWED = ('08P01', '22', '42', '0A000', '54', '53', '57014', '55', '2200H', '23', '2F')

# The server's own words about ranges, arrays and binary data, which know nothing of element types.
SERVERS_OWN = re.compile(
    r'malformed (range|multirange|array|record) literal|range lower bound|range constructor|'
    r'cannot contain null|'
    r'range bound flags|invalid byte sequence|insufficient data|invalid message format|'
    r'wrong element type|wrong data type|dimension|array|improper binary format|'
    r'record|columns|incorrect binary|no data left|invalid input syntax for type (bigint|numeric|'
    r'timestamp|integer|uuid)|timestamp out of range|(bigint|integer) out of range|'
    r'invalid preceding or following size|'
    r'invalid name syntax|requested length too large|invalid hexadecimal|invalid flags|'
    r'unexpected EOF|invalid field size|row field count|COPY file|invalid string in message|'
    r'out of range: "')

PRELUDE = r'''
CREATE EXTENSION idtypes;
CREATE EXTENSION idtypes_uuid;

-- id <@! range: as the server itself answers id <@ range, which the planner can do nothing about.
CREATE FUNCTION brute(id anyelement, r anyrange) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
	RETURN r OPERATOR(pg_catalog.@>) id;
END
$$;
CREATE OPERATOR <@! (FUNCTION = brute, LEFTARG = anyelement, RIGHTARG = anyrange);
'''


def quote(text):
    return "'" + text.replace("'", "''") + "'"


class Attack:
    """A statement and what may come of it."""

    def __init__(self, statement, name='', states=ALLOWED, succeed=None):
        self.statement = statement
        self.name = name                # of a type that an error must name, or ''
        self.states = states            # prefixes of the SQLSTATEs that are allowed
        self.succeed = succeed          # True if it must, False if it must not, None if either

    def complaint(self, state, shown):
        """What is wrong with an outcome; None if nothing is."""
        if state == '00000':
            if self.succeed is False:
                return 'must fail, but gave %s' % shown
            return 'gave false' if shown == 'f' else None
        if self.succeed:
            return 'must not fail'
        if not state.startswith(self.states):
            return 'this error is not meant for users'
        if (self.name and state[:2] == '22' and self.name not in shown
                and not SERVERS_OWN.search(shown)):
            return 'does not name type %s' % self.name
        return None


class Database(Connection):
    """A session in a database in one encoding, and the attacks on that; where the server knows no
    encoding, it has a character for each byte.
    """

    def __init__(self, name, encoding, count):
        self.charset = 'LATIN1' if encoding == 'SQL_ASCII' else encoding
        super().__init__(dbname=name, options='-c client_min_messages=error -c timezone=UTC',
                         client_encoding=self.charset)
        self.encoding = encoding
        self.count = count
        self.run(PRELUDE)

    def test(self, name, complaint):
        self.count.test(ascii(name)[1:-1], complaint and [ascii(complaint)[1:-1]])

    def outcome(self, statement):
        """The SQLSTATE of a statement, and its value or what its error says."""
        result = self.conn.pgconn.exec_(statement.encode(self.charset))
        if result.status == ExecStatus.FATAL_ERROR:
            state, *shown = map(result.error_field, (
                DiagnosticField.SQLSTATE, DiagnosticField.MESSAGE_PRIMARY,
                DiagnosticField.MESSAGE_DETAIL))
            return (state or b'none').decode(), ' | '.join(
                (part or b'')[:200].decode(self.charset, 'replace') for part in shown)
        value = result.get_value(0, 0) if result.ntuples else None
        return '00000', (value or b'')[:200].decode(self.charset, 'replace')

    def attack(self, title, attacks, settings=''):
        """Runs attacks, each in a transaction of its own; each is a test."""
        self.run(settings)
        for attack in attacks:
            state, shown = self.outcome(attack.statement)
            complaint = attack.complaint(state, shown)
            self.test('%s, %s: %s' % (self.encoding, title, attack.statement[:300]),
                      complaint and '%s [%s %s]' % (complaint, state, shown))
        self.run('RESET ALL')

    def section(self, title, function, *arguments):
        """Runs a section of tests; says how many there were, and fails if it did not end."""
        before, began = self.count.passed, time.monotonic()
        try:
            function(self, *arguments)
        except (SqlError, OSError) as error:
            self.test(title, str(error))
        print('%s: %d passed in %.1f s' % (title, self.count.passed - before,
                                           time.monotonic() - began), flush=True)
