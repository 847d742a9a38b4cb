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


def carrier(measure, contender):
    """What carries a call, to be subtracted from it, or None."""
    if measure.startswith("cast"):
        return "scan", contender
    return LOOP if measure == "generate" and contender != LOOP[1] else None


def statements(major, folder):
    """Yields measure, contender, SQL and settings: single functions, then whole statements, as they
    are timed."""
    yield *LOOP, measures.loop("n", ROWS), ""
    for generator in who.generators(major)[1:]:
        yield "generate", generator.name, measures.loop(generator.expression, ROWS), ""
    join = measures.look_ups("profile_id_{0.key}", "profile_id_{0.key}")
    whole = [
        ("scan", "SELECT count(id) FROM profile_{0.key}", ""),
        ("cast to text", "SELECT count(id::text) FROM profile_{0.key}", ""),
        ("cast from text", "SELECT count(t::{0.sql_type}) FROM profile_{0.key}", ""),
        ("ORDER BY", "SELECT id FROM profile_id_{0.key} ORDER BY id OFFSET %d" % ROWS,
         measures.HASH_ONLY.replace("SET enable_sort = off;", "")),
        ("CREATE INDEX", "CREATE INDEX ON profile_id_{0.key} (id)", ""),
        ("hash aggregate", "SELECT id FROM profile_id_{0.key} GROUP BY id OFFSET %d" % ROWS,
         measures.HASH_ONLY),
        ("hash join", join, measures.HASH_ONLY),
        ("point look-ups", join, measures.LOOK_UPS)]
    for form in "text", "binary":
        whole += [
            ("COPY %s out" % form, "COPY profile_id_{0.key} TO '/dev/null' (FORMAT %s)" % form, ""),
            ("COPY %s in" % form, "COPY profile_in_{0.key} FROM " + file_of(folder, form), "")]
    for contender in who.stored(major):
        for measure, sql, settings in whole:
            yield measure, contender.name, sql.format(contender), settings
    scan = "SELECT count(*) FROM profile_id_%s WHERE %s"
    for key in (c.key for c in who.OURS):
        for measure, everything in (("window scan", "range('-infinity', 'infinity')"),
                                    ("prefix scan", "prefix('')")):
            yield measure, key, scan % (key, "id <@ %s_%s" % (key, everything)), measures.INDEX_ONLY
            yield (measure, "bigint (%s)" % key, scan % (
                "bigint", "id BETWEEN 0 AND 1000000000"), measures.INDEX_ONLY)


def file_of(folder, form):
    """A file for the ids of a key, and its format, as COPY takes them."""
    return "'%s/{0.key}.%s' (FORMAT %s)" % (folder, form, form)


def setup(major, folder):
    for contender in who.stored(major):
        for sql in (
                "CREATE TABLE profile_{0.key} AS SELECT id, id::text AS t FROM (SELECT n,"
                " {0.expression} AS id FROM generate_series(1, %d) AS n OFFSET 0) AS s"
                " ORDER BY hashint4(n)" % ROWS,
                "CREATE TABLE profile_id_{0.key} AS SELECT id FROM profile_{0.key}",
                "CREATE TABLE profile_in_{0.key} (id {0.sql_type})",
                "COPY profile_id_{0.key} TO " + file_of(folder, "text"),
                "COPY profile_id_{0.key} TO " + file_of(folder, "binary"),
                "VACUUM ANALYZE profile_id_{0.key}"):
            yield sql.format(contender)


def profile(cluster, major):
    """{(measure, contender): instructions per row or call}."""
    commands = []
    profiles = {}
    for measure, contender, sql, settings in statements(major, cluster.top):
        commands += ["RESET ALL"] + [part for part in settings.split(";") if part] + [sql]
        profiles[measure, contender] = len(commands) - 1
    print("%-44s " % "instructions in the server", end="", flush=True)
    callgrind.single_user(cluster, setup(major, cluster.top))
    time.sleep(MARK_SECONDS)
    found = callgrind.single_user(cluster, commands, COUNTED)
    counts = {key: found[number] / ROWS for key, number in profiles.items()}
    print("%d profiles" % len(counts))
    net = {key: count - counts.get(carrier(*key), 0) for key, count in counts.items()}
    net.update(first_ids(cluster))
    return net


def first_ids(cluster):
    """What the first id of a transaction takes more than a further one."""
    generators = [g for g in who.DEFAULT_GENERATORS if g.word]
    found = callgrind.single_user(
        cluster, ["SELECT " + g.expression for g in generators], "openxact_cover")
    return {("first id", g.name): count for g, count in zip(generators, found, strict=True)}
