#!/usr/bin/env python3
"""Instructions that planning takes: what bench/check_planning, which has one window for every
type, does not have, beside the same on a bigint.

    PG_CONFIG=... planning.py [--seed N]

The bigints are the numbers of the ids, in the same table.  Each condition has a
ceiling, as a multiple of what the same takes on the bigint.  A join of windows
with 200 partitions has one too, and takes no more where ANALYZE has kept a
hundred times as many bounds.
"""

import sys

from counting import counting_server
from scratch import FORMATS, options, verdict

LOAD = "\n".join((
    "CREATE EXTENSION idtypes;",
    "CREATE TABLE t AS SELECT DISTINCT ON (id) id, id::bigint AS n FROM (SELECT"
    " uid11_generate_at(timestamptz '2026-01-01Z' + i * interval '3 s') AS id"
    " FROM generate_series(1, 20000) i) s ORDER BY 1;",
    "CREATE INDEX ON t (id);",
    "CREATE INDEX ON t (n);",
    "VACUUM ANALYZE t;\n"))
SINCE = "now() - interval '1 hour'"
# So many windows that it shows if the arms of an OR are searched anew for each of them.
ARMS = ["5M3" + a + b for a in "123456789A" for b in sorted(FORMATS["uid11"].prefix_alphabet)]
# A condition on the id, the same on the number, and how many times as much the id's may take.
CONDITIONS = (
    ("id <@ uid11_range(%s, now())" % SINCE, "n BETWEEN (extract(epoch FROM %s) * 1e6)::bigint"
     " AND (extract(epoch FROM now()) * 1e6)::bigint" % SINCE, 1.75),
    (" OR ".join("id <@ uid11_prefix('%s')" % prefix for prefix in ARMS),
     " OR ".join("n BETWEEN %d AND %d" % tuple(FORMATS["uid11"].parse(prefix + digit * 6)
                                               for digit in "1z") for prefix in ARMS), 1.5),
)

# Tables of ids in 200 partitions, and of windows, as ANALYZE with a target of 100 and of 10000
# knows them, and the same as bigints.  A line is a statement.
MOST_JOIN = 2.5
MOST_TARGET = 1.2
JOINED = "\n".join((
    "DO $$ DECLARE names text[] := '{p_100,p_10000,p_n}'; of text; BEGIN"
    " FOREACH of IN ARRAY names LOOP EXECUTE format('CREATE TABLE %s (id %s)"
    " PARTITION BY RANGE (id)', of, CASE of WHEN 'p_n' THEN 'bigint' ELSE 'uid11' END);"
    " FOR i IN 0 .. 199 LOOP EXECUTE format('CREATE TABLE %s_%s PARTITION OF %s"
    " FOR VALUES FROM (%s) TO (%s)', of, i, of, since(i, of = 'p_n'), since(i + 1, of = 'p_n'));"
    " END LOOP; EXECUTE format('CREATE INDEX ON %s (id)', of); END LOOP; END $$;",
    "INSERT INTO p_100 SELECT uid11_generate_at(timestamptz '2026-01-01Z' + i * interval '300 s')"
    " FROM generate_series(0, 200 * 288 - 1) i;",
    "INSERT INTO p_10000 SELECT * FROM p_100;",
    "INSERT INTO p_n SELECT id::bigint FROM p_100;",
    "CREATE TABLE w_100 AS SELECT uid11_range(t, t + interval '1 hour') AS r FROM"
    " (SELECT timestamptz '2026-01-01Z' + i * interval '4000 s' AS t"
    " FROM generate_series(1, 4000) i) s;",
    "CREATE TABLE w_10000 AS SELECT * FROM w_100;",
    "CREATE TABLE w_n AS SELECT lower(r)::bigint AS a, upper(r)::bigint AS b FROM w_100;",
    "ANALYZE p_100, w_100, p_n, w_n;",
    "SET default_statistics_target = 10000;",
    "ANALYZE p_10000, w_10000;\n"))
SINCE = ("CREATE FUNCTION since(day int, plain bool) RETURNS text LANGUAGE sql AS $$"
         " SELECT CASE WHEN plain THEN id::bigint::text ELSE quote_literal(id::text) END FROM"
         " uid11_min(timestamptz '2026-01-01Z' + day * interval '1 day') id $$;\n")


def main():
    options(__doc__)
    results = []
    with counting_server(LOAD + SINCE + JOINED) as count:
        def planned(condition):
            """Instructions that planning takes, and the start of the execution: a statement with a
            parameter is planned anew each time, but parsed once."""
            return count("EXECUTE q(0);", "postgres",
                         "SET plan_cache_mode = force_custom_plan;\n"
                         "PREPARE q(int) AS SELECT * FROM t WHERE %s LIMIT $1;\n" % condition)

        for ours, theirs, most in CONDITIONS:
            a, b = (planned(condition) for condition in (ours, theirs))
            results.append((a <= most * b, "%.99s: %d instructions, %d for %.99s, ratio %.3f, at"
                            " most %.2f" % (ours, a, b, theirs, a / b, most)))
        few, many, theirs = (count("EXPLAIN SELECT FROM %s;" % join, within="standard_planner")
                             for join in ("w_100 JOIN p_100 ON id <@ r",
                                          "w_10000 JOIN p_10000 ON id <@ r",
                                          "w_n JOIN p_n ON id >= a AND id <= b"))
        results.append((few <= MOST_JOIN * theirs and many <= MOST_JOIN * theirs,
                        "join with 200 partitions: %d instructions, %d with a target of 10000, %d"
                        " for bigint, ratios %.3f and %.3f, at most %.2f"
                        % (few, many, theirs, few / theirs, many / theirs, MOST_JOIN)))
        results.append((many <= MOST_TARGET * few, "as many for a target of 10000 as for one of"
                        " 100: ratio %.3f, at most %.2f" % (many / few, MOST_TARGET)))
    for good, name in results:
        print("%s - %s" % ("ok" if good else "not ok", name))
    failed = sum(not good for good, _ in results)
    return verdict(len(results) - failed, failed)


if __name__ == "__main__":
    sys.exit(main())
