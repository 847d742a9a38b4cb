"""Instructions inside the server, by callgrind.

Counted is while statements are executed, not while they are planned, without what the kernel does
to read the clock.
"""

import time

import callgrind
import contenders as who
import measures

ROWS = 5000
# The function of the server that executes one command, of whatever kind.
COUNTED = "PortalRun"
# A server that starts must not hand out ids before its predecessor's time mark, up to two seconds
# ahead of the clock; until then generators do not run as they usually do.
MARK_SECONDS = 3
LOOP = ("generate", "empty loop")


def statements(major):
    """Yields measure, contender, SQL, and the measure and contender to be subtracted, or None."""
    yield *LOOP, measures.loop("n", ROWS), None
    for generator in who.generators(major)[1:]:
        yield "generate", generator.name, measures.loop(generator.expression, ROWS), LOOP
    for c in who.stored(major):
        yield "scan", c.name, "SELECT count(id) FROM profile_%s" % c.key, None
        for measure, expression in (("cast to text", "id::text"),
                                    ("cast from text", "t::" + c.sql_type)):
            yield (measure, c.name, "SELECT count(%s) FROM profile_%s" % (expression, c.key),
                   ("scan", c.name))


def profile(cluster, major):
    """{(measure, contender): instructions per call}."""
    measured = list(statements(major))
    print("%-44s " % "instructions in the server", end="", flush=True)
    callgrind.single_user(cluster, [
        "CREATE TABLE profile_{0.key} AS SELECT id, id::text AS t FROM (SELECT n,"
        " {0.expression} AS id FROM generate_series(1, {1}) AS n OFFSET 0) AS s".format(c, ROWS)
        for c in who.stored(major)])
    time.sleep(MARK_SECONDS)
    found = callgrind.single_user(cluster, [sql for _, _, sql, _ in measured], COUNTED)
    counts = {row[:2]: count / ROWS for row, (_, count) in zip(measured, found, strict=True)}
    print("%d profiles" % len(counts))
    return {**{row[:2]: counts[row[:2]] - counts.get(row[3], 0) for row in measured},
            **first_ids(cluster)}


def first_ids(cluster):
    """What the first id of a transaction takes more than a further one."""
    generators = [g for g in who.DEFAULT_GENERATORS if g.word]
    found = callgrind.single_user(
        cluster, ["SELECT " + g.expression for g in generators], "openxact_cover")
    return {("first id", g.name): count for g, (_, count) in zip(generators, found, strict=True)}
