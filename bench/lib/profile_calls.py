"""Instructions inside the server, by callgrind.

Counted is while statements are executed, not while they are planned.  The time that the kernel
spends on reading the clock is not in there: see "call and clock" among the times.
"""

import os
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


def keys(major):
    return [c for c in who.stored(major) if c not in who.TEXTS]


class Statement:
    """One profile: a contender's, under the name of a measure."""

    def __init__(self, contender, measure, sql, less=None, settings=""):
        self.key = (measure, contender)
        self.sql = sql
        self.less = less            # key of a profile to subtract
        self.settings = settings


def calls(major):
    """Single functions, less what carries the call."""
    yield Statement(LOOP[1], LOOP[0], measures.loop("n", ROWS))
    for generator in who.generators(major)[1:]:
        yield Statement(generator.name, "generate", measures.loop(generator.expression, ROWS), LOOP)
    for contender in keys(major):
        name, table = contender.name, "profile_" + contender.key
        scan = ("scan", name)
        yield Statement(name, "scan", "SELECT count(id) FROM " + table)
        yield Statement(name, "cast to text", "SELECT count(id::text) FROM " + table, scan)
        yield Statement(name, "cast from text",
                        "SELECT count(t::%s) FROM %s" % (contender.sql_type, table), scan)


def whole(major, folder):
    """Whole statements, as they are timed."""
    for contender in keys(major):
        name, key = contender.name, contender.key
        table = "profile_id_" + key
        yield Statement(name, "ORDER BY", "SELECT id FROM %s ORDER BY id OFFSET %d" % (table, ROWS),
                        settings=measures.HASH_ONLY.replace("SET enable_sort = off;", ""))
        yield Statement(name, "CREATE INDEX", "CREATE INDEX ON %s (id)" % table)
        yield Statement(name, "hash aggregate", "SELECT id FROM %s GROUP BY id OFFSET %d" %
                        (table, ROWS), settings=measures.HASH_ONLY)
        yield Statement(name, "hash join", measures.look_ups(table, table),
                        settings=measures.HASH_ONLY)
        yield Statement(name, "point look-ups", measures.look_ups(table, table),
                        settings=measures.LOOK_UPS)
        for form in "text", "binary":
            options = "(FORMAT %s)" % form
            yield Statement(name, "COPY %s out" % form,
                            "COPY %s TO '/dev/null' %s" % (table, options))
            yield Statement(name, "COPY %s in" % form, "COPY profile_in_%s FROM '%s' %s" %
                            (key, file_of(folder, contender, form), options))
        if contender in who.OURS:
            for measure, everything in (("window scan", "range('-infinity', 'infinity')"),
                                        ("prefix scan", "prefix('')")):
                yield Statement(name, measure, scan_of(table, "id <@ %s_%s" % (key, everything)),
                                settings=measures.INDEX_ONLY)
                yield Statement("bigint (%s)" % name, measure,
                                scan_of("profile_id_bigint", "id BETWEEN 0 AND 1000000000"),
                                settings=measures.INDEX_ONLY)


def scan_of(table, condition):
    return "SELECT count(*) FROM %s WHERE %s" % (table, condition)


def file_of(folder, contender, form):
    return os.path.join(folder, "%s.%s" % (contender.key, form))


def setup(major, folder):
    for contender in keys(major):
        key = contender.key
        yield ("CREATE TABLE profile_%s AS SELECT id, id::text AS t FROM (SELECT n, %s AS id"
               " FROM generate_series(1, %d) AS n OFFSET 0) AS s ORDER BY hashint4(n)" %
               (key, contender.expression, ROWS))
        yield "CREATE TABLE profile_id_%s AS SELECT id FROM profile_%s" % (key, key)
        yield "CREATE TABLE profile_in_%s (id %s)" % (key, contender.sql_type)
        for form in "text", "binary":
            yield "COPY profile_id_%s TO '%s' (FORMAT %s)" % (
                key, file_of(folder, contender, form), form)
        yield "VACUUM ANALYZE profile_id_%s" % key


def profile(cluster, major):
    """{(measure, contender): instructions per row or call}."""
    statements = list(calls(major)) + list(whole(major, cluster.top))
    commands = []
    profiles = []
    for statement in statements:
        commands += ["RESET ALL"] + [part for part in statement.settings.split(";") if part]
        commands.append(statement.sql)
        profiles.append(len(commands))
    print("%-44s " % "instructions in the server", end="", flush=True)
    callgrind.single_user(cluster, setup(major, cluster.top))
    time.sleep(MARK_SECONDS)
    found = callgrind.single_user(cluster, commands, COUNTED)
    counts = {statement.key: found[number - 1] / ROWS
              for statement, number in zip(statements, profiles)}
    print("%d profiles" % len(counts))
    return {statement.key: counts[statement.key] - counts.get(statement.less, 0)
            for statement in statements}
