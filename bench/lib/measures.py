"""The measures.  Each runs its contenders in turn, round after round, and records every value.

A value is the cost of one row or one call in nanoseconds, unless its unit says otherwise.
"""

import os
import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import contenders as who

NS = 1e9


class Sizes:
    """How much is measured: the full form as the targets ask for it, and the quick one.

    rows: the largest table, if not that of the form.
    """

    def __init__(self, quick, rows=None):
        self.calls = 100000 if quick else 500000
        self.call_rounds = 9 if quick else 25
        self.rate_calls = 200000 if quick else 400000
        self.rate_rounds = 5 if quick else 15
        self.copy_rows = 100000 if quick else 1000000
        self.copy_rounds = 5 if quick else 9
        self.insert_rows = 200000 if quick else 2000000
        self.insert_rounds = 3 if quick else 5
        self.sort_rows = 300000 if quick else 5000000
        self.sort_rounds = 3 if quick else 5
        self.keys = 20000 if quick else 200000
        self.query_rounds = 5
        self.scan_rounds = 9 if quick else 15
        self.growth_chunk = 50000 if quick else 200000
        steps = [200000, 500000] if quick else [1000000, 10000000, 50000000]
        # two at the least, or nothing would grow, and of the sizes that a plot shows
        self.growth_steps = steps[:2] + [step for step in steps[2:] if step <= (rows or step)]
        self.growth_keys = 20000 if quick else 50000

    def __str__(self):
        return ("%g million rows inserted in %d rounds, %g million ids sorted and looked up in %d, "
                "tables grown to %g million rows" %
                (self.insert_rows / 1e6, self.insert_rounds, self.sort_rows / 1e6,
                 self.sort_rounds, self.growth_steps[-1] / 1e6))


class Bench:
    """One cluster under measurement: a connection, the data, and the lines of progress."""

    def __init__(self, cluster, sizes, recorder):
        self.cluster = cluster
        self.sizes = sizes
        self.recorder = recorder
        self.db = cluster.connect()
        self.major = int(self.db.value("SHOW server_version_num")) // 10000
        self.keys = who.stored(self.major)
        self.db.run("CREATE EXTENSION idtypes; CREATE SEQUENCE bench_bigint;"
                    "CREATE SEQUENCE bench_uuid")
        self.generators = who.generators(self.major)

    def restart(self, preload):
        """Starts the server anew, with these libraries preloaded."""
        self.db.run("ALTER SYSTEM " + ("SET shared_preload_libraries = " + ", ".join(preload)
                                       if preload else "RESET shared_preload_libraries"))
        self.db.close()
        self.cluster.control("restart", "-m", "fast", "-l", os.path.join(self.cluster.top, "log"))
        self.db = self.cluster.connect()

    def rounds(self, measure, rounds, contenders, run, warm=True):
        """Calls run(contender) in turn; each returns a value or a dict of measure to value."""
        self.recorder.begin(measure)
        for number in range(-1 if warm else 0, rounds):
            shift = max(number, 0) % len(contenders)
            for contender in contenders[shift:] + contenders[:shift]:
                values = run(contender)
                if not isinstance(values, dict):
                    values = {measure: values}
                for name, value in values.items():
                    if number >= 0:
                        self.recorder.add(name, contender.name, number, value)
            self.recorder.tick()
        self.recorder.end()

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
    """One call, with everything around it: the report subtracts the empty loop."""
    db = bench.db

    def run(generator):
        calls = calls_of(generator, bench.sizes.calls)
        let_clock_catch_up(db, generator.word)
        return db.seconds(loop(generator.expression, calls)) / calls * NS

    bench.rounds(measure, bench.sizes.call_rounds, generators, run)


def generate(bench):
    call_alone(bench, "generate", bench.generators)
    set_parameter(bench, "idtypes.ulidflake_increment_bits", "1")
    call_alone(bench, "generate, steps of 1", [who.EMPTY, who.NEXTVAL] + who.STEPPING)
    set_parameter(bench, "idtypes.ulidflake_increment_bits", "DEFAULT")


