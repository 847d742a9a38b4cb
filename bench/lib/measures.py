"""The measures.  Each runs its contenders in turn, round after round, and records every value.

A value is the cost of one row or one call in nanoseconds, unless its unit says otherwise.
"""

import threading
import time

import contenders as who
import plan_choice

NS = 1e9
# Rows between two checkpoints where the bytes of WAL are counted.
CHECKPOINT_ROWS = 10


class Sizes:
    """How much is measured: the full form as the targets ask for it, and the quick one.

    rows: the largest table, if not that of the form.
    rounds: no more than so many of what takes minutes.
    """

    def __init__(self, quick, rows=None, rounds=5):
        self.calls = 100000 if quick else 500000
        self.call_rounds = 9 if quick else 25
        self.rate_calls = 200000 if quick else 400000
        self.rate_rounds = 5 if quick else 15
        self.copy_rows = 100000 if quick else 1000000
        self.copy_rounds = 5 if quick else 9
        self.insert_rows = 200000 if quick else 2000000
        self.insert_rounds = min(3 if quick else 5, rounds)
        self.sort_rows = 300000 if quick else 5000000
        self.sort_rounds = min(3 if quick else 5, rounds)
        self.keys = 20000 if quick else 200000
        self.query_rounds = min(5, rounds)
        self.scan_rounds = 9 if quick else 15
        self.growth_chunk = 50000 if quick else 200000
        steps = [200000, 400000] if quick else [1000000, 10000000, 50000000]
        # two at the least, or nothing would grow
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
        self.generators = who.generators(self.major) + self.installed_peers()

    def installed_peers(self):
        offered = [row[0] for row in self.db.run("SELECT name FROM pg_available_extensions")]
        peers = [peer for peer in who.PEERS if peer.extension in offered]
        for peer in peers:
            self.db.run('CREATE EXTENSION "%s"' % peer.extension)
        return peers

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


def generate_alone(bench, measure, generators):
    """One call, with everything around it: the report subtracts the empty loop."""
    db = bench.db

    def run(generator):
        calls = calls_of(generator, bench.sizes.calls)
        let_clock_catch_up(db, generator.word)
        return db.seconds(loop(generator.expression, calls)) / calls * NS

    bench.rounds(measure, bench.sizes.call_rounds, generators, run)


def generate(bench):
    generate_alone(bench, "generate", bench.generators)
    set_parameter(bench, "idtypes.ulidflake_increment_bits", "1")
    generate_alone(bench, "generate, steps of 1", [who.EMPTY, who.NEXTVAL] + who.STEPPING)
    set_parameter(bench, "idtypes.ulidflake_increment_bits", None)


def encrypt(bench):
    """Beside SHA-256 of the tweak, which costs each call as much as setting up the hash."""
    for measure, function, tweak in (
            ("encrypt", "encrypt", who.SHORT_TWEAK),
            ("decrypt", "decrypt", who.SHORT_TWEAK),
            ("encrypt, 1024 bytes of tweak", "encrypt", who.LONG_TWEAK),
            ("encrypt, other 1024 bytes for each", "encrypt", who.CHANGING_TWEAK)):

        def run(contender):
            calls = bench.sizes.calls
            return bench.db.seconds(loop(contender.with_tweak(tweak), calls)) / calls * NS

        bench.rounds(measure, bench.sizes.call_rounds,
                     [who.EMPTY_TWEAK, who.SHA256] + list(who.encryptions(function)), run)


def set_parameter(bench, name, value):
    """As an administrator does; waits until the session has seen it."""
    if value is None:
        bench.db.run("ALTER SYSTEM RESET %s" % name)
    else:
        bench.db.run("ALTER SYSTEM SET %s = '%s'" % (name, value))
    old = bench.db.value("SHOW %s" % name)
    bench.db.run("SELECT pg_reload_conf()")
    for _ in range(100):
        if bench.db.value("SHOW %s" % name) != old:
            return
        time.sleep(0.05)
    raise RuntimeError("%s did not change" % name)


def generate_together(bench):
    """Ids per second that two sessions get out of one generator at the same time."""
    sessions = [bench.cluster.connect() for _ in range(2)]

    def run(generator):
        calls = calls_of(generator, bench.sizes.rate_calls)
        let_clock_catch_up(bench.db, generator.word)
        threads = [threading.Thread(target=session.run, args=(loop(generator.expression, calls),))
                   for session in sessions]
        began = time.perf_counter()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return len(sessions) * calls / (time.perf_counter() - began)

    bench.rounds("two backends", bench.sizes.rate_rounds,
                 [g for g in bench.generators if g not in (who.EMPTY, who.CALL)], run)
    for session in sessions:
        session.close()


