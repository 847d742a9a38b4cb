"""What the measurements of this folder have in common."""

import contextlib
import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "oracle"))
import idoracle
import plan_choice
from count import Count
from sql import Connection, new_database

TYPES = idoracle.NAMES
tally = Count()


def generate_at(kind, instant):
    """A call that generates an id for an instant."""
    module = idoracle.MODULES[TYPES.index(kind)]
    return "%s_generate_at(%s)" % (kind, idoracle.arguments(module, instant))


@contextlib.contextmanager
def scratch_database():
    """Makes a database with the extension, which is dropped at the end; gives a session in it."""
    with new_database("scratch") as name, Connection(dbname=name) as db:
        db.run("CREATE EXTENSION idtypes; " + plan_choice.SESSION)
        yield db


def in_order(db, table, columns):
    """The rows of a table in the order of its ids, as one text each."""
    return db.value("SELECT string_agg(concat_ws(' ', %s), ',' ORDER BY id) FROM %s"
                    % (columns, table)).split(",")
