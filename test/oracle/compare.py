#!/usr/bin/env python3
"""Compares the extension with the oracle, through SQL and through COPY BINARY.

Makes a database on the server that PGHOST, PGPORT, PGUSER and PGDATABASE name (through the psql on
PATH), creates the extension there, and drops the database at the end.  Every check is one line; the
values are edges, the vector files and random ones from a seed that is printed.

    compare.py [--seed N] [--rows N]
"""

import argparse
import collections
import math
import operator
import os
import random
import struct
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, 'lib'))

import ff1
import idoracle
import make_vectors
import sql
from idoracle import either_case, iso, instant
from sql import SqlError

BOUNDS = ('[)', '[]', '(]', '()')

# Identifiers that are encrypted: the oracle's AES takes its time.
SECRETS = 100

# What PostgreSQL can say as a timestamptz: from here to before there.
EARLIEST = instant('-4713-11-24T00:00:00Z')
LATEST = instant('294277-01-01T00:00:00Z') - 1

PRELUDE = r'''
CREATE EXTENSION idtypes;

-- What a query returns, as text, or the SQLSTATE of its error.
CREATE FUNCTION outcome(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE query INTO result;
	RETURN coalesce('= ' || result, 'NULL');
EXCEPTION WHEN OTHERS THEN
	RETURN 'ERROR ' || SQLSTATE;
END
$$;

-- A range as "first last", with - for an open end.
CREATE FUNCTION span(r anyrange) RETURNS text IMMUTABLE LANGUAGE sql AS $$
	SELECT CASE
		WHEN isempty(r) THEN 'empty'
		WHEN (lower_inf(r) OR lower_inc(r)) AND (upper_inf(r) OR upper_inc(r))
			THEN concat(coalesce(lower(r)::text, '-'), ' ', coalesce(upper(r)::text, '-'))
		ELSE 'not closed: ' || r::text
	END
$$;

CREATE FUNCTION microseconds(t timestamptz) RETURNS bigint IMMUTABLE LANGUAGE sql AS $$
	SELECT (extract(epoch FROM t) * 1000000)::bigint
$$;
'''


class Server:
    """Runs scripts in one database through psql."""

    def __init__(self, database):
        self.database = database

    def run(self, script, stop=True):
        """Output of a script; with stop unset, also of what follows an error."""
        printed, reported = sql.psql(
            script, '-d', self.database, stop=stop, PGCLIENTENCODING='UTF8',
            PGTZ='America/St_Johns', PGOPTIONS='-c client_min_messages=warning')
        return printed if stop else reported

    def load(self, table, columns, rows):
        """Makes a table of numbered rows of text."""
        lines = ['\t'.join([str(n)] + ['\\N' if field is None else sql.copy_escaped(field)
                                       for field in row]) for n, row in enumerate(rows)]
        self.run('CREATE TABLE %s (n int PRIMARY KEY, %s);\nCOPY %s FROM STDIN;\n%s\n\\.\n' % (
            table, ', '.join(name + ' text' for name in columns), table, '\n'.join(lines)))

    def fetch(self, query, before=''):
        """Rows of a query as lists of text, None for NULL."""
        output = self.run('%s\nCOPY (%s) TO STDOUT;\n' % (before, query))
        return [[None if field == '\\N' else sql.copy_unescaped(field)
                 for field in line.split('\t')] for line in output.split('\n')[:-1]]


def pgcopy(rows):
    """A file for COPY BINARY; rows are lists of bytes."""
    data = [b'PGCOPY\n\xff\r\n\0', struct.pack('>ii', 0, 0)]
    for row in rows:
        data.append(struct.pack('>h', len(row)))
        for field in row:
            data += [struct.pack('>i', len(field)), field]
    data.append(struct.pack('>h', -1))
    return b''.join(data)


def literal(us):
    """An instant as PostgreSQL reads it; None stays None."""
    if us is None:
        return None
    if us in (math.inf, -math.inf):
        return 'infinity' if us > 0 else '-infinity'
    text = iso(us).replace('T', ' ').replace('Z', '+00')
    if text.startswith('-') or text.startswith('0000'):
        year, rest = text.rsplit('-', 2)[0], text.rsplit('-', 2)[1:]
        return '%04d-%s BC' % (1 - int(year), '-'.join(rest))
    return text