def copy(bench):
    """COPY of a table of ids to nowhere, and of a file into an empty table without an index."""
    db = bench.db
    rows = bench.sizes.copy_rows
    for contender in bench.keys:
        db.run("CREATE UNLOGGED TABLE copy_%s AS SELECT %s AS id FROM generate_series(1, %d);"
               "CREATE UNLOGGED TABLE copied_%s (id %s)" %
               (contender.key, contender.expression, rows, contender.key, contender.sql_type))
    for form in "text", "binary":
        options = "(FORMAT %s)" % form

        def copy_out(contender):
            return db.seconds("COPY copy_%s TO '/dev/null' %s" %
                              (contender.key, options)) / rows * NS

        def copy_in(contender):
            db.run("TRUNCATE copied_%s" % contender.key)
            return db.seconds("COPY copied_%s FROM '%s/%s' %s" % (
                contender.key, bench.cluster.top, contender.key, options)) / rows * NS

        for contender in bench.keys:
            db.run("COPY copy_%s TO '%s/%s' %s" % (
                contender.key, bench.cluster.top, contender.key, options))
        bench.rounds("COPY %s out" % form, bench.sizes.copy_rounds, bench.keys, copy_out)
        bench.rounds("COPY %s in" % form, bench.sizes.copy_rounds, bench.keys, copy_in)
    for contender in bench.keys:
        db.run("DROP TABLE copy_%s, copied_%s" % (contender.key, contender.key))


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
    chunk = rows // CHECKPOINT_ROWS

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
        bench.db.run("CREATE TABLE big_%s AS SELECT id FROM (SELECT n, %s AS id"
                     " FROM generate_series(1, %d) AS n OFFSET 0) AS s ORDER BY hashint4(n)" %
                     (contender.key, contender.expression, bench.sizes.sort_rows))
        bench.recorder.tick()
    bench.db.run("CHECKPOINT")
    bench.recorder.end()


def sort(bench):
    db = bench.db
    rows = bench.sizes.sort_rows

    def create_index(contender):
        db.run("DROP INDEX IF EXISTS big_%s_id" % contender.key)
        return db.seconds("CREATE INDEX big_%s_id ON big_%s (id)" %
                          (contender.key, contender.key)) / rows * NS

    def order_by(contender):
        return db.seconds("SELECT id FROM big_%s ORDER BY id OFFSET %d" %
                          (contender.key, rows)) / rows * NS

    bench.rounds("ORDER BY", bench.sizes.sort_rounds, bench.keys, order_by)
    bench.rounds("CREATE INDEX", bench.sizes.sort_rounds, bench.keys, create_index, warm=False)


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
    kinds = [
        ("point look-ups", LOOK_UPS, sizes.keys, ("Nested Loop", "Index Scan"),
         lambda key: look_ups("keys_" + key, "big_" + key)),
        ("hash join", HASH_ONLY, sizes.sort_rows, ("Hash Join", ),
         lambda key: look_ups("keys_" + key, "big_" + key)),
        ("hash aggregate", HASH_ONLY, sizes.sort_rows, ("HashAggregate", ),
         lambda key: "SELECT count(*) FROM (SELECT id FROM big_%s GROUP BY id) AS s" % key),
    ]
    bench.recorder.begin("vacuum, analyze, keys to look up")
    for contender in bench.keys:
        db.run("VACUUM ANALYZE big_%s" % contender.key)
        sample_keys(bench, contender, "big_" + contender.key, sizes.sort_rows, sizes.keys)
    bench.recorder.end()
    for measure, settings, rows, nodes, query in kinds:
        db.run(settings)

        def run(contender):
            return db.seconds(query(contender.key)) / rows * NS

        for contender in bench.keys:
            bench.expect_plan(query(contender.key), *nodes)
        bench.rounds(measure, sizes.query_rounds, bench.keys, run)
        db.run("RESET ALL")


class Scan:
    """A prepared query that counts the ids of a condition."""

    def __init__(self, db, name, table, condition):
        self.name = name
        self.statement = "scan_%s" % "".join(c if c.isalnum() else "_" for c in name)
        self.query = "SELECT count(*) FROM %s WHERE %s" % (table, condition)
        db.run("PREPARE %s AS %s" % (self.statement, self.query))
        self.found = int(db.value("EXECUTE " + self.statement))


