#!/usr/bin/env python3
"""Does an id do worse than its bigint?

    beside.py [--seed N] [--tables N] [--newest N]

For each type and each kind of arrival (uniform, skewed towards the end, in bursts) a table has the
id, its bigint, which is the number of its first eight bytes and sorts alike, and other columns to
choose an index by; one ANALYZE serves all, and reads all rows.  N of these tables are made, by
chance (7, or all in long form).  Each query of the id stands beside the same of the bigint:

    rows       an estimate is worse if it is off by a factor of two (of ten, where there are fewer
               than a hundred rows), and by half as much again as that of the bigint.  Windows,
               prefixes, narrow windows on partitions, keysets, two windows on one column, joins of
               windows with partitions, and the newest rows after VACUUM without ANALYZE, also where
               as many old ones have been deleted (N of those cases by chance, 4, or all)
    choice     a window, together with a value of another column, takes another index, or reads half
               as many buffers again; which a plan as good as equal may do, in 2 % of the cases, or
               two, if those are more: those of the bigint differ as often after another ANALYZE

Makes a database on the server that PGHOST, PGPORT, PGUSER and PGDATABASE name, and drops it.
"""

import itertools
import os
import random
import sys

for folder in "lib", "oracle":
    sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", folder))
import idoracle
from count import STRESS, Count, options_of
from sql import Connection, explain, new_database, nodes

ROWS = 100000
START = "timestamptz '2026-01-01Z'"
# Over 40 days, and in bursts of ten seconds each hour.
ARRIVALS = {
    "uniform": "40 * 86400e6 * random()",
    "skewed": "40 * 86400e6 * random() ^ 0.2",
    "bursty": "floor(random() * 960) * 3600e6 + random() ^ 2 * 10e6",
}
TABLES = list(itertools.product(idoracle.MODULES, ARRIVALS))
# Types, and whether old rows are deleted where newer ones are added.
NEWEST = list(itertools.product(idoracle.MODULES, (False, True)))
SHARES = (0.00006, 0.0005, 0.001, 0.005, 0.05, 0.5)
EVERY = (20, 200, 2000)
FEW = 100               # rows that are too few to tell a bad estimate from chance
SESSION = """
SET client_min_messages = warning; SET max_parallel_workers_per_gather = 0; SET jit = off;
CREATE EXTENSION idtypes;
CREATE FUNCTION number_of(id bytea) RETURNS bigint LANGUAGE sql IMMUTABLE AS
    $$SELECT ('x' || encode(substring(id FOR 8), 'hex'))::bit(64)::bigint$$;
"""
tally = Count()


def id_at(module, instant):
    """A call that generates an id for an instant."""
    return "%s_generate_at(%s)" % (module.FORMAT.name, idoracle.arguments(module, instant))


