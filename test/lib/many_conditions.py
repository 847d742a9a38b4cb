"""Many conditions on one column of ids, each beside what says about the same of bigints, and the
memory that it takes to plan them.
"""

import idoracle

UID11 = idoracle.FORMATS[idoracle.NAMES.index("uid11")]
# The first id of 2026.
FIRST = 1871564416542048256
SCHEMA = """
CREATE TABLE many AS SELECT id, id::bigint AS n, i AS k FROM (
    SELECT i, uid11_min(timestamptz '2026-01-01Z' + i * interval '1 min') AS id
    FROM generate_series(1, 10000) i) s;
CREATE INDEX ON many (id);
CREATE INDEX ON many (n);
CREATE TABLE many_windows AS SELECT uid11range(id, NULL) AS r, int8range(n, NULL) AS n
    FROM many WHERE k <= 100;
ANALYZE many, many_windows;
CREATE FUNCTION peak() RETURNS int LANGUAGE sql AS $$
    SELECT substring(pg_read_file('/proc/self/status') FROM 'VmHWM:\\s+(\\d+)')::int
$$;
"""


def _id(number):
    return "'%s'" % UID11.format(number)


def _ago(i):
    return "now() - interval '%d s'" % i


def _ahead(i):
    return "now() + interval '%d s'" % i


# The i-th condition of each kind, on an id and on the bigint: with constants, and with expressions
# that the planner evaluates to estimate.
CONDITIONS = {
    "bounds": (lambda i: "id > " + _id(FIRST + i), lambda i: "n > %d" % (FIRST + i)),
    "bounds of now()": (lambda i: "id > uid11_min(%s)" % _ago(i),
                        lambda i: "n > uid11_min(%s)::bigint" % _ago(i)),
    "pairs": (lambda i: "id >= %s AND id < %s" % (_id(FIRST + i), _id(2 * FIRST - i)),
              lambda i: "n >= %d AND n < %d" % (FIRST + i, 2 * FIRST - i)),
    "pairs of now()": (
        lambda i: "id >= uid11_min(%s) AND id < uid11_min(%s)" % (_ago(i), _ahead(i)),
        lambda i: "n >= uid11_min(%s)::bigint AND n < uid11_min(%s)::bigint" % (
            _ago(i), _ahead(i))),
    "rows": (lambda i: "(id, k) > (%s, 1)" % _id(FIRST + i),
             lambda i: "(n, k) > (%d, 1)" % (FIRST + i)),
    "rows of now()": (lambda i: "(id, k) > (uid11_min(%s), 1)" % _ago(i),
                      lambda i: "(n, k) > (uid11_min(%s)::bigint, 1)" % _ago(i)),
}
CONDITIONS["ranges"] = (
    lambda i: "id <@ '[%s,%s)'" % (UID11.format(FIRST + i), UID11.format(2 * FIRST - i)),
    CONDITIONS["pairs"][1])
CONDITIONS["windows of now()"] = (lambda i: "id <@ uid11_range(%s, %s)" % (_ago(i), _ahead(i)),
                                  CONDITIONS["pairs of now()"][1])
# Join conditions: first all lower ends, then all upper ones.
ENDS = (("lower", ">="), ("upper", "<="))


def many(kind, count, joined=" AND "):
    """The queries with so many conditions of a kind: on ids, and on bigints."""
    return ["SELECT FROM many WHERE " + joined.join("(%s)" % condition(i) for i in range(count))
            for condition in CONDITIONS[kind]]


def many_ends(count):
    """The same of joins with a table of ranges, on so many ends of them."""
    return ["SELECT FROM many m JOIN many_windows w ON " + " AND ".join(
        "m.%s %s %s(w.%s * %s)" % (column, operator, end, ranges, bound(i))
        for end, operator in ENDS for i in range(count // 2))
            for column, ranges, bound in (
                ("id", "r", lambda i: "'(,%s]'::uid11range" % UID11.format(2 * FIRST - i)),
                ("n", "n", lambda i: "'(,%d]'::int8range" % (2 * FIRST - i)))]


def added_memory(connect, few, query):
    """The kB by which the peak memory of a session, which connect() makes, grows when it plans a
    query, after one with few conditions.
    """
    with connect() as db:
        before, after = (db.run("EXPLAIN " + each) and db.value("SELECT peak()")
                         for each in (few, query))
    return after - before
