"""A scratch database for the measurements of this folder, through the psql on PATH."""

import argparse
import contextlib
import os
import random
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "oracle"))

import idoracle

TYPES = idoracle.NAMES
FORMATS = dict(zip(TYPES, idoracle.FORMATS))


def generate_at(kind, instant):
    """A call that generates an id for an instant."""
    module = idoracle.MODULES[TYPES.index(kind)]
    return "%s_generate_at(%s)" % (kind, idoracle.arguments(module, instant))


def prefixed(kind, identifier):
    """The text that prefixes of an id are of."""
    fmt = FORMATS[kind]
    return fmt.shown_for_prefix(fmt.parse(identifier)).replace("-", "")

DATABASE = "idtypes_scratch_%d" % os.getpid()


def sql(statements, database=DATABASE):
    """The lines that psql prints for statements, columns separated by a blank."""
    done = subprocess.run(["psql", "-XAtq", "-F", " ", "-v", "ON_ERROR_STOP=1", "-d", database],
                          text=True, input=statements, stdout=subprocess.PIPE, check=True)
    return done.stdout.splitlines()


@contextlib.contextmanager
def scratch_database():
    """Makes the database, with the extension, on the server that PG* names; drops it at the end."""
    server = os.environ.get("PGDATABASE", "postgres")
    sql("CREATE DATABASE %s;" % DATABASE, server)
    try:
        sql("CREATE EXTENSION idtypes;")
        yield
    finally:
        sql("DROP DATABASE %s WITH (FORCE);" % DATABASE, server)


def version():
    """The server's version."""
    return sql("SELECT 'PostgreSQL ' || split_part(version(), ' ', 2);")[0]


def options(doc, **defaults):
    """The program's options; a seed is always among them, is printed and used."""
    parser = argparse.ArgumentParser(description=doc.splitlines()[0])
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    for name, default in defaults.items():
        parser.add_argument("--" + name, type=type(default), default=default)
    chosen = parser.parse_args()
    print("# seed %d" % chosen.seed)
    random.seed(chosen.seed)
    return chosen


def verdict(passed, failed):
    """Prints how many tests passed, and returns the exit status."""
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed or not passed else 0