def load(db, module, arrival):
    """Makes the tables of a type; returns pairs of id and number, in order, each a text."""
    kind = module.FORMAT.name
    db.run("CREATE TABLE t AS SELECT id, number_of(id::bytea) AS number, 0 AS payload, %s"
           " FROM (SELECT %s AS id FROM generate_series(1, %d) OFFSET 0) s;"
           # as many rows as its dearest column wants, which no query asks for
           "ALTER TABLE t ALTER payload SET STATISTICS %d" % (
               ", ".join("floor(random() * %d)::int AS every_%d" % (n, n) for n in EVERY),
               id_at(module, START + " + (%s) * interval '1 us'" % arrival), ROWS,
               ROWS // 300 + 1))
    db.run("CREATE TABLE p (id %s, number bigint) PARTITION BY RANGE (id)" % kind)
    for day in range(0, 50, 5):
        db.run("CREATE TABLE p_%d PARTITION OF p FOR VALUES FROM (%s_min(%s + interval '%d days'))"
               " TO (%s_min(%s + interval '%d days'))" % (day, kind, START, day, kind, START,
                                                          day + 5))
    db.run("INSERT INTO p SELECT id, number FROM t")
    for table, columns in ("t", ["every_%d" % n for n in EVERY]), ("p", []):
        for column in ["id", "number"] + columns:
            db.run("CREATE INDEX ON %s (%s)" % (table, column))
        db.run("VACUUM ANALYZE " + table)
    pairs = [tuple(pair) for pair in db.run("SELECT id::text, number FROM t ORDER BY t.id")]
    if len(set(pairs)) < ROWS / 2:
        raise RuntimeError("%s: ids repeat" % kind)
    return pairs


def window(pairs, width, start=None):
    """The first and last (id, number) of a window of so many rows; more where the number of an end,
    which ids of more than eight bytes may share, has several.
    """
    if start is None:
        start = random.randrange(len(pairs) - width)
    end = start + width - 1
    while start > 0 and pairs[start - 1][1] == pairs[start][1]:
        start -= 1
    while end + 1 < len(pairs) and pairs[end + 1][1] == pairs[end][1]:
        end += 1
    return pairs[start] + pairs[end]


def off(plan):
    """By what factor an estimate is off; none, one and two rows are as good as the same."""
    guess, truth = max(plan["Plan Rows"], 2), max(plan["Actual Rows"], 2)
    return max(guess / truth, truth / guess)


def compare(db, name, ours, plain):
    """Rows of queries, each beside the same of its numbers; one may be worse."""
    worse = []
    for query, other in zip(ours, plain):
        mine, theirs = explain(db, query), explain(db, other)
        if abs(mine["Actual Rows"] - theirs["Actual Rows"]) > 0.01 * mine["Actual Rows"] + 2:
            tally.check("%s: %s" % (name, query), False, "finds %d rows, not %d" % (
                mine["Actual Rows"], theirs["Actual Rows"]))
        if off(mine) > max(2 if mine["Actual Rows"] >= FEW else 10, 1.5 * off(theirs)):
            worse.append("%s: %d rows of %d, of the bigint %d" % (
                query, mine["Plan Rows"], mine["Actual Rows"], theirs["Plan Rows"]))
    tally.test(name, worse if len(worse) > 1 else [])


def rows(db, name, module, pairs):
    """Estimates of rows."""
    wide = [window(pairs, max(2, round(share * ROWS))) for share in SHARES for _ in range(5)]
    narrow = [window(pairs, ROWS // 10000) for _ in range(40)]
    between = " WHERE number BETWEEN {1} AND {3}"
    for spelling in "id <@ '[{0},{2}]'", "id >= '{0}' AND id <= '{2}'":
        for title, table, windows in ("windows", "t", wide), ("partitions", "p", narrow):
            compare(db, "%s, %s, %s" % (name, title, spelling), *(
                ["SELECT FROM %s%s" % (table, condition.format(*ends)) for ends in windows]
                for condition in (" WHERE " + spelling, between)))
    # prefixes of every length that leaves enough rows
    ours, plain = [], []
    for text, _ in random.sample(pairs, 10):
        fmt = module.FORMAT
        text = fmt.shown_for_prefix(fmt.parse(text)).replace("-", "")
        for length in range(1, len(text)):
            prefix = "%s_prefix('%s')" % (fmt.name, text[:length])
            found, ends = db.run(
                "SELECT (SELECT count(*) FROM t WHERE id <@ r), concat_ws(' AND ',"
                " number_of(lower(r)::bytea), number_of(upper(r)::bytea)) FROM %s r" % prefix)[0]
            if found < FEW:
                break
            ours.append("SELECT FROM t WHERE id <@ " + prefix)
            plain.append("SELECT FROM t WHERE number BETWEEN " + ends)
    compare(db, name + ", prefixes", ours, plain)
    # from a row on, up to one that lies further on
    starts = [(random.randrange(ROWS // 2), random.randrange(1, ROWS // 5)) for _ in range(10)]
    keysets = [window(pairs, 1, start)[:2] + window(pairs, 1, start + width)[:2]
               for start, width in starts]
    for title, condition in (("keyset", "id < '{2}' AND id <@ '[{0},)'"),
                             ("two windows", "id <@ '[{0},)' AND id <@ '(,{2})'")):
        compare(db, "%s, %s" % (name, title), *(
            ["SELECT FROM t WHERE " + one.format(*ends) for ends in keysets]
            for one in (condition, "number >= {1} AND number < {3}")))


def join(db, name, kind):
    """A join of windows with partitions."""
    db.run("""
        CREATE TABLE w AS SELECT r, number_of(lower(r)::bytea) AS first,
                number_of(upper(r)::bytea) AS last
            FROM generate_series(1, 20) i, LATERAL (SELECT %s + i * interval '46 h') s (t),
                LATERAL (SELECT %s_range(t, t + interval '5 min')) x (r);
        ANALYZE w""" % (START, kind))
    mine, theirs = (explain(db, "SELECT FROM w JOIN p ON " + condition)
                    for condition in ("id <@ r", "number BETWEEN first AND last"))
    tally.check(name + ", join", off(mine) <= max(3, off(theirs)),
                "%d rows, not %d" % (mine["Plan Rows"], mine["Actual Rows"]))


def newest(db, module, retention):
    """The newest of the rows that ANALYZE has not seen, in portions of 25 to all of them."""
    fill = "SELECT id, number_of(id::bytea) AS number FROM (SELECT %s AS id" \
        " FROM generate_series(%%d, %%d) i) made" % id_at(module, START + " + i * interval '10 s'")
    db.run("CREATE TABLE g AS %s; CREATE INDEX ON g (id); CREATE INDEX ON g (number)"
           % (fill % (1, 100000)))
    db.run("VACUUM ANALYZE g")
    if retention:
        db.run("DELETE FROM g WHERE id < %s_min(%s + interval '100000 s')" % (
            module.FORMAT.name, START))
    db.run("INSERT INTO g " + fill % (100001, 110000))
    db.run("SELECT pg_stat_force_next_flush()")
    db.run("VACUUM g")
    pairs = db.run("SELECT id::text, number FROM (SELECT *, row_number() OVER (ORDER BY id DESC) r"
                   " FROM g) s WHERE r IN (25, 100, 250, 1000, 2500, 5000, 10000) ORDER BY id")
    compare(db, module.FORMAT.name + ", newest" + (" with retention" if retention else ""), *(
        ["SELECT FROM g WHERE " + condition.format(*pair) for pair in pairs]
        for condition in ("id >= '{0}'", "number >= {1}")))
    db.run("DROP TABLE g")


def choose(db, condition):
    """The indexes of the plan of a condition, that of the number named as the id's, and how many
    buffers it reads.
    """
    plan = explain(db, "SELECT payload FROM t WHERE " + condition)
    return ({node["Index Name"].replace("number", "id") for node in nodes(plan)
             if "Index Name" in node}, plan["Shared Hit Blocks"] + plan["Shared Read Blocks"])


def choice(db, name, pairs):
    """For each case of windows and another column, whether the index is another one, and whether
    more is read.
    """
    for share, _, n in itertools.product(SHARES[:4], range(3), EVERY):
        ends = window(pairs, round(share * ROWS))
        spelled = [(one.format(*ends) + " AND every_%d = 5" % n) for one in (
            "number BETWEEN {1} AND {3}", "id <@ '[{0},{2}]'", "id >= '{0}' AND id <= '{2}'")]
        (used, read), *others = [choose(db, condition) for condition in spelled]
        for condition, (mine, more) in zip(spelled[1:], others):
            verdict = mine != used, more > 1.5 * read + 2
            if any(verdict):
                print("# %s, %s: %s reads %d, not %s %d" % (name, condition, mine, more, used,
                                                            read))
            yield verdict


def main():
    options = options_of(__doc__, tables=len(TABLES) if STRESS else 7,
                         newest=len(NEWEST) if STRESS else 4)
    cases = []
    with new_database("beside") as database, Connection(dbname=database) as db:
        db.run(SESSION)
        db.run("SELECT setseed(%f)" % random.random())
        for module, arrival in random.sample(TABLES, options.tables):
            name = "%s %s" % (module.FORMAT.name, arrival)
            pairs = load(db, module, ARRIVALS[arrival])
            rows(db, name, module, pairs)
            join(db, name, module.FORMAT.name)
            cases += choice(db, name, pairs)
            db.run("DROP TABLE t, p, w")
        for module, retention in random.sample(NEWEST, options.newest):
            newest(db, module, retention)
    few = max(2, 0.02 * len(cases))
    for title, found in zip(("another index", "more buffers"), map(sum, zip(*cases))):
        tally.check(title, found <= few, "%d of %d cases" % (found, len(cases)))
    return tally.finish()


if __name__ == "__main__":
    sys.exit(main())
