#!/usr/bin/env python3
"""Prints as a Markdown table which plan node answers id <@ range, where it
stands in a query, for each type: what the planner chooses by itself on tables
of 50,000 rows.

Every cell is a test: the node must have an index condition on the id, or else
partitions must have been left out.  Makes a database on the server that
PGHOST, PGPORT, PGUSER and PGDATABASE name, and drops it.
"""

import json
import sys

from scratch import (FORMATS, TYPES, check, generate_at, prefixed, scratch_database, sql, verdict,
                     version)

DAY = "@T@_range('2026-01-10Z', '2026-01-11Z')"

# One row every half minute for 17 days.
SETUP = """
CREATE TABLE @T@_rows AS
    SELECT @ID@ AS id, n AS v,
        repeat('x', 50) AS filler FROM generate_series(1, 50000) n;
CREATE TABLE @T@_plain (LIKE @T@_rows, PRIMARY KEY (id));
CREATE TABLE @T@_brin (LIKE @T@_rows);
CREATE INDEX ON @T@_brin USING brin (id) WITH (pages_per_range = 8);
CREATE TABLE @T@_multi (LIKE @T@_rows);
CREATE INDEX ON @T@_multi USING brin (id @T@_minmax_multi_ops) WITH (pages_per_range = 8);
CREATE TABLE @T@_gist (LIKE @T@_rows);
CREATE INDEX ON @T@_gist USING gist (id);
CREATE TABLE @T@_partial (LIKE @T@_rows);
CREATE INDEX ON @T@_partial (v) WHERE id <@ @DAY@;
CREATE TABLE @T@_secret (LIKE @T@_rows, PRIMARY KEY (id));
ALTER TABLE @T@_secret ENABLE ROW LEVEL SECURITY;
CREATE POLICY even ON @T@_secret USING (v % 2 = 0);
GRANT SELECT ON @T@_secret TO PUBLIC;
CREATE VIEW @T@_view AS SELECT id, v + 1 AS v FROM @T@_plain;
CREATE FUNCTION @T@_with_prefix(text) RETURNS SETOF @T@_plain LANGUAGE sql STABLE
    AS 'SELECT * FROM @T@_plain WHERE id <@ @T@_prefix($1)';
CREATE TABLE @T@_byrange (LIKE @T@_rows, PRIMARY KEY (id)) PARTITION BY RANGE (id);
CREATE TABLE @T@_byrange_1 PARTITION OF @T@_byrange
    FOR VALUES FROM (@T@_min('2026-01-01Z')) TO (@T@_min('2026-01-06Z'));
CREATE TABLE @T@_byrange_2 PARTITION OF @T@_byrange
    FOR VALUES FROM (@T@_min('2026-01-06Z')) TO (@T@_min('2026-01-12Z'));
CREATE TABLE @T@_byrange_3 PARTITION OF @T@_byrange
    FOR VALUES FROM (@T@_min('2026-01-12Z')) TO (@T@_min('2026-01-20Z'));
CREATE TABLE @T@_byhash (LIKE @T@_rows, PRIMARY KEY (id)) PARTITION BY HASH (id);
CREATE TABLE @T@_parent (LIKE @T@_rows);
CREATE TABLE @T@_parent_1 (CHECK (id < @T@_min('2026-01-09Z'))) INHERITS (@T@_parent);
CREATE TABLE @T@_parent_2 (CHECK (id >= @T@_min('2026-01-09Z'))) INHERITS (@T@_parent);
INSERT INTO @T@_parent_1 SELECT * FROM @T@_rows WHERE id < @T@_min('2026-01-09Z');
INSERT INTO @T@_parent_2 SELECT * FROM @T@_rows WHERE id >= @T@_min('2026-01-09Z');
CREATE TABLE @T@_windows (k int, r @T@range);
INSERT INTO @T@_windows SELECT n, @T@_range(t, t + interval '1 hour')
    FROM generate_series(1, 5) n,
        LATERAL (SELECT timestamptz '2026-01-09Z' + n * interval '1 hour') w (t);
"""
SETUP += "".join("CREATE TABLE @T@_byhash_%d PARTITION OF @T@_byhash"
                 " FOR VALUES WITH (MODULUS 3, REMAINDER %d);\n" % (n, n - 1) for n in (1, 2, 3))
SETUP += "".join("INSERT INTO @T@_%s SELECT * FROM @T@_rows ORDER BY v;\n" % table
                 for table in "plain brin multi gist partial secret byrange byhash".split())

