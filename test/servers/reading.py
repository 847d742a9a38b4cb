"""Readers of new rows as doc/read-new.md has them, beside clients that write and servers that die.

The SQL is that page's.  What particular set-ups need is on doc/several-servers.md.
"""

import contextlib
import os
import random
import re
import signal
import threading
import time

from three import check, count, pages
from sql import SqlError

PAGE = pages.Page("doc/read-new.md")
LOWEST = "uid11_min('2020-01-01Z')"
LIMIT = 180             # seconds after which a reader counts as one that stands still


def on_page(text):
    """The statements of the page's one block with this text, for ids with the server's number."""
    block, = (block.sql for block in PAGE.blocks if text in block.sql)
    return re.sub(r"(uid11_(?:generate|settled))\(\)", r"\1('snowish')", block)


SETUP = on_page("CREATE TABLE watermark").replace("EXTENSION", "EXTENSION IF NOT EXISTS")
MOVE = on_page("LIMIT 1000").partition(";")[0]
# without the key, which would refuse what is read twice
MAIL, ROUND = on_page("INSERT INTO mail").replace("PRIMARY KEY", "NOT NULL").split(";\n", 1)
ADVANCE = on_page("idtypes_advance_generators")


class Writers:
    """Clients that insert rows in transactions of several kinds, each on one of the servers, from
    entering this to leaving it."""

    def __init__(self, servers, insert="INSERT INTO event (body) VALUES ('x')", clients=2):
        self.ended = threading.Event()
        self.threads = [threading.Thread(target=self.write, args=(server, insert, random.random()))
                        for server in servers for _ in range(clients)]

    def write(self, server, insert, seed):
        chance = random.Random(seed)
        kinds = ([insert], ["BEGIN", insert, insert, "COMMIT"],
                 ["BEGIN", insert, "SELECT pg_sleep(0.02)", insert, insert, "COMMIT"],
                 ["BEGIN", insert, "ROLLBACK"],
                 ["BEGIN", insert, "SAVEPOINT s", insert, "ROLLBACK TO s", insert, "COMMIT"])
        while not self.ended.is_set():
            # a server that dies ends the session
            with contextlib.suppress(SqlError), server.connect() as db:
                while not self.ended.is_set():
                    for statement in chance.choice(kinds):
                        db.run(statement)
                    # one reader keeps up with it
                    time.sleep(0.01)
            time.sleep(0.05)

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *unused):
        self.ended.set()
        for thread in self.threads:
            thread.join()


def wait_until_back(server):
    """Waits until a server that was killed works again."""
    end = time.monotonic() + LIMIT
    while time.monotonic() < end:
        # a new session: one that is kept may not have noticed yet
        with contextlib.suppress(SqlError), server.connect() as db:
            return db.value("SELECT 1")
        time.sleep(0.1)
    raise RuntimeError("server %d does not come back" % server.number)


def kill(server, kind="client backend"):
    """Kills a process of a server, which takes the others with it, and waits until it is back."""
    pids = server.rows("SELECT pid FROM pg_stat_activity WHERE backend_type = '%s'"
                       " AND pid <> pg_backend_pid()" % kind)
    if pids:
        with contextlib.suppress(SqlError), server.connect() as other:
            os.kill(int(random.choice(pids)[0]), signal.SIGKILL)
            # until the server takes this one with it
            other.run("SELECT pg_sleep(%d)" % LIMIT)
    wait_until_back(server)


class Reader:
    """The reader "mailer" on a server, which copies rows by the page's round.

    movers  the servers that move a watermark, each with its statement for that
    total   how many rows there are to read in the end, when all writers have ended
    """

    def __init__(self, server, movers, total):
        self.server = server
        self.movers = movers
        self.total = total
        server.rows(MAIL)

    def round(self):
        """Moves the watermarks and reads; a server that is down, or another reader, is no harm."""
        for server, statements in self.movers + [(self.server, ROUND)]:
            with contextlib.suppress(RuntimeError):
                server.rows(statements)

    def copied(self):
        return int(self.server.value("SELECT count(*) FROM mail"))

    def reads_until(self, condition):
        """Reads until something is so, or for so long that it never will be."""
        end = time.monotonic() + LIMIT
        while not condition() and time.monotonic() < end:
            self.round()
        return condition()

    def reads(self, rows):
        """Reads so many more rows."""
        rows += self.copied()
        check("%d rows are read" % rows, self.reads_until(lambda: self.copied() >= rows), True)

    def check(self, label):
        """Tests that each row was read once, after all writers have ended."""
        total = self.total()
        self.reads_until(lambda: self.copied() >= total)
        for _ in range(3):
            self.round()
        missed, twice = self.server.rows(
            "SELECT (SELECT count(*) FROM (SELECT id FROM event EXCEPT SELECT id FROM mail) s),"
            " count(*) - count(DISTINCT id) FROM mail")[0]
        count.check("%s: each of %d rows is read once" % (label, total),
                    total > 0 and (missed, twice, self.copied()) == ("0", "0", total),
                    "%s missed, %s read again, %d read" % (missed, twice, self.copied()))
