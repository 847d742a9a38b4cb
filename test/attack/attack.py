"""What attacks on a server have in common: statements, what may come of them, and the count."""

import os
import re
import sys
import time

for folder in 'oracle', 'lib':
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, folder))

import idoracle
import sql
from sql import SqlError

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

CODECS = {'UTF8': 'utf-8', 'LATIN1': 'latin-1', 'SQL_ASCII': 'latin-1', 'EUC_JP': 'euc_jp'}


PRELUDE = r'''
CREATE EXTENSION idtypes;
CREATE TABLE attacks (n int PRIMARY KEY, statement text NOT NULL);
CREATE TABLE outcomes (n int PRIMARY KEY, state text NOT NULL, shown text);

-- Runs every attack by itself; a statement that returns something returns one value.
CREATE PROCEDURE run_attacks() LANGUAGE plpgsql AS $$
DECLARE
	attack record;
	value text;
	message text;
	detail text;
BEGIN
	FOR attack IN SELECT * FROM attacks ORDER BY n LOOP
		value := NULL;
		BEGIN
			IF attack.statement ~ '^SELECT' THEN
				EXECUTE attack.statement INTO value;
			ELSE
				EXECUTE attack.statement;
			END IF;
			INSERT INTO outcomes VALUES (attack.n, '00000', left(value, 200));
		EXCEPTION WHEN OTHERS OR query_canceled THEN
			GET STACKED DIAGNOSTICS message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL;
			INSERT INTO outcomes VALUES (attack.n, SQLSTATE, left(message, 200) || ' | '
				|| left(detail, 200));
		END;
	END LOOP;
END
$$;

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


class Database:
    """One database in one encoding, and the attacks on it."""

    def __init__(self, name, encoding, report):
        self.name = name
        self.encoding = encoding
        self.codec = CODECS[encoding]
        self.report = report
        psql('postgres', 'DROP DATABASE IF EXISTS %s;\nCREATE DATABASE %s TEMPLATE template0 '
             'ENCODING %s LC_COLLATE "C" LC_CTYPE "C";' % (name, name, quote(encoding)))
        self.run(PRELUDE)

    def drop(self):
        psql('postgres', 'DROP DATABASE %s;' % self.name)

    def run(self, script):
        return psql(self.name, script, self.encoding, self.codec)

    def attack(self, title, attacks, settings=''):
        """Runs attacks; each is a test."""
        lines = ['%d\t%s' % (n, sql.copy_escaped(attack.statement))
                 for n, attack in enumerate(attacks)]
        output = self.run('TRUNCATE attacks, outcomes;\nCOPY attacks FROM STDIN;\n%s\n\\.\n%s\n'
                          'CALL run_attacks();\nCOPY (SELECT * FROM outcomes) TO STDOUT;\n'
                          % ('\n'.join(lines), settings))
        outcomes = {int(n): (state, sql.copy_unescaped(shown)) for n, state, shown in
                    (line.split('\t') for line in output.split('\n')[:-1])}
        for n, attack in enumerate(attacks):
            state, shown = outcomes.get(n, ('none', 'no outcome'))
            complaint = attack.complaint(state, shown)
            self.report.test('%s, %s: %s' % (self.encoding, title, attack.statement[:300]),
                             complaint and '%s [%s %s]' % (complaint, state, shown))


class Report:
    passed = 0
    failed = 0

    def test(self, name, complaint):
        if complaint is None:
            self.passed += 1
            return
        self.failed += 1
        print('not ok - %s\n    %s' % (ascii(name)[1:-1], ascii(complaint)[1:-1]))

    def section(self, title, function, *arguments):
        """Runs a section of tests; says how many there were, and fails if it did not end."""
        before, began = self.passed, time.monotonic()
        try:
            function(*arguments)
        except (SqlError, OSError) as error:
            self.test(title, str(error))
            wait_for_server()
        print('%s: %d passed in %.1f s' % (title, self.passed - before, time.monotonic() - began))
        sys.stdout.flush()


def wait_for_server():
    """A server that crashed is back in a moment."""
    for _ in range(100):
        try:
            psql('postgres', 'SELECT 1;')
            return
        except SqlError:
            time.sleep(0.2)


def psql(database, script, encoding='UTF8', codec='utf-8'):
    return sql.psql(script, '-At', '-d', database, encoding=codec, PGCLIENTENCODING=encoding,
                    PGOPTIONS='-c client_min_messages=error -c timezone=UTC')[0]
