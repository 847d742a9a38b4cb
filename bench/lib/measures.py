"""The measures.  Each runs its contenders in turn, round after round, and records every value.

A value is the cost of one row or one call in nanoseconds, unless its unit says otherwise.
"""

import os
import time
from concurrent.futures import ThreadPoolExecutor

import contenders as who
import record

NS = 1e9
# The chunks of rows whose cost is kept, up to each size of a growing table.
CHUNKS = 5


class Sizes:
    """How much is measured: the full form as the targets ask for it, and in the quick one a tenth,
    in fewer rounds."""

    def __init__(self, quick):
        part = 10 if quick else 1
        self.calls = 500000 // part
        self.call_rounds = 5 if quick else 25
        self.copy_rows = 1000000 // part
        self.insert_rows = 2000000 // part
        self.sort_rows = 5000000 // part
        self.rounds = 3 if quick else 5
        self.short_rounds = 5 if quick else 15
        self.keys = 200000 // part
        self.growth_chunk = 200000 // part
        steps = [1000000 // part, 10000000 // part, 50000000 // part]
        self.growth_steps = steps[:2] if quick else steps
        self.growth_keys = 50000 // part

    def __str__(self):
        return ("%g million rows inserted, and %g million ids sorted and looked up, in %d rounds, "
                "tables grown to %g million rows" % (self.insert_rows / 1e6, self.sort_rows / 1e6,
                                                     self.rounds, self.growth_steps[-1] / 1e6))


class Bench:
    """One cluster under measurement: a connection, the data, and the lines of progress."""

    def __init__(self, cluster, sizes):
        self.cluster = cluster
        self.sizes = sizes
        self.recorder = record.Recorder()
        self.db = cluster.connect()
        self.major = int(self.db.value("SHOW server_version_num")) // 10000
        self.keys = who.stored(self.major)
        who.prepare(self.db)
        self.generators = who.generators(self.major)

    def configure(self, parameter, value):
        """Sets a parameter and starts the server anew."""
        self.db.run("ALTER SYSTEM SET %s = %s" % (parameter, value))
        self.db.close()
        self.cluster.control("restart", "-m", "fast", "-l", os.path.join(self.cluster.top, "log"))
        self.db = self.cluster.connect()

    def rounds(self, measure, rounds, contenders, run, warm=True):
        """Calls run(contender) in turn; each returns a value or a dict of measure to value.

        Where the empty loop takes part, the values are net of its value in the same round.
        """
        with self.recorder.line(measure):
            for number in range(-1 if warm else 0, rounds):
                shift = max(number, 0) % len(contenders)
                found = {contender.name: run(contender)
                         for contender in contenders[shift:] + contenders[:shift]}
                loop = found.pop(who.EMPTY.name, 0)
                for contender, values in found.items() if number >= 0 else ():
                    if not isinstance(values, dict):
                        values = {measure: values - loop}
                    for name, value in values.items():
                        self.recorder.add(name, contender, value)

    def each(self, sql, keys=None):
        """Runs statements for each key, whose fields they name as {0.key} and the like."""
        for contender in keys or self.keys:
            self.db.run(sql.format(contender))

    def timed(self, measure, rounds, sql, rows, before=None, warm=True):
        """The cost of a row in such a statement; what is run before it does not count."""
        def run(contender):
            if before:
                self.db.run(before.format(contender))
            return self.db.seconds(sql.format(contender)) / rows * NS

        self.rounds(measure, rounds, self.keys, run, warm)

    def expect_plan(self, sql, *nodes):
        """A measure of another plan than the one it is named after would be worse than none."""
        plan = "\n".join(row[0] for row in self.db.run("EXPLAIN (COSTS OFF) " + sql))
        for node in nodes:
            if node not in plan:
                raise RuntimeError("no %s in the plan of %s\n%s" % (node, sql, plan))


def let_clock_catch_up(db, word):
    """A generator that was led ahead of the clock would have to wait where others need not."""
    if word is not None:
        lead = db.value("SELECT extract(epoch FROM lead) FROM idtypes_generators()"
                        " WHERE generator = '%s'" % word)
        time.sleep(float(lead or 0))


def calls_of(generator, calls):
    """A quarter of a second of ids is enough of a format that holds few."""
    return min(calls, generator.rate // 4) if generator.rate else calls


def loop(expression, calls):
    return ("SELECT count(%s) FROM (SELECT generate_series(1, %d) AS n) AS s" %
            (expression, calls))


def call_alone(bench, measure, generators):
    """One call, with everything around it but the empty loop."""
    def run(generator):
        calls = calls_of(generator, bench.sizes.calls)
        let_clock_catch_up(bench.db, generator.word)
        return bench.db.seconds(loop(generator.expression, calls)) / calls * NS

    bench.rounds(measure, bench.sizes.call_rounds, generators, run)


def generate(bench):
    call_alone(bench, "generate", bench.generators)
    call_together(bench, "two backends", bench.generators)
    bench.configure("idtypes.ulidflake_increment_bits", "1")
    call_alone(bench, "generate, steps of 1", [who.EMPTY, who.NEXTVAL] + who.STEPPING)
    bench.configure("idtypes.ulidflake_increment_bits", "DEFAULT")


def encrypt(bench):
    """Beside SHA-256 of the tweak, which costs each call as much as setting up the hash."""
    for measure, function, tweak in (
            ("encrypt", "encrypt", who.SHORT_TWEAK),
            ("decrypt", "decrypt", who.SHORT_TWEAK),
            ("encrypt, 1024 bytes of tweak", "encrypt", who.LONG_TWEAK),
            ("encrypt, other 1024 bytes for each", "encrypt", who.CHANGING_TWEAK)):
        call_alone(bench, measure, list(who.encryptions(function, tweak)))


def call_together(bench, measure, generators):
    """Ids per second that two sessions get out of one generator at the same time."""
    sessions = [bench.cluster.connect() for _ in range(2)]
    threads = ThreadPoolExecutor(len(sessions))

    def run(generator):
        calls = calls_of(generator, bench.sizes.calls)
        let_clock_catch_up(bench.db, generator.word)
        began = time.perf_counter()
        list(threads.map(lambda session: session.run(loop(generator.expression, calls)), sessions))
        return len(sessions) * calls / (time.perf_counter() - began)

    bench.rounds(measure, bench.sizes.short_rounds,
                 [g for g in generators if g is not who.EMPTY], run)
    for session in sessions:
        session.close()


def generate_beside_peers(bench):
    """Both beside other extensions, on a server that has preloaded those that want it."""
    offered = [row[0] for row in bench.db.run("SELECT name FROM pg_available_extensions")]
    peers = [peer for peer in who.PEERS if peer.extension in offered]
    generators = who.generators(bench.major, who.DEFAULT_GENERATORS) + peers
    bench.configure("shared_preload_libraries", ", ".join(
        [peer.extension for peer in peers if peer.preloaded]) or "DEFAULT")
    for peer in peers:
        bench.db.run('CREATE EXTENSION "%s"' % peer.extension)
    call_alone(bench, "generate beside peers", generators)
    call_together(bench, "two backends beside peers", generators)
    for peer in peers:
        bench.db.run('DROP EXTENSION "%s"' % peer.extension)
    bench.configure("shared_preload_libraries", "DEFAULT")


def copy(bench):
    """COPY of a table of ids to nowhere, and of a file into an empty table without an index."""
    rows, rounds = bench.sizes.copy_rows, bench.sizes.short_rounds
    bench.each("CREATE UNLOGGED TABLE copy_{0.key} AS"
               " SELECT {0.expression} AS id FROM generate_series(1, %d);"
               "CREATE UNLOGGED TABLE copied_{0.key} (id {0.sql_type})" % rows)
    for form in "text", "binary":
        file = "'%s/{0.key}' (FORMAT %s)" % (bench.cluster.top, form)
        bench.each("COPY copy_{0.key} TO " + file)
        bench.timed("COPY %s out" % form, rounds,
                    "COPY copy_{0.key} TO '/dev/null' (FORMAT %s)" % form, rows)
        bench.timed("COPY %s in" % form, rounds, "COPY copied_{0.key} FROM " + file, rows,
                    before="TRUNCATE copied_{0.key}")
    bench.each("DROP TABLE copy_{0.key}, copied_{0.key}")


def make_filled(bench, contender):
    bench.db.run("DROP TABLE IF EXISTS filled; CREATE TABLE filled (%s PRIMARY KEY, n integer)" %
                 contender.column)


def fill(first, rows):
    return "INSERT INTO filled (n) SELECT generate_series(%d, %d)" % (first + 1, first + rows)


def insert(bench):
    """Rows that get their primary key by DEFAULT, in one statement; then the size of its B-tree."""
    db = bench.db
    rows = bench.sizes.insert_rows

    def run(contender):
        make_filled(bench, contender)
        taken = db.seconds(fill(0, rows))
        size = int(db.value("SELECT pg_relation_size('filled_pkey')"))
        db.run("CHECKPOINT")
        return {"insert": taken / rows * NS, "B-tree size": size / rows}

    bench.rounds("insert", bench.sizes.rounds, bench.keys + [who.UUID_SEQUENTIAL], run,
                 warm=False)


def wal(bench):
    """Bytes of WAL of the same rows, with a checkpoint ten times on the way."""
    db = bench.db
    rows = bench.sizes.insert_rows
    chunk = rows // 10

    def run(contender):
        make_filled(bench, contender)
        written = 0
        for first in range(0, rows, chunk):
            db.run("CHECKPOINT")
            before = db.value("SELECT pg_current_wal_insert_lsn()")
            db.run(fill(first, chunk))
            written += int(db.value("SELECT pg_current_wal_insert_lsn() - '%s'::pg_lsn" % before))
        return written / rows

    bench.rounds("WAL", 2, bench.keys, run, warm=False)
    db.run("DROP TABLE filled")


def make_shuffled(bench):
    """A table of ids of each type, all in the same random order."""
    with bench.recorder.line("tables of %d shuffled ids" % bench.sizes.sort_rows):
        bench.each("CREATE TABLE big_{0.key} AS SELECT id FROM (SELECT n, {0.expression} AS id"
                   " FROM generate_series(1, %d) AS n OFFSET 0) AS s ORDER BY hashint4(n)" %
                   bench.sizes.sort_rows)
        bench.db.run("CHECKPOINT")


def sort(bench):
    rows, rounds = bench.sizes.sort_rows, bench.sizes.rounds
    bench.timed("ORDER BY", rounds, "SELECT id FROM big_{0.key} ORDER BY id OFFSET %d" % rows, rows)
    bench.timed("CREATE INDEX", rounds, "CREATE INDEX big_{0.key}_id ON big_{0.key} (id)", rows,
                before="DROP INDEX IF EXISTS big_{0.key}_id", warm=False)


def sample_keys(bench, contender, table, rows, keys):
    """Makes the table keys of ids that are in a table, in random order."""
    bench.db.run("SELECT setseed(0.5); CREATE TABLE keys_%s AS"
                 " SELECT id FROM %s TABLESAMPLE BERNOULLI (%f) REPEATABLE (1)"
                 " ORDER BY random() LIMIT %d; ANALYZE keys_%s" %
                 (contender.key, table, min(100.0, 110.0 * keys / rows), keys, contender.key))


# What the planner must not do so that a query is the one to be measured.
LOOK_UPS = "SET enable_hashjoin = off; SET enable_mergejoin = off;" \
    "SET enable_indexonlyscan = off; SET enable_bitmapscan = off; SET enable_memoize = off"
INDEX_ONLY = "SET enable_seqscan = off; SET enable_bitmapscan = off"
HASH_ONLY = "SET enable_nestloop = off; SET enable_mergejoin = off; SET enable_sort = off;" \
    "SET enable_indexscan = off; SET enable_indexonlyscan = off; SET enable_bitmapscan = off"


def look_ups(keys, table):
    return "SELECT count(*) FROM %s AS k JOIN %s AS t ON t.id = k.id" % (keys, table)


def queries(bench):
    """Point look-ups by index with the heap row, hash join and hash aggregate."""
    db = bench.db
    sizes = bench.sizes
    join = look_ups("keys_{0.key}", "big_{0.key}")
    kinds = [
        ("point look-ups", LOOK_UPS, sizes.keys, ("Nested Loop", "Index Scan"), join),
        ("hash join", HASH_ONLY, sizes.sort_rows, ("Hash Join", ), join),
        ("hash aggregate", HASH_ONLY, sizes.sort_rows, ("HashAggregate", ),
         "SELECT count(*) FROM (SELECT id FROM big_{0.key} GROUP BY id) AS s"),
    ]
    with bench.recorder.line("vacuum, analyze, keys to look up"):
        for contender in bench.keys:
            db.run("VACUUM ANALYZE big_%s" % contender.key)
            sample_keys(bench, contender, "big_" + contender.key, sizes.sort_rows, sizes.keys)
    for measure, settings, rows, nodes, query in kinds:
        db.run(settings)
        for contender in bench.keys:
            bench.expect_plan(query.format(contender), *nodes)
        bench.timed(measure, sizes.rounds, query, rows)
        db.run("RESET ALL")


class Scan:
    """A prepared query that counts the ids of a condition."""

    def __init__(self, db, name, table, condition):
        self.name = name
        self.query = "SELECT count(*) FROM %s WHERE %s" % (table, condition)
        db.run('PREPARE "%s" AS %s' % (name, self.query))
        self.execute = 'EXECUTE "%s"' % name
        self.found = int(db.value(self.execute))


def conditions(db, of, rows):
    """{measure: condition} of the fifth of the ids in the middle, and of the shortest prefix of one
    there that at most half of the ids share, each in the two ways to write it.
    """
    table = "big_" + of
    (first, text), (upto, _) = db.run(
        "SELECT %s_timestamp(id), id::text FROM (SELECT id, row_number() OVER (ORDER BY id) AS n"
        " FROM %s) AS s WHERE n IN (%d, %d) ORDER BY n" % (
            of, table, rows * 2 // 5, rows * 3 // 5))
    whole = who.digits(who.FORMATS[of], who.FORMATS[of].parse(text))
    prefix = next(whole[:length] for length in range(1, len(whole) + 1) if int(db.value(
        "SELECT count(*) FROM %s WHERE id ^@ '%s'" % (table, whole[:length]))) <= rows // 2)
    return {"window scan": "id <@ %s_range('%s', '%s')" % (of, first, upto),
            "window scan, instants":
                "id >= timestamptz '%s' AND id < timestamptz '%s'" % (first, upto),
            "prefix scan": "id <@ %s_prefix('%s')" % (of, prefix),
            "prefix scan, ^@": "id ^@ '%s'" % prefix}


def scans(bench):
    """Each window and prefix beside a BETWEEN that finds as many bigints."""
    db = bench.db
    rows = bench.sizes.sort_rows
    db.run(INDEX_ONLY)
    first = int(db.value("SELECT min(id) FROM big_bigint")) + rows // 4
    ways = {contender.name: conditions(db, contender.name, rows) for contender in who.OURS}
    for measure in ways[who.OURS[0].name]:
        pairs = []
        for name, of in ways.items():
            scan = Scan(db, name, "big_" + name, of[measure])
            other = Scan(db, "bigint (%s)" % name, "big_bigint",
                         "id BETWEEN %d AND %d" % (first, first + scan.found - 1))
            if scan.found != other.found or scan.found == 0:
                raise RuntimeError("%d rows of %s, but %d of bigint" %
                                   (scan.found, name, other.found))
            pairs += [scan, other]
        for scan in pairs:
            bench.expect_plan(scan.query, "Index Only Scan", "Index Cond")

        def run(scan):
            # a sample of at least some milliseconds
            times = 1 + 100000 // scan.found
            taken = db.seconds(";".join([scan.execute] * times))
            return taken / times / scan.found * NS

        bench.rounds(measure, bench.sizes.short_rounds, pairs, run)
        db.run("DEALLOCATE ALL")
    db.run("RESET ALL")
    bench.each("DROP TABLE big_{0.key}, keys_{0.key}")


def growth(bench):
    """Insert and look-up cost per row while tables of all contenders grow side by side.

    Ids in random order stop at the second size: beyond, each row costs a page that is read and
    another one that is written, up to 60 us, and the whole would take hours.
    There are no full-page writes either: the bytes of WAL have a measure of their own.
    """
    sizes = bench.sizes
    last = sizes.growth_steps[-1]
    bench.each("CREATE TABLE grow_{0.key} ({0.column} PRIMARY KEY, n integer)")
    bench.configure("full_page_writes", "off")
    with bench.recorder.line("growth to %d rows" % last):
        for rows in range(sizes.growth_chunk, last + 1, sizes.growth_chunk):
            growing = [c for c in bench.keys
                       if c is not who.UUID_V4 or rows <= sizes.growth_steps[1]]
            shown = [size for size in sizes.growth_steps
                     if 0 <= size - rows < CHUNKS * sizes.growth_chunk]
            for contender in growing:
                taken = bench.db.seconds("INSERT INTO grow_%s (n) SELECT generate_series(%d, %d)" %
                                         (contender.key, rows - sizes.growth_chunk + 1, rows))
                for size in shown:
                    bench.recorder.add(record.at("growth: insert", size), contender.name,
                                       taken / sizes.growth_chunk * NS)
            if rows in sizes.growth_steps:
                growth_look_ups(bench, growing, rows)
    for measure in "growth: insert", "growth: look-up":
        for contender in growing:
            after, before = (bench.recorder.median(record.at(measure, size), contender.name)
                             for size in (last, sizes.growth_steps[0]))
            bench.recorder.add(measure, contender.name, after / before)
    bench.configure("full_page_writes", "DEFAULT")
    bench.each("DROP TABLE grow_{0.key}")


def growth_look_ups(bench, keys, rows):
    db = bench.db
    db.run("CHECKPOINT")
    for contender in keys:
        db.run("ANALYZE grow_%s" % contender.key)
        sample_keys(bench, contender, "grow_" + contender.key, rows, bench.sizes.growth_keys)
    db.run(LOOK_UPS)
    for _ in range(bench.sizes.rounds):
        for contender in keys:
            query = look_ups("keys_" + contender.key, "grow_" + contender.key)
            bench.expect_plan(query, "Nested Loop", "Index Scan")
            bench.recorder.add(record.at("growth: look-up", rows), contender.name,
                               db.seconds(query) / bench.sizes.growth_keys * NS)
    db.run("RESET ALL")
    bench.each("DROP TABLE keys_{0.key}", keys)


def open_transactions(bench):
    """T_settled() without and with transactions that hold it back."""
    settled = [who.EMPTY, who.Generator("uid11", "uid11_settled()")]
    for prepared in (0, 100):
        bench.configure("max_prepared_transactions", prepared)
        call_alone(bench, "settled, %d preparable" % prepared, settled)
        sessions = [bench.cluster.connect() for _ in range(90)]
        for session in sessions:
            session.run("BEGIN; SELECT uid11_generate()")
        call_alone(bench, "settled, %d preparable, 90 open" % prepared, settled)
        for session in sessions:
            session.close()
    bench.configure("max_prepared_transactions", "DEFAULT")


# In the order in which they must run: the later ones use the tables of shuffled ids.
ALL = [
    ("generate", [generate]),
    ("encrypt", [encrypt]),
    ("copy", [copy]),
    ("insert", [insert, wal]),
    ("queries", [make_shuffled, sort, queries, scans]),
    ("growth", [growth]),
    ("open", [open_transactions]),
    ("peers", [generate_beside_peers]),
]