def encrypt(bench):
    """Beside SHA-256 of the tweak, which costs each call as much as setting up the hash."""
    for measure, function, tweak in (
            ("encrypt", "encrypt", who.SHORT_TWEAK),
            ("decrypt", "decrypt", who.SHORT_TWEAK),
            ("encrypt, 1024 bytes of tweak", "encrypt", who.LONG_TWEAK),
            ("encrypt, other 1024 bytes for each", "encrypt", who.CHANGING_TWEAK)):
        call_alone(bench, measure, list(who.encryptions(function, tweak)))


def set_parameter(bench, name, value):
    """As an administrator does; waits until the session has seen it."""
    bench.db.run("ALTER SYSTEM SET %s = %s" % (name, value))
    old = bench.db.value("SHOW %s" % name)
    bench.db.run("SELECT pg_reload_conf()")
    for _ in range(100):
        if bench.db.value("SHOW %s" % name) != old:
            return
        time.sleep(0.05)
    raise RuntimeError("%s did not change" % name)


def generate_together(bench):
    call_together(bench, "two backends", bench.generators)


def call_together(bench, measure, generators):
    """Ids per second that two sessions get out of one generator at the same time."""
    sessions = [bench.cluster.connect() for _ in range(2)]
    threads = ThreadPoolExecutor(len(sessions))

    def run(generator):
        calls = calls_of(generator, bench.sizes.rate_calls)
        let_clock_catch_up(bench.db, generator.word)
        began = time.perf_counter()
        list(threads.map(lambda session: session.run(loop(generator.expression, calls)), sessions))
        return len(sessions) * calls / (time.perf_counter() - began)

    bench.rounds(measure, bench.sizes.rate_rounds,
                 [g for g in generators if g is not who.EMPTY], run)
    for session in sessions:
        session.close()


def generate_beside_peers(bench):
    """Both beside other extensions, on a server that has preloaded those that want it."""
    offered = [row[0] for row in bench.db.run("SELECT name FROM pg_available_extensions")]
    peers = [peer for peer in who.PEERS if peer.extension in offered]
    generators = who.generators(bench.major, who.DEFAULT_GENERATORS) + peers
    bench.restart([peer.extension for peer in peers if peer.preloaded])
    for peer in peers:
        bench.db.run('CREATE EXTENSION "%s"' % peer.extension)
    call_alone(bench, "generate beside peers", generators)
    call_together(bench, "two backends beside peers", generators)
    for peer in peers:
        bench.db.run('DROP EXTENSION "%s"' % peer.extension)
    bench.restart([])


