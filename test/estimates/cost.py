#!/usr/bin/env python3
"""What id <@ uid11_prefix('...') costs, against BETWEEN on a bigint column.

    PG_CONFIG=... PGHOST=... PGUSER=... PGDATABASE=... cost.py [--rounds N] [--seed N]

Two tables of a million rows and a primary key, the one's bigints being the
numbers of the other's ids, and two queries that find the same rows.

planning    The two are planned in turn in one session; promised is that ours
            takes at most 20 us more (the median of the differences).
execution   By instructions, which callgrind counts in a server of one process:
            promised is at most 5 % more than the bigint takes.  Executed in
            turn in one session too, and shown as a bootstrapped confidence
            interval of the ratio of the medians.

The server that PG* names gets a database, which is dropped; PG_CONFIG's
programs make a cluster of their own for callgrind, in a temporary folder.
"""

import random
import statistics
import sys

from counting import counting_server
from scratch import options, scratch_database, sql, verdict, version

MOST_PLANNING = 20.0
MOST_EXECUTION = 1.05

# A statement a line, as a server of one process reads them.  Some 10,000 of the ids begin with 5M3.
LOAD = "\n".join((
    "CREATE TABLE ours AS SELECT DISTINCT uid11_generate_at(timestamptz '2026-01-01Z'"
    " + n * interval '3 s') AS id FROM generate_series(1, 1000000) n ORDER BY 1;",
    "ALTER TABLE ours ADD PRIMARY KEY (id);",
    "CREATE TABLE plain AS SELECT id::bigint AS id FROM ours ORDER BY 1;",
    "ALTER TABLE plain ADD PRIMARY KEY (id);",
    "VACUUM ANALYZE;\n"))
OURS = "SELECT count(*) FROM ours WHERE id <@ uid11_prefix('5M3')"
PLAIN = "SELECT count(*) FROM plain WHERE id BETWEEN %s AND %s"

# Runs two statements in turn; returns microseconds of each.
CLOCK = """
CREATE FUNCTION in_turn(a text, b text, rounds int, OUT us_a float8, OUT us_b float8)
RETURNS SETOF record LANGUAGE plpgsql AS $$
DECLARE
	t0 timestamptz;
	t1 timestamptz;
	t2 timestamptz;
BEGIN
	FOR i IN 1..rounds LOOP
		t0 := clock_timestamp();
		EXECUTE a;
		t1 := clock_timestamp();
		EXECUTE b;
		t2 := clock_timestamp();
		us_a := extract(epoch FROM t1 - t0) * 1e6;
		us_b := extract(epoch FROM t2 - t1) * 1e6;
		RETURN NEXT;
	END LOOP;
END
$$;
"""


def in_turn(a, b, rounds):
    """The microseconds of two statements, each a list."""
    lines = sql("SET max_parallel_workers_per_gather = 0;\n"
                "SELECT * FROM in_turn($q$%s$q$, $q$%s$q$, %d) OFFSET 100;" % (a, b, rounds + 100))
    pairs = [[float(number) for number in line.split()] for line in lines]
    return [pair[0] for pair in pairs], [pair[1] for pair in pairs]


def interval(values):
    """The middle 95 % of values."""
    values = sorted(values)
    return values[int(len(values) * 0.025)], values[int(len(values) * 0.975)]


def bootstrap(statistic, a, b):
    """A confidence interval of a statistic of pairs."""
    pairs = list(zip(a, b))
    return interval(statistic(*zip(*random.choices(pairs, k=len(pairs)))) for _ in range(500))


def main():
    rounds = options(__doc__, rounds=2000).rounds
    results = []
    with scratch_database():
        sql(LOAD + CLOCK)
        first, last = sql("""
            SELECT lower(uid11_prefix('5M3'))::bigint;
            SELECT upper(uid11_prefix('5M3'))::bigint;""")
        plain = PLAIN % (first, last)
        rows = sql("%s; %s;" % (OURS, plain))
        print("# %s, %s rows found" % (version(), rows[0]))
        results.append((rows[0] == rows[1] and int(rows[0]) > 1000, "both find the same rows"))

        a, b = in_turn("EXPLAIN " + OURS, "EXPLAIN " + plain, rounds)
        more = statistics.median(x - y for x, y in zip(a, b))
        low, high = bootstrap(
            lambda s, t: statistics.median(x - y for x, y in zip(s, t)), a, b)
        results.append((more <= MOST_PLANNING,
                        "planning: %.1f us against %.1f us, %+.1f us (95 %%: %+.1f to %+.1f)" % (
                            statistics.median(a), statistics.median(b), more, low, high)))

        a, b = in_turn(OURS, plain, rounds)
        low, high = bootstrap(lambda s, t: statistics.median(s) / statistics.median(t), a, b)
        print("# execution: %.0f us against %.0f us, ratio %.3f (95 %%: %.3f to %.3f)" % (
            statistics.median(a), statistics.median(b),
            statistics.median(a) / statistics.median(b), low, high))
    with counting_server("CREATE EXTENSION idtypes;\n" + LOAD) as count:
        a, b = count(OURS), count(plain)
    results.append((a / b <= MOST_EXECUTION,
                    "plan and execution: %.0f instructions against %.0f, ratio %.4f"
                    % (a, b, a / b)))
    for good, name in results:
        print("%s - %s" % ("ok" if good else "not ok", name))
    failed = sum(not good for good, _ in results)
    return verdict(len(results) - failed, failed)


if __name__ == "__main__":
    sys.exit(main())
