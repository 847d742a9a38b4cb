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
from sql import Connection

DATABASE = "idtypes_scratch_%d" % os.getpid()
TYPES = idoracle.NAMES
tally = idoracle.Tally()


def generate_at(kind, instant):
    """A call that generates an id for an instant."""
    module = idoracle.MODULES[TYPES.index(kind)]
    return "%s_generate_at(%s)" % (kind, idoracle.arguments(module, instant))


@contextlib.contextmanager
def scratch_database():
    """Makes the database, with the extension, on the server that PG* names; drops it at the end.
    Gives a session in it.
    """
    server = Connection("dbname=" + os.environ.get("PGDATABASE", "postgres"))
    server.run("CREATE DATABASE " + DATABASE)
    try:
        db = Connection("dbname=" + DATABASE)
        db.run("CREATE EXTENSION idtypes; " + plan_choice.SESSION)
        yield db
    finally:
        server.run("DROP DATABASE %s WITH (FORCE)" % DATABASE)


def in_order(db, table, columns):
    """The rows of a table in the order of its ids, as one text each."""
    return db.value("SELECT string_agg(concat_ws(' ', %s), ',' ORDER BY id) FROM %s"
                    % (columns, table)).split(",")


def use_seed(doc):
    """Prints the seed, that of the program's only option or a new one, and uses it."""
    parser = argparse.ArgumentParser(description=doc.splitlines()[0])
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    seed = parser.parse_args().seed
    print("# seed %d" % seed)
    random.seed(seed)
