"""Three servers as doc/several-servers.md sets them up.

What is run is the page's own SQL.  The first line of each of its blocks that name this folder says
where it runs and what it is about.  The page is written for one generator; for another one, its
name and its type are put in the place of those.

The servers each have a Unix socket in a folder of their own, and belong to this alone.
"""

import contextlib
import copy
import os
import re
import time

import block as blocks
import page as pages
import sql
from cluster import Cluster
from count import Count

PAGE = "doc/several-servers.md"
TEST = "test/servers/check.py"
USER = DATABASE = "app"
SETTINGS = {"shared_buffers": "32MB", "fsync": "off", "wal_level": "logical",
            "max_worker_processes": "16", "max_logical_replication_workers": "8",
            "wal_retrieve_retry_interval": "100ms"}
# What the page's queries by prefix ask for.
PREFIX = "5M3S"

# Which servers the first line of a block means.
PLACES = {
    "shards": {"the coordinator": (0,), "each shard": (1, 2)},
    "replication": {"the subscriber": (0,), "each publisher": (1, 2), "the first publisher": (1,)},
}
# Which servers the page's host names stand for.
HOSTS = {"shard1.example.org": 1, "shard2.example.org": 2,
         "publisher1.example.org": 1, "publisher2.example.org": 2}

count = Count()
check = count.equal


class Generator:
    """A way to make ids.

    name     as idtypes_generators() calls it, and which use of it
    call     makes an id
    number   the field of "id" that holds the server's number, if one does
    without  what is true of that field on a server without a number, given the "pid" that made it
    unique   whether servers with numbers never repeat each other's ids
    """

    def __init__(self, name, call, number=None, without=None, unique=None):
        self.name = name
        self.call = call
        self.type = call.split("_")[0]
        self.number = number
        self.without = without
        self.unique = number is not None if unique is None else unique

    @property
    def first_of_type(self):
        """Whether no generator before this one makes ids of the same type."""
        return self is next(other for other in GENERATORS if other.type == self.type)

    @property
    def call_at(self):
        """Composes an id for the instant t."""
        name, arguments = re.fullmatch(r"(\w+)\((.*)\)", self.call).groups()
        return "%s_at(t%s)" % (name, arguments and ", " + arguments)

    def translate(self, sql):
        """What the page says, said for this generator."""
        sql = sql.replace(ON_PAGE.call_at, self.call_at).replace(ON_PAGE.call, self.call)
        return re.sub(r"\b%s(?=[a-z_]*\b)" % ON_PAGE.type, self.type, sql)


ON_PAGE = Generator("uid11 snowish", "uid11_generate('snowish')",
                    "(uid11_parts(id, 'snowish')).machine", "= 0")
GENERATORS = (
    Generator("siq", "siq_generate('example.org', 'post')", "siq_shard(id)", "= pid % 256"),
    Generator("scru160", "scru160_generate()", unique=True),
    Generator("scru160, microsecond", "scru160_generate('microsecond')", unique=True),
    Generator("tid64", "tid64_generate()", "tid64_clock_id(id) - 32", "< 0"),
    ON_PAGE,
    Generator("uid11 xid", "uid11_generate()"),
    Generator("uid11 ts-seq-rand", "uid11_generate('ts-seq-rand')"),
    Generator("uid11 fullrand", "uid11_generate('fullrand')"),
    Generator("ulidflake", "ulidflake_generate()"),
    Generator("ulidflake, scalable", "ulidflake_generate_scalable()", "ulidflake_scalability(id)",
              "= 0"),
)


class Server:
    """One of the three: its number, from 1, and the folder of its socket."""

    def __init__(self, number, socket):
        self.number = number
        self.socket = socket

    def run(self, script):
        """What psql prints and reports for a script, which may fail."""
        return self.psql(script, DATABASE, USER, stop=False)

    def psql(self, script, database, user, *options, **more):
        """The same for a script that must not fail, unless more says so."""
        return sql.psql(script, "-h", self.socket, "-U", user, "-d", database, *options, **more)

    def rows(self, statements, database=DATABASE, user=USER):
        """The rows that statements give, as lists of texts; an error in them is one here."""
        try:
            printed, _ = self.psql("SET client_min_messages = warning; SET timezone = 'UTC';\n%s;\n"
                                   % statements, database, user, "-At")
        except sql.SqlError as error:
            raise RuntimeError("server %d: %s\n%s" % (self.number, statements, error)) from error
        return [line.split("|") for line in printed.splitlines()]

    def value(self, statements):
        """The last value that statements give."""
        return self.rows(statements)[-1][-1]

    def connect(self):
        """A session that is kept."""
        return sql.Connection(host=self.socket, user=USER, dbname=DATABASE)

    def wait(self, query, failed="SELECT false"):
        """Waits until a query gives true; raises an error if the other one does first."""
        while self.value(query) != "t":
            if self.value(failed) == "t":
                raise RuntimeError("server %d: %s\nis true before\n%s"
                                   % (self.number, failed, query))
            time.sleep(0.1)


