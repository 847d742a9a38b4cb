#!/usr/bin/env python3
"""Ids in Citus: what doc/several-servers.md says of it, on a coordinator and two workers.

    PG_CONFIG=... citus.py [--seed N]

For a server that has both Citus and this extension, which "./dev citus" makes.  Starts three nodes
on Unix sockets and runs the page's SQL that names this file: numbers the nodes and, for every
generator, distributes a table by the id, and another one that Citus partitions by time.  Each
answer is compared with that of a plain table on the coordinator which has the same rows.  The
page's reader of new rows must read each once, and one that asks only the coordinator misses some.
"""

import contextlib
import os
import re
import signal
import sys
import threading

from three import DATABASE, GENERATORS, ON_PAGE, PAGE, Server, USER, check, count, pages
from reading import SETUP, Reader, Writers, kill, wait_until_back
from cluster import Cluster
from count import options_of

SETTINGS = {"shared_preload_libraries": "citus, idtypes", "wal_level": "logical", "fsync": "off",
            "max_connections": "200", "shared_buffers": "64MB",
            "citus.node_conninfo": "sslmode=disable", "citus.shard_count": "8",
            "citus.recover_2pc_interval": "1s", "synchronous_commit": "local"}
ROWS = 20000


# What the page says, in its order.
NUMBER, DISTRIBUTE, PARTITION, DROP_OLD, READ = (
    block.sql for block in pages.Page(PAGE).blocks
    if block.notes.get("elsewhere") == "test/servers/citus.py")


class Citus:
    """The three nodes, whose coordinator is the first."""

    def __init__(self, clusters):
        self.nodes = [Server(number, cluster.socket)
                      for number, cluster in enumerate(clusters, 1)]
        self.coordinator = self.nodes[0]
        for node in self.nodes:
            node.rows("CREATE ROLE %s SUPERUSER LOGIN" % USER, "postgres", "postgres")
            # so that the same types have other OIDs on each node
            node.rows("SELECT count(lo_unlink(lo_create(0))) FROM generate_series(1, %d00);"
                      "CREATE DATABASE %s" % (node.number, DATABASE), "postgres")
            # the name by which a node that copies a shard connects to itself
            node.rows("ALTER SYSTEM SET citus.local_hostname = '%s'; SELECT pg_reload_conf();"
                      "CREATE EXTENSION citus" % node.socket)
        self.rows("SELECT citus_set_coordinator_host('%s', 5432)" % self.coordinator.socket)
        for worker in self.nodes[1:]:
            self.rows("SELECT citus_add_node('%s', 5432)" % worker.socket)
        self.rows("CREATE EXTENSION idtypes")

    def rows(self, sql):
        return self.coordinator.rows(sql)

    def value(self, sql):
        return self.coordinator.value(sql)

    def plan(self, query):
        """The plan of a query, with those of all tasks."""
        return "\n".join(line for (line,) in self.rows(
            "SET citus.explain_all_tasks = on; EXPLAIN (COSTS OFF) " + query))

    def versions(self):
        return self.value("SELECT 'Citus ' || extversion || ', PostgreSQL ' ||"
                          " current_setting('server_version') FROM pg_extension"
                          " WHERE extname = 'citus'")

    def number(self):
        """Numbers the nodes by the page's statement, and reloads them."""
        results = self.rows(NUMBER)
        check("numbering succeeds on every node", sorted(row[2] for row in results), ["t"] * 3)
        for node in self.nodes:
            node.rows("SELECT pg_reload_conf()")
        for node in self.nodes:
            node.wait("SELECT current_setting('idtypes.node_id') <> '-1'")
        check("the nodes have numbers of their own",
              sorted(node.value("SHOW idtypes.node_id") for node in self.nodes), ["1", "2", "3"])


def fill(citus, generator):
    """Makes the page's table, one that is distributed alike, and plain copies of both."""
    made, = citus.rows(generator.translate(DISTRIBUTE))[-1:]
    check("%s: the page's table is distributed" % generator.name, made, [""])
    citus.rows(generator.translate("""
        INSERT INTO post SELECT {at}, 'old ' || n FROM generate_series(1, {rows}) n,
            LATERAL (SELECT timestamptz '2026-01-01 00:00Z' + n * interval '1 minute') w (t);
        INSERT INTO post (title) SELECT 'new ' || n FROM generate_series(1, 1000) n;
        CREATE TABLE comment (post_id uid11, n int, id uid11 DEFAULT {call},
            PRIMARY KEY (post_id, n));
        SELECT create_distributed_table('comment', 'post_id', colocate_with => 'post');
        INSERT INTO comment (post_id, n) SELECT id, n FROM post, generate_series(1, 2) n;
        CREATE TABLE plain_post AS TABLE post;
        CREATE TABLE plain_comment AS TABLE comment;
        CREATE INDEX ON plain_post (id);
        ANALYZE post, comment, plain_post, plain_comment
    """.format(at=ON_PAGE.call_at, call=ON_PAGE.call, rows=ROWS)))


