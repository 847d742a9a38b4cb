#!/usr/bin/env python3
"""Row estimates of id <@ range on large tables, against the truth.

    run.py [--seed N] [--rows N] [--types siq,uid11] [--table FILE]

For each type one table whose ids arrive uniformly over 40 days, and one whose
ids arrive in bursts: a thousand within some seconds, once an hour.  Asked for
are windows of 0.01 % to 50 % of the rows, given as a range of ids, and
prefixes of ids, if they have 100 rows: fewer are too few to tell a bad
estimate from chance.  So the smallest take a million rows, which tables have
where IDTYPES_STRESS is set; otherwise they have 200,000.  What is promised,
and tested:

    uniform   within a factor of 2 from 0.01 % to 50 %
    bursty    within a factor of 2 from 5 % up; below, off by no more than two
              buckets of the histogram, 2 % of the rows

Joins with a table of windows are measured, beside what the server expects of
its own operator and of a pair of comparisons, and must be within a factor of 2
under uniform arrival.  Makes a database on the server that PGHOST, PGPORT,
PGUSER and PGDATABASE name, and drops it.  --table writes the figures as
Markdown.
"""

import os
import random
import re
import statistics
import sys

from scratch import (TYPES, check, generate_at, options, plan_choice, prefixed, scratch_database,
                     sql, verdict, version)

FRACTIONS = (0.0001, 0.0005, 0.001, 0.01, 0.05, 0.1, 0.5)
LEAST_ROWS = 100
WINDOWS = 15
PREFIXES = 10
BUCKETS = 100
ARRIVALS = {
    "uniform": "timestamptz '2026-01-01Z' + random() * interval '40 days'",
    "bursty": "timestamptz '2026-01-01Z' + n / 1000 * interval '1 hour'"
              " + random() ^ 2 * interval '10 s'",
}


def estimates(queries):
    """The planner's row estimates of queries."""
    lines = sql("SET max_parallel_workers_per_gather = 0;\n"
                + "".join("EXPLAIN %s;\n" % query for query in queries))
    # the line of a plan's first node is the only one without indentation that has a cost
    return [int(re.search(r" rows=(\d+) ", line).group(1)) for line in lines
            if re.match(r"\S.*\(cost=", line)]


def load(kind, arrival, rows):
    """Makes the table of a type; returns its ids in order."""
    return sql("""
        SELECT setseed(%f) \\g /dev/null
        CREATE TABLE %s_%s AS SELECT %s AS id FROM generate_series(1, %d) n;
        CREATE INDEX ON %s_%s (id);
        VACUUM ANALYZE %s_%s;
        COPY (SELECT id FROM %s_%s ORDER BY id) TO STDOUT;
        """ % ((random.random(), kind, arrival, generate_at(kind, ARRIVALS[arrival]), rows)
               + (kind, arrival) * 3))


def windows(kind, arrival, ids, table):
    """Ranges of ids that hold a certain share of the rows."""
    rows = len(ids)
    for fraction in FRACTIONS:
        wanted = round(fraction * rows)
        if wanted < LEAST_ROWS:
            continue
        queries = []
        for _ in range(WINDOWS):
            first = random.randrange(rows - wanted)
            while ids[first] == ids[first - 1] or ids[first + wanted - 1] == ids[first + wanted]:
                first = random.randrange(rows - wanted)
            queries.append("SELECT FROM %s_%s WHERE id <@ '[%s,%s]'"
                           % (kind, arrival, ids[first], ids[first + wanted - 1]))
        guesses = estimates(queries)
        worst = max(plan_choice.ratio(guess, wanted) for guess in guesses)
        off = max(abs(guess - wanted) for guess in guesses) * BUCKETS / rows
        name = "%s %s %g %%" % (kind, arrival, fraction * 100)
        if arrival == "uniform" or fraction >= 0.05:
            check(worst <= 2, "%s: off by a factor of %.2f" % (name, worst))
        else:
            check(off <= 2, "%s: off by %.2f buckets" % (name, off))
        table.append((arrival, kind, fraction * 100, wanted, int(statistics.median(guesses)),
                      min(guesses), max(guesses), worst, off))