def copy(bench):
    """COPY of a table of ids to nowhere, and of a file into an empty table without an index."""
    rows, rounds = bench.sizes.copy_rows, bench.sizes.copy_rounds
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

    bench.rounds("insert", bench.sizes.insert_rounds, bench.keys + [who.UUID_SEQUENTIAL], run,
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
    bench.recorder.begin("tables of %d shuffled ids" % bench.sizes.sort_rows)
    for contender in bench.keys:
        bench.each("CREATE TABLE big_{0.key} AS SELECT id FROM (SELECT n, {0.expression} AS id"
                   " FROM generate_series(1, %d) AS n OFFSET 0) AS s ORDER BY hashint4(n)" %
                   bench.sizes.sort_rows, [contender])
        bench.recorder.tick()
    bench.db.run("CHECKPOINT")
    bench.recorder.end()


def sort(bench):
    rows, rounds = bench.sizes.sort_rows, bench.sizes.sort_rounds
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
    bench.recorder.begin("vacuum, analyze, keys to look up")
    for contender in bench.keys:
        db.run("VACUUM ANALYZE big_%s" % contender.key)
        sample_keys(bench, contender, "big_" + contender.key, sizes.sort_rows, sizes.keys)
    bench.recorder.end()
    for measure, settings, rows, nodes, query in kinds:
        db.run(settings)
        for contender in bench.keys:
            bench.expect_plan(query.format(contender), *nodes)
        bench.timed(measure, sizes.query_rounds, query, rows)
        db.run("RESET ALL")


class Scan:
    """A prepared query that counts the ids of a condition."""

    def __init__(self, db, name, table, condition):
        self.name = name
        self.query = "SELECT count(*) FROM %s WHERE %s" % (table, condition)
        db.run('PREPARE "%s" AS %s' % (name, self.query))
        self.execute = 'EXECUTE "%s"' % name
        self.found = int(db.value(self.execute))


def useful_prefix(db, contender, rows):
    """The shortest prefix of an id in the middle that at most half of the ids share, in each way
    to write it.
    """
    table = "big_" + contender.key
    return who.prefix_of(db, contender.name, table, db.value(
        "SELECT id FROM %s ORDER BY id OFFSET %d LIMIT 1" % (table, rows // 2)), rows // 2)


def middle_window(db, contender, rows):
    """The fifth of the ids in the middle, in each way to write it."""
    ends = db.run("SELECT %s_timestamp(id) FROM (SELECT id, row_number() OVER (ORDER BY id) AS n"
                  " FROM big_%s) AS s WHERE n IN (%d, %d) ORDER BY id" %
                  (contender.key, contender.key, rows * 2 // 5, rows * 3 // 5))
    first, upto = (end for end, in ends)
    return {"<@": "id <@ %s_range('%s', '%s')" % (contender.key, first, upto),
            who.INSTANTS: who.between(first, upto)}


def scans(bench):
    """Each window and prefix beside a BETWEEN that finds as many bigints."""
    db = bench.db
    rows = bench.sizes.sort_rows
    db.run(INDEX_ONLY)
    first = int(db.value("SELECT min(id) FROM big_bigint")) + rows // 4
    for measure, conditions, way in (("window scan", middle_window, "<@"),
                                     ("window scan, instants", middle_window, who.INSTANTS),
                                     ("prefix scan", useful_prefix, who.PREFIX),
                                     ("prefix scan, ^@", useful_prefix, who.STARTS)):
        pairs = []
        for contender in who.OURS:
            scan = Scan(db, contender.name, "big_" + contender.key,
                        conditions(db, contender, rows)[way])
            other = Scan(db, "bigint (%s)" % contender.name, "big_bigint",
                         "id BETWEEN %d AND %d" % (first, first + scan.found - 1))
            if scan.found != other.found or scan.found == 0:
                raise RuntimeError("%d rows of %s, but %d of bigint" %
                                   (scan.found, contender.name, other.found))
            pairs += [scan, other]
        for scan in pairs:
            bench.expect_plan(scan.query, "Index Only Scan", "Index Cond")

        def run(scan):
            # a sample of at least some milliseconds
            times = 1 + 100000 // scan.found
            taken = db.seconds(";".join([scan.execute] * times))
            return taken / times / scan.found * NS

        bench.rounds(measure, bench.sizes.scan_rounds, pairs, run)
        db.run("DEALLOCATE ALL")
    db.run("RESET ALL")
    bench.each("DROP TABLE big_{0.key}, keys_{0.key}")


def growth(bench):
    """Insert and look-up cost per row while tables of all contenders grow side by side.

    Ids in random order stop at the second size: beyond, each row costs a page that is read and
    another one that is written, up to 60 us, and the whole would take hours.
    There are no full-page writes either: the bytes of WAL have a measure of their own.
    """
    db = bench.db
    sizes = bench.sizes
    bench.each("CREATE TABLE grow_{0.key} ({0.column} PRIMARY KEY, n integer)")
    set_parameter(bench, "full_page_writes", "off")
    bench.recorder.begin("growth to %d rows" % sizes.growth_steps[-1])
    for rows in range(sizes.growth_chunk, sizes.growth_steps[-1] + 1, sizes.growth_chunk):
        growing = [c for c in bench.keys if c is not who.UUID_V4 or rows <= sizes.growth_steps[1]]
        for contender in growing:
            taken = db.seconds("INSERT INTO grow_%s (n) SELECT generate_series(%d, %d)" % (
                contender.key, rows - sizes.growth_chunk + 1, rows))
            bench.recorder.add("growth: insert", contender.name, rows,
                               taken / sizes.growth_chunk * NS)
        if rows in sizes.growth_steps:
            growth_look_ups(bench, growing, rows)
        bench.recorder.tick()
    bench.recorder.end()
    set_parameter(bench, "full_page_writes", "DEFAULT")
    bench.each("DROP TABLE grow_{0.key}")


def growth_look_ups(bench, keys, rows):
    db = bench.db
    db.run("CHECKPOINT")
    for contender in keys:
        db.run("ANALYZE grow_%s" % contender.key)
        sample_keys(bench, contender, "grow_" + contender.key, rows, bench.sizes.growth_keys)
    db.run(LOOK_UPS)
    for _ in range(bench.sizes.query_rounds):
        for contender in keys:
            query = look_ups("keys_" + contender.key, "grow_" + contender.key)
            bench.expect_plan(query, "Nested Loop", "Index Scan")
            bench.recorder.add("growth: look-up", contender.name, rows,
                               db.seconds(query) / bench.sizes.growth_keys * NS)
    db.run("RESET ALL")
    bench.each("DROP TABLE keys_{0.key}", keys)


def open_transactions(bench):
    """T_settled() without and with transactions that hold it back, and the lateness of a reader."""
    settled = [who.EMPTY, who.Generator("uid11", "uid11_settled()")]
    for prepared in (0, 100):
        bench.db.run("ALTER SYSTEM SET max_prepared_transactions = %d" % prepared)
        bench.restart([])
        call_alone(bench, "settled, %d preparable" % prepared, settled)
        sessions = [bench.cluster.connect() for _ in range(90)]
        for session in sessions:
            session.run("BEGIN; SELECT uid11_generate()")
        call_alone(bench, "settled, %d preparable, 90 open" % prepared, settled)
        for session in sessions:
            session.close()
    bench.db.run("ALTER SYSTEM RESET max_prepared_transactions")
    bench.restart([])
    lateness(bench, writers=20, seconds=bench.sizes.call_rounds)


def lateness(bench, writers, seconds):
    """How long after its COMMIT a row is read by the reader of doc/read-new.md."""
    bench.recorder.begin("lateness")
    bench.db.run("CREATE TABLE late (id uid11 PRIMARY KEY DEFAULT uid11_generate());"
                 "CREATE TABLE watermark AS SELECT uid11_settled() AS upto")
    idle = bench.cluster.connect()
    idle.run("BEGIN; SELECT pg_current_xact_id()")
    last = bench.db.value("SELECT upto FROM watermark")
    ends = time.perf_counter() + seconds
    committed, read = {}, {}

    def write(seed):
        chance = random.Random(seed)
        with bench.cluster.connect() as session:
            while time.perf_counter() < ends:
                session.run("BEGIN")
                inserted = session.value("INSERT INTO late DEFAULT VALUES RETURNING id::text")
                time.sleep(chance.uniform(0, 0.02))
                if chance.random() < 0.2:
                    session.run("ROLLBACK")
                    continue
                session.run("COMMIT")
                committed[inserted] = time.perf_counter()

    threads = [threading.Thread(target=write, args=(seed,)) for seed in range(writers)]
    for thread in threads:
        thread.start()
    rows = 0
    after = time.perf_counter() + seconds + 2
    while time.perf_counter() < after:
        upto = bench.db.run("UPDATE watermark SET upto = greatest(upto, uid11_settled())"
                            " RETURNING upto::text")[0][0]
        found = bench.db.run("SELECT id::text FROM late WHERE id >= '%s' AND id < '%s'" %
                             (last, upto))
        now = time.perf_counter()
        read.update((row[0], now) for row in found)
        rows += len(found)
        last = upto
        time.sleep(0.005)
    for thread in threads:
        thread.join()
    if committed.keys() != read.keys() or rows != len(read):
        raise RuntimeError("of %d rows, %d were read, %d in all" %
                           (len(committed), len(read), rows))
    late = sorted((read[row] - committed[row]) * NS for row in read)
    for share in (0.5, 0.99, 1):
        bench.recorder.add("lateness", "%g %%" % (share * 100), 0,
                           late[round(share * (len(late) - 1))])
    bench.recorder.add("lateness", "rows", 0, rows)
    idle.close()
    bench.recorder.end()
    bench.db.run("DROP TABLE late, watermark")


# In the order in which they must run: the later ones use the tables of shuffled ids.
ALL = [
    ("generate", [generate]),
    ("together", [generate_together]),
    ("encrypt", [encrypt]),
    ("copy", [copy]),
    ("insert", [insert]),
    ("wal", [wal]),
    ("queries", [make_shuffled, sort, queries, scans]),
    ("growth", [growth]),
    ("open", [open_transactions]),
    ("peers", [generate_beside_peers]),
]
