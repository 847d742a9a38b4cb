"""Whether the planner chooses for an id as it does for a bigint.

A table has an id and its bigint (the first eight bytes of the id, so that both are in one order and
at one place of their histograms), an index on each, and another column to choose an index by.  One
ANALYZE serves both.  A case is a window of ids that is asked for together with a value of the other
column:

    SELECT payload FROM t WHERE id <@ T_range('...', '...') AND every_200 = 5

Of 360 cases per type, with ids that arrive in three ways, windows of ten sizes at four places, and
three columns, it is found whether the index chosen is that for the bigint, how many buffers the
plan reads, and how many the best plan of the same table reads that can be forced.  The yardstick is
the bigint itself: whether the index chosen for it is the same after another ANALYZE, of a sample.
"""

import idoracle

ROWS = 100000
# Rows that ANALYZE reads for each one of a column's statistics target.
SAMPLED = 300
DAYS = 30
ARRIVALS = {
    "uniform": "{span} * {u1}",
    # the ten thousandth part of the time has a tenth of the rows
    "skewed": "{span} * {u1} ^ 4",
    # 200 bursts of two minutes
    "bursty": "{span} * {burst} + 120e6 * {u2}",
}
# Shares of the rows; none is that of a value of the other columns, where either index will do.
SIZES = [0.00006, 0.0002, 0.001, 0.002, 0.003, 0.01, 0.02, 0.03, 0.1, 0.4]
# Where a window lies: from so many of the rows that are not in it on, or so far into the time.
PLACES = {"early": 0.1, "middle": 0.5, "newest": 1.0, "by time": None}
EVERY = [20, 200, 2000]
CASES = len(ARRIVALS) * len(SIZES) * len(PLACES) * len(EVERY)
# How a window is written: for an id and for its bigint.
SPELLINGS = {
    "<@": ("{id} <@ {T}_range('{first}', '{upto}')",
           "{id} BETWEEN {lowest} AND {highest}"),
    "pair": ("{id} >= {T}_min('{first}') AND {id} < {T}_min('{upto}')",
             "{id} >= {lowest} AND {id} <= {highest}"),
}
ID, NUMBER = "id", "number"
# Estimates that are off by more than this make a planner choose nonsense.
OFF = 10
# A plan that reads more than this of the best one's buffers was not worth choosing.
DEARER = 1.1

NUMBER_OF = "CREATE OR REPLACE FUNCTION number_of(id bytea) RETURNS bigint" \
    " LANGUAGE sql IMMUTABLE AS" \
    " $$SELECT ('x' || encode(substring(id FOR 8), 'hex'))::bit(64)::bigint$$"


def uniform(seed, of="n"):
    """SQL for a number from 0 to 1 that is another one for each n, and the same for a seed."""
    return "((hashint8extended(%s, %d) & 4611686018427387903) / 4611686018427387904.0)" % (of, seed)


def ratio(guess, truth):
    """By what factor an estimate is off; no row and one are the same to the planner."""
    return max(max(guess, 1) / max(truth, 1), max(truth, 1) / max(guess, 1))