# What comes first in the session, and the query.
POSITIONS = (
    ("constant", "", "SELECT * FROM @T@_plain WHERE id <@ @DAY@"),
    ("constant, index-only", "", "SELECT count(*) FROM @T@_plain WHERE id <@ @DAY@"),
    ("constant prefix", "", "SELECT * FROM @T@_plain WHERE id <@ @T@_prefix('@P@')"),
    ("stable expression", "",
     "SELECT * FROM @T@_plain WHERE id <@ @T@_range(now() - interval '1 hour', now())"),
    ("generic plan", "PREPARE p(@T@range) AS SELECT * FROM @T@_plain WHERE id <@ $1",
     "EXECUTE p(@DAY@)"),
    ("generic plan, prefix", "PREPARE p AS SELECT * FROM @T@_plain WHERE id <@ @T@_prefix($1)",
     "EXECUTE p('@P@')"),
    ("join", "", "SELECT * FROM @T@_windows JOIN @T@_plain ON id <@ r"),
    ("left join", "", "SELECT * FROM @T@_windows LEFT JOIN @T@_plain ON id <@ r"),
    ("sub-select", "",
     "SELECT * FROM @T@_plain WHERE id <@ (SELECT r FROM @T@_windows WHERE k = 1)"),
    ("view", "", "SELECT * FROM @T@_view WHERE id <@ @DAY@"),
    ("SQL function", "", "SELECT * FROM @T@_with_prefix('@P@')"),
    ("row-level security", "SET ROLE pg_monitor", "SELECT * FROM @T@_secret WHERE id <@ @DAY@"),
    ("partitioned by range", "", "SELECT * FROM @T@_byrange WHERE id <@ @DAY@"),
    ("the same, generic plan", "PREPARE p(@T@range) AS SELECT * FROM @T@_byrange WHERE id <@ $1",
     "EXECUTE p(@DAY@)"),
    ("the same, join", "", "SELECT * FROM @T@_windows JOIN @T@_byrange ON id <@ r"),
    ("partitioned by hash", "", "SELECT * FROM @T@_byhash WHERE id <@ @DAY@"),
    ("inheritance with CHECK", "", "SELECT * FROM @T@_parent WHERE id <@ @DAY@"),
    ("BRIN minmax", "", "SELECT * FROM @T@_brin WHERE id <@ @DAY@"),
    ("BRIN minmax-multi", "", "SELECT * FROM @T@_multi WHERE id <@ @DAY@"),
    ("GiST", "", "SELECT * FROM @T@_gist WHERE id <@ @DAY@"),
    ("partial index", "", "SELECT * FROM @T@_partial WHERE v = 27000 AND id <@ @DAY@"),
)


def fill(statement, kind, prefix):
    """A statement for a type."""
    return (statement.replace("@DAY@", DAY).replace("@P@", prefix)
            .replace("@ID@", generate_at(kind, "timestamptz '2026-01-01Z' + n * interval '30 s'"))
            .replace("@T@", kind))


def useful_prefix(kind, identifier):
    """The shortest prefix of an id that selects less than ten hours."""
    text = prefixed(kind, identifier)
    fmt = FORMATS[kind]
    for length in range(1, len(text)):
        first, last = map(fmt.timestamp, fmt.prefix(text[:length]))
        if last - first < 10 * 3600 * 10**6:
            return text[:length]
    return text


def nodes(plan):
    """All nodes of a plan, from the top."""
    yield plan
    for child in plan.get("Plans", ()):
        yield from nodes(child)


def describe(plan):
    """What answers the condition, and whether that is better than looking at everything."""
    kinds = []
    good = True
    parted = False
    removed = 0
    for node in nodes(plan):
        removed += node.get("Subplans Removed", 0)
        name = node.get("Relation Name", "")
        # the parent of inheritance children has no rows
        if "Scan" not in node["Node Type"] or name.endswith(("_windows", "_parent")):
            continue
        parted = parted or name[-2:] in ("_1", "_2", "_3")
        kind = node["Node Type"]
        if kind == "Bitmap Heap Scan":
            kind = "Bitmap Index Scan"
        elif kind == "Bitmap Index Scan":
            good = good and "id >=" in node["Index Cond"]
            continue
        elif kind.startswith("Index"):
            good = good and ("id >=" in node["Index Cond"] or "partial" in node["Index Name"])
        else:
            good = good and name[-2:] in ("_1", "_2", "_3")
        kinds.append(kind)
    text = ", ".join(dict.fromkeys(kinds))
    if parted:
        text += " of %d partition%s" % (len(kinds), "s" if len(kinds) > 1 else "")
    if removed:
        text += ", subplans removed: %d" % removed
    return text, good and kinds


def plan_of(first, query, kind):
    """The plan of a query in a session of its own, where a prefix is that of a row."""
    prefix = useful_prefix(kind, sql("SELECT id FROM %s_rows WHERE v = 25000;" % kind)[0])
    lines = sql("SET timezone = 'UTC'; SET plan_cache_mode = force_generic_plan; %s;\n"
                "EXPLAIN (FORMAT JSON) %s;"
                % (fill(first, kind, prefix), fill(query, kind, prefix)))
    return json.loads("\n".join(lines))[0]["Plan"]


def main():
    with scratch_database():
        sql("".join(fill(SETUP, kind, "") for kind in TYPES) + "VACUUM ANALYZE;")
        print(version())
        print("\n| position | %s |\n|---|%s" % (" | ".join(TYPES), "---|" * len(TYPES)))
        for position, first, query in POSITIONS:
            cells = []
            for kind in TYPES:
                cell, good = describe(plan_of(first, query, kind))
                cells.append(cell + ("" if good else " (!)"))
                check(good, "%s: %s of %s" % (position, cell, kind))
            print("| %s | %s |" % (position, " | ".join(cells)))
    return verdict()


if __name__ == "__main__":
    sys.exit(main())
