#!/usr/bin/env python3
"""Instructions that planning takes: what bench/check_planning, which has one window for every
type, does not have, beside the same on a bigint.

    PG_CONFIG=... planning.py [--seed N]

The bigints are the numbers of the ids, in the same table.  Each condition has a
ceiling, as a multiple of what the same takes on the bigint.
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


def main():
    options(__doc__)
    results = []
    with counting_server(LOAD) as count:
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
    for good, name in results:
        print("%s - %s" % ("ok" if good else "not ok", name))
    failed = sum(not good for good, _ in results)
    return verdict(len(results) - failed, failed)


if __name__ == "__main__":
    sys.exit(main())
