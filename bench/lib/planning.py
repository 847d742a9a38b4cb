"""What planning a window of ids takes, as a ratio to BETWEEN on their bigint, in instructions.

Among them are those of ORs, joins and hundreds of conditions, and of single instants and ^@ beside
the same with the extension's functions.  Counted is standard_planner(), the second time that a
statement is planned: the caches of the catalog are warm then.  A statement without ids takes no
more after the library is loaded than before.
"""

import callgrind
import idoracle
from cluster import Cluster
from many_conditions import CONDITIONS, SCHEMA, many, many_ends

SETTINGS = {"jit": "off", "max_parallel_workers_per_gather": "0", "timezone": "UTC",
            "client_min_messages": "warning", "fsync": "off", "autovacuum": "off"}
TIMES = 2
# What plans a statement, and what starts the execution, which works out what was not constant.
PLAN, START = "standard_planner", "PortalStart"
# Counts of one statement at two times differ by where the caches lie in memory.
NOISE = 1.01
WITHOUT_IDS = "FROM without_ids WHERE n BETWEEN 10000 AND 10100"

# A window in the middle of a table of a type, and how it is written.
TABLE = """
    CREATE TABLE ids_{T} AS SELECT id, number_of({T}_send(id)) AS number FROM (
        SELECT {time}_min(timestamptz '2026-01-01Z' + n * interval '20 s') AS id
        FROM generate_series(1, 100000) AS n) AS s;
    CREATE INDEX ON ids_{T} (id);
    CREATE INDEX ON ids_{T} (number);
    ANALYZE ids_{T}"""
FIRST, UPTO = "2026-01-15 00:00Z", "2026-01-15 00:33Z"
WAYS = {
    "<@": "id <@ {T}_range('{first}', '{upto}')",
    "pair": "id >= {T}_min('{first}') AND id < {T}_min('{upto}')",
    "instants": "id >= timestamptz '{first}' AND id < timestamptz '{upto}'",
    "<@ prefix": "id <@ {T}_prefix('{prefix}')",
    "^@": "id ^@ '{prefix}'",
}

# More of uid11, which every type takes the same way, each beside the same of bigints.
SINCE = "now() - interval '1 hour'"
NUMBER_SINCE, NUMBER_NOW = "uid11_min(%s)::bigint" % SINCE, "uid11_min(now())::bigint"
# So many windows that it shows if the arms of an OR are searched anew for each of them.
UID11 = idoracle.FORMATS[idoracle.NAMES.index("uid11")]
ARMS = ["5M3" + a + b for a in "123456789A" for b in sorted(UID11.prefix_alphabet)]
STARTED = {
    "since": ("id <@ uid11_range(%s, now())" % SINCE,
              "n BETWEEN (extract(epoch FROM %s) * 1e6)::bigint"
              " AND (extract(epoch FROM now()) * 1e6)::bigint" % SINCE),
    "OR of prefixes": (" OR ".join("id <@ uid11_prefix('%s')" % prefix for prefix in ARMS),
                       " OR ".join("n BETWEEN %d AND %d" % tuple(
                           UID11.parse(prefix + digit * 6) for digit in "1z") for prefix in ARMS)),
    # as one would write it who knows no function of the extension, beside the functions
    "id > constant": ("id > timestamptz '2026-01-01 10:00Z'",
                      "id >= uid11_min('2026-01-01 10:00Z')"),
    "id > now() - interval": ("id > " + SINCE, "id >= uid11_min(%s)" % SINCE),
    "now() - interval < id": ("%s < id" % SINCE, "uid11_min(%s) <= id" % SINCE),
    "id > date": ("id > date '2026-01-01'", "id >= uid11_min(date '2026-01-01')"),
    "BETWEEN constants": (
        "id BETWEEN timestamptz '2026-01-01 10:00Z' AND timestamptz '2026-01-01 11:00Z'",
        "id BETWEEN uid11_min('2026-01-01 10:00Z') AND uid11_max('2026-01-01 11:00Z')"),
    "BETWEEN instants": ("id BETWEEN %s AND now()" % SINCE,
                         "id BETWEEN uid11_min(%s) AND uid11_max(now())" % SINCE),
    "NOT id < now() - interval": ("NOT id < " + SINCE, "NOT id < uid11_min(%s)" % SINCE),
    "id > sub-select": ("id > (SELECT %s)" % SINCE, "id >= uid11_min((SELECT %s))" % SINCE),
    "^@ constant": ("id ^@ '5M3a'", "id <@ uid11_prefix('5M3a')"),
    "^@ sub-select": ("id ^@ (SELECT '5M3a')", "id <@ uid11_prefix((SELECT '5M3a'))"),
}
# Beside the same two bounds, or one, of a bigint; on 100 partitions; and joins of windows with
# those, as ANALYZE with a target of 100 and of 10000 knows them, and as bigints.
JOINS = {"100": "FROM w_100 JOIN p_100 ON id <@ r", "10000": "FROM w_10000 JOIN p_10000 ON id <@ r",
         "bigint": "FROM w_n JOIN p_n ON id >= a AND id <= b"}
