#!/usr/bin/env python3
"""Row estimates of id <@ range on large tables, against the truth.

    run.py [--seed N]

For each type one table whose ids arrive uniformly over 40 days, and one whose
ids arrive in bursts: a thousand within some seconds, once an hour.  Asked for
are windows of 0.01 % to 50 % of the rows, given as a range of ids, and
prefixes of ids, if they have 100 rows: fewer are too few to tell a bad
estimate from chance.  So the smallest take a million rows, which tables have
in long form; otherwise they have 200,000.  What is promised,
and tested:

    uniform   within a factor of 2 from 0.01 % to 50 %
    bursty    within a factor of 2 from 5 % up; below, off by no more than two
              buckets of the histogram, 2 % of the rows
    joins     with a table of windows, within a factor of 2 under uniform arrival

Makes a database on the server that PGHOST, PGPORT, PGUSER and PGDATABASE name,
and drops it.
"""

import random
import sys

from scratch import TYPES, generate_at, idoracle, in_order, plan_choice, scratch_database, tally
from count import STRESS, options_of

ROWS = 1000000 if STRESS else 200000
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


def estimate(db, query):
    """How many rows the planner expects."""
    return plan_choice.explain(db, query, execute=False)["Plan Rows"]


def check(name, arrival, share, truth, guesses):
    """Tests what is promised of estimates for a share of the rows."""
    if arrival == "uniform" or share >= 0.05:
        worst = max(plan_choice.ratio(guess, truth) for guess in guesses)
        tally.check(name, worst <= 2, "off by a factor of %.2f" % worst)
    else:
        off = max(abs(guess - truth) for guess in guesses) * BUCKETS / ROWS
        tally.check(name, off <= 2, "off by %.2f buckets" % off)


def load(db, kind, arrival):
    """Makes the table "rows" of a type; returns its ids in order."""
    db.run("SELECT setseed(%f)" % random.random())
    db.run("CREATE TABLE rows AS SELECT %s AS id FROM generate_series(1, %d) n;"
           " CREATE INDEX ON rows (id)" % (generate_at(kind, ARRIVALS[arrival]), ROWS))
    db.run("VACUUM ANALYZE rows")
    return in_order(db, "rows", "id")


def windows(db, kind, arrival, ids):
    """Ranges of ids that hold a certain share of the rows."""
    for fraction in FRACTIONS:
        wanted = round(fraction * ROWS)
        if wanted < LEAST_ROWS:
            continue
        guesses = []
        for _ in range(WINDOWS):
            first = random.randrange(ROWS - wanted)
            while ids[first] == ids[first - 1] or ids[first + wanted - 1] == ids[first + wanted]:
                first = random.randrange(ROWS - wanted)
            guesses.append(estimate(db, "SELECT FROM rows WHERE id <@ '[%s,%s]'"
                                    % (ids[first], ids[first + wanted - 1])))
        check("%s %s %g %%" % (kind, arrival, fraction * 100), arrival, fraction, wanted, guesses)


def prefixes(db, kind, arrival, ids):
    """Prefixes of some ids, of every length that leaves some rows, and at most 50 % of them."""
    checked = 0
    fmt = idoracle.FORMATS[TYPES.index(kind)]
    for identifier in random.sample(ids, PREFIXES):
        text = fmt.shown_for_prefix(fmt.parse(identifier)).replace("-", "")
        for length in range(1, len(text)):
            rows = "FROM rows WHERE id <@ %s_prefix('%s')" % (kind, text[:length])
            truth = db.value("SELECT count(*) " + rows)
            if truth < LEAST_ROWS:
                break
            if truth <= 0.5 * ROWS:
                check("%s %s prefix %s" % (kind, arrival, text[:length]), arrival, truth / ROWS,
                      truth, [estimate(db, "SELECT " + rows)])
                checked += 1
    tally.check("%s %s: prefixes" % (kind, arrival), checked, "none to check")


def join(db, kind):
    """A join with 500 windows of up to five minutes."""
    joined = "FROM windows JOIN rows ON id <@ r"
    db.run("""
        CREATE TABLE windows AS SELECT %s_range(ts, ts + random() * interval '5 min') AS r
            FROM generate_series(1, 500) n,
                LATERAL (SELECT timestamptz '2026-01-01Z' + n * interval '1 hour'
                    + (random() - 0.5) * interval '2 min') w (ts);
        ANALYZE windows""" % kind)
    truth = db.value("SELECT count(*) " + joined)
    check("%s join" % kind, "uniform", 1, truth, [estimate(db, "SELECT " + joined)])
    db.run("DROP TABLE windows")


def main():
    options_of(__doc__)
    with scratch_database() as db:
        for kind in TYPES:
            for arrival in ARRIVALS:
                ids = load(db, kind, arrival)
                windows(db, kind, arrival, ids)
                prefixes(db, kind, arrival, ids)
                if arrival == "uniform":
                    join(db, kind)
                db.run("DROP TABLE rows")
    return tally.finish()


if __name__ == "__main__":
    sys.exit(main())
