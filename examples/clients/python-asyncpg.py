"""uid11 with asyncpg; arguments: ID FROM UPTO (see doc/clients.md)."""

import asyncio
import sys
from datetime import datetime

import asyncpg


class Uid11(str):
    """An id, as the server writes it."""


async def register_uid11(db, schema="public"):
    await db.set_type_codec("uid11", schema=schema, encoder=str, decoder=Uid11)


async def main(id, start, end):
    start, end = datetime.fromisoformat(start), datetime.fromisoformat(end)
    db = await asyncpg.connect()                        # PGHOST and so on say where
    await register_uid11(db)

    await db.execute("INSERT INTO post (id, body) VALUES ($1, 'given')", id)
    new = await db.fetchval("INSERT INTO post (body) VALUES ('new') RETURNING id")
    print("default:", new)

    async def show(step, condition, *values):
        found = await db.fetch(f"SELECT body FROM post WHERE {condition} ORDER BY id", *values)
        print(step + ":", *[row["body"] for row in found])

    await show("equality", "id = $1", new)
    await show("list", "id = ANY($1)", [id, new])
    await show("window", "id <@ uid11_range($1, $2)", start, end)
    await show("instant", "id >= $1::timestamptz", start)

    array = await db.fetchval("SELECT array_agg(id ORDER BY id) FROM post")
    print("array:", *array)
    print("mapped:", type(array[0]).__name__, type(new).__name__)

    await db.set_type_codec("uid11", schema="public", format="binary",
                            encoder=bytes, decoder=bytes)
    rows = await db.fetch("SELECT id, body FROM post ORDER BY id")
    print("binary:", *[row["id"].hex() for row in rows])
    await show("binary parameter", "id = $1", rows[0]["id"])
    await db.copy_records_to_table("copied", columns=["id", "body"], records=rows)
    await db.close()


asyncio.run(main(*sys.argv[1:4]))
