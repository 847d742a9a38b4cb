#!/usr/bin/env python3
"""Plans and row estimates of ids beside those of the same numbers as bigint.

    beside.py [--seed N] [--rows N] [--types siq,uid11] [--table FILE]

For each type and each kind of arrival (uniform, skewed towards the end, in
bursts) a table has the id and, as bigint, the number of its first eight bytes,
which sorts alike; one ANALYZE serves both.  Tested is that

    choice     with a second index beside it, a window of ids takes the same
               indexes as that of the numbers, but for 2 % of the cases: where
               two plans are as good as equal, those of the numbers differ after
               another ANALYZE too; and it reads more than 1.1 times the best
               plan that can be forced on the table in no more cases than that
               of the numbers does, and 2 %
    rows       no more estimates are off by a factor of ten than those of the
               numbers plus one: narrow windows on ten partitions, keysets, two
               windows on one column, and the newest rows after VACUUM without
               ANALYZE, also where as many old ones have been deleted
    join       the rows of a join of windows with partitions are right to a
               factor of three, or, in bursts, where it matters whether a window
               is in one, closer to the truth than those of the numbers

Makes a database on the server that PGHOST, PGPORT, PGUSER and PGDATABASE name,
and drops it.  --table writes the figures as Markdown.
"""

import json
import random
import sys

from scratch import TYPES, generate_at, options, scratch_database, sql, verdict, version

START = "timestamptz '2026-01-01Z'"
ARRIVALS = {
    "uniform": START + " + random() * interval '40 days'",
    "skewed": START + " + random() ^ 0.2 * interval '40 days'",
    "bursty": START + " + (random() * 960)::int * interval '1 hour'"
              " + random() ^ 2 * interval '10 s'",
}
NUMBER = "('x' || encode(substr(id::bytea, 1, 8), 'hex'))::bit(64)::bigint"
SHARES = (0.00006, 0.001, 0.005)
WINDOWS = 8

counts = {True: 0, False: 0}


def check(kept, name):
    """Counts a test."""
    counts[bool(kept)] += 1
    if not kept:
        print("not ok - " + name)


def explain(queries, options_="", first=""):
    """The plans of queries in one session."""
    lines = sql("SET max_parallel_workers_per_gather = 0; SET timezone = 'UTC';\n" + first
                + "".join("\\echo ;;\nEXPLAIN (FORMAT JSON%s) %s;\n" % (options_, query)
                          for query in queries))
    return [json.loads(text)[0]["Plan"] for text in "\n".join(lines).split(";;")[1:]]


def nodes(plan):
    """All nodes of a plan."""
    yield plan
    for child in plan.get("Plans", ()):
        yield from nodes(child)


def indexes(plan):
    """The indexes that a plan uses; those of the id and of the number are taken for one."""
    return sorted(node["Index Name"].replace("_n_", "_id_") for node in nodes(plan)
                  if "Index Name" in node)


def executed(queries, first=""):
    """The plans of queries that were executed."""
    return explain(queries, ", ANALYZE, BUFFERS, TIMING OFF, SUMMARY OFF", first)


def buffers(plan):
    """The pages that a plan has read."""
    return plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]


def ratio(guess, truth):
    """By what factor an estimate is off; no row and one are the same to the planner."""
    return max(max(guess, 1) / max(truth, 1), max(truth, 1) / max(guess, 1))


def is_off(plan):
    """True if an estimate is off by a factor of ten."""
    return ratio(plan["Plan Rows"], plan["Actual Rows"]) > 10


def window(pairs, width, start=None):
    """The first and last (id, number) of a window of so many rows."""
    if start is None:
        start = random.randrange(len(pairs) - width)
    return pairs[start], pairs[start + width]


def load(kind, arrival, rows):
    """Makes the tables of a type; returns pairs of id and number in order."""
    lines = sql("""
        SELECT setseed(%f) \\g /dev/null
        CREATE TABLE t AS SELECT id, %s AS n, (random() * 999)::int AS tenant,
                repeat('x', 60) AS filler
            FROM (SELECT %s AS id FROM generate_series(1, %d)) made ORDER BY random();
        CREATE INDEX t_id_idx ON t (id);
        CREATE INDEX t_n_idx ON t (n);
        CREATE INDEX t_tenant_idx ON t (tenant);
        VACUUM ANALYZE t;
        CREATE TABLE p (id %s, n bigint) PARTITION BY RANGE (id);
        SELECT format('CREATE TABLE p_%%s PARTITION OF p FOR VALUES FROM (%%L) TO (%%L)', i,
                %s_min(%s + i * interval '5 days'), %s_min(%s + (i + 1) * interval '5 days'))
            FROM generate_series(0, 9) i \\gexec
        INSERT INTO p SELECT id, n FROM t;
        CREATE INDEX ON p (id);
        CREATE INDEX ON p (n);
        VACUUM ANALYZE p;
        COPY (SELECT id, n FROM t ORDER BY id) TO STDOUT (DELIMITER ' ');
        """ % (random.random(), NUMBER, generate_at(kind, ARRIVALS[arrival]), rows, kind, kind,
               START, kind, START))
    return [tuple(line.split()) for line in lines]