# ---------------------------------------------------------------------------
# Values
# ---------------------------------------------------------------------------

def random_values(fmt, rng, rows):
    """Edges, vectors, and as many random values as asked for, some of them more than once."""
    values = idoracle.edge_values(fmt)
    values += [fmt.parse(row['text']) for row in make_vectors.read(fmt.name + '.tsv')]
    recent = instant('2024-01-01T00:00:00Z')
    for _ in range(rows):
        choice = rng.randrange(10)
        if choice < 4:
            value = rng.randint(fmt.smallest, fmt.largest)
        elif choice < 7:
            tick = fmt.tick_at(recent + rng.randrange(10**14))
            value = fmt.at_tick(tick, rng.getrandbits(fmt.low_bits))
        elif choice < 9:        # shares its leading bits with another
            value = rng.choice(values) ^ rng.getrandbits(rng.randrange(8 * fmt.size - 1))
        else:
            value = rng.choice(values)
        values.append(value)
    rng.shuffle(values)
    return values


def random_instants(fmt, rng, values, count):
    """Instants near the beginnings of ticks, of the values' and of the first and last ones."""
    for _ in range(count):
        tick = fmt.tick(rng.choice(values))
        if rng.randrange(10) == 0:
            tick = rng.choice((fmt.first_tick, fmt.last_tick))
        yield fmt.begins(tick + rng.randint(-2, 2)) + rng.choice((-1, 0, 0, 0, 1, 7, 500, 999))


def random_windows(fmt, rng, values, count):
    """Windows (lower, upper, bounds): short ones, long ones, open, infinite and far outside."""
    far = [None, None, -math.inf, math.inf, EARLIEST, LATEST,
           fmt.begins(fmt.first_tick), fmt.begins(fmt.last_tick),
           fmt.begins(fmt.first_tick) - 1, fmt.begins(fmt.last_tick) + 1,
           fmt.begins(fmt.last_tick + 1), fmt.begins(fmt.last_tick + 1) + 1]
    windows = [(low, high) for low in far for high in far]
    for us in random_instants(fmt, rng, values, count):
        choice = rng.randrange(4)
        if choice == 0:
            other = rng.choice(far)
        elif choice == 1:
            other = next(random_instants(fmt, rng, values, 1))
        else:
            other = us + rng.choice((0, 1, 2, 15, 16, 999, 1000, 1001, 10**6))
        windows.append((us, other))
        windows.append((other, us))
    return [(low, high, bounds) for low, high in windows for bounds in BOUNDS
            if low is None or high is None or low <= high]


# ---------------------------------------------------------------------------
# The comparison
# ---------------------------------------------------------------------------

