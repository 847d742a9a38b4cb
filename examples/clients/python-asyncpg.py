"""uid11 with asyncpg; arguments: FILE PREFIX FROM UPTO (see doc/clients.md)."""

import asyncio
import sys
from datetime import datetime

import asyncpg


class Uid11(str):
    """An id, as the server writes it."""


async def register_uid11(db, schema="public"):
    await db.set_type_codec("uid11", schema=schema, encoder=str, decoder=Uid11)


async def main(path, prefix, start, end):
    start, end = datetime.fromisoformat(start), datetime.fromisoformat(end)
    with open(path, encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file]
    given, *bulk = rows

    db = await asyncpg.connect()                        # PGHOST and so on say where
    await register_uid11(db)

    with open(path, "rb") as file:
        file.readline()
        await db.copy_to_table("post", columns=["id", "body"], source=file)
    print("copy text:", len(bulk))

    new = await db.fetchval("INSERT INTO post (body) VALUES ($1) RETURNING id", "new")
    print("default:", new)

    await db.execute("INSERT INTO post (id, body) VALUES ($1, $2)", *given)

    async def show(step, condition, *values):
        found = await db.fetch(f"SELECT body FROM post WHERE {condition} ORDER BY id", *values)
        print(step + ":", *[row["body"] for row in found])

    await show("equality", "id = $1", new)
    await show("list", "id = ANY($1)", [id for id, body in rows[:3]])
    await show("prefix", "id <@ uid11_prefix($1)", prefix)
    await show("window", "id <@ uid11_range($1, $2)", start, end)
    await show("instant", "id >= $1::timestamptz", start)

    found = await db.fetch("SELECT id FROM post ORDER BY id")
    print("text:", *[row["id"] for row in found])

    array = await db.fetchval("SELECT array_agg(id ORDER BY id) FROM post")
    print("array:", *array)
    print("mapped:", type(array[0]).__name__, type(new).__name__)

    await db.set_type_codec("uid11", schema="public", format="binary",
                            encoder=bytes, decoder=bytes)
    values = [row["id"] for row in await db.fetch("SELECT id FROM post ORDER BY id")]
    body = await db.fetchval("SELECT body FROM post WHERE id = $1", values[0])
    print("binary:", *[value.hex() for value in values])
    print("binary parameter:", body)

    values = {str(id): value for id, value in zip(array, values)}
    await db.copy_records_to_table("copied", columns=["id", "body"],
                                   records=[(values[id], body) for id, body in rows])
    print("copy binary:", len(rows))
    await db.close()


asyncio.run(main(*sys.argv[1:5]))
