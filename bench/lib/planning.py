"""Instructions of planning a window of ids, beside BETWEEN on the ids' bigint.

Counted is standard_planner() for a table of 100,000 ids with an index on the id and one on its
bigint, the third time that the statement is planned: the caches of the catalog are warm then.
"""

import callgrind
import contenders as who
import plan_choice

COUNTED = "standard_planner"
TIMES = 3
# Ways to write a window beside those of plan_choice: the yardstick, and the start of an id's text.
BETWEEN, PREFIX = "BETWEEN", "<@ prefix"
# A statement without ids, in a database that knows them and in one that does not.
WITHOUT_IDS = "without ids"
WITH_LIBRARY, BARE = "with idtypes", "without idtypes"
PLAIN_DATABASE = "without_idtypes"


def measure(spelling):
    return "planning: " + spelling


def prefix(db, of, window):
    """A condition for about as many ids as a window has, by how their text begins."""
    text = who.prefixed(of, db.value("SELECT id FROM plans WHERE %s ORDER BY id LIMIT 1" %
                                     window.condition(plan_choice.ID)))
    for length in range(1, len(text)):
        condition = "id <@ %s_prefix('%s')" % (of, text[:length])
        if int(db.value("SELECT count(*) FROM plans WHERE " + condition)) <= 10 * window.rows:
            return condition
    raise RuntimeError("no prefix of %s is one of few ids" % of)


def conditions(db, of):
    """{way to write it: condition} of a window in the middle of a table of a type."""
    db.run("CREATE SCHEMA planning_%s; SET search_path = planning_%s, public" % (of, of))
    plan_choice.make_table(db, of, "uniform", plan_choice.ROWS)
    window = plan_choice.Window(db, of, 0.001, "middle", plan_choice.ROWS)
    found = {BETWEEN: window.condition(plan_choice.NUMBER), PREFIX: prefix(db, of, window)}
    for spelling in plan_choice.SPELLINGS:
        found[spelling] = window.condition(plan_choice.ID, spelling)
    return found


def without_ids(db):
    db.run("CREATE TABLE without_ids AS SELECT n FROM generate_series(1, 30000::bigint) AS n")
    db.run("CREATE INDEX ON without_ids (n)")
    db.run("VACUUM ANALYZE without_ids")


class Planning:
    """Makes the tables, in a cluster whose database "postgres" has the extension; counts later,
    when the cluster is stopped.
    """

    def __init__(self, cluster):
        db = cluster.connect()
        db.run(plan_choice.SESSION)
        db.run(plan_choice.NUMBER_OF)
        self.conditions = {of: conditions(db, of) for of in plan_choice.types(db)}
        db.run("SET search_path = public")
        db.run("CREATE DATABASE " + PLAIN_DATABASE)
        without_ids(db)
        db.close()
        db = cluster.connect(PLAIN_DATABASE)
        without_ids(db)
        db.close()

    def count(self, cluster):
        """{(measure, contender): instructions}"""
        keys, commands = [], []
        for of, found in self.conditions.items():
            commands.append("SET search_path = planning_%s, public" % of)
            for spelling, condition in found.items():
                keys.append((measure(spelling), of))
                commands += ["EXPLAIN SELECT payload FROM plans WHERE " + condition] * TIMES
        plain = ["EXPLAIN SELECT n FROM without_ids WHERE n BETWEEN 10000 AND 10100"] * TIMES
        keys.append((measure(WITHOUT_IDS), WITH_LIBRARY))
        commands += ["SET search_path = public"] + plain
        counts = callgrind.count(cluster, commands, COUNTED)
        if len(counts) != TIMES * len(keys):
            raise RuntimeError("%d statements planned instead of %d" %
                               (len(counts), TIMES * len(keys)))
        found = dict(zip(keys, counts[TIMES - 1::TIMES]))
        found[measure(WITHOUT_IDS), BARE] = callgrind.count(cluster, plain, COUNTED,
                                                            PLAIN_DATABASE)[-1]
        return found