PLANNED = {
    "now()": ("FROM times WHERE id <@ uid11_range(%s, now())" % SINCE,
              "FROM times WHERE n >= %s AND n < %s" % (NUMBER_SINCE, NUMBER_NOW)),
    "until now()": ("FROM times WHERE id <@ uid11_range(NULL, now())",
                    "FROM times WHERE n < " + NUMBER_NOW),
    "open, since": ("FROM times WHERE id <@ uid11_range(%s, NULL)" % SINCE,
                    "FROM times WHERE n >= " + NUMBER_SINCE),
    "join": (JOINS["100"], JOINS["bigint"]),
    "join, 10000": (JOINS["10000"], JOINS["bigint"]),
    "10000 to 100": (JOINS["10000"], JOINS["100"]),
    **{"partitions, " + name: ["FROM p_100 WHERE " + condition for condition in STARTED[name]]
       for name in ("id > constant", "id > now() - interval")},
}
# Many conditions on one column, on 100 partitions, and on ends of ranges in a join.
MANY = 200
PLANNED.update((kind, many(kind, MANY)) for kind in CONDITIONS)
PLANNED.update({
    "OR of windows": many("windows of now()", MANY, " OR "),
    "ends in a join": many_ends(MANY),
    "windows of partitions": [query.replace("FROM many", "FROM " + table) for table, query in zip(
        ("p_100", "(SELECT id AS n FROM p_n) p"), many("windows of now()", 4))]})
TABLES = """
    CREATE TABLE without_ids AS SELECT n FROM generate_series(1, 30000::bigint) AS n;
    CREATE INDEX ON without_ids (n);
    CREATE TABLE times AS SELECT DISTINCT ON (id) id, id::bigint AS n FROM (SELECT
        uid11_generate_at(timestamptz '2026-01-01Z' + i * interval '3 s') AS id
        FROM generate_series(1, 20000) i) s ORDER BY 1;
    CREATE INDEX ON times (id);
    CREATE INDEX ON times (n);
    ANALYZE without_ids, times;
    CREATE FUNCTION since(day int, plain bool) RETURNS text LANGUAGE sql AS $$
        SELECT CASE WHEN plain THEN id::bigint::text ELSE quote_literal(id::text) END
        FROM uid11_min(timestamptz '2026-01-01Z' + day * interval '1 day') id $$;
    DO $$ DECLARE of text;
    BEGIN
        FOREACH of IN ARRAY '{p_100,p_10000,p_n}'::text[] LOOP
            EXECUTE format('CREATE TABLE %s (id %s) PARTITION BY RANGE (id)', of,
                CASE of WHEN 'p_n' THEN 'bigint' ELSE 'uid11' END);
            FOR i IN 0 .. 99 LOOP
                EXECUTE format('CREATE TABLE %s_%s PARTITION OF %s FOR VALUES FROM (%s) TO (%s)',
                    of, i, of, since(i, of = 'p_n'), since(i + 1, of = 'p_n'));
            END LOOP;
            EXECUTE format('CREATE INDEX ON %s (id)', of);
        END LOOP;
    END $$;
    INSERT INTO p_100 SELECT uid11_generate_at(timestamptz '2026-01-01Z' + i * interval '300 s')
        FROM generate_series(0, 100 * 288 - 1) i;
    INSERT INTO p_10000 SELECT * FROM p_100;
    INSERT INTO p_n SELECT id::bigint FROM p_100;
    CREATE TABLE w_100 AS SELECT uid11_range(t, t + interval '1 hour') AS r
        FROM (SELECT timestamptz '2026-01-01Z' + i * interval '4000 s' AS t
            FROM generate_series(1, 4000) i) s;
    CREATE TABLE w_10000 AS SELECT * FROM w_100;
    CREATE TABLE w_n AS SELECT lower(r)::bigint AS a, upper(r)::bigint AS b FROM w_100;
    ANALYZE p_100, w_100, p_n, w_n;
    SET default_statistics_target = 10000;
    ANALYZE p_10000, w_10000;
    RESET default_statistics_target"""


