#!/usr/bin/env python3
"""Readers of new rows where several servers generate ids: a subscriber, postgres_fdw.

    PG_CONFIG=... readers.py [--seed N]

Runs the SQL of doc/read-new.md and of doc/several-servers.md that names this file, on three
throwaway servers, beside clients that write and servers that are killed.  The reader must read
each row once.
"""

import os
import re
import sys

from three import check, count, three_servers
from reading import ADVANCE, LOWEST, MOVE, SETUP, Reader, Writers, kill
from count import options_of

HOLD = "INSERT INTO watermark VALUES ('hold', %s)" % LOWEST
NAMES = "first", "second"
LET_GO = "DELETE FROM watermark WHERE server = 'hold'"


def check_subscriber(three, clusters):
    """Two publishers, of which the second is added later, into one subscriber."""
    subscriber, *publishers = three.servers
    publish, subscribe, behind = three.blocks("replication")
    create, first, second = re.split("(?=^CREATE SUBSCRIPTION)", subscribe.sql, flags=re.MULTILINE)

    def run(here, statements, prelude=""):
        here.sql = statements
        for one in three.run(here, prelude=prelude):
            check(statements.splitlines()[0], one.complaints(), [])

    def pass_watermarks(publisher):
        """Lets its next id be above all watermarks that the subscriber knows."""
        newest = re.search(r"\(SELECT .*FROM watermark\)", ADVANCE).group()
        publisher.rows(ADVANCE.replace(newest, "'%s'" % subscriber.value(newest)))

    for server in publishers:
        server.rows(SETUP)
    publish.places = (1,)
    run(publish, publish.sql, "\\set server %s\n" % NAMES[0])
    publishers[0].rows("INSERT INTO event (body) VALUES ('before the copy')")
    # so that it is ahead of the other one
    publishers[0].rows("SELECT idtypes_advance_generators(now() + interval '10 s')")
    run(subscribe, create)
    # its first copy of the rows lasts as long as that of a large table
    subscriber.rows("""CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS
            'BEGIN PERFORM pg_advisory_xact_lock_shared(1); RETURN NEW; END';
        CREATE TRIGGER hold BEFORE INSERT ON event FOR EACH ROW EXECUTE FUNCTION hold();
        ALTER TABLE event ENABLE ALWAYS TRIGGER hold;
        INSERT INTO reader VALUES ('mailer', %s)""" % LOWEST)
    movers = [(server, MOVE.replace("main", name)) for server, name in zip(publishers, NAMES)]
    reader = Reader(subscriber, movers, lambda: sum(
        int(server.value("SELECT count(*) FROM event")) for server in publishers))

    def read_beside_a_copy(label, begin):
        """Lets the reader go on while rows are copied, and the watermark moves beyond them."""
        with subscriber.connect() as lock:
            lock.run("SELECT pg_advisory_lock(1)")
            begin()
            publishers[0].rows("INSERT INTO event (body) VALUES ('beside the copy')")
            newest = publishers[0].value("SELECT max(id) FROM event")
            passed = "SELECT count(*) > 0 FROM watermark WHERE upto > '%s'" % newest
            check("%s: the watermark passes rows that are not there" % label,
                  reader.reads_until(lambda: subscriber.value(passed) == "t"), True)
            reader.round()
            check("%s: the reader waits" % label,
                  subscriber.value("SELECT upto IS NULL FROM readable"), "t")
        reader.check(label)

    read_beside_a_copy("beside the first copy", lambda: run(subscribe, first))

    def copy_again():
        subscriber.rows("TRUNCATE event")
        publishers[0].rows("ALTER PUBLICATION news ADD TABLE event")
        subscriber.rows("ALTER SUBSCRIPTION from_1 REFRESH PUBLICATION")
        subscriber.rows(LET_GO)

    subscriber.rows(HOLD)
    publishers[0].rows("ALTER PUBLICATION news DROP TABLE event")
    subscriber.rows("ALTER SUBSCRIPTION from_1 REFRESH PUBLICATION")
    read_beside_a_copy("a table is added", copy_again)

    subscriber.rows(HOLD)
    publish.places = (2,)
    run(publish, publish.sql, "\\set server %s\n" % NAMES[1])
    run(subscribe, second)
    reader.reads_until(lambda: subscriber.value("SELECT count(*) FROM watermark") == "3")
    pass_watermarks(publishers[1])
    subscriber.rows(LET_GO)
    publishers[1].rows("INSERT INTO event (body) VALUES ('of the new publisher')")
    reader.check("a publisher is added")

    with Writers(publishers):
        for server, kind in ((publishers[0], "client backend"), (publishers[1], "walsender"),
                             (subscriber, "logical replication worker")):
            reader.reads(100)
            kill(server, kind)
        reader.reads(100)
        clusters[2].stop()
        # the one that is down was killed before, and may be seconds ahead of the other
        pass_watermarks(publishers[0])
        newest = publishers[0].value("INSERT INTO event (body) VALUES ('alone') RETURNING id")
        subscriber.wait("SELECT count(*) = 1 FROM event WHERE id = '%s'" % newest)
        for _ in range(10):
            reader.round()
        check("a publisher that is down holds readers back", subscriber.value(
            "SELECT count(*) FROM mail WHERE id >= '%s'" % newest), "0")
        check("and is shown", [one.printed[0].split("|")[0] for one in three.run(behind)],
              [NAMES[1]])
        clusters[2].control("start", "-l", os.path.join(clusters[2].top, "log"))
        reader.reads(100)
    reader.check("two publishers")


def check_shards(three):
    """Shards behind a coordinator, all of which generate ids."""
    coordinator, *shards = three.servers
    readable, = three.blocks("shards")
    for server in three.servers:
        server.rows(SETUP)
    coordinator.rows("DROP TABLE event; CREATE EXTENSION postgres_fdw;"
                     "CREATE TABLE event (id uid11 NOT NULL DEFAULT uid11_generate('snowish'),"
                     " body text NOT NULL) PARTITION BY HASH (id)")
    for number, shard in enumerate(shards, 1):
        coordinator.rows(
            "CREATE SERVER shard{0} FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '{1}', dbname"
            " 'app', extensions 'idtypes'); CREATE USER MAPPING FOR app SERVER shard{0};"
            "CREATE FOREIGN TABLE event_{0} PARTITION OF event FOR VALUES WITH (MODULUS 2,"
            " REMAINDER {2}) SERVER shard{0} OPTIONS (table_name 'event')"
            .format(number, shard.socket, number - 1))
    for one in three.run(readable):
        check("the view of three watermarks", one.complaints(), [])
    # so that each of them is behind and ahead of another
    shards[0].rows("SELECT idtypes_advance_generators(now() + interval '10 s')")
    reader = Reader(coordinator, [(server, MOVE) for server in three.servers],
                    lambda: int(coordinator.value("SELECT count(*) FROM event")))
    with Writers(three.servers):
        for server in three.servers:
            reader.reads(100)
            kill(server)
        reader.reads(100)
    reader.check("shards")


def main():
    options_of(__doc__)
    with three_servers("test/servers/readers.py") as (three, clusters):
        three.number()
        three.create_databases()
        check_subscriber(three, clusters)
        three.drop_databases()
        three.create_databases()
        check_shards(three)
    return count.finish()


if __name__ == "__main__":
    sys.exit(main())
