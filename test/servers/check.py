#!/usr/bin/env python3
"""Ids of several servers: postgres_fdw, logical replication, repeats with and without numbers.

    PG_CONFIG=... check.py [--seed N]

Starts three servers, which become what doc/several-servers.md says: a coordinator and two shards, a
subscriber and two publishers.
All of that page's SQL that needs more than one server is run, for the page's generator and two
others by chance, in long form for every type and every generator whose ids have the server's
number, and must do what the page says.  The ids that two
servers make at the same time, of every generator, are gathered and compared; how many are repeated
is printed, and must be none where the servers' numbers are in them.
"""

import concurrent.futures
import random
import re
import statistics
import sys

from three import GENERATORS, ON_PAGE, PAGE, check, count, three_servers
from count import STRESS, options_of

IDS = 10000 if STRESS else 2000     # of each generator, that a server makes


def run(three, block, generator=ON_PAGE, prelude=""):
    """Runs a block of the page and counts it as a test for each server."""
    runs = three.run(block, generator, prelude)
    for one in runs:
        count.test("%s:%d, %s, server %d" % (PAGE, block.line, generator.name, one.server.number),
                   one.complaints(), "--- the statements", one.block.sql, "--- printed",
                   *one.printed, "--- reported", one.reported)
    return runs


# ----------
# Every generator is looked at
# ----------

def check_generators(server):
    """The generators of this folder are those that the extension has."""
    check("all functions that generate are tested",
          sorted({generator.call.split("(")[0] for generator in GENERATORS}),
          [name for (name,) in server.rows("""
              SELECT DISTINCT proname COLLATE "C" FROM pg_proc p
                  JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid
                      AND d.deptype = 'e'
                  JOIN pg_extension e ON e.oid = d.refobjid AND e.extname = 'idtypes'
                  JOIN pg_type t ON t.oid = p.prorettype AND t.typtype = 'b'
              WHERE provolatile = 'v' AND NOT proretset AND proname ~ '_generate'
                  AND NOT 'timestamptz'::regtype = ANY (proargtypes) ORDER BY 1""")])
    listed = {name for (name,) in server.rows(
        # idtypes_uuid has the functions of this one
        "SELECT generator FROM idtypes_generators() WHERE generator <> 'uuid7'")}
    check("all generators that the server lists are tested",
          sorted(listed - {generator.name for generator in GENERATORS}), [])


# ----------
# Repeats
# ----------

def column(generator):
    """The column of a generator's ids in the table "made"."""
    return "id_%d" % GENERATORS.index(generator)


def create_made(server):
    """Makes that table: ids of all generators that a server made one after the other, and what
    else there is of their types."""
    server.rows("CREATE TABLE made (server int, n int, pid int, %s, PRIMARY KEY (server, n))"
                % ", ".join("{0} {1}, {0}_ids {1}[], {0}_span {1}range, {0}_spans {1}multirange"
                            .format(column(generator), generator.type)
                            for generator in GENERATORS))


def generate(publishers, first, last):
    """Lets all publishers make ids of all generators, at the same time."""
    columns = ", ".join(map(column, GENERATORS))
    script = "INSERT INTO made (server, n, pid, %s) SELECT %%d, n, pg_backend_pid(), %s" \
             " FROM generate_series(%d, %d) n;\n" \
             % (columns, ", ".join(generator.call for generator in GENERATORS), first, last)
    script += "UPDATE made SET %s WHERE n %% 1000 = 0;\n" % ", ".join(
        "{0}_ids = ARRAY[{0}, {0}], {0}_span = {1}range({0}, {0}, '[]'),"
        " {0}_spans = {1}multirange({1}range({0}, {0}, '[]'))"
        .format(column(generator), generator.type) for generator in GENERATORS)
    with concurrent.futures.ThreadPoolExecutor() as pool:
        list(pool.map(lambda server: server.rows(script.replace("%d", str(server.number))),
                      publishers))


