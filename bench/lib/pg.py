"""A throwaway cluster and warm connections to it, through the server's own libpq."""

import ctypes
import os
import shutil
import subprocess
import tempfile
import time

COMMAND_OK, TUPLES_OK = 1, 2


def find_bindir(given=None):
    """The server's programs: the folder given, or that of PG_BINDIR or PG_CONFIG."""
    if given or os.environ.get("PG_BINDIR"):
        return given or os.environ["PG_BINDIR"]
    command = [os.environ.get("PG_CONFIG", "pg_config"), "--bindir"]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE,
                          universal_newlines=True).stdout.strip()


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
    """One session.  Other threads run while a statement of it does."""

    libpq = None

    def __init__(self, conninfo):
        if Connection.libpq is None:
            Connection.libpq = load_libpq()
        self.conn = self.libpq.PQconnectdb(conninfo.encode())
        if self.libpq.PQstatus(self.conn) != 0:
            raise RuntimeError(self.libpq.PQerrorMessage(self.conn).decode().strip())

    def run(self, sql):
        """Runs one or more statements; returns the rows of the last, as lists of texts."""
        result = self.libpq.PQexec(self.conn, sql.encode())
        try:
            if self.libpq.PQresultStatus(result) not in (COMMAND_OK, TUPLES_OK):
                message = self.libpq.PQerrorMessage(self.conn).decode().strip()
                raise RuntimeError("%s\n%s" % (message, sql))
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


class Cluster:
    """A cluster of its own, on a Unix socket only; stopped and removed at the end."""

    def __init__(self, bindir, settings, folder=None):
        self.bindir = bindir
        self.top = tempfile.mkdtemp(prefix="idtypes-bench.", dir=folder)
        self.data = os.path.join(self.top, "data")
        # The path of a socket must be short, whatever the folder of the data is.
        self.socket = tempfile.mkdtemp(prefix="idb.", dir="/tmp")
        self.settings = dict(settings, listen_addresses="", port="5432",
                             unix_socket_directories=self.socket)

    def program(self, name, *arguments, **options):
        return subprocess.run([os.path.join(self.bindir, name)] + list(arguments), check=True,
                              stdout=subprocess.DEVNULL, **options)

    def __enter__(self):
        try:
            self.program("initdb", "-D", self.data, "-U", "postgres", "-A", "trust", "-E", "UTF8",
                         "--no-locale", "--no-sync")
            with open(os.path.join(self.data, "postgresql.auto.conf"), "w") as conf:
                for name, value in self.settings.items():
                    conf.write("%s = '%s'\n" % (name, value))
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def start(self):
        self.program("pg_ctl", "-D", self.data, "-l", os.path.join(self.top, "log"), "-w", "-t",
                     "300", "start")

    def stop(self):
        self.program("pg_ctl", "-D", self.data, "-m", "fast", "-w", "-t", "600", "stop")

    def __exit__(self, *unused):
        if os.path.exists(os.path.join(self.data, "postmaster.pid")):
            self.stop()
        shutil.rmtree(self.top, ignore_errors=True)
        shutil.rmtree(self.socket, ignore_errors=True)

    def connect(self, database="postgres"):
        return Connection("host=%s port=5432 user=postgres dbname=%s" % (self.socket, database))
