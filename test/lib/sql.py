"""SQL from Python, on the server that PGHOST and the like name: scripts through the psql on PATH,
and statements in a session that is kept, through psycopg.
"""

import contextlib
import faulthandler
import os
import re
import signal
import subprocess
import tempfile
import threading
import time

import psycopg
from psycopg import Error as SqlError
from psycopg.errors import error_from_result
from psycopg.pq import ExecStatus
from psycopg.types.string import TextLoader

# The log of a suite that hangs, and is ended for that, says where it was.
faulthandler.register(signal.SIGTERM, chain=True)
# Of the types that the server sends, Python's has no infinity and no year 10000.
psycopg.adapters.register_loader("timestamptz", TextLoader)


class Psql:
    """A psql that runs one script after another, each as in a session of its own: to start a psql
    and a backend takes far longer than most scripts.
    """

    BEGIN, END, CLEAN = "--- begin ---\n", "--- end ---\n", "--- clean ---\n"
    # The first statement tells whether there is still a server.  At the end, counts are reported as
    # when a session ends.
    FRAME = """DISCARD PLANS;
\\warn {0}\\echo {0}SCRIPT
;
\\warn {1}\\echo {1}ROLLBACK; DISCARD ALL;
SELECT pg_stat_force_next_flush();
\\warn {2}\\echo {2}""".format(BEGIN, END, CLEAN)
    # what would remain for the next script, or read it
    OTHERS = re.compile(r"\\(?!gexec\b)|\bSTDIN\b", re.IGNORECASE)
    # those that wait, by their options and servers, each for the thread that began it
    kept = threading.local()

    def __init__(self, options):
        # a file, as only one pipe can be read at a time
        self.reported = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")
        self.process = subprocess.Popen(
            ["psql", "-Xq", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=self.reported, encoding="utf-8", errors="replace")

    def run(self, script):
        """What it prints and reports for a script, and whether it came to run it at all; a psql
        that ends then has a returncode.
        """
        script = self.FRAME.replace("SCRIPT", script)
        self.reported.seek(0)
        self.reported.truncate()
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.write(script)
            self.process.stdin.flush()
        lines = []
        for line in iter(self.process.stdout.readline, self.CLEAN):
            if not line:
                self.process.wait()
                break
            lines.append(line)
        self.reported.seek(0)
        begun = self.BEGIN in lines
        return [text.rpartition(self.BEGIN)[2].partition(self.END)[0]
                for text in ("".join(lines), self.reported.read())] + [begun]


def psql(script, *options, stop=True):
    """What psql prints for a script, and what it reports.

    The options are further ones of psql, as "-At" and "-d", DATABASE.  The first error ends the
    script and is raised, unless stop is False; then the script goes on and the error is among what
    was reported.
    """
    options = ("-v", "ON_ERROR_STOP=%d" % stop, *options)
    if Psql.OTHERS.search(script) or "-f" in options or len(script) > 50000:
        done = subprocess.run(["psql", "-Xq", *options], input=script, capture_output=True,
                              encoding="utf-8", errors="replace", check=False)
        printed, reported, status = done.stdout, done.stderr, done.returncode
    else:
        kept, key = vars(Psql.kept), (options, *map(os.environ.get, ("PGHOST", "PGDATABASE")))
        one = kept.pop(key, None)
        printed, reported, begun = one.run(script) if one else ("", "", False)
        if not begun:
            one = Psql(options)
            printed, reported, begun = one.run(script)
        status = one.process.returncode
        if status is None:
            kept[key] = one
    if stop and status:
        raise SqlError(" ".join(reported.split())[:1000])
    return printed, reported


def value(script, *options):
    """The values that a script prints, a row a line, its columns separated by "|"."""
    return psql(script, "-At", *options)[0].strip()


def psql_each(scripts, *options):
    """What psql prints and reports for each of some scripts, which it runs in one session.  Errors
    end none of them.
    """
    mark = "--- end of script ---"
    both = psql("".join("%s\n\\echo %s\n\\warn %s\n" % (script, mark, mark) for script in scripts),
                "-At", *options, stop=False)
    return list(zip(*(text.split(mark)[:-1] for text in both)))


class Connection:
    """One session, of a connection string or of parameters.  Other threads run while a statement
    of it does.
    """

    def __init__(self, conninfo="", **parameters):
        # a statement that is prepared unasked gets another plan
        self.conn = psycopg.connect(conninfo, autocommit=True, prepare_threshold=None, **parameters)

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.close()

    def close(self):
        self.conn.close()

    def results(self, sql):
        """Runs statements; yields the rows of each that gives rows."""
        cursor = self.conn.execute(sql)
        more = True
        while more:
            if cursor.description:
                yield cursor.fetchall()
            more = cursor.nextset()

    def run(self, sql):
        """Runs statements; returns the rows of the last that gives rows."""
        return ([], *self.results(sql))[-1]

    def value(self, sql):
        return self.run(sql)[-1][-1]

    def copy_in(self, table, rows, types=None):
        """Copies rows into a table; in the binary format if their types are given."""
        with self.conn.cursor().copy("COPY %s FROM STDIN%s" % (
                table, " (FORMAT binary)" if types else "")) as copy:
            if types:
                copy.set_types(types)
            for row in rows:
                copy.write_row(row)

    def copy_out(self, table):
        """The rows of a table or query in the binary format, the fields as bytes."""
        with self.conn.cursor().copy("COPY %s TO STDOUT (FORMAT binary)" % table) as copy:
            return list(copy.rows())

    def seconds(self, sql):
        """How long statements take, without what psycopg does with their results."""
        began = time.perf_counter()
        result = self.conn.pgconn.exec_(sql.encode())
        taken = time.perf_counter() - began
        if result.status == ExecStatus.FATAL_ERROR:
            raise error_from_result(result)
        return taken


def nodes(plan):
    """All nodes of a plan, from the top."""
    yield plan
    for part in plan.get("Plans", []):
        yield from nodes(part)


@contextlib.contextmanager
def new_database(what, options=""):
    """Makes a database, with options of CREATE DATABASE, and gives its name; drops it at the end.
    """
    name = "idtypes_%s_%d" % (what, os.getpid())
    with Connection() as db:
        db.run("CREATE DATABASE %s %s" % (name, options))
    try:
        yield name
    finally:
        with Connection() as db:
            db.run("DROP DATABASE %s WITH (FORCE)" % name)


def restore(database, into, keep=True, edit=lambda dump: dump):
    """Restores a dump of a database, edited, into another one, or tries to and rolls back.

    Returns the errors, each with the comment of the dump that names the object.
    """
    dump = edit(subprocess.run(["pg_dump", "-d", database], check=True, capture_output=True,
                               encoding="utf-8").stdout)
    script = dump if keep else "\\set ON_ERROR_ROLLBACK on\nBEGIN;\n%s\nROLLBACK;\n" % dump
    _, reported = psql(script, "-f", "-", "-d", into, stop=False)
    lines = script.splitlines()
    return ["%s\n%s" % (next((one for one in lines[int(at)::-1] if one.startswith("-- Name")), at),
                        error) for at, error in re.findall(
                            r"^psql:<stdin>:(\d+): (ERROR: .*)", reported, re.MULTILINE)]