# uuid has no more ways than these; its functions of time are named after version 7.
UUID_WAYS = {"<@": "id <@ uuid7_range('{first}', '{upto}')",
             "uuid7_within": "uuid7_within(id, '{first}', '{upto}')",
             "<@ prefix": "id <@ uuid_prefix('{prefix}')"}


def pairs_of(db):
    """{(name, type): the two statements that stand beside each other}, of which the first is
    another one; and the names of those that are started, too.
    """
    kinds = [(fmt.name, fmt.name, WAYS, lambda text, fmt=fmt: fmt.shown_for_prefix(fmt.parse(text)))
             for fmt in idoracle.FORMATS] + [("uuid", "uuid7", UUID_WAYS, str)]
    for name, time, ways, shown_for_prefix in kinds:
        db.run(TABLE.format(T=name, time=time))
        text = db.value("SELECT %s_min('%s')::text" % (time, FIRST))
        prefix = shown_for_prefix(text).replace("-", "")[:6]
        low, high = db.run("SELECT number_of({0}_send(lower(r))), number_of({0}_send(upper(r)))"
                           " FROM {1}_range('{2}', '{3}') r".format(name, time, FIRST, UPTO))[0]
        for way, condition in ways.items():
            yield (way, name), ["EXPLAIN SELECT FROM ids_%s WHERE %s" % (name, one) for one
                                in (condition.format(T=name, first=FIRST, upto=UPTO, prefix=prefix),
                                    "number BETWEEN %d AND %d" % (low, high))]
    for name, pair in STARTED.items():
        yield (name, "uid11"), ["SELECT FROM times WHERE %s LIMIT 0" % one for one in pair]
    for name, pair in PLANNED.items():
        yield (name, "uid11"), ["EXPLAIN " + ("" if one.startswith("SELECT") else "SELECT ") + one
                                for one in pair]


def ratios():
    """{(name, type): how often the instructions of the other statement}."""
    with Cluster(SETTINGS) as cluster:
        with cluster.connect() as db:
            db.run("CREATE EXTENSION idtypes; CREATE EXTENSION idtypes_uuid;"
                   " CREATE FUNCTION number_of(id bytea) RETURNS bigint"
                   " LANGUAGE sql IMMUTABLE AS"
                   " $$SELECT ('x' || encode(substring(id FOR 8), 'hex'))::bit(64)::bigint$$")
            pairs = dict(pairs_of(db))
            db.run(TABLES)
            db.run(SCHEMA)
        cluster.stop()
        plain = "EXPLAIN SELECT " + WITHOUT_IDS
        statements = [plain, *(one for pair in pairs.values() for one in pair), plain]
        dumps = callgrind.single_user(cluster, [one for one in statements for _ in range(TIMES)],
                                      PLAN, START)
    # each statement is planned and started once, in either order
    if len(dumps) != 2 * TIMES * len(statements):
        raise RuntimeError("%d calls of %d statements" % (len(dumps), len(statements)))
    counts = []
    for at, statement in enumerate(statements):
        last = dict(dumps[2 * (TIMES * at + TIMES - 1):][:2])
        counts.append(last[PLAN] + (0 if statement.startswith("EXPLAIN") else last[START]))
    if counts[-1] > counts[0] * NOISE:
        raise RuntimeError("without ids: %d instructions, %d before the library is loaded" %
                           (counts[-1], counts[0]))
    return {key: counts[2 * at + 1] / counts[2 * at + 2] for at, key in enumerate(pairs)}