def useful_prefix(db, contender, rows):
    """The shortest prefix of an id in the middle that at most half of the ids share."""
    whole = who.prefixed(contender.name, db.value(
        "SELECT id FROM big_%s ORDER BY id OFFSET %d LIMIT 1" % (contender.key, rows // 2)))
    for length in range(1, len(whole) + 1):
        condition = "id <@ %s_prefix('%s')" % (contender.key, whole[:length])
        found = int(db.value("SELECT count(*) FROM big_%s WHERE %s" % (contender.key, condition)))
        if found <= rows // 2:
            return condition
    raise RuntimeError("every prefix of %s is that of half of all" % whole)


def middle_window(db, contender, rows):
    ends = db.run("SELECT %s_timestamp(id) FROM (SELECT id, row_number() OVER (ORDER BY id) AS n"
                  " FROM big_%s) AS s WHERE n IN (%d, %d) ORDER BY id" %
                  (contender.key, contender.key, rows * 2 // 5, rows * 3 // 5))
    return "id <@ %s_range('%s', '%s')" % (contender.key, ends[0][0], ends[1][0])


def scans(bench):
    """Each window and prefix beside a BETWEEN that finds as many bigints."""
    db = bench.db
    rows = bench.sizes.sort_rows
    db.run(INDEX_ONLY)
    first = int(db.value("SELECT min(id) FROM big_bigint")) + rows // 4
    for measure, condition_of in ("window scan", middle_window), ("prefix scan", useful_prefix):
        pairs = []
        for contender in who.OURS:
            scan = Scan(db, contender.name, "big_" + contender.key,
                        condition_of(db, contender, rows))
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
            taken = db.seconds(";".join(["EXECUTE " + scan.statement] * times))
            return taken / times / scan.found * NS

        bench.rounds(measure, bench.sizes.scan_rounds, pairs, run)
        db.run("DEALLOCATE ALL")
    db.run("RESET ALL")
    db.run("DROP TABLE " + ", ".join("big_%s, keys_%s" % (c.key, c.key) for c in bench.keys))


def sliding(bench):
    """A row's neighbours of one minute, over ids and over a timestamptz of the same instants."""
    db = bench.db
    rows = bench.sizes.copy_rows
    query = ("SELECT count(neighbours) FROM (SELECT count(*) OVER (ORDER BY %s RANGE BETWEEN"
             " interval '1 minute' PRECEDING AND CURRENT ROW) AS neighbours FROM sliding_%s) AS s")
    columns = {"sliding window": "id", "sliding window over timestamptz": "made"}
    for contender in who.OURS:
        table = "sliding_" + contender.key
        db.run("CREATE TABLE {0} AS SELECT id, {1}_timestamp(id) AS made FROM (SELECT {1}_min("
               "timestamptz '2026-01-01 00:00Z' + n * interval '1 second') AS id"
               " FROM generate_series(1, {2}) AS n) AS s; CREATE INDEX ON {0} (id);"
               " CREATE INDEX ON {0} (made)".format(table, contender.name, rows))
        db.run("VACUUM ANALYZE " + table)
    db.run(INDEX_ONLY)

    def run(contender):
        return {measure: db.seconds(query % (column, contender.key)) / rows * NS
                for measure, column in columns.items()}

    for contender in who.OURS:
        for column in columns.values():
            bench.expect_plan(query % (column, contender.key), "WindowAgg", "Index Only Scan")
    bench.rounds("sliding window", bench.sizes.query_rounds, who.OURS, run)
    db.run("RESET ALL; DROP TABLE " + ", ".join("sliding_" + c.key for c in who.OURS))


def growth(bench):
    """Insert and look-up cost per row while tables of all contenders grow side by side.

    Ids in random order stop at the second size: beyond, each row costs a page that is read and
    another one that is written, up to 60 us, and the whole would take hours.
    There are no full-page writes either: the bytes of WAL have a measure of their own.
    """
    db = bench.db
    sizes = bench.sizes
    keys = [c for c in bench.keys if c not in who.TEXTS]
    for contender in keys:
        db.run("CREATE TABLE grow_%s (%s PRIMARY KEY, n integer)" %
               (contender.key, contender.column))
    set_parameter(bench, "full_page_writes", "off")
    bench.recorder.begin("growth to %d rows" % sizes.growth_steps[-1])
    for rows in range(sizes.growth_chunk, sizes.growth_steps[-1] + 1, sizes.growth_chunk):
        growing = [c for c in keys if c is not who.UUID_V4 or rows <= sizes.growth_steps[1]]
        for contender in growing:
            taken = db.seconds("INSERT INTO grow_%s (n) SELECT generate_series(%d, %d)" % (
                contender.key, rows - sizes.growth_chunk + 1, rows))
            bench.recorder.add("growth: insert", contender.name, rows,
                               taken / sizes.growth_chunk * NS)
        if rows in sizes.growth_steps:
            growth_look_ups(bench, growing, rows)
        bench.recorder.tick()
    bench.recorder.end()
    set_parameter(bench, "full_page_writes", None)
    db.run("DROP TABLE " + ", ".join("grow_" + c.key for c in keys))


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
    db.run("DROP TABLE " + ", ".join("keys_" + c.key for c in keys))


# In the order in which they must run: the later ones use the tables of shuffled ids.
ALL = [
    ("generate", [generate]),
    ("together", [generate_together]),
    ("encrypt", [encrypt]),
    ("copy", [copy]),
    ("insert", [insert]),
    ("wal", [wal]),
    ("queries", [make_shuffled, sort, queries, scans]),
    ("sliding", [sliding]),
    ("growth", [growth]),
    ("plans", [plan_choice.of_all]),
]
# What counts pages and instructions, so that it is the same on every machine.
COUNTED = ["plans"]