def make_table(db, of, arrival, rows, seed=0, padded=False, make="{T}_min({at})"):
    """In random order, so that an index scan pays a page for each row.

    ANALYZE reads all rows because it reads as many as its dearest column wants, which is one that
    no query asks for: the others keep the server's own number of buckets, and two runs agree.

    padded: the entries of the bigint's index are as wide as those of the id's.
    make: what makes an id for an instant.
    """
    wider = db.value("SELECT (typlen - 1) / 8 FROM pg_type WHERE typname = '%s'" % of)
    padding = ["padding_%d" % i for i in range(wider if padded else 0)]
    seed *= 10000       # no function of n is used twice
    ticks = arrival.format(
        span=DAYS * 86400e6, u1=uniform(seed + 1), u2=uniform(seed + 2),
        burst=uniform(seed + 3, "hashint8extended(n, %d) & 199" % (seed + 4)))
    every = ", ".join("abs(hashint8extended(n, %d)) %% %d AS every_%d" %
                      (seed + count, count, count) for count in EVERY)
    db.run("DROP TABLE IF EXISTS plans; CREATE UNLOGGED TABLE plans AS"
           " SELECT id, number_of(id::bytea) AS number, %s, 0 AS payload%s"
           " FROM generate_series(1, %d::bigint) AS n,"
           " LATERAL (SELECT %s) AS x (id) ORDER BY hashint8extended(n, %d)" % (
               every, "".join(", 0::bigint AS " + pad for pad in padding), rows,
               make.format(T=of, at="timestamptz '2026-01-01Z' + (%s) * interval '1 us'" % ticks),
               seed + 5))
    for column in [ID, NUMBER] + ["every_%d" % count for count in EVERY]:
        db.run("CREATE INDEX plans_%s ON plans (%s)%s" % (
            column, column, " INCLUDE (%s)" % ", ".join(padding)
            if padding and column == NUMBER else ""))
    db.run("ALTER TABLE plans ALTER payload SET STATISTICS %d" % min(rows // SAMPLED + 1, 10000))
    db.run("VACUUM ANALYZE plans")


class Window:
    """The ids from an instant up to another one, and how many rows there are."""

    spellings = SPELLINGS

    def __init__(self, db, of, size, place, rows):
        self.name = "%g%% %s" % (size * 100, place)
        count = max(int(size * rows), 1)
        if PLACES[place] is None:
            ends = db.run("SELECT a, a + %g * interval '%d days' FROM (SELECT timestamptz"
                          " '2026-01-01Z' + 0.37 * interval '%d days') AS x (a)" %
                          (size, DAYS, DAYS))[0]
        else:
            first = int(PLACES[place] * (rows - count))
            ends = [db.value("SELECT %s_timestamp(id) FROM plans ORDER BY id OFFSET %d LIMIT 1" %
                             (of, at)) for at in (first, min(first + count, rows - 1))]
            if first + count >= rows:
                ends[1] = db.value("SELECT '%s'::timestamptz + interval '1 hour'" % ends[1])
        lowest, highest = db.run("SELECT number_of(lower(r)::bytea), number_of(upper(r)::bytea)"
                                 " FROM %s_range('%s', '%s') AS r" % (of, *ends))[0]
        self.fields = {"T": of, "first": ends[0], "upto": ends[1], "lowest": lowest or 1,
                       "highest": highest or 0}
        self.count(db)

    def count(self, db):
        self.rows, rows_of_id = [
            db.value("SELECT count(*) FROM plans WHERE " + self.condition(column))
            for column in (NUMBER, ID)]
        if self.rows != rows_of_id:
            raise RuntimeError("%d rows where %s, but %d where %s" % (
                self.rows, self.condition(NUMBER), rows_of_id, self.condition(ID)))

    def condition(self, column, spelling="<@"):
        return self.spellings[spelling][column == NUMBER].format(id=column, **self.fields)


class ClosedWindow(Window):
    """From one (id, number) to another, both of them among the rows.

    What is "<=" here is "<=" for the bigint, so that of both as many rows are expected.
    """

    spellings = {
        "<@": ("{id} <@ '[{lowest[0]},{highest[0]}]'",
               "{id} BETWEEN {lowest[1]} AND {highest[1]}"),
        "pair": ("{id} >= '{lowest[0]}' AND {id} <= '{highest[0]}'",
                 "{id} >= {lowest[1]} AND {id} <= {highest[1]}"),
    }

    def __init__(self, db, name, lowest, highest):
        self.name = name
        self.fields = {"lowest": lowest, "highest": highest}
        self.count(db)


def explain(db, query, execute=True):
    """The plan of a query, which is executed if wanted."""
    options = ", ANALYZE, BUFFERS, TIMING OFF, SUMMARY OFF" if execute else ""
    return db.value("EXPLAIN (FORMAT JSON%s) %s" % (options, query))[0]["Plan"]


class Plan:
    """What the planner chose, and what it read if it was executed."""

    def __init__(self, db, condition, execute=True):
        tree = explain(db, "SELECT payload FROM plans WHERE " + condition, execute)
        self.condition = condition
        self.estimate = tree["Plan Rows"]
        self.buffers = buffers(tree)
        # the column and the buffers of each; of an index scan, with its rows'
        self.indexes = {node["Index Name"][len("plans_"):]: buffers(node) for node in nodes(tree)
                        if "Index Name" in node}

    def chosen(self):
        """The columns of its indexes; that of the id is named as that of the bigint."""
        return " and ".join(sorted(self.indexes)).replace(NUMBER, ID) or "no index"


def buffers(node):
    """Of a node of a plan and those below it."""
    return node.get("Shared Hit Blocks", 0) + node.get("Shared Read Blocks", 0)


def nodes(plan):
    """All nodes of a plan, from the top."""
    yield plan
    for part in plan.get("Plans", []):
        yield from nodes(part)


BITMAPS = "SET enable_seqscan = off; SET enable_indexscan = off"
# Where a page costs this much, a plan reads as few as it can.
FEW_PAGES = BITMAPS + "; SET seq_page_cost = 100000; SET random_page_cost = 100000"
SESSION = "SET client_min_messages = warning; SET max_parallel_workers_per_gather = 0;" \
    " SET jit = off; SET timezone = 'UTC'"


def forced(db, settings, condition):
    """The plan that settings force; they are undone."""
    db.run(settings)
    plan = Plan(db, condition)
    db.run("RESET ALL; " + SESSION)
    return plan


class Best:
    """The fewest buffers that bitmap scans or a sequential scan of a table read.

    Which rows are in both bitmaps does not depend on what the planner believes of the id, so the
    plan with both is that of the bigint, with the pages of the id's index instead.
    """

    def __init__(self, db, pages, window, others):
        self.pages = pages
        self.others = others
        self.alone = {column: forced(db, BITMAPS, window.condition(column))
                      for column in (ID, NUMBER)}
        self.both = {other: forced(db, FEW_PAGES, "%s AND %s" % (window.condition(NUMBER), other))
                     for other in others}

    def of(self, column, other):
        both = self.both[other]
        found = both.buffers
        if NUMBER in both.indexes:
            found += self.alone[column].indexes[column] - both.indexes[NUMBER]
        return min(found, self.alone[column].buffers, self.others[other].buffers, self.pages)


class Case:
    """One query of an id, and the same of its bigint."""

    def __init__(self, name, of_id, of_number, best_of_id, best_of_number):
        self.name = name
        self.of_id = of_id
        self.of_number = of_number
        self.best_of_id = best_of_id
        self.best_of_number = best_of_number

    def same(self):
        return self.of_id.chosen() == self.of_number.chosen()

    def dearer(self):
        """Whether it reads more than the best plan, and whether the bigint's does."""
        return (self.of_id.buffers > DEARER * self.best_of_id,
                self.of_number.buffers > DEARER * self.best_of_number)

    def __str__(self):
        return "%-42s %-18s %6d (best %6d)   bigint: %-18s %6d (best %6d)" % (
            self.name, self.of_id.chosen(), self.of_id.buffers, self.best_of_id,
            self.of_number.chosen(), self.of_number.buffers, self.best_of_number)


class Estimate:
    """What the planner expects of a window alone."""

    def __init__(self, name, rows, of_id, of_number):
        self.name = name
        self.rows = rows
        self.of_id = of_id
        self.of_number = of_number

    def off(self, guess):
        return ratio(guess, self.rows) > OFF

    def __str__(self):
        return "%-40s  %d rows estimated, bigint %d, there are %d" % (
            self.name, self.of_id, self.of_number, self.rows)


class Found:
    """Of one type and spelling: its cases, and the estimates of its windows."""

    def __init__(self):
        self.cases = []
        self.estimates = []
        self.itself = 0         # cases where the bigint's index is the same after another ANALYZE

    def same_index(self):
        return sum(case.same() for case in self.cases)

    def buffers(self):
        """Of all cases together, beside those of the bigint."""
        return sum(case.of_id.buffers for case in self.cases) / \
            sum(case.of_number.buffers for case in self.cases)

    def worst(self):
        """The most that a case reads of what its bigint's does."""
        return max(case.of_id.buffers / case.of_number.buffers for case in self.cases)

    def dearer(self):
        """Cases that read more than the best plan, and those of the bigint."""
        return [sum(of) for of in zip(*(case.dearer() for case in self.cases))]

    def off(self):
        """Estimates that are far off, and those of the bigint."""
        return [sum(e.off(e.of_id) for e in self.estimates),
                sum(e.off(e.of_number) for e in self.estimates)]


def of_all(bench):
    """The measure of bench/run: of each type, and of the bigint beside it."""
    bench.db.run(NUMBER_OF)
    for of in idoracle.NAMES:
        bench.recorder.begin("plans of " + of)
        for spelling, found in measure(bench.db, of, ROWS,
                                       tick=bench.recorder.tick).items():
            dearer, off = found.dearer(), found.off()
            for what, of_id, of_number in (("same index", found.same_index(), found.itself),
                                           ("buffers", found.buffers(), None),
                                           ("worst", found.worst(), None),
                                           ("dearer", dearer[0], dearer[1]),
                                           ("off", off[0], off[1])):
                title = "plans with %s: %s" % (spelling, what)
                bench.recorder.add(title, of, 0, of_id)
                if of_number is not None:
                    bench.recorder.add(title, "bigint (%s)" % of, 0, of_number)
        bench.recorder.end()


def count_same_again(db, plans):
    """Of plans, those with the same index after ANALYZE has read a sample of the server's size."""
    db.run("ALTER TABLE plans ALTER payload SET STATISTICS -1; ANALYZE plans")
    return sum(plan.chosen() == Plan(db, plan.condition, False).chosen() for plan in plans)


def measure_windows(db, title, windows, found):
    """Adds to {spelling: Found} what is found of windows; returns the plans of the bigint."""
    of_numbers = []
    pages = db.value("SELECT pg_relation_size('plans') / 8192")
    others = {other: forced(db, BITMAPS, other)
              for other in ("every_%d = 5" % count for count in EVERY)}
    for window in windows:
        best = Best(db, pages, window, others)
        number = window.condition(NUMBER)
        guess = Plan(db, number, False).estimate
        of_number = {other: Plan(db, "%s AND %s" % (number, other)) for other in others}
        of_numbers += of_number.values()
        for spelling in found:
            condition = window.condition(ID, spelling)
            name = "%s, %s, %s" % (title, window.name, spelling)
            found[spelling].estimates.append(Estimate(
                name, window.rows, Plan(db, condition, False).estimate, guess))
            found[spelling].cases += [Case(
                "%s, %s" % (name, other), Plan(db, "%s AND %s" % (condition, other)),
                of_number[other], best.of(ID, other), best.of(NUMBER, other))
                for other in others]
    return of_numbers


def measure(db, of, rows, spellings=tuple(SPELLINGS), tick=lambda: None, **table):
    """{spelling: Found} of one type, in a database with the extension and number_of().

    table: seed and padded, for make_table().
    """
    db.run(SESSION)
    found = {spelling: Found() for spelling in spellings}
    for title, arrival in ARRIVALS.items():
        make_table(db, of, arrival, rows, **table)
        of_numbers = []
        for size in SIZES:
            of_numbers += measure_windows(db, title, (Window(db, of, size, place, rows)
                                                      for place in PLACES), found)
            tick()
        itself = count_same_again(db, of_numbers)
        for spelling in spellings:
            found[spelling].itself += itself
    db.run("DROP TABLE plans; RESET ALL")
    return found
