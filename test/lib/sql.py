"""SQL from Python, on the server that PGHOST and the like name: scripts through the psql on PATH,
and statements in a session that is kept, through the server's own libpq.
"""

import ctypes
import faulthandler
import os
import re
import signal
import subprocess
import time

# The log of a suite that hangs, and is ended for that, says where it was.
faulthandler.register(signal.SIGTERM, chain=True)

COMMAND_OK, TUPLES_OK = 1, 2


class SqlError(Exception):
    """What was reported of a script or statement that failed."""


def psql(script, *options, stop=True, encoding="utf-8", **environment):
    """What psql prints for a script, and what it reports.

    The options are further ones of psql, as "-At" and "-d", DATABASE; the environment's variables
    are set for it.  The first error ends the script and is raised, unless stop is False; then the
    script goes on and the error is among what was reported.
    """
    done = subprocess.run(["psql", "-Xq", "-v", "ON_ERROR_STOP=%d" % stop, *options],
                          input=script.encode(encoding), env=dict(os.environ, **environment),
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    printed, reported = (text.decode(encoding, "replace") for text in (done.stdout, done.stderr))
    if stop and done.returncode != 0:
        raise SqlError(" ".join(reported.split())[:1000])
    return printed, reported


def value(script, *options, **environment):
    """The values that a script prints, a row a line, its columns separated by "|"."""
    return psql(script, "-At", *options, **environment)[0].strip()


def copy_escaped(text):
    """A value as COPY takes it."""
    for old, new in (("\\", "\\\\"), ("\t", "\\t"), ("\n", "\\n"), ("\r", "\\r")):
        text = text.replace(old, new)
    return text


def copy_unescaped(text):
    """The reverse, but that NULL is nothing."""
    letters = {"t": "\t", "n": "\n", "r": "\r", "N": ""}
    return re.sub(r"\\(.)", lambda match: letters.get(match[1], match[1]), text)


def load_libpq():
    """libpq comes with every PostgreSQL server; its functions return pointers and integers."""
    libpq = ctypes.CDLL("libpq.so.5")
    libpq.PQconnectdb.restype = ctypes.c_void_p
    libpq.PQconnectdb.argtypes = [ctypes.c_char_p]
    libpq.PQexec.restype = ctypes.c_void_p
    libpq.PQexec.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
    libpq.PQgetvalue.restype = ctypes.c_char_p
    libpq.PQgetvalue.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_int]
    libpq.PQgetisnull.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_int]
    libpq.PQerrorMessage.restype = ctypes.c_char_p
    for name in ("PQstatus", "PQfinish", "PQresultStatus", "PQclear", "PQntuples", "PQnfields",
                 "PQerrorMessage"):
        getattr(libpq, name).argtypes = [ctypes.c_void_p]
    return libpq


class Connection:
    """One session, of a connection string.  Other threads run while a statement of it does."""

    libpq = None

    def __init__(self, conninfo):
        if Connection.libpq is None:
            Connection.libpq = load_libpq()
        self.conn = self.libpq.PQconnectdb(conninfo.encode())
        if self.libpq.PQstatus(self.conn) != 0:
            raise SqlError(self.libpq.PQerrorMessage(self.conn).decode().strip())

    def run(self, sql):
        """Runs one or more statements; returns the rows of the last, as lists of texts."""
        result = self.libpq.PQexec(self.conn, sql.encode())
        try:
            if self.libpq.PQresultStatus(result) not in (COMMAND_OK, TUPLES_OK):
                message = self.libpq.PQerrorMessage(self.conn).decode().strip()
                raise SqlError("%s\n%s" % (message, sql))
            columns = range(self.libpq.PQnfields(result))
            return [[None if self.libpq.PQgetisnull(result, row, column) else
                     self.libpq.PQgetvalue(result, row, column).decode() for column in columns]
                    for row in range(self.libpq.PQntuples(result))]
        finally:
            self.libpq.PQclear(result)

    def value(self, sql):
        return self.run(sql)[0][0]

    def seconds(self, sql):
        began = time.perf_counter()
        self.run(sql)
        return time.perf_counter() - began

    def close(self):
        self.libpq.PQfinish(self.conn)
