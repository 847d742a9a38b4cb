#!/usr/bin/env python3
"""Plans and row estimates of ids beside those of the same numbers as bigint.

    beside.py [--seed N] [--tables N] [--newest N]

For each type and each kind of arrival (uniform, skewed towards the end, in
bursts) a table has the id and, as bigint, the number of its first eight bytes,
which sorts alike; one ANALYZE serves both.  N of these tables are made, by
chance (7, or all where IDTYPES_STRESS is set).  Tested is that

    choice     with a second index beside it, a window of ids takes the same
               indexes as that of the numbers, but for 2 % of the cases, or two
               if those are more: where two plans are as good as equal, those of
               the numbers differ after another ANALYZE too; and it reads more
               than 1.1 times the best plan that can be forced on the table in
               at most so many cases more than that of the numbers does
    rows       no more estimates are off by a factor of ten than those of the
               numbers plus one: narrow windows on ten partitions, keysets, two
               windows on one column, and the newest rows after VACUUM without
               ANALYZE, also where as many old ones have been deleted (N of
               those cases by chance, 4, or all)
    join       the rows of a join of windows with partitions are right to a
               factor of three, or, in bursts, where it matters whether a window
               is in one, closer to the truth than those of the numbers

Makes a database on the server that PGHOST, PGPORT, PGUSER and PGDATABASE name,
and drops it.
"""

import itertools
import random
import sys

from scratch import TYPES, generate_at, in_order, plan_choice, scratch_database, tally
from count import STRESS, options_of

START = "timestamptz '2026-01-01Z'"
# As plan_choice writes them: over 40 days, and in bursts of ten seconds each hour.
ARRIVALS = {
    "uniform": "40 * 86400e6 * {u1}",
    "skewed": "40 * 86400e6 * {u1} ^ 0.2",
    "bursty": "floor({u1} * 960) * 3600e6 + {u2} ^ 2 * 10e6",
}
TABLES = list(itertools.product(TYPES, ARRIVALS))
# Types, and whether old rows are deleted where newer ones are added.
NEWEST = list(itertools.product(TYPES, (False, True)))
SHARES = (0.00006, 0.001, 0.005)
WINDOWS = 3
APART, FEW = 0.02, 2


def is_off(plan):
    """True if an estimate is off by a factor of ten."""
    return plan_choice.ratio(plan["Plan Rows"], plan["Actual Rows"]) > plan_choice.OFF


def window(pairs, width, start=None):
    """The first and last (id, number) of a window of so many rows; more where the number of an end,
    which ids of more than eight bytes may share, has several.
    """
    def number(at):
        return pairs[at].split()[1]

    if start is None:
        start = random.randrange(len(pairs) - width)
    end = start + width
    while start > 0 and number(start - 1) == number(start):
        start -= 1
    while end + 1 < len(pairs) and number(end + 1) == number(end):
        end += 1
    return pairs[start].split(), pairs[end].split()


def load(db, kind, arrival):
    """Makes the tables of a type; returns pairs of id and number in order, each as a text."""
    plan_choice.make_table(db, kind, ARRIVALS[arrival], plan_choice.ROWS, random.randrange(1 << 30),
                           make=generate_at(kind, "{at}"))
    db.run("CREATE TABLE p (id %s, number bigint) PARTITION BY RANGE (id)" % kind)
    for i in range(10):
        db.run("CREATE TABLE p_%d PARTITION OF p FOR VALUES FROM (%s_min(%s + interval '%d days'))"
               " TO (%s_min(%s + interval '%d days'))" % (i, kind, START, 5 * i, kind, START,
                                                          5 * i + 5))
    db.run("INSERT INTO p SELECT id, number FROM plans; CREATE INDEX ON p (id);"
           " CREATE INDEX ON p (number)")
    db.run("VACUUM ANALYZE p")
    return in_order(db, "plans", "id, number")


def choice(db, name, pairs):
    """Windows with a second index, in both spellings of the ids."""
    found = plan_choice.Found()
    plan_choice.measure_windows(db, name, (
        plan_choice.ClosedWindow(db, "%g%%" % (share * 100),
                                 *window(pairs, round(share * len(pairs))))
        for share in SHARES for _ in range(WINDOWS)), dict.fromkeys(plan_choice.SPELLINGS, found))
    for case in found.cases:
        if case.dearer() == (True, False):
            print("# %s" % case)
    return found.cases


def compare(db, name, what, ours, plain):
    """Rows of queries, each beside its numbers."""
    found = [[plan_choice.explain(db, query) for query in queries] for queries in (ours, plain)]
    for query, mine, theirs in zip(ours, *found):
        if abs(mine["Actual Rows"] - theirs["Actual Rows"]) > 0.01 * mine["Actual Rows"] + 2:
            tally.check("%s: %s" % (name, query), False, "finds %d rows, not %d"
                        % (mine["Actual Rows"], theirs["Actual Rows"]))
    off = [sum(map(is_off, plans)) for plans in found]
    tally.check("%s, %s: estimates off by ten" % (name, what), off[0] <= off[1] + 1,
                "%d of %d, %d of bigint" % (off[0], len(ours), off[1]))