def caught_up(publishers, subscriber):
    """Waits until the subscriber has all that the publishers have."""
    stopped = "SELECT count(*) > 0 FROM pg_subscription WHERE NOT subenabled"
    subscriber.wait("SELECT count(*) = 0 FROM pg_subscription_rel WHERE srsubstate <> 'r'", stopped)
    for server in publishers:
        here = server.value("SELECT pg_current_wal_lsn()")
        while server.value("SELECT count(*) = 1 FROM pg_stat_replication WHERE state = 'streaming'"
                           " AND replay_lsn >= '%s'" % here) != "t":
            subscriber.wait("SELECT true", stopped)


def replicate(three, numbered):
    """Two publishers into one subscriber, some ids before it subscribes and some after."""
    subscriber, *publishers = three.servers
    publish, subscribe, *repair = three.blocks("replication")
    label = "with numbers" if numbered else "without numbers"

    for server in three.servers:
        server.rows("CREATE EXTENSION IF NOT EXISTS idtypes")
        create_made(server)
    check("types have other OIDs on each server",
          len({server.value("SELECT 'siq'::regtype::oid") for server in three.servers}), 3)
    run(three, publish)
    for server in publishers:
        server.rows("ALTER PUBLICATION readings ADD TABLE made")
    generate(publishers, 1, IDS // 2)
    run(three, subscribe)
    generate(publishers, IDS // 2 + 1, IDS)
    caught_up(publishers, subscriber)

    print("# %s: ids that two servers made at the same time, and how many both made" % label)
    for server in publishers:
        content = ("SELECT count(*), sum(hashtextextended(made::text, 0)) FROM made"
                   " WHERE server = %d" % server.number)
        check("%s: what server %d made arrived unchanged" % (label, server.number),
              subscriber.rows(content), server.rows(content))
    for generator in GENERATORS:
        check_repeats(generator, numbered, label, subscriber)
    for server in publishers:
        server.rows("INSERT INTO reading (value) VALUES (%d)" % server.number)
    caught_up(publishers, subscriber)
    check("%s: numbers in the defaults of publishers, and of the subscriber" % label,
          subscriber.rows("SELECT value, %s, %s FROM reading ORDER BY value"
                          % (ON_PAGE.number, ON_PAGE.number.replace("id,", "arrived,"))),
          [[str(server.number), str(server.number * numbered), str(subscriber.number * numbered)]
           for server in publishers])
    if numbered:
        stop_and_go_on(three, *repair[:3])
        fail_over(three, *repair[3:])


def check_repeats(generator, numbered, label, subscriber):
    """Compares what two publishers made of one generator."""
    name = "%s: %s" % (label, generator.name)
    total, repeated, own = map(int, subscriber.rows(
        "SELECT count(*), count(*) - count(DISTINCT id), count(*) - count(DISTINCT (server, id))"
        " FROM (SELECT server, %s AS id FROM made) made" % column(generator))[0])
    print("# %-22s %8d ids %8d repeated" % (generator.name, total, repeated))
    check("%s: no server repeats itself" % name, own, 0)
    if numbered and generator.unique:
        check("%s: no repeat" % name, repeated, 0)
    if generator.number:
        check("%s: the number in each id" % name, subscriber.value(
            "SELECT count(*) FROM (SELECT server, pid, %s AS id FROM made) made WHERE NOT %s %s"
            % (column(generator), generator.number,
               "= server" if numbered else generator.without)), "0")


def stop_and_go_on(three, stopped, make_room, go_on):
    """An id that two publishers have stops the subscription to the second, until it is mended."""
    subscriber, first, second = three.servers
    repeated = first.value("INSERT INTO reading VALUES (DEFAULT, 10) RETURNING id")
    caught_up([first, second], subscriber)
    second.rows("INSERT INTO reading VALUES ('%s', 20); INSERT INTO reading VALUES (DEFAULT, 21)"
                % repeated)
    goes_on = "SELECT count(*) > 0 FROM reading WHERE value = 21"
    subscriber.wait("SELECT NOT subenabled FROM pg_subscription WHERE subname = 'from_2'", goes_on)
    # what it counts comes a moment later
    subscriber.wait("SELECT apply_error_count > 0 FROM pg_stat_subscription_stats"
                    " WHERE subname = 'from_2'", goes_on)
    run(three, stopped)
    repeated_is = "\\set repeated %s\n" % repeated
    run(three, make_room, prelude=repeated_is)
    subscriber.wait("SELECT count(*) = 0 FROM reading WHERE id = '%s'" % repeated, goes_on)
    run(three, go_on, prelude=repeated_is)
    caught_up([first, second], subscriber)
    rows = ("SELECT value, id = '%s' FROM reading WHERE value >= 10 ORDER BY value" % repeated)
    check("after a repeat, all rows are there",
          subscriber.rows(rows), [["10", "f"], ["20", "t"], ["21", "f"]])
    first.rows("UPDATE reading SET value = 11 WHERE value = 10")
    caught_up([first, second], subscriber)
    check("after a repeat, a change on the first publisher reaches its own row",
          subscriber.rows(rows), [["11", "f"], ["20", "t"], ["21", "f"]])
    first.rows("DELETE FROM reading WHERE value = 11")
    caught_up([first, second], subscriber)
    check("after a repeat, so does its end",
          subscriber.rows(rows), [["20", "t"], ["21", "f"]])


def fail_over(three, make_slot, go_on):
    """The first publisher goes away, and comes back as a standby does: without the slot."""
    subscriber, first, second = three.servers
    first.rows("SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots")
    subscriber.wait("SELECT NOT subenabled FROM pg_subscription WHERE subname = 'from_1'")
    first.wait("SELECT NOT active FROM pg_replication_slots")
    first.rows("SELECT pg_drop_replication_slot('from_1');"
               "INSERT INTO reading VALUES (DEFAULT, 30)")
    run(three, make_slot)
    first.rows("INSERT INTO reading VALUES (DEFAULT, 31)")
    run(three, go_on)
    caught_up([first, second], subscriber)
    check("after a failover, the subscriber has what came after the slot",
          subscriber.rows("SELECT value FROM reading WHERE value >= 30"), [["31"]])


# ----------
# postgres_fdw
# ----------

def check_shards(three, generator):
    """All that the page says of postgres_fdw, for a generator."""
    coordinator, first, second = three.servers
    sent = set()
    for block in three.blocks("shards"):
        # plans depend on the type, not on who makes its ids
        if "plan" in block.notes and not generator.first_of_type:
            continue
        for one in run(three, block, generator):
            sent.update(query for query in one.remote_queries() if " WHERE " in query)
    check_index(three, generator, sorted(sent))

    check("%s: a generator does not ship" % generator.name,
          three.ask("SELECT FROM post WHERE id = %s" % generator.call).remote_queries(),
          ["SELECT id FROM public.post"])
    coordinator_made = "FROM post WHERE title LIKE 'post %' OR title = 'id of the coordinator'"
    check("%s: rows on both shards" % generator.name,
          [server.value("SELECT count(*) > 300 " + coordinator_made) for server in (first, second)],
          ["t", "t"])
    second.rows("INSERT INTO post (author, title) VALUES (1, 'id of the shard')")
    if generator.number:
        check("%s: the coordinator's number in its defaults" % generator.name,
              [server.rows("SELECT DISTINCT %s %s" % (generator.number, coordinator_made))
               for server in (first, second)], [[["1"]], [["1"]]])
        check("%s: the shards' numbers in theirs" % generator.name,
              [server.rows("SELECT %s FROM post WHERE title = 'id of the shard'" % generator.number)
               for server in (first, second)], [[["2"]], [["3"]]])
    check("%s: an id comes to the shard that has it" % generator.name,
          "duplicate key value" in coordinator.run(
              "INSERT INTO post SELECT * FROM post LIMIT 1;")[1], True)


def check_index(three, generator, queries):
    """What was sent to the shards, with a condition, uses the index there."""
    script = "SET enable_seqscan = off; SET plan_cache_mode = force_generic_plan"
    for number, query in enumerate(queries):
        parameters = len(set(re.findall(r"\$\d+", query)))
        script += ";\n\\echo next\nPREPARE sent_%d AS %s; EXPLAIN (COSTS OFF) EXECUTE sent_%d%s" % (
            number, query, number,
            "(%s)" % ", ".join(["NULL"] * parameters) if parameters else "")
    for server in three.servers[1:]:
        plans = "\n".join(line for (line,) in server.rows(script)).split("next\n")[1:]
        for query, plan in zip(queries, plans):
            count.test("%s, server %d: by index: %s" % (generator.name, server.number, query),
                       [] if "Index Cond:" in plan else [plan])


# ----------
# The formula
# ----------

def check_formula(three):
    """The page's formula of repeats, and the widths that it is given for the formats."""
    coordinator = three.servers[0]
    for block in three.page.blocks:
        if "FUNCTION repeats_per_second" in block.sql:
            coordinator.rows(block.sql)
    for ids, ticks, bits, counts in coordinator.rows("TABLE format"):
        bits = int(bits)
        if counts == "t":
            rate, seen, doubt = repeats_of_counters(bits, 10 if ticks == "1000" else 0.5)
        else:
            rate, seen, doubt = repeats_by_chance(coordinator, ids, bits)
        computed = float(coordinator.value(
            "SELECT repeats_per_second(%s, %d, '%s', 2, %s * %s) / %s"
            % (ticks, bits, counts, rate, ticks, ticks)))
        print("# %-40s in a tick: computed %.4g, seen %.4g" % (ids, computed, seen))
        count.test("formula: " + ids, [] if abs(seen - computed) <= doubt else
                   ["computed %g, seen %g, give or take %g" % (computed, seen, doubt)])


def repeats_by_chance(server, ids, bits):
    """Repeats between two lots of ids that are composed for one instant: how many ids a lot has,
    how many repeats there are, and how many more or less there may be by chance."""
    generator = max((one for one in GENERATORS if ids.startswith(one.name)),
                    key=lambda one: len(one.name))
    rate = round(2 ** (bits / 2 + 4))
    lot = ("SELECT %s AS id, count(*) AS ids FROM generate_series(1, %d),"
           " (VALUES (timestamptz '2026-01-01Z')) v (t) GROUP BY 1" % (generator.call_at, rate))
    seen = int(server.value("SELECT coalesce(sum(a.ids * b.ids), 0)"
                            " FROM (%s) a JOIN (%s) b USING (id)" % (lot, lot)))
    return rate, seen, 6 * 2 ** 4


def repeats_of_counters(bits, rate):
    """The same for ids of two servers that count from 0 in each tick, on the average of ticks."""
    def tick():
        return {(n, random.getrandbits(bits) if bits else 0)
                for n in range(int(rate + random.random()))}

    repeats = [len(tick() & tick()) for _ in range(int(200000 / max(rate, 1)))]
    return rate, statistics.mean(repeats), 6 * statistics.stdev(repeats) / len(repeats) ** 0.5


def main():
    options_of(__doc__)
    with three_servers() as (three, _):
        for numbered in (False, True):
            three.create_databases()
            if numbered:
                three.number()
            replicate(three, numbered)
            if not numbered:
                check_generators(three.servers[0])
                check_formula(three)
            three.drop_databases()
        others = [one for one in GENERATORS
                  if (one.number or one.first_of_type) and one is not ON_PAGE]
        for generator in [ON_PAGE] + random.sample(others, len(others) if STRESS else 2):
            three.create_databases()
            check_shards(three, generator)
            three.drop_databases()
    return count.finish()


if __name__ == "__main__":
    sys.exit(main())
