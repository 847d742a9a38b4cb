"""Instructions of planning a window of ids, beside BETWEEN on the ids' bigint.

Counted is standard_planner() for a table of 100,000 ids with an index on the id and one on its
bigint, the third time that the statement is planned: the caches of the catalog are warm then.
"""

import callgrind
import contenders as who
import many_conditions
import plan_choice

COUNTED = "standard_planner"
TIMES = 3
# The yardstick; and the ways to write a window beside those of plan_choice.
BETWEEN = "BETWEEN"
WAYS = [who.INSTANTS, who.PREFIX, who.STARTS]
# A statement without ids, in a database that knows them and in one that does not.
WITHOUT_IDS = "without ids"
WITH_LIBRARY, BARE = "with idtypes", "without idtypes"
PLAIN_DATABASE = "without_idtypes"


def measure(spelling):
    return "planning: " + spelling


def conditions(db, of):
    """{way to write it: condition} of a window in the middle of a table of a type."""
    db.run("CREATE SCHEMA planning_%s; SET search_path = planning_%s, public" % (of, of))
    plan_choice.make_table(db, of, plan_choice.ARRIVALS["uniform"], plan_choice.ROWS)
    window = plan_choice.Window(db, of, 0.001, "middle", plan_choice.ROWS)
    text = db.value("SELECT id FROM plans WHERE %s ORDER BY id LIMIT 1" %
                    window.condition(plan_choice.ID))
    # about as many ids as the window has
    return {BETWEEN: window.condition(plan_choice.NUMBER),
            **who.prefix_of(db, of, "plans", text, 10 * window.rows),
            who.INSTANTS: who.between(window.fields["first"], window.fields["upto"]),
            **{spelling: window.condition(plan_choice.ID, spelling)
               for spelling in plan_choice.SPELLINGS}}