# Where a page costs this much, a plan reads as few as it can.
FEW_PAGES = "".join("SET %s;\n" % setting for setting in (
    "enable_seqscan = off", "enable_indexscan = off", "seq_page_cost = 100000",
    "random_page_cost = 100000"))


def choice(name, pairs):
    """Windows with a second index; of both spellings of the ids, returns how many cases there are,
    how many take other indexes than the numbers, how many read more than 1.1 times the best plan,
    and how many of the numbers do; and the worst ratios to the best plan and to the numbers'.
    """
    select = "SELECT * FROM t WHERE %s AND tenant%s = 5"
    forced = []
    queries = []
    for share in SHARES:
        for _ in range(WINDOWS):
            (a, m), (b, n) = window(pairs, round(share * len(pairs)))
            plain = "n BETWEEN %s AND %s" % (m, n)
            contained = "id <@ '[%s,%s]'" % (a, b)
            for condition in (plain, contained):
                forced += [select % (condition, " + 0"),
                           select % ("(%s) IS NOT FALSE" % condition, ""), select % (condition, "")]
            queries += [select % (spelling, "") for spelling in (
                plain, contained, "id >= '%s' AND id <= '%s'" % (a, b))]
    forced = list(map(buffers, executed(forced, FEW_PAGES)))
    best = [min(forced[i:i + 3]) for i in range(0, len(forced), 3)]
    plans = executed(queries)
    different = dear = dear_numbers = 0
    best_ratio = plain_ratio = 0.0
    for i in range(0, len(plans), 3):
        best_of_number, best_of_id = best[i // 3 * 2:i // 3 * 2 + 2]
        theirs = plans[i]
        is_dear_number = buffers(theirs) > 1.1 * best_of_number
        for query, plan in zip(queries[i + 1:i + 3], plans[i + 1:i + 3]):
            is_dear = buffers(plan) > 1.1 * best_of_id
            dear += is_dear
            dear_numbers += is_dear_number
            different += indexes(plan) != indexes(theirs)
            best_ratio = max(best_ratio, buffers(plan) / best_of_id)
            plain_ratio = max(plain_ratio, buffers(plan) / buffers(theirs))
            if is_dear and not is_dear_number:
                print("# %s: %s reads %d pages, not %d" % (name, query, buffers(plan), best_of_id))
    return len(plans) // 3 * 2, different, dear, dear_numbers, best_ratio, plain_ratio


def compare(name, what, ours, plain):
    """Rows of queries, each beside its numbers; returns how many of either are off."""
    found = [executed(queries) for queries in (ours, plain)]
    for query, mine, theirs in zip(ours, *found):
        if abs(mine["Actual Rows"] - theirs["Actual Rows"]) > 0.01 * mine["Actual Rows"] + 2:
            check(False, "%s: %s finds %d rows, not %d" % (name, query, mine["Actual Rows"],
                                                           theirs["Actual Rows"]))
    off = [sum(map(is_off, plans)) for plans in found]
    check(off[0] <= off[1] + 1, "%s, %s: %d of %d estimates off by ten, %d of bigint"
          % (name, what, off[0], len(ours), off[1]))
    return "%d, %d of %d" % (off[0], off[1], len(ours))


def rows(name, pairs):
    """Estimates where they used to be wrong."""
    result = []
    narrow = [window(pairs, max(2, round(0.0001 * len(pairs)))) for _ in range(40)]
    plain = ["SELECT * FROM p WHERE n >= %s AND n < %s" % (m, n) for (_, m), (_, n) in narrow]
    for spelling in ("id <@ '[%s,%s)'", "id >= '%s' AND id < '%s'"):
        result.append(compare(name, "partitions", [
            "SELECT * FROM p WHERE " + spelling % (a, b) for (a, _), (b, _) in narrow], plain))
    wide = [(first, last, window(pairs, 1, random.randrange(start, start + width))[0])
            for start, width, (first, last) in
            ((start, width, window(pairs, width, start)) for start, width in
             ((random.randrange(len(pairs) // 2), len(pairs) // 5) for _ in range(10)))]
    plain = ["SELECT * FROM t WHERE n >= %s AND n < %s" % (m, x) for (_, m), _, (_, x) in wide]
    result.append(compare(name, "keyset", [
        "SELECT * FROM t WHERE id < '%s' AND id <@ '[%s,)'" % (c, a)
        for (a, _), _, (c, _) in wide], plain))
    result.append(compare(name, "two windows", [
        "SELECT * FROM t WHERE id <@ '[%s,%s)' AND id <@ '(,%s)'" % (a, b, c)
        for (a, _), (b, _), (c, _) in wide], plain))
    return result


def join(name, kind):
    """A join of windows with partitions."""
    mine, theirs = executed(["SELECT FROM w JOIN p ON id <@ r",
                             "SELECT FROM w JOIN p ON n BETWEEN first AND last"], """
        CREATE TEMP TABLE w AS SELECT r, %s AS first, %s AS last
            FROM generate_series(1, 20) i, LATERAL (SELECT %s + i * interval '46 h') s (t),
                LATERAL (SELECT %s_range(t, t + interval '5 min')) x (r);
        ANALYZE w;\n""" % (NUMBER.replace("id", "lower(r)", 1), NUMBER.replace("id", "upper(r)", 1),
                           START, kind))
    check(ratio(mine["Plan Rows"], mine["Actual Rows"]) <= (
        ratio(theirs["Plan Rows"], theirs["Actual Rows"]) if name.endswith("bursty") else 3),
          "%s, join: %d rows, not %d" % (name, mine["Plan Rows"], mine["Actual Rows"]))
    return "%d, %d for %d" % (mine["Plan Rows"], theirs["Plan Rows"], mine["Actual Rows"])


def newest(name, kind, retention):
    """The newest of the rows that ANALYZE has not seen, in portions of 25 to all of them."""
    sql("""
        SELECT setseed(%f) \\g /dev/null
        CREATE TABLE g AS SELECT id, %s AS n FROM (SELECT %s AS id
            FROM generate_series(1, 100000) i) made;
        CREATE INDEX ON g (id);
        CREATE INDEX ON g (n);
        VACUUM ANALYZE g;
        %s
        INSERT INTO g SELECT id, %s FROM (SELECT %s AS id
            FROM generate_series(100001, 110000) i) made;
        SELECT pg_stat_force_next_flush() \\g /dev/null
        VACUUM g;
        """ % (random.random(), NUMBER, generate_at(kind, START + " + i * interval '10 s'"),
               "DELETE FROM g WHERE id < %s_min(%s + interval '100000 s');" % (kind, START)
               if retention else "", NUMBER,
               generate_at(kind, START + " + i * interval '10 s'")))
    since = sql("SELECT id, n FROM (SELECT id, n, row_number() OVER (ORDER BY id DESC) AS r FROM g)"
                " s WHERE r IN (25, 100, 250, 1000, 2500, 5000, 10000) ORDER BY id;")
    pairs = [line.split() for line in since]
    result = compare(name, "newest" + (" with retention" if retention else ""),
                     ["SELECT * FROM g WHERE id >= '%s'" % pair[0] for pair in pairs],
                     ["SELECT * FROM g WHERE n >= %s" % pair[1] for pair in pairs])
    sql("DROP TABLE g;")
    return result


def main():
    chosen = options(__doc__, rows=100000, types=",".join(TYPES), table="")
    lines = []
    cases = different = dear = dear_numbers = 0
    with scratch_database():
        for kind in chosen.types.split(","):
            for arrival in ARRIVALS:
                name = "%s %s" % (kind, arrival)
                pairs = load(kind, arrival, chosen.rows)
                some, other, ours, theirs, best, plain = choice(name, pairs)
                cases += some
                different += other
                dear += ours
                dear_numbers += theirs
                lines.append([name, "%d of %d" % (other, some), "%d, %d" % (ours, theirs),
                              "%.2f" % best, "%.2f" % plain]
                             + rows(name, pairs) + [join(name, kind)]
                             + [newest(name, kind, retention) for retention in (False, True)])
                sql("DROP TABLE t, p;")
        server = version()
    check(different <= 0.02 * cases, "%d of %d choices differ from bigint's" % (different, cases))
    check(dear <= dear_numbers + 0.02 * cases,
          "%d of %d plans read more than 1.1 times the best, %d of bigint" % (dear, cases,
                                                                            dear_numbers))
    if chosen.table:
        with open(chosen.table, "w", encoding="ascii") as file:
            file.write("%s, %d rows, seed %d; estimates off by ten: ids, bigint\n\n" % (
                server, chosen.rows, chosen.seed))
            head = ["data", "other index", "above 1.1 x best", "pages / best", "pages / bigint",
                    "partitions, <@", "partitions, pair", "keyset", "two windows", "join",
                    "newest", "retention"]
            for row in [head, ["---"] * len(head)] + lines:
                file.write("| %s |\n" % " | ".join(row))
    return verdict(counts[True], counts[False])


if __name__ == "__main__":
    sys.exit(main())
