"""uid11 with psycopg2; arguments: FILE PREFIX FROM UPTO (see doc/clients.md)."""

import io
import sys
from datetime import datetime

import psycopg2
import psycopg2.extensions as ext


class Uid11(str):
    """An id, as the server writes it."""


def register_uid11(db):
    with db.cursor() as cursor:
        cursor.execute("SELECT oid, typarray FROM pg_type WHERE oid = 'uid11'::regtype")
        oid, array_oid = cursor.fetchone()
    uid11 = ext.new_type((oid,), "uid11", lambda text, cursor: text and Uid11(text))
    ext.register_type(uid11, db)
    ext.register_type(ext.new_array_type((array_oid,), "uid11[]", uid11), db)


path, prefix, start, end = sys.argv[1:]
start, end = datetime.fromisoformat(start), datetime.fromisoformat(end)
with open(path, encoding="utf-8") as file:
    lines = file.readlines()
given = lines[0].split()
ids = [line.split()[0] for line in lines[:3]]

db = psycopg2.connect("")                               # PGHOST and so on say where
db.autocommit = True
register_uid11(db)
cursor = db.cursor()

cursor.copy_expert("COPY post (id, body) FROM STDIN", io.StringIO("".join(lines[1:])))
print("copy text:", cursor.rowcount)

cursor.execute("INSERT INTO post (body) VALUES (%s) RETURNING id", ["new"])
new, = cursor.fetchone()
print("default:", new)

cursor.execute("INSERT INTO post (id, body) VALUES (%s, %s)", given)

cursor.execute("SELECT body FROM post WHERE id = %s", [new])
print("equality:", *[body for body, in cursor])

# a list becomes ARRAY['...', '...'], which is an array of text
cursor.execute("SELECT body FROM post WHERE id = ANY(%s::uid11[]) ORDER BY id", [ids])
print("list:", *[body for body, in cursor])

cursor.execute("SELECT body FROM post WHERE id <@ uid11_prefix(%s) ORDER BY id", [prefix])
print("prefix:", *[body for body, in cursor])

cursor.execute("SELECT body FROM post WHERE id <@ uid11_range(%s, %s) ORDER BY id",
               [start, end])
print("window:", *[body for body, in cursor])

cursor.execute("SELECT body FROM post WHERE id >= %s ORDER BY id", [start])
print("instant:", *[body for body, in cursor])

cursor.execute("SELECT id FROM post ORDER BY id")
print("text:", *[id for id, in cursor])

cursor.execute("SELECT array_agg(id ORDER BY id) FROM post")
array, = cursor.fetchone()
print("array:", *array)
print("mapped:", type(array[0]).__name__, type(new).__name__)

cursor.execute("SELECT id::bytea AS bytes FROM post ORDER BY id")
values = [bytes(id) for id, in cursor]                  # most significant byte first
cursor.execute("SELECT body FROM post WHERE id = %s::bytea::uid11", [values[0]])
body, = cursor.fetchone()
print("binary (bytea):", *[value.hex() for value in values])
print("binary parameter (bytea):", body)