def prefixes(kind, arrival, ids):
    """Prefixes of some ids, of every length that leaves some rows, and at most 50 % of them."""
    found = []
    for identifier in random.sample(ids, PREFIXES):
        text = prefixed(kind, identifier)
        found += ["SELECT FROM %s_%s WHERE id <@ %s_prefix('%s')"
                  % (kind, arrival, kind, text[:length]) for length in range(1, len(text))]
    truths = [int(line) for line in sql("".join(
        query.replace("SELECT", "SELECT count(*)") + ";\n" for query in found))]
    checked = 0
    for query, truth, guess in zip(found, truths, estimates(found)):
        share = truth / len(ids)
        if LEAST_ROWS <= truth and share <= 0.5:
            checked += 1
            if arrival == "uniform" or share >= 0.05:
                check(plan_choice.ratio(guess, truth) <= 2,
                      "%s: %d, not %d" % (query, guess, truth))
            else:
                check(abs(guess - truth) * BUCKETS / len(ids) <= 2,
                      "%s: %d, not %d" % (query, guess, truth))
    check(checked > 0, "%s %s: no prefix to check" % (kind, arrival))


def joins(kind, arrival, table):
    """Joins with 500 windows of up to five minutes."""
    lines = sql("""
        CREATE TABLE %(t)s_%(a)s_windows AS SELECT %(t)s_range(ts, ts
                + random() * interval '5 min') AS r
            FROM generate_series(1, 500) n,
                LATERAL (SELECT timestamptz '2026-01-01Z' + n * interval '1 hour'
                    + (random() - 0.5) * interval '2 min') w (ts);
        ANALYZE %(t)s_%(a)s_windows;
        SELECT count(*) FROM %(t)s_%(a)s_windows JOIN %(t)s_%(a)s ON id <@ r;
        """ % {"t": kind, "a": arrival})
    truth = int(lines[0])
    join = "SELECT FROM %s_%s_windows JOIN %s_%s ON " % (kind, arrival, kind, arrival)
    ours, default, pair = estimates([
        join + "id <@ r", join + "id OPERATOR(pg_catalog.<@) r",
        join + "id >= lower(r) AND id <= upper(r)"])
    if arrival == "uniform":
        check(plan_choice.ratio(ours, truth) <= 2, "%s join: %d, not %d" % (kind, ours, truth))
    table.append((arrival, kind, truth, ours, default, pair))


def write_tables(path, server, seed, scans, joined):
    """The figures as Markdown."""
    with open(path, "w", encoding="ascii") as file:
        file.write("%s, seed %d; %d windows of each size: median estimate (least, greatest)\n\n"
                   "| arrival | share | true rows | %s |\n|---|---|---|%s\n"
                   % (server, seed, WINDOWS, " | ".join(TYPES), "---|" * len(TYPES)))
        for arrival in ARRIVALS:
            for fraction in FRACTIONS:
                cells = {row[1]: row for row in scans
                         if row[0] == arrival and row[2] == fraction * 100}
                if not cells:
                    continue
                some = next(iter(cells.values()))
                file.write("| %s | %g %% | %d | %s |\n" % (
                    arrival, some[2], some[3], " | ".join(
                        "%d (%d, %d)" % cells[kind][4:7] if kind in cells else ""
                        for kind in TYPES)))
        file.write("\n| join with 500 windows | type | true rows | id <@ r |"
                   " server's own <@ | id >= lower(r) AND id <= upper(r) |\n"
                   "|---|---|---|---|---|---|\n")
        for row in joined:
            file.write("| %s | %s | %d | %d | %d | %d |\n" % row)


def main():
    chosen = options(__doc__, rows=1000000 if os.environ.get("IDTYPES_STRESS") else 200000,
                     types=",".join(TYPES), table="")
    scans = []
    joined = []
    with scratch_database():
        for kind in chosen.types.split(","):
            for arrival in ARRIVALS:
                ids = load(kind, arrival, chosen.rows)
                windows(kind, arrival, ids, scans)
                prefixes(kind, arrival, ids)
                joins(kind, arrival, joined)
                sql("DROP TABLE %s_%s, %s_%s_windows;" % ((kind, arrival) * 2))
        if chosen.table:
            write_tables(chosen.table, version(), chosen.seed, scans, joined)
    return verdict()


if __name__ == "__main__":
    sys.exit(main())