def check_answers(citus, generator, when):
    """Compares what the distributed tables answer with what the plain ones do."""
    id_type = generator.type
    middle = citus.value("SELECT %s FROM (SELECT id FROM plain_post ORDER BY id OFFSET %d LIMIT 1)"
                         " s" % ("siq_hex(id)" if id_type == "siq" else "id::text", ROWS // 2))
    # a minute apart, so that these have some rows
    prefix = next(middle[:length] for length in range(len(middle), 0, -1)
                  if int(citus.value("SELECT count(*) FROM plain_post WHERE id <@ %s_prefix('%s')"
                                     % (id_type, middle[:length]))) > 10)
    window = "%s_range('2026-01-05 10:00Z', '2026-01-05 12:00Z')" % id_type
    conditions = {
        "window": "id <@ " + window,
        "open window of now()": "id <@ %s_range(now() - interval '1 hour', NULL)" % id_type,
        "window of a sub-select": "id <@ (SELECT %s)" % window,
        "prefix": "id <@ %s_prefix('%s')" % (id_type, prefix),
        "comparison": "id >= {0}_min('2026-01-05 10:00Z') AND id < {0}_min('2026-01-05 12:00Z')"
                      .format(id_type),
    }
    if citus.value("SELECT count(*) FROM pg_operator WHERE oprleft = '%s'::regtype"
                   " AND oprright = 'timestamptz'::regtype" % id_type) != "0":
        conditions.update({
            "instants": "id >= '2026-01-05 10:00Z'::timestamptz"
                        " AND id < '2026-01-05 12:00Z'::timestamptz",
            "instant of now()": "id > now() - interval '1 hour'",
        })
    for name, condition in conditions.items():
        query = "SELECT id, title FROM %s WHERE " + condition + " ORDER BY id"
        title = "%s, %s: %s" % (generator.name, when, name)
        got, wanted = citus.rows(query % "post"), citus.rows(query % "plain_post")
        count.test(title, [] if got == wanted and got else
                   ["%d rows, wanted %d, some" % (len(got), len(wanted))])
        plan = citus.plan(query % "post")
        tasks = int(re.search(r"Task Count: (\d+)", plan).group(1))
        count.test(title + " is an index condition on each shard",
                   [] if plan.count("Index Cond:") == tasks else [plan])

    found = citus.rows("SELECT title FROM post WHERE id = (SELECT id FROM plain_post"
                       " ORDER BY id OFFSET 777 LIMIT 1)")
    check("%s, %s: one id" % (generator.name, when), found,
          citus.rows("SELECT title FROM plain_post ORDER BY id OFFSET 777 LIMIT 1"))
    join = ("SELECT p.title, count(*), min(c.n) FROM {0}post p JOIN {0}comment c"
            " ON c.post_id = p.id WHERE p.id <@ %s GROUP BY p.id, p.title ORDER BY p.id" % window)
    check("%s, %s: co-located join" % (generator.name, when), citus.rows(join.format("")),
          citus.rows(join.format("plain_")))
    newest = "SELECT id, title FROM %s ORDER BY id DESC LIMIT 20"
    check("%s, %s: the newest" % (generator.name, when), citus.rows(newest % "post"),
          citus.rows(newest % "plain_post"))


def check_defaults(citus, generator):
    """Where defaults ran, by the server's number in the ids; and that none is repeated."""
    if generator.number:
        number = "SELECT DISTINCT %s FROM %s WHERE %s ORDER BY 1"
        check("%s: a client's rows have ids of the node that it asks" % generator.name,
              len(citus.rows(number % (generator.number, "post", "title LIKE 'new%'"))), 1)
        numbers = citus.rows(number % (generator.number, "comment", "true"))
        check("%s: INSERT ... SELECT has ids of the workers" % generator.name, len(numbers), 2)
    if generator.unique:
        check("%s: no id is repeated" % generator.name, citus.value(
            "SELECT count(*) - count(DISTINCT id) FROM"
            " (SELECT id FROM plain_post UNION ALL SELECT id FROM plain_comment) s"), "0")
    try:
        citus.rows("INSERT INTO post SELECT id FROM plain_post ORDER BY id LIMIT 1")
        refused = "accepted"
    except RuntimeError as error:
        refused = re.search("duplicate key value|$", str(error)).group()
    check("%s: the primary key refuses a repeat" % generator.name, refused, "duplicate key value")


def move_shard(citus, table, name):
    """Moves a shard of a table, and those distributed alike, to the other worker."""
    shard, place, others = citus.rows("""
        SELECT shardid, nodename, (SELECT nodename FROM pg_dist_node
                WHERE groupid <> 0 AND nodename <> s.nodename)
        FROM citus_shards s WHERE table_name = '%s'::regclass
        ORDER BY random() LIMIT 1""" % table)[0]
    citus.rows("SELECT citus_move_shard_placement(%s, '%s', 5432, '%s', 5432)"
               % (shard, place, others))
    check("%s: the shard has moved" % name, citus.value(
        "SELECT nodename FROM citus_shards WHERE shardid = %s" % shard), others)


def check_time_partitions(citus, generator):
    """Partitions of a distributed table, which Citus makes and drops by the times of their ids."""
    made = citus.rows(generator.translate(PARTITION))
    check("%s: a table is distributed and gets partitions" % generator.name, made, [[""], ["t"]])
    bounds = ("SELECT string_agg(to_char(lo, 'YYYY-MM-DD HH24:MI:SS.US ') || (lo + interval"
              " '1 month' = hi), ', ' ORDER BY lo) FROM (SELECT from_value::{0}::timestamptz,"
              " to_value::{0}::timestamptz FROM time_partitions"
              " WHERE parent_table = 'event'::regclass) s (lo, hi)".format(generator.type))
    months = ("SELECT string_agg(to_char(lo, 'YYYY-MM-DD HH24:MI:SS.US ') || true, ', '"
              " ORDER BY lo) FROM generate_series("
              "date_trunc('month', now()) - interval '%d months',"
              " now() + interval '3 months', '1 month') lo")
    check("%s: the partitions are months" % generator.name,
          citus.value(bounds), citus.value(months % 12))
    again = PARTITION[PARTITION.index("SELECT create_time"):]
    check("%s: there are none to make again" % generator.name,
          citus.rows(generator.translate(again)), [["f"]])
    citus.rows(generator.translate("""
        INSERT INTO event SELECT {at}, n::text FROM generate_series(-12, 2) n,
            LATERAL (SELECT date_trunc('month', now()) + n * interval '1 month') w (t);
        INSERT INTO event (detail) VALUES ('now')""".format(at=ON_PAGE.call_at)))
    window = "id <@ {0}_range(now() - interval '1 hour', now() + interval '1 hour')".format(
        generator.type)
    check("%s: a row of now in the partition of now" % generator.name, citus.rows(
        "SELECT detail, tableoid::regclass::text ~ to_char(now(), '\"^event_p\"YYYY_MM_[0-9]')"
        " FROM event WHERE detail = 'now' AND " + window), [["now", "t"]])
    plan = citus.plan("SELECT * FROM event WHERE id <@ {0}_range('{1}', '{2}')".format(
        generator.type, *citus.rows("SELECT date_trunc('month', now()), date_trunc('month', now())"
                                    " + interval '1 day'")[0]))
    count.test("%s: a window reads one partition, by its index" % generator.name,
               [] if len(set(re.findall(r"event_p\d+_\d+", plan))) == 1 and "Index Cond" in plan
               else [plan])
    citus.rows(generator.translate(DROP_OLD))
    check("%s: old partitions and their rows are gone" % generator.name,
          [citus.value(bounds), citus.value("SELECT count(*) FROM event")],
          [citus.value(months % 3), "7"])
    citus.rows("DROP TABLE event")


def check_reference_table(citus):
    """The page's warning: a column with a default is filled on each node by itself."""
    copies = "SELECT result FROM run_command_on_all_nodes(%s) ORDER BY 1"
    citus.rows("""
        CREATE TABLE kind (n int PRIMARY KEY);
        SELECT create_reference_table('kind');
        INSERT INTO kind VALUES (1);
        ALTER TABLE kind ADD COLUMN id uid11 DEFAULT uid11_generate('snowish')""")
    query = copies % "'SELECT id FROM kind'"
    check("the copies of a reference table differ after ADD COLUMN ... DEFAULT",
          len({row[0] for row in citus.rows(query)}), 3)
    citus.rows("UPDATE kind SET id = (SELECT uid11_generate('snowish'))")
    check("and are the same after an UPDATE", len({row[0] for row in citus.rows(query)}), 1)
    citus.rows("DROP TABLE kind")


def hold_prepared(citus, reader, label, go_on):
    """Stops a worker between the two phases of a commit, and lets it go on, or not."""
    coordinator, _, worker = citus.nodes
    coordinator.rows("ALTER SYSTEM SET synchronous_standby_names = 'none'")
    coordinator.rows("SELECT pg_reload_conf()")
    with coordinator.connect() as db:
        db.run("SET synchronous_commit = on; BEGIN")
        newest = max(db.value("INSERT INTO event (body) VALUES ('held') RETURNING id::text")
                     for _ in range(20))
        # all is prepared when this waits for a standby
        commit = threading.Thread(target=db.run, args=("COMMIT",))
        commit.start()
        coordinator.wait("SELECT bool_or(wait_event = 'SyncRep') FROM pg_stat_activity")
        pids = [int(pid) for (pid,) in worker.rows(
            "SELECT pid FROM pg_stat_activity WHERE query LIKE 'PREPARE TRANSACTION%'")]
        for pid in pids:
            os.kill(pid, signal.SIGSTOP)
        coordinator.rows("ALTER SYSTEM RESET synchronous_standby_names")
        coordinator.rows("SELECT pg_reload_conf()")
        coordinator.wait("SELECT uid11_settled('snowish') > '%s'" % newest)
        visible = int(citus.value("SELECT count(*) FROM event WHERE id <= '%s' AND body = 'held'"
                                  % newest))
        check("%s: the coordinator's uid11_settled() passes rows that are not visible" % label,
              0 < visible < 20, True)
        moves = threading.Thread(target=reader.round)
        moves.start()
        # it sleeps for moments only
        coordinator.rows("""SET statement_timeout = '180 s';
            DO $$ BEGIN WHILE NOT EXISTS (SELECT FROM pg_stat_activity
                    WHERE wait_event = 'PgSleep') LOOP PERFORM pg_stat_clear_snapshot();
                END LOOP; END $$""")
        check("%s: the watermark does not" % label,
              citus.value("SELECT upto > '%s' FROM readable" % newest), "f")
        for pid in pids:
            os.kill(pid, go_on)
        commit.join()
        moves.join()
    wait_until_back(worker)
    worker.wait("SELECT count(*) = 0 FROM pg_prepared_xacts")
    reader.check(label)
    citus.rows("DELETE FROM event; DELETE FROM mail")


def check_reader(citus):
    """The page's reader, beside clients on all nodes, killed workers and moved shards."""
    citus.rows(SETUP + "SELECT create_distributed_table('event', 'id');"
               "CREATE TABLE source (id int PRIMARY KEY, body text NOT NULL);"
               "SELECT create_distributed_table('source', 'id', colocate_with => 'none');"
               "INSERT INTO source SELECT n, 'of a worker' FROM generate_series(1, 8) n;"
               + READ)
    reader = Reader(citus.coordinator, [(citus.coordinator, "CALL move_watermark()")],
                    lambda: int(citus.value("SELECT count(*) FROM event")))
    hold_prepared(citus, reader, "a worker that is late", signal.SIGCONT)
    hold_prepared(citus, reader, "a worker that is killed", signal.SIGKILL)
    with Writers(citus.nodes), Writers([citus.coordinator], "INSERT INTO event (body)"
                                       " SELECT body FROM source"):
        for worker in citus.nodes[1:]:
            reader.reads(300)
            kill(worker)
            reader.reads(300)
            mover = threading.Thread(target=move_shard, args=(citus, "event", "beside clients"))
            mover.start()
            reader.reads_until(lambda: not mover.is_alive())
    reader.check("on all nodes")
    check("ids of all nodes, and of workers for INSERT ... SELECT", citus.rows(
        "SELECT body, array_agg(DISTINCT %s) FROM event GROUP BY 1 ORDER BY 1" % ON_PAGE.number),
        [["of a worker", "{2,3}"], ["x", "{1,2,3}"]])
    citus.rows("DROP TABLE event, source CASCADE")


def main():
    options_of(__doc__)
    with contextlib.ExitStack() as stack:
        citus = Citus([stack.enter_context(Cluster(SETTINGS)) for _ in range(3)])
        print("# " + citus.versions())
        citus.number()
        check_reader(citus)
        for generator in GENERATORS:
            if not (generator.number or generator.first_of_type):
                continue
            fill(citus, generator)
            check_defaults(citus, generator)
            check_answers(citus, generator, "at first")
            move_shard(citus, "post", generator.name)
            # the copy has no statistics yet, and is a new table to the planner
            citus.rows("ANALYZE post, comment")
            check_answers(citus, generator, "after a move")
            check_time_partitions(citus, generator)
            citus.rows("DROP TABLE comment, post, plain_comment, plain_post")
        check_reference_table(citus)
    return count.finish()


if __name__ == "__main__":
    sys.exit(main())
