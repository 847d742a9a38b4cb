"""uid11 with psycopg 3; arguments: ID FROM UPTO (see doc/clients.md)."""

import sys
from datetime import datetime

import psycopg
from psycopg.adapt import Loader
from psycopg.types import TypeInfo
from psycopg.types.string import StrDumper


class Uid11(str):
    """An id, as the server writes it."""


class Uid11Loader(Loader):
    def load(self, data):
        return Uid11(bytes(data).decode())


def register_uid11(db):
    info = TypeInfo.fetch(db, "uid11")
    info.register(db)                                   # arrays of ids
    db.adapters.register_loader(info.oid, Uid11Loader)
    db.adapters.register_dumper(Uid11, type("Uid11Dumper", (StrDumper,), {"oid": info.oid}))


id, start, end = sys.argv[1:4]
start, end = datetime.fromisoformat(start), datetime.fromisoformat(end)

db = psycopg.connect(autocommit=True)                   # PGHOST and so on say where
register_uid11(db)

db.execute("INSERT INTO post (id, body) VALUES (%s, 'given')", [id])
new, = db.execute("INSERT INTO post (body) VALUES ('new') RETURNING id").fetchone()
print("default:", new)


def show(step, condition, *values):
    found = db.execute("SELECT body FROM post WHERE " + condition + " ORDER BY id", values)
    print(step + ":", *[body for body, in found])


show("equality", "id = %s", new)
show("list", "id = ANY(%s)", [id, str(new)])
show("window", "id <@ uid11_range(%s, %s)", start, end)
show("instant", "id >= %s", start)

array, = db.execute("SELECT array_agg(id ORDER BY id) FROM post").fetchone()
print("array:", *array)
print("mapped:", type(array[0]).__name__, type(new).__name__)

found = db.execute("SELECT id FROM post ORDER BY id", binary=True)
values = [id for id, in found]                          # bytes, most significant first
body, = db.execute("SELECT body FROM post WHERE id = %b::bytea::uid11", [values[0]]).fetchone()
print("binary:", *[value.hex() for value in values])
print("binary parameter:", body)

with db.cursor().copy("COPY copied (id, body) FROM STDIN (FORMAT binary)") as copy:
    copy.set_types(["bytea", "text"])                   # an id in binary is just its bytes
    for value in values:
        copy.write_row([value, "copied"])
