"""uid11 with psycopg 3; arguments: FILE PREFIX FROM UPTO (see doc/clients.md)."""

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


path, prefix, start, end = sys.argv[1:5]
start, end = datetime.fromisoformat(start), datetime.fromisoformat(end)
with open(path, encoding="utf-8") as file:
    rows = [line.rstrip("\n").split("\t") for line in file]
given, *bulk = rows

db = psycopg.connect(autocommit=True)                   # PGHOST and so on say where
register_uid11(db)

with db.cursor().copy("COPY post (id, body) FROM STDIN") as copy:
    for row in bulk:
        copy.write_row(row)
print("copy text:", len(bulk))

new, = db.execute("INSERT INTO post (body) VALUES (%s) RETURNING id", ["new"]).fetchone()
print("default:", new)

db.execute("INSERT INTO post (id, body) VALUES (%s, %s)", given)


def show(step, condition, values):
    found = db.execute("SELECT body FROM post WHERE " + condition + " ORDER BY id", values)
    print(step + ":", *[body for body, in found])


show("equality", "id = %s", [new])
show("list", "id = ANY(%s)", [[id for id, body in rows[:3]]])
show("prefix", "id <@ uid11_prefix(%s)", [prefix])
show("window", "id <@ uid11_range(%s, %s)", [start, end])
show("instant", "id >= %s", [start])

found = db.execute("SELECT id FROM post ORDER BY id")
print("text:", *[id for id, in found])

array, = db.execute("SELECT array_agg(id ORDER BY id) FROM post").fetchone()
print("array:", *array)
print("mapped:", type(array[0]).__name__, type(new).__name__)

found = db.execute("SELECT id FROM post ORDER BY id", binary=True)
values = [id for id, in found]                          # bytes, most significant first
body, = db.execute("SELECT body FROM post WHERE id = %b::bytea::uid11", [values[0]]).fetchone()
print("binary:", *[value.hex() for value in values])
print("binary parameter:", body)

values = {str(id): value for id, value in zip(array, values)}
with db.cursor().copy("COPY copied (id, body) FROM STDIN (FORMAT binary)") as copy:
    copy.set_types(["bytea", "text"])                   # an id in binary is just its bytes
    for id, body in rows:
        copy.write_row([values[id], body])
print("copy binary:", len(rows))
