#!/usr/bin/env python3
"""Compares the extension with the oracle, through SQL and through COPY BINARY.

Makes a database on the server that PGHOST, PGPORT, PGUSER and PGDATABASE name, creates the
extension there, and drops the database at the end.  Every check is one line; the values are edges,
the vector files and random ones from a seed that is printed.

    compare.py [--seed N] [--rows N]
"""

import math
import operator
import random
import sys

import ff1
import idoracle
import make_vectors
import uuid7
from count import Count, options_of
from idoracle import either_case, iso, instant
from sql import Connection, SqlError, new_database

BOUNDS = ('[)', '[]', '(]', '()')
OPERATORS = {'<': operator.lt, '<=': operator.le, '>=': operator.ge, '>': operator.gt}
ALL_OPERATORS = {**OPERATORS, '=': operator.eq, '<>': operator.ne}

# Identifiers that are encrypted: the oracle's FF1 takes its time.
SECRETS = 100

# What PostgreSQL can say as a timestamptz: from here to before there.
EARLIEST = instant('-4713-11-24T00:00:00Z')
LATEST = instant('294277-01-01T00:00:00Z') - 1

PRELUDE = r'''
CREATE EXTENSION idtypes;

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


IN_C = "TEMPLATE template0 ENCODING '%s' LC_COLLATE 'C' LC_CTYPE 'C'"


def connect(database):
    return Connection(dbname=database, client_encoding='UTF8',
                      options='-c client_min_messages=warning -c timezone=America/St_Johns')


def load(db, table, columns, rows):
    """Makes a table of numbered rows of text."""
    db.run('CREATE TABLE %s (n int PRIMARY KEY, %s)' % (
        table, ', '.join(name + ' text' for name in columns)))
    db.copy_in(table, ([n, *row] for n, row in enumerate(rows)))


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


def signs(operators, one, other):
    """Which of the operators hold of two values, as SQL concatenates them; '' if one is NULL."""
    if one is None or other is None:
        return ''
    return ''.join('ft'[holds(one, other)] for holds in operators.values())


def signs_of(operators, one, other):
    """SQL for that."""
    return 'concat(%s)' % ', '.join('%s %s %s' % (one, name, other) for name in operators)


# ---------------------------------------------------------------------------
# Values
# ---------------------------------------------------------------------------

def random_values(fmt, rng, rows, vectors):
    """Edges, vectors, and as many random values as asked for, some of them more than once."""
    values = idoracle.edge_values(fmt)
    values += [fmt.parse(text) for text in vectors]
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

    def __init__(self, count, db, rng, rows, module):
        self.t = count
        self.db = db
        self.rng = rng
        self.subject = module.Subject
        self.fmt = module.FORMAT
        self.name = self.fmt.name
        self.values = random_values(self.fmt, rng, rows,
                                    [row['text'] for row in self.vectors(self.name + '.tsv')])

    def vectors(self, file):
        """The rows of a vector file, those of the type if it has rows of several."""
        return [row for row in make_vectors.read(file) if row.get('type', self.name) == self.name]

    def sql(self, text):
        """@T is the type, @ids its table of values."""
        return text.replace('@T', self.name).replace('@ids', self.name + '_ids')

    def same(self, title, got, want, inputs):
        """One line for a list of results: how many there are, or the first that differs."""
        wrong = ['%r gives %s, expected %s' % row for row in zip(inputs, got, want)
                 if row[1] != row[2]]
        if len(got) != len(want) or not want:
            wrong = ['%d results' % len(got)]
        self.t.test('%s %s (%d)' % (self.name, title, len(want)), wrong[:1])

    def columns(self, source, checks, inputs, normal=lambda x: x):
        """Checks of (title, expression of the source's columns, what each row gives)."""
        for title, expression, expected in checks:
            try:
                rows = self.db.run(self.sql('SELECT (%s)::text FROM %s ORDER BY n'
                                            % (expression, source)))
                self.same(self.sql(title), [normal(row[0]) for row in rows], expected, inputs)
            except SqlError as error:
                self.t.check(self.sql('%s: %s' % (self.name, title)), False, str(error))

    def load_ids(self):
        """The table of values, by COPY BINARY."""
        self.db.run(self.sql(
            'CREATE TABLE @ids (n int, id @T, txt text, hex text, decimal text, at text)'))
        rows = []
        for n, value in enumerate(self.values):
            start, end = (self.fmt.begins(self.fmt.tick(value) + i) for i in (0, 1))
            at = min(end - 1, start + self.rng.choice((0, 1, end - start - 1)))
            rows.append([n, self.fmt.to_bytes(value),
                         self.rng.choice(self.subject.forms(value, self.rng)),
                         self.fmt.to_bytes(value).hex(), str(value), literal(at)])
        # the bytes of a bytea are what COPY BINARY has of it
        self.db.copy_in(self.sql('@ids'), rows, ['int4', 'bytea'] + ['text'] * 4)
        self.db.run(self.sql('ANALYZE @ids'))
        self.t.check('%s COPY BINARY in (%d)' % (self.name, len(rows)), True)
        self.texts = [row[2] for row in rows]

    def copy_binary(self):
        """Out again, and in one field that is no identifier."""
        self.same('COPY BINARY out',
                  self.db.copy_out(self.sql('(SELECT id FROM @ids ORDER BY n)')),
                  [(self.fmt.to_bytes(v),) for v in self.values], self.texts)
        self.db.run(self.sql('CREATE TABLE @T_bad (id @T)'))
        others = (0, self.fmt.size - 1, self.fmt.size + 1)
        for data, state in [(bytes(size), '22P03') for size in others] + self.subject.refused:
            try:
                self.db.copy_in(self.sql('@T_bad'), [[data]], ['bytea'])
                got = 'accepted'
            except SqlError as error:
                got = error.sqlstate
            self.t.equal('%s COPY BINARY of "%s"' % (self.name, data.hex()), got, state)

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
            ('@T_make', self.subject.make or '@T_make(ts => at::timestamptz, %s)'
             % ', '.join('%s => @T_%s(id)' % (name, name) for name in names), texts),
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

    def pairs(self):
        """Comparison operators, and ranges of any two identifiers in their closed form."""
        values = self.values
        pairs = [(n, self.rng.choice((n, self.rng.randrange(len(values)))),
                  self.rng.choice(BOUNDS)) for n in range(len(values))]
        pairs = [(a, b, bounds) if values[a] <= values[b] else (b, a, bounds)
                 for a, b, bounds in pairs]
        load(self.db, self.name + '_pairs', ['a', 'b', 'bounds'],
                         [[str(a), str(b), bounds] for a, b, bounds in pairs])

        def closed(low, high, bounds):
            low, high = low + (bounds[0] == '('), high - (bounds[1] == ')')
            return self.span((low, high) if low <= high else None)

        self.columns(
            '(SELECT p.n, a.id AS a, b.id AS b, bounds FROM @T_pairs p '
            'JOIN @ids a ON a.n = p.a::int JOIN @ids b ON b.n = p.b::int) s', [
                ('comparison operators', signs_of(ALL_OPERATORS, 'a', 'b'),
                 [signs(ALL_OPERATORS, values[a], values[b]) for a, b, _ in pairs]),
                ('comparison operators, the other way round', signs_of(ALL_OPERATORS, 'b', 'a'),
                 [signs(ALL_OPERATORS, values[b], values[a]) for a, b, _ in pairs]),
                ('@Trange', 'span(@Trange(a, b, bounds))',
                 [closed(values[a], values[b], bounds) for a, b, bounds in pairs]),
            ], ['%s and %s, %s' % (self.texts[a], self.texts[b], bounds)
                for a, b, bounds in pairs])

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
        texts = [row['prefix'] for row in self.vectors('prefix.tsv')]
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
        load(self.db, self.name + '_prefixes', ['p'], [[text] for text in texts])
        want = [self.span(fmt.prefix(text)) for text in texts]
        self.columns('@T_prefixes', [('@T_prefix', 'span(@T_prefix(p))', want),
                                     ('@T_try_prefix', 'span(@T_try_prefix(p))', want)], texts)

    def windows(self):
        fmt = self.fmt
        windows = random_windows(fmt, self.rng, self.values, max(100, len(self.values) // 8))
        inputs = ['%s %s, %s' % (b, literal(low), literal(high)) for low, high, b in windows]
        load(self.db, self.name + '_windows', ['low', 'high', 'b'],
                         [[literal(low), literal(high), b] for low, high, b in windows])
        ends = 'low::timestamptz, high::timestamptz'
        want = [self.span(fmt.window(*window)) for window in windows]
        self.columns('@T_windows', [
            ('@T_range(since, upto, bounds)', 'span(@T_range(%s, b))' % ends, want),
            ('@T_range(tstzrange)', 'span(@T_range(tstzrange(%s, b)))' % ends, want),
            ('@T_range without bounds is [)',
             "span(CASE WHEN b = '[)' THEN @T_range(%s) ELSE @T_range(%s, b) END)" % (ends, ends),
             want)], inputs, self.closed)

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
        load(self.db, self.name + '_instants', ['id', 'ts'],
                         [[text, literal(us)] for text, us in rows])

        own = [fmt.timestamp(fmt.parse(text)) for text, _ in rows]
        self.columns('(SELECT n, id::@T, ts::timestamptz FROM @T_instants) s', [
            ('ids beside instants', signs_of(OPERATORS, 'id', 'ts'),
             [signs(OPERATORS, mine, us) for mine, (_, us) in zip(own, rows)]),
            ('instants beside ids', signs_of(OPERATORS, 'ts', 'id'),
             [signs(OPERATORS, us, mine) for mine, (_, us) in zip(own, rows)])], inputs)

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
        load(self.db, self.name + '_secrets', ['txt', 'key', 'tweak', 'encrypted'], rows)
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
                          for row in self.vectors(file))
        wanted.update((query, '= ' + answer) for query, answer in self.subject.answers())
        wanted.update((query.replace('@T_prefix(', '@T_try_prefix('), 'NULL')
                      for query in [*wanted] if query.startswith('@T_prefix('))
        for query, want in wanted.items():
            query = self.sql(query)
            try:
                answer = self.db.value('SELECT (%s)::text' % query)
                got = 'NULL' if answer is None else '= ' + answer
            except SqlError as error:
                got = 'ERROR ' + error.sqlstate
            self.t.equal('%s %s' % (ascii(query), want), got, want)

    def all(self):
        self.load_ids()
        self.copy_binary()
        self.values_in_and_out()
        self.pairs()
        self.prefixes()
        self.windows()
        self.instants()
        self.encryption()
        self.queries()


class UuidComparison(Comparison):
    """What idtypes_uuid has for the server's uuid, whose own functions are not compared."""

    def vectors(self, file):
        return {'uuid.tsv': [{'text': text} for text in (uuid7.EXAMPLE[0], *uuid7.OTHERS)],
                'prefix.tsv': [{'prefix': text} for text in uuid7.PREFIXES],
                'prefix_invalid.tsv': [{'text': make_vectors.escaped(text), 'sqlstate': '22P02'}
                                       for text in uuid7.INVALID_PREFIXES]}.get(file, [])

    def sql(self, text):
        for name in ('range', 'min', 'max', 'timestamp'):
            text = text.replace('@T_%s(' % name, 'uuid7_%s(' % name)
        return super().sql(text)

    def versions(self):
        """The time of each, which half of the values get the version for, and uuid7_within()."""
        fmt, rng = self.fmt, self.rng
        values = [fmt.parse(text) for text in (uuid7.EXAMPLE[0], *uuid7.OTHERS)]
        values += [value & ~(15 << 76 | 3 << 62) | 7 << 76 | 2 << 62 if rng.randrange(2) else value
                   for value in self.values]
        own = [fmt.instant_of(value) for value in values]
        self.t.equal('the time of the example', own[:2], [uuid7.EXAMPLE[1], None])
        at = [rng.choice([us for us in own if us is not None]) + rng.choice((-1, 0, 1000, 10**10))
              for _ in values]
        ends = [rng.choice(((us, us + 10**9), (us - 10**9, us), (None, us), (us, None)))
                for us in at]
        texts = [fmt.format(value) for value in values]
        load(self.db, 'uuid_versions', ['id', 'low', 'high'],
             [[text, *map(literal, end)] for text, end in zip(texts, ends)])
        self.columns('(SELECT n, id::uuid, low::timestamptz, high::timestamptz'
                     ' FROM uuid_versions) s', [
            ('uuid7_timestamp', 'microseconds(uuid7_timestamp(id))',
             [None if us is None else str(us) for us in own]),
            ('uuid7_within', 'uuid7_within(id, low, high)',
             ['true' if us is not None and (low is None or low <= us) and
              (high is None or us < high) else 'false' for us, (low, high) in zip(own, ends)])],
            texts)

    def all(self):
        self.load_ids()
        self.columns('@ids', [
            ('uuid7_min', '@T_min(at::timestamptz)',
             [self.fmt.format(self.fmt.at_tick(self.fmt.tick(v), 0)) for v in self.values]),
            ('uuid7_max', '@T_max(at::timestamptz)',
             [self.fmt.format(self.fmt.at_tick(self.fmt.tick(v), (1 << 80) - 1))
              for v in self.values])], self.texts)
        self.pairs()
        self.prefixes()
        self.windows()
        self.queries()
        self.versions()


def encryption_rows(name):
    """Of the vectors: text, key, tweak and encrypted text."""
    return [[row['id'], row['key'], make_vectors.unescaped(row['tweak']), row['encrypted']]
            for row in make_vectors.read('encrypt.tsv') if row['type'] == name]


def compare_encodings(t):
    """A tweak is the same in databases of any encoding."""
    for encoding in ('latin1', 'sql_ascii'):
        with new_database(encoding, IN_C % encoding) as database, connect(database) as db:
            db.run('CREATE EXTENSION idtypes')
            for module in idoracle.MODULES:
                name = module.FORMAT.name
                rows = [row for row in encryption_rows(name)
                        if not row[2].isascii() and max(row[2]) < '\u0100']
                load(db, name + '_secrets', ['txt', 'key', 'tweak', 'encrypted'], rows)
                got = db.run("SELECT %s_encrypt(txt::%s, decode(key, 'hex'), tweak) "
                             'FROM %s_secrets ORDER BY n' % (name, name, name))
                t.equal('%s %s_encrypt in %s' % (name, name, encoding),
                        got or 'nothing', [(row[3],) for row in rows])


def main():
    options = options_of(__doc__, rows=10000)
    t = Count()
    with new_database('oracle', IN_C % 'UTF8') as database, connect(database) as db:
        db.run(PRELUDE)
        for module in idoracle.MODULES:
            rng = random.Random('%d %s' % (options.seed, module.FORMAT.name))
            Comparison(t, db, rng, options.rows, module).all()
        db.run('CREATE EXTENSION idtypes_uuid')
        UuidComparison(t, db, random.Random('%d uuid' % options.seed), options.rows, uuid7).all()
    compare_encodings(t)
    return t.finish()


if __name__ == '__main__':
    sys.exit(main())