class Three:
    """The three servers, and the page."""

    def __init__(self, sockets, test=TEST):
        self.test = test
        self.servers = [Server(number, socket) for number, socket in enumerate(sockets, 1)]
        self.page = pages.Page(PAGE)
        for server in self.servers:
            server.rows("CREATE ROLE %s SUPERUSER LOGIN" % USER, "postgres", "postgres")
        version = self.servers[0].rows("SHOW server_version_num", "postgres")
        self.major = int(version[-1][-1]) // 10000

    def blocks(self, topic):
        """The blocks of the page that are run here, by what their servers do."""
        found = [Here(block) for block in self.page.blocks if block.is_for(self.major, self.test)]
        return [here for here in found if here.where in PLACES[topic]]

    def create_databases(self):
        """Makes the database on each server, where the same types will have other OIDs."""
        for server in self.servers:
            server.rows("SELECT count(lo_unlink(lo_create(0))) FROM generate_series(1, %d00);"
                        "CREATE DATABASE %s" % (server.number, DATABASE), "postgres")

    def number(self):
        """Gives each server its number."""
        for server in self.servers:
            # the library is loaded first: before that PostgreSQL 15 does not know the setting
            server.rows("CREATE EXTENSION IF NOT EXISTS idtypes; SELECT tid64_min(now());"
                        "ALTER SYSTEM SET idtypes.node_id = %d;"
                        "ALTER SYSTEM SET idtypes.require_node_id = on; SELECT pg_reload_conf()"
                        % server.number, "postgres")
            while server.rows("SELECT tid64_min(now()); SHOW idtypes.node_id", "postgres")[-1] \
                    != [str(server.number)]:
                time.sleep(0.1)

    def drop_databases(self):
        """Removes the database, and the subscriptions in it."""
        for server in self.servers:
            for (name,) in server.rows("SELECT subname FROM pg_subscription"):
                server.rows("DROP SUBSCRIPTION %s" % name)
        for server in self.servers:
            server.rows("DROP DATABASE %s WITH (FORCE)" % DATABASE, "postgres")

    def run(self, block, generator=ON_PAGE, prelude=""):
        """Runs a block for a generator wherever it is to be run; returns a list of Runs."""
        prefix = self.prefix_of(generator) if PREFIX in block.sql else PREFIX

        def translate(text):
            text = generator.translate(text).replace(PREFIX, prefix)
            for host, place in HOSTS.items():
                text = text.replace(host, self.servers[place].socket)
            return text

        here = copy.copy(block)
        here.sql = translate(block.sql)
        here.notes = {key: translate(value) for key, value in block.notes.items()}
        return [Run(here, self.servers[place], prelude) for place in block.places]

    def ask(self, query):
        """Runs a query on the coordinator."""
        return self.run(Here(pages.Block(0, "-- on the coordinator\n%s;\n" % query,
                                        {"plan": ""})))[0]

    def prefix_of(self, generator):
        """A prefix that some of the posts in the middle of the coordinator's table have."""
        if generator.type == ON_PAGE.type:
            return PREFIX
        text = "siq_hex(id)" if generator.type == "siq" else "id::text"
        return self.servers[0].value("""
            WITH posts AS MATERIALIZED (SELECT %s AS whole FROM post ORDER BY id),
                one AS (SELECT whole FROM posts OFFSET 3000 LIMIT 1)
            SELECT prefix FROM one, generate_series(1, length(whole)) n,
                LATERAL (SELECT left(whole, n)) p (prefix),
                LATERAL (SELECT count(*) FROM posts WHERE starts_with(posts.whole, prefix)) c (rows)
            WHERE rows >= 10 ORDER BY rows LIMIT 1""" % text)


@contextlib.contextmanager
def three_servers(test=TEST):
    """The three as long as they are wanted, and their clusters."""
    with contextlib.ExitStack() as stack:
        clusters = [stack.enter_context(Cluster(SETTINGS, os.environ.get("WORK")))
                    for _ in range(3)]
        yield Three([cluster.socket for cluster in clusters], test), clusters


class Here:
    """An SQL block of the page that says where it runs."""

    def __init__(self, block):
        self.line = block.line
        self.notes = block.notes
        self.result = block.result
        head, _, self.sql = block.sql.partition("\n")
        match = re.fullmatch(r"-- on ([^:]+)(?:: .*)?", head)
        self.where = match and match.group(1)
        self.places = {**PLACES["shards"], **PLACES["replication"]}.get(self.where)
        if not self.places:
            raise RuntimeError("%s:%d: where is this to be run?" % (PAGE, block.line))


class Run:
    """A block that was run on a server: what it printed and reported, and its plans."""

    def __init__(self, block, server, prelude):
        self.block = block
        self.server = server
        printed, reported = server.run(
            "%sSET auto_explain.log_verbose = on;\n%s\n%s"
            % (blocks.PRELUDE, prelude, blocks.script_of(block)))
        self.printed = printed.split(blocks.MARK + "\n")
        self.reported = reported.split(blocks.MARK + "\n")[0]
        self.plans = blocks.plans_of(self.reported)

    def complaints(self):
        """What the page says of the block and is not so."""
        return list(blocks.complaints(self.block, self.printed, self.reported))

    def remote_queries(self):
        """The statements that the plans send to other servers."""
        return sorted(set(re.findall(r"Remote SQL: (.*)", self.plans)))