def rows(db, name, pairs):
    """Estimates where they used to be wrong."""
    narrow = [window(pairs, max(2, round(0.0001 * len(pairs)))) for _ in range(40)]
    plain = ["SELECT * FROM p WHERE number >= %s AND number < %s" % (m, n)
             for (_, m), (_, n) in narrow]
    for spelling in ("id <@ '[%s,%s)'", "id >= '%s' AND id < '%s'"):
        compare(db, name, "partitions", [
            "SELECT * FROM p WHERE " + spelling % (a, b) for (a, _), (b, _) in narrow], plain)
    wide = [(first, last, window(pairs, 1, random.randrange(start, start + width))[0])
            for start, width, (first, last) in
            ((start, width, window(pairs, width, start)) for start, width in
             ((random.randrange(len(pairs) // 2), len(pairs) // 5) for _ in range(10)))]
    plain = ["SELECT * FROM plans WHERE number >= %s AND number < %s" % (m, x)
             for (_, m), _, (_, x) in wide]
    compare(db, name, "keyset", [
        "SELECT * FROM plans WHERE id < '%s' AND id <@ '[%s,)'" % (c, a)
        for (a, _), _, (c, _) in wide], plain)
    compare(db, name, "two windows", [
        "SELECT * FROM plans WHERE id <@ '[%s,%s)' AND id <@ '(,%s)'" % (a, b, c)
        for (a, _), (b, _), (c, _) in wide], plain)


def join(db, name, kind):
    """A join of windows with partitions."""
    db.run("""
        CREATE TABLE w AS SELECT r, number_of(lower(r)::bytea) AS first,
                number_of(upper(r)::bytea) AS last
            FROM generate_series(1, 20) i, LATERAL (SELECT %s + i * interval '46 h') s (t),
                LATERAL (SELECT %s_range(t, t + interval '5 min')) x (r);
        ANALYZE w""" % (START, kind))
    mine, theirs = (plan_choice.explain(db, "SELECT FROM w JOIN p ON " + condition)
                    for condition in ("id <@ r", "number BETWEEN first AND last"))
    tally.check("%s, join" % name, plan_choice.ratio(mine["Plan Rows"], mine["Actual Rows"]) <= (
        plan_choice.ratio(theirs["Plan Rows"], theirs["Actual Rows"])
        if name.endswith("bursty") else 3),
                "%d rows, not %d" % (mine["Plan Rows"], mine["Actual Rows"]))


def newest(db, kind, retention):
    """The newest of the rows that ANALYZE has not seen, in portions of 25 to all of them."""
    fill = "SELECT id, number_of(id::bytea) AS number FROM (SELECT %s AS id" \
        " FROM generate_series(%%d, %%d) i) made" % generate_at(kind,
                                                              START + " + i * interval '10 s'")
    db.run("CREATE TABLE g AS %s; CREATE INDEX ON g (id); CREATE INDEX ON g (number)"
           % (fill % (1, 100000)))
    db.run("VACUUM ANALYZE g")
    if retention:
        db.run("DELETE FROM g WHERE id < %s_min(%s + interval '100000 s')" % (kind, START))
    db.run("INSERT INTO g " + fill % (100001, 110000))
    db.run("SELECT pg_stat_force_next_flush()")
    db.run("VACUUM g")
    pairs = db.run("SELECT id, number FROM (SELECT id, number, row_number() OVER (ORDER BY id DESC)"
                   " AS r FROM g) s WHERE r IN (25, 100, 250, 1000, 2500, 5000, 10000) ORDER BY id")
    compare(db, kind, "newest" + (" with retention" if retention else ""),
            ["SELECT * FROM g WHERE id >= '%s'" % pair[0] for pair in pairs],
            ["SELECT * FROM g WHERE number >= %s" % pair[1] for pair in pairs])
    db.run("DROP TABLE g")


def main():
    options = options_of(__doc__, tables=len(TABLES) if STRESS else 7,
                         newest=len(NEWEST) if STRESS else 4)
    total = plan_choice.Found()
    with scratch_database() as db:
        db.run(plan_choice.NUMBER_OF)
        for kind, arrival in random.sample(TABLES, options.tables):
            name = "%s %s" % (kind, arrival)
            pairs = load(db, kind, arrival)
            total.cases += choice(db, name, pairs)
            rows(db, name, pairs)
            join(db, name, kind)
            db.run("DROP TABLE plans, p, w")
        for kind, retention in random.sample(NEWEST, options.newest):
            newest(db, kind, retention)
    cases = len(total.cases)
    few = max(FEW, APART * cases)
    other = cases - total.same_index()
    tally.check("choices", other <= few, "%d of %d differ from bigint's" % (other, cases))
    dear, dear_numbers = total.dearer()
    tally.check("plans that read more than 1.1 times the best", dear <= dear_numbers + few,
                "%d of %d, %d of bigint" % (dear, cases, dear_numbers))
    return tally.finish()


if __name__ == "__main__":
    sys.exit(main())