class Comparison:
    """All checks of one type."""

    def __init__(self, tally, server, folder, rng, rows, module):
        self.t = tally
        self.server = server
        self.folder = folder
        self.rng = rng
        self.subject = module.Subject
        self.fmt = module.FORMAT
        self.name = self.fmt.name
        self.values = random_values(self.fmt, rng, rows)

    def sql(self, text):
        """@T is the type, @ids its table of values."""
        return text.replace('@T', self.name).replace('@ids', self.name + '_ids')

    def guarded(self, title, function):
        """A check that is not ok when the server reports an error where none belongs."""
        try:
            function()
        except SqlError as error:
            self.t.check('%s %s' % (self.name, title), False, str(error))

    def same(self, title, got, want, inputs):
        """One line for a list of results: how many there are, or the first that differs."""
        title = '%s %s (%d)' % (self.name, title, len(want))
        if len(got) != len(want) or not want:
            self.t.check(title, False, '%d results' % len(got))
            return
        for i, (g, w) in enumerate(zip(got, want)):
            if g != w:
                self.t.check(title, False, 'first differing: %r gives %s, expected %s'
                             % (inputs[i], g, w))
                return
        self.t.check(title, True)

    def columns(self, source, checks, inputs, normal=lambda x: x):
        """Checks of (title, expression, expected): the expressions are columns of one query."""
        def run(some):
            query = self.sql('SELECT %s FROM %s ORDER BY n' % (
                ', '.join('(%s)::text' % expression for _, expression, _ in some), source))
            rows = self.server.fetch(query)
            for i, (title, _, expected) in enumerate(some):
                self.same(self.sql(title), [normal(row[i]) for row in rows], expected, inputs)

        try:
            run(checks)
        except SqlError:            # find out which of them it is
            for check in checks:
                self.guarded(self.sql(check[0]), lambda: run([check]))

    def load_ids(self):
        """The table of values, by COPY BINARY."""
        self.server.run(self.sql(
            'CREATE TABLE @ids (n int, id @T, txt text, hex text, decimal text, at text);'))
        rows = []
        for n, value in enumerate(self.values):
            start, end = (self.fmt.begins(self.fmt.tick(value) + i) for i in (0, 1))
            at = min(end - 1, start + self.rng.choice((0, 1, end - start - 1)))
            texts = (self.rng.choice(self.subject.forms(value, self.rng)),
                     self.fmt.to_bytes(value).hex(), str(value), literal(at))
            rows.append([struct.pack('>i', n), self.fmt.to_bytes(value)]
                        + [text.encode() for text in texts])
        path = os.path.join(self.folder, self.name + '.in')
        with open(path, 'wb') as file:
            file.write(pgcopy(rows))
        self.server.run(self.sql("\\copy @ids FROM '%s' (FORMAT binary)\nANALYZE @ids;\n" % path))
        self.t.check('%s COPY BINARY in (%d)' % (self.name, len(rows)), True)
        self.texts = [row[2].decode() for row in rows]

    def copy_binary_out(self):
        path = os.path.join(self.folder, self.name + '.out')
        self.server.run(self.sql(
            "\\copy (SELECT id FROM @ids ORDER BY n) TO '%s' (FORMAT binary)\n" % path))
        with open(path, 'rb') as file:
            got = file.read()
        want = pgcopy([[self.fmt.to_bytes(v)] for v in self.values])
        self.t.check('%s COPY BINARY out (%d)' % (self.name, len(self.values)), got == want,
                     'other bytes from byte %d on' % len(os.path.commonprefix([got, want])))

    def copy_binary_refused(self):
        """One field that is no identifier, a file each, all in one session."""
        size = self.fmt.size
        cases = [(b'', '22P03'), (b'\0' * (size - 1), '22P03'), (b'\0' * (size + 1), '22P03')]
        cases += self.subject.refused
        script = self.sql('\\set VERBOSITY sqlstate\nCREATE TABLE @T_bad (id @T);\n')
        for i, (data, _) in enumerate(cases):
            path = os.path.join(self.folder, '%s.bad%d' % (self.name, i))
            with open(path, 'wb') as file:
                file.write(pgcopy([[data]]))
            script += self.sql("\\copy @T_bad FROM '%s' (FORMAT binary)\n" % path)
        errors = [line.split()[-1] for line in self.server.run(script, stop=False).splitlines()
                  if 'ERROR' in line]
        self.same('COPY BINARY of malformed data is refused',
                  errors, [state for _, state in cases],
                  [data.hex() or 'nothing' for data, _ in cases])

    def values_in_and_out(self):
        values, fmt = self.values, self.fmt
        texts = [fmt.format(v) for v in values]
        yes = ['true'] * len(values)
        names = self.subject.fields
        by_name = ', '.join('@T_%s(id)' % name for name in names)
        fields = [' '.join('\\x' + part.hex() if isinstance(part, bytes) else str(part)
                           for part in map(fmt.fields(v).get, names)) for v in values]
        checks = [
            ('binary in, text out', 'id', texts),
            ('text in, text out', 'txt::@T', texts),
            ('text in equals binary in', 'txt::@T = id', yes),
            ('cast to bytea', "encode(id::bytea, 'hex')", [fmt.to_bytes(v).hex() for v in values]),
            ('cast from bytea', "decode(hex, 'hex')::@T", texts),
            ('@T_timestamp', 'microseconds(@T_timestamp(id))',
             [str(fmt.timestamp(v)) for v in values]),
            ('cast to timestamptz', 'id::timestamptz = @T_timestamp(id)', yes),
            ('ts of @T_parts', '(SELECT ts = @T_timestamp(id) FROM @T_parts(id))', yes),
            ('@T_make', self.subject.make or '@T_make(at::timestamptz, %s)' % by_name, texts),
            ('@T_min', '@T_min(at::timestamptz)',
             [fmt.format(fmt.at_tick(fmt.tick(v), 0)) for v in values]),
            ('@T_max', '@T_max(at::timestamptz)',
             [fmt.format(fmt.at_tick(fmt.tick(v), (1 << fmt.low_bits) - 1)) for v in values]),
            ('fields', "concat_ws(' ', %s)" % by_name, fields),
            ('@T_parts', "(SELECT concat_ws(' ', %s) FROM @T_parts(id))" % ', '.join(names),
             fields)]
        for number in self.subject.casts:
            checks += [('cast to ' + number, 'id::' + number, [str(v) for v in values]),
                       ('cast from ' + number, 'decimal::%s::@T' % number, texts)]
        checks += self.subject.columns(values)
        self.columns('@ids', checks, self.texts)

    def order(self):
        numbers = range(len(self.values))
        up = [str(n) for n in sorted(numbers, key=lambda n: (self.values[n], n))]

        def query(title, condition, expression, want):
            rows = self.server.fetch(self.sql('SELECT n FROM @ids WHERE %s ORDER BY %s, n'
                                              % (condition, expression)))
            self.same(title, [row[0] for row in rows], want, want)

        query('ORDER BY', 'true', 'id', up)
        if self.fmt.text_sorts:
            query('order of the text in the C collation', 'decimal::numeric >= 0',
                  'id::text COLLATE "C"', [n for n in up if self.values[int(n)] >= 0])

    def pairs(self):
        """Comparison operators, and ranges of any two identifiers in their closed form."""
        values = self.values
        pairs = [(n, self.rng.choice((n, self.rng.randrange(len(values)))),
                  self.rng.choice(BOUNDS)) for n in range(len(values))]
        pairs = [(a, b, bounds) if values[a] <= values[b] else (b, a, bounds)
                 for a, b, bounds in pairs]
        self.server.load(self.name + '_pairs', ['a', 'b', 'bounds'],
                         [[str(a), str(b), bounds] for a, b, bounds in pairs])

        def signs(x, y):
            return ''.join('ft'[truth] for truth in (x < y, x <= y, x == y, x != y, x >= y, x > y))

        def closed(low, high, bounds):
            low, high = low + (bounds[0] == '('), high - (bounds[1] == ')')
            return self.span((low, high) if low <= high else None)

        signs_of = "concat(%s < %s, %s <= %s, %s = %s, %s <> %s, %s >= %s, %s > %s)"
        self.columns(
            '(SELECT p.n, a.id AS a, b.id AS b, bounds FROM @T_pairs p '
            'JOIN @ids a ON a.n = p.a::int JOIN @ids b ON b.n = p.b::int) s', [
                ('comparison operators', signs_of % (('a', 'b') * 6),
                 [signs(values[a], values[b]) for a, b, _ in pairs]),
                ('comparison operators, the other way round', signs_of % (('b', 'a') * 6),
                 [signs(values[b], values[a]) for a, b, _ in pairs]),
                ('@Trange', 'span(@Trange(a, b, bounds))',
                 [closed(values[a], values[b], bounds) for a, b, bounds in pairs]),
            ], ['%s and %s, %s' % (self.texts[a], self.texts[b], bounds)
                for a, b, bounds in pairs])

    def hashing(self):
        counts = collections.Counter(self.values).values()
        queries = {'@ids a JOIN @ids b USING (id)': sum(count * count for count in counts),
                   '(SELECT id FROM @ids GROUP BY id) s': len(counts)}
        rows = self.server.fetch(
            self.sql('SELECT ' + ', '.join('(SELECT count(*) FROM %s)' % q for q in queries)),
            'SET enable_mergejoin = off; SET enable_nestloop = off; SET enable_sort = off;')
        self.same('counts of hash joins and hash aggregates', rows[0],
                  [str(count) for count in queries.values()], list(queries))

    def members(self, title, source, condition, ranges, inputs):
        """How many identifiers are in ranges, of some of them."""
        step = max(1, len(ranges) // 60)
        self.columns('%s WHERE n %% %d = 0' % (source, step), [
            (title, '(SELECT count(*) FROM @ids WHERE %s)' % condition,
             [str(ends and sum(ends[0] <= v <= ends[1] for v in self.values) or 0)
              for ends in ranges[::step]])], inputs[::step])

    def span(self, ends):
        return 'empty' if ends is None else ' '.join(self.fmt.format(end) for end in ends)

    def closed(self, span):
        """A range as the server writes it, open ends replaced by the smallest and largest."""
        if span is None or not (span.startswith('- ') or span.endswith(' -')):
            return span
        first, last = span.split(' ')
        return ' '.join((self.fmt.format(self.fmt.smallest) if first == '-' else first,
                         self.fmt.format(self.fmt.largest) if last == '-' else last))

    def prefixes(self):
        fmt = self.fmt
        texts = [row['prefix'] for row in make_vectors.read('prefix.tsv')
                 if row['type'] == self.name]
        for value in self.values:
            text = fmt.shown_for_prefix(value)
            text = text[:self.rng.randint(0, len(text))]
            if text and self.rng.randrange(4) == 0:
                text = text[:-1] + self.rng.choice(fmt.prefix_alphabet)
            if self.rng.randrange(2) == 0:
                text = text.replace('-', '')
            if fmt.prefix_either_case:
                text = either_case(text, self.rng)
            texts.append(text)
        self.server.load(self.name + '_prefixes', ['p'], [[text] for text in texts])
        ranges = [fmt.prefix(text) for text in texts]
        self.columns('@T_prefixes', [
            ('@T_prefix', 'span(@T_prefix(p))', list(map(self.span, ranges)))], texts)
        self.members('identifiers of a prefix', '@T_prefixes', 'id <@ @T_prefix(p)', ranges, texts)
        self.members('identifiers that start with', '@T_prefixes', 'id ^@ p', ranges, texts)

    def windows(self):
        fmt = self.fmt
        windows = random_windows(fmt, self.rng, self.values, max(100, len(self.values) // 8))
        inputs = ['%s %s, %s' % (b, literal(low), literal(high)) for low, high, b in windows]
        self.server.load(self.name + '_windows', ['low', 'high', 'b'],
                         [[literal(low), literal(high), b] for low, high, b in windows])
        ends = 'low::timestamptz, high::timestamptz'
        ranges = [fmt.window(*window) for window in windows]
        want = list(map(self.span, ranges))
        self.columns('@T_windows', [
            ('@T_range(since, upto, bounds)', 'span(@T_range(%s, b))' % ends, want),
            ('@T_range(tstzrange)', 'span(@T_range(tstzrange(%s, b)))' % ends, want),
            ('@T_range without bounds is [)',
             "span(CASE WHEN b = '[)' THEN @T_range(%s) ELSE @T_range(%s, b) END)" % (ends, ends),
             want)], inputs, self.closed)
        self.members('identifiers of a window', '@T_windows', 'id <@ @T_range(%s, b)' % ends,
                     ranges, inputs)

    def instants(self):
        """Ids beside instants: what holds of the instant in the id, which the oracle reads."""
        fmt = self.fmt
        far = [-math.inf, math.inf, EARLIEST, LATEST, None] + [
            fmt.begins(tick) + step for tick in (fmt.first_tick, fmt.last_tick, fmt.last_tick + 1)
            for step in (-1, 0, 1)]
        rows = [(fmt.format(value), us) for value in (fmt.smallest, fmt.largest) for us in far]
        near = random_instants(fmt, self.rng, self.values, len(self.values))
        for value, us in zip(self.values, near):
            rows.append((fmt.format(value), us))
            rows.append((fmt.format(value), fmt.timestamp(value) + self.rng.choice((-1, 0, 1))))
            rows.append((fmt.format(value), self.rng.choice(far)))
        inputs = ['%s and %s' % (text, literal(us)) for text, us in rows]
        self.server.load(self.name + '_instants', ['id', 'ts'],
                         [[text, literal(us)] for text, us in rows])

        def signs(x, y):
            if x is None or y is None:
                return ''
            return ''.join('ft'[truth] for truth in (x < y, x <= y, x >= y, x > y))

        own = [fmt.timestamp(fmt.parse(text)) for text, _ in rows]
        signs_of = 'concat(%s < %s, %s <= %s, %s >= %s, %s > %s)'
        self.columns('(SELECT n, id::@T, ts::timestamptz FROM @T_instants) s', [
            ('ids beside instants', signs_of % (('id', 'ts') * 4),
             [signs(mine, us) for mine, (_, us) in zip(own, rows)]),
            ('instants beside ids', signs_of % (('ts', 'id') * 4),
             [signs(us, mine) for mine, (_, us) in zip(own, rows)])], inputs)

        def members(condition):
            return '(SELECT count(*) FROM @ids WHERE %s)' % condition

        stamps = [fmt.timestamp(value) for value in self.values]
        step = max(1, len(rows) // 60)
        some = [us for _, us in rows[::step]]
        self.columns('(SELECT n, ts::timestamptz FROM @T_instants WHERE n %% %d = 0) s' % step, [
            ('identifiers %s an instant' % op, members('id %s ts' % op),
             [str(0 if us is None else sum(holds(stamp, us) for stamp in stamps)) for us in some])
            for op, holds in (('<', operator.lt), ('<=', operator.le),
                              ('>=', operator.ge), ('>', operator.gt))], inputs[::step])

    def encryption(self):
        """The vectors, and random ids with keys of all lengths and tweaks of up to 1024 bytes."""
        rng, fmt = self.rng, self.fmt
        rows = encryption_rows(self.name)
        for value in rng.sample(self.values, SECRETS):
            key = rng.getrandbits(256).to_bytes(32, 'big')[:rng.choice((16, 24, 32))]
            length = rng.choice([rng.randrange(4), rng.randrange(60)] * 4 + [256])
            tweak = ''.join(rng.choice('aZ \u00df\u0439\u20ac\U0001f511') for _ in range(length))
            rows.append([fmt.format(value), key.hex(), tweak,
                         ff1.encrypted(fmt, value, key, tweak)])
        texts = [text for text, _, _, _ in rows]
        self.server.load(self.name + '_secrets', ['txt', 'key', 'tweak', 'encrypted'], rows)
        secret = "decode(key, 'hex'), tweak"
        self.columns('@T_secrets', [
            ('@T_encrypt', '@T_encrypt(txt::@T, %s)' % secret, [row[3] for row in rows]),
            ('@T_decrypt', '@T_decrypt(encrypted, %s)' % secret, texts)], texts)

    def queries(self):
        """What single queries give, or the SQLSTATE: of instants and flags that are none, the ends
        of all time, the files of malformed text, and what the type has of its own."""
        fmt = self.fmt
        first, last = fmt.begins(fmt.first_tick), fmt.begins(fmt.last_tick + 1) - 1
        wanted = {"@T_%s('%s')" % (end, literal(us)): 'ERROR 22008' for end in ('min', 'max')
                  for us in (first - 1, last + 1, EARLIEST, LATEST, -math.inf, math.inf)}
        for us in (first, last):
            wanted["@T_min('%s')" % literal(us)] = '= ' + fmt.format(fmt.min_at(us))
            wanted["@T_max('%s')" % literal(us)] = '= ' + fmt.format(fmt.max_at(us))
        wanted.update(("@T_range(NULL, NULL, '%s')" % flags, 'ERROR 42601')
                      for flags in ('', '[)x'))
        for file, query in (('invalid.tsv', "'%s'::@T"),
                            ('prefix_invalid.tsv', "@T_prefix('%s')")):
            wanted.update((query % make_vectors.unescaped(row['text']).replace("'", "''"),
                           'ERROR ' + row['sqlstate'])
                          for row in make_vectors.read(file) if row['type'] == self.name)
        wanted.update((query, '= ' + answer) for query, answer in self.subject.answers())
        self.server.load(self.name + '_queries', ['query'],
                         [[self.sql('SELECT ' + query)] for query in wanted])
        got = self.server.fetch(self.sql('SELECT outcome(query) FROM @T_queries ORDER BY n'))
        for (outcome,), (query, want) in zip(got, wanted.items()):
            self.t.equal('%s %s' % (ascii(self.sql(query)), want), outcome, want)

    def all(self):
        self.load_ids()
        for title, check in (
                ('COPY BINARY out', self.copy_binary_out),
                ('COPY BINARY refused', self.copy_binary_refused),
                ('values', self.values_in_and_out),
                ('order', self.order),
                ('pairs', self.pairs),
                ('hashing', self.hashing),
                ('prefixes', self.prefixes),
                ('windows', self.windows),
                ('instants', self.instants),
                ('encryption', self.encryption),
                ('single queries', self.queries)):
            self.guarded(title, check)


def encryption_rows(name):
    """Of the vectors: text, key, tweak and encrypted text."""
    return [[row['id'], row['key'], make_vectors.unescaped(row['tweak']), row['encrypted']]
            for row in make_vectors.read('encrypt.tsv') if row['type'] == name]


def compare_encodings(t, maintenance, database):
    """A tweak is the same in databases of any encoding."""
    for encoding in ('latin1', 'sql_ascii'):
        maintenance.run("CREATE DATABASE %s_%s TEMPLATE template0 ENCODING '%s' LC_COLLATE 'C' "
                        "LC_CTYPE 'C';" % (database, encoding, encoding))
        try:
            server = Server('%s_%s' % (database, encoding))
            server.run('CREATE EXTENSION idtypes;')
            for module in idoracle.MODULES:
                name = module.FORMAT.name
                rows = [row for row in encryption_rows(name)
                        if not row[2].isascii() and max(row[2]) < '\u0100']
                server.load(name + '_secrets', ['txt', 'key', 'tweak', 'encrypted'], rows)
                got = server.fetch("SELECT %s_encrypt(txt::%s, decode(key, 'hex'), tweak) "
                                   'FROM %s_secrets ORDER BY n' % (name, name, name))
                t.equal('%s %s_encrypt in %s' % (name, name, encoding),
                        got or 'nothing', [row[3:] for row in rows])
        finally:
            maintenance.run('DROP DATABASE %s_%s;' % (database, encoding))


def main():
    parser = argparse.ArgumentParser(description='compare the extension with the oracle')
    parser.add_argument('--seed', type=int, default=random.SystemRandom().getrandbits(32))
    parser.add_argument('--rows', type=int, default=10000, help='random values of each type')
    options = parser.parse_args()
    print('# seed %d, %d random rows of each type' % (options.seed, options.rows))

    t = idoracle.Tally()
    maintenance = Server(os.environ.get('PGDATABASE', 'postgres'))
    database = 'idtypes_oracle_%d' % os.getpid()
    maintenance.run("CREATE DATABASE %s TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' "
                    "LC_CTYPE 'C';" % database)
    try:
        server = Server(database)
        try:
            server.run(PRELUDE)
        except SqlError as error:
            t.check('the extension can be created', False, str(error))
            return t.finish()
        for module in idoracle.MODULES:
            rng = random.Random('%d %s' % (options.seed, module.FORMAT.name))
            with tempfile.TemporaryDirectory() as folder:
                comparison = Comparison(t, server, folder, rng, options.rows, module)
                comparison.guarded('comparison', comparison.all)
        compare_encodings(t, maintenance, database)
    finally:
        maintenance.run('DROP DATABASE %s;' % database)
    return t.finish()


if __name__ == '__main__':
    sys.exit(main())