# More of uid11, which every type takes the same way, each beside the same of bigints: what planning
# takes and the start of the execution, which works out what was not constant.
SINCE = "now() - interval '1 hour'"
# So many windows that it shows if the arms of an OR are searched anew for each of them.
UID11 = who.FORMATS["uid11"]
ARMS = ["5M3" + a + b for a in "123456789A" for b in sorted(UID11.prefix_alphabet)]
PREPARED = {
    "since": ("id <@ uid11_range(%s, now())" % SINCE,
              "n BETWEEN (extract(epoch FROM %s) * 1e6)::bigint"
              " AND (extract(epoch FROM now()) * 1e6)::bigint" % SINCE),
    "OR of prefixes": (" OR ".join("id <@ uid11_prefix('%s')" % prefix for prefix in ARMS),
                       " OR ".join("n BETWEEN %d AND %d" % tuple(
                           UID11.parse(prefix + digit * 6) for digit in "1z") for prefix in ARMS)),
}
# Windows that end now, beside the same two bounds, or one, of a bigint: what planning alone takes.
NUMBER_SINCE, NUMBER_NOW = "uid11_min(%s)::bigint" % SINCE, "uid11_min(now())::bigint"
WINDOWS = {
    "now()": ("id <@ uid11_range(%s, now())" % SINCE,
              "n >= %s AND n < %s" % (NUMBER_SINCE, NUMBER_NOW)),
    "until now()": ("id <@ uid11_range(NULL, now())", "n < " + NUMBER_NOW),
    "open, since": ("id <@ uid11_range(%s, NULL)" % SINCE, "n >= " + NUMBER_SINCE),
}
# Many conditions on one column, on 100 partitions, and on ends of ranges in a join; each is planned
# once, after a few of them.  Under callgrind there are fewer than where memory is looked at.
FEW, MANY, MANY_COUNTED = 4, 1000, 200
# The same conditions as one would write them who knows no function of the extension, beside those
# that are written with its functions.  On the table of PREPARED, and on one with 100 partitions.
WRITTEN = {
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
WRITTEN_OF_PARTITIONS = ("id > constant", "id > now() - interval")
# Joins of windows with 100 partitions, as ANALYZE with a target of 100 and of 10000 knows them, and
# as bigints; and which of them stands beside which.
JOINS = {"100": "w_100 JOIN p_100 ON id <@ r", "10000": "w_10000 JOIN p_10000 ON id <@ r",
         "bigint": "w_n JOIN p_n ON id >= a AND id <= b"}
JOINED = {"join": ("100", "bigint"), "join, 10000": ("10000", "bigint"),
          "10000 to 100": ("10000", "100")}
MORE = """
    CREATE TABLE times AS SELECT DISTINCT ON (id) id, id::bigint AS n FROM (SELECT
        uid11_generate_at(timestamptz '2026-01-01Z' + i * interval '3 s') AS id
        FROM generate_series(1, 20000) i) s ORDER BY 1;
    CREATE INDEX ON times (id);
    CREATE INDEX ON times (n);
    ANALYZE times;
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


def third(cluster, statements, function=COUNTED, database="postgres", before=()):
    """The instructions of a function in each statement, the third time that it is run."""
    counts = callgrind.single_user(cluster, [*before] + [
        statement for statement in statements for _ in range(TIMES)], function, database)
    if len(counts) != TIMES * len(statements):
        raise RuntimeError("%d calls of %s, not %d a statement" % (len(counts), function, TIMES))
    return counts[TIMES - 1::TIMES]


def many(count):
    """{what they are: the queries with few and with many of them, of ids and of bigints}"""
    counts = FEW, count
    queries = {kind: [many_conditions.many(kind, each) for each in counts]
               for kind in many_conditions.CONDITIONS}
    queries["OR of windows"] = [many_conditions.many("windows of now()", each, " OR ")
                                for each in counts]
    queries["ends in a join"] = [many_conditions.many_ends(each) for each in counts]
    tables = "p_100", "(SELECT id AS n FROM p_n) p"
    queries["windows of partitions"] = [
        [query.replace("FROM many", "FROM " + table)
         for table, query in zip(tables, many_conditions.many("windows of now()", each))]
        for each in (1, max(FEW, count // 50))]
    return queries


class Planning:
    """Makes the tables, in a cluster; counts later, when it is stopped.  More is counted where a
    ceiling, but no report is made of it.
    """

    def __init__(self, cluster, more=False):
        db = cluster.connect()
        db.run(plan_choice.SESSION)
        db.run("CREATE EXTENSION IF NOT EXISTS idtypes")
        db.run(plan_choice.NUMBER_OF)
        self.conditions = {of: conditions(db, of) for of in who.FORMATS}
        db.run("SET search_path = public")
        if more:
            db.run(MORE)
            db.run(many_conditions.SCHEMA)
        db.run("CREATE DATABASE " + PLAIN_DATABASE)
        db.close()
        for database in "postgres", PLAIN_DATABASE:
            db = cluster.connect(database)
            db.run("CREATE TABLE without_ids AS"
                   " SELECT n FROM generate_series(1, 30000::bigint) AS n")
            db.run("CREATE INDEX ON without_ids (n)")
            db.run("VACUUM ANALYZE without_ids")
            db.close()

    def count(self, cluster):
        """{(measure, contender): instructions}"""
        plain = "EXPLAIN SELECT n FROM without_ids WHERE n BETWEEN 10000 AND 10100"
        statements = {(measure(spelling), of): "EXPLAIN SELECT payload FROM planning_%s.plans"
                      " WHERE %s" % (of, condition) for of, found in self.conditions.items()
                      for spelling, condition in found.items()}
        statements[measure(WITHOUT_IDS), WITH_LIBRARY] = plain
        found = dict(zip(statements, third(cluster, statements.values())))
        found[measure(WITHOUT_IDS), BARE] = third(cluster, [plain], database=PLAIN_DATABASE)[0]
        return found

    @staticmethod
    def memory(cluster):
        """{what: ratio of the memory} of planning many conditions, while the cluster runs."""
        return {name + ", memory": mine / plain for name, mine, plain in (
            (name, *(many_conditions.added_memory(cluster.connect, few, query)
                     for few, query in zip(*queries))) for name, queries in many(MANY).items())}

    @staticmethod
    def many(cluster):
        """{what: ratio of the instructions} of many conditions."""
        queries = many(MANY_COUNTED)
        counts = callgrind.single_user(cluster, ["EXPLAIN " + query for pairs in queries.values()
                                                 for few_or_many in zip(*pairs)
                                                 for query in few_or_many], COUNTED)[1::2]
        return {name: counts[2 * i] / counts[2 * i + 1] for i, name in enumerate(queries)}

    def ratios(self, cluster):
        """{way to write it: ratio of the instructions} of what is more, to what stands beside."""
        pairs = {**PREPARED, **WRITTEN}
        conditions = list(enumerate(sum(pairs.values(), ())))
        counts = third(cluster, ["EXECUTE q%d (0)" % number for number, _ in conditions],
                       "ExecuteQuery", before=["SET plan_cache_mode = force_custom_plan"] + [
                           "PREPARE q%d (int) AS SELECT * FROM times WHERE %s LIMIT $1" % condition
                           for condition in conditions])
        found = {name: counts[2 * number] / counts[2 * number + 1]
                 for number, name in enumerate(pairs)}
        pairs = {**{"partitions, " + name: ["* FROM p_100 WHERE " + condition
                                            for condition in WRITTEN[name]]
                    for name in WRITTEN_OF_PARTITIONS},
                 **{name: ["FROM times WHERE " + condition for condition in pair]
                    for name, pair in WINDOWS.items()},
                 **{name: ["FROM " + JOINS[one] for one in pair]
                    for name, pair in JOINED.items()}}
        queries = dict.fromkeys(sum(pairs.values(), []))
        queries.update(zip(queries, third(cluster, ["EXPLAIN SELECT " + query
                                                    for query in queries])))
        found.update((name, queries[mine] / queries[other])
                     for name, (mine, other) in pairs.items())
        found.update(self.many(cluster))
        return found
