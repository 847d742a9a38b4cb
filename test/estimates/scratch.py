"""A scratch database for the measurements of this folder, and their count."""

import argparse
import contextlib
import os
import random
import sys

for folder in "lib", "oracle":
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, folder))
# pylint: disable=wrong-import-position
import idoracle
import plan_choice
from sql import Connection, psql

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


counts = {True: 0, False: 0}


def check(kept, name):
    """Counts a test."""
    counts[bool(kept)] += 1
    if not kept:
        print("not ok - " + name)


def sql(statements, database=DATABASE):
    """The lines that psql prints for statements, columns separated by a blank."""
    return psql(statements, "-At", "-F", " ", "-d", database)[0].splitlines()


@contextlib.contextmanager
def scratch_database():
    """Makes the database, with the extension, on the server that PG* names; drops it at the end.
    Gives a session in it.
    """
    server = os.environ.get("PGDATABASE", "postgres")
    sql("CREATE DATABASE %s;" % DATABASE, server)
    try:
        sql("CREATE EXTENSION idtypes;")
        yield Connection("dbname=" + DATABASE)
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


def verdict():
    """Prints how many tests passed, and returns the exit status."""
    print("%d passed, %d failed" % (counts[True], counts[False]))
    return 1 if counts[False] or not counts[True] else 0
