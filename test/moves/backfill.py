#!/usr/bin/env python3
"""Compares tid64_backfill(), of examples/migrate/backfill.sql, with a loop in Python.

    backfill.py [--seed N] [--rounds N]

In each round a table gets rows of some owners at few instants, more than 1024 at some of them, and
ids that are taken, by instants and between them.  Then it is filled in parts by chance and at last
as a whole, while further rows come.  Each id must be the first that is free, from the instant on
and after the id of the row before.
"""

import random
import sys

from count import Count, options_of
from sql import Connection, new_database

START = 1700000000 * 10**6          # microseconds
# the condition in SQL and in Python
PARTS = {
    "n %% %d = 0": lambda n, micros, limit: n % limit == 0,
    "made < timestamptz ''epoch'' + %d * interval ''1 us''":
        lambda n, micros, limit: micros < limit,
}


def insert(db, rows, known):
    """Adds rows of n, owner, microseconds and an id or None."""
    known.update((row[0], list(row[1:])) for row in rows)
    db.run("INSERT INTO record SELECT n, did, 'epoch'::timestamptz + us * interval '1 us',"
           " tid::tid64 FROM (VALUES %s) AS v (n, did, us, tid)" % ", ".join(
               "(%d, '%s', %d::bigint, %s::bigint)" % (*row[:3], row[3] or "NULL") for row in rows))


def fill(known, chosen):
    """Does what the function should do with the chosen rows; returns how many."""
    taken = {(owner, number) for owner, _, number in known.values()}
    before = {}
    todo = sorted((micros, n) for n, (_, micros, number) in known.items()
                  if number is None and chosen(n, micros))
    for micros, n in todo:
        owner = known[n][0]
        number = max(micros * 1024, before.get(owner, 0) + 1)
        while (owner, number) in taken:
            number += 1
        before[owner] = known[n][2] = number
    return len(todo)


def one_round(db, owned):
    known = {}
    db.run("DROP TABLE IF EXISTS record; CREATE TABLE record"
           " (n int PRIMARY KEY, did text, made timestamptz, tid tid64, UNIQUE (did, tid))")

    def some(rows):
        return [(len(known) + i, "did:%d" % (2 * random.randrange(owned or 1)),
                 START + random.choice((0, 1, 1, 1, 2, 7)), None) for i in range(rows)]

    taken = random.sample(range(START * 1024, (START + 4) * 1024), random.randrange(1, 1500))
    # without owners in the key, some ids are there twice
    insert(db, [(i, "did:%d" % (i >= len(taken)), START, taken[i % len(taken)])
                for i in range(len(taken) + 1)], known)
    call = "SELECT tid64_backfill('record', 'tid', 'made'%s" % (", 'did'" if owned else "")
    for part in range(4):
        insert(db, some(random.randrange(1, 2000)), known)
        condition = random.choice(list(PARTS)) if part < 3 else None
        limit = random.randrange(2, 5) if condition and "%%" in condition else (
            START + random.randrange(1, 9))
        wanted = fill(known, lambda n, micros: not condition or PARTS[condition](n, micros, limit))
        filled = db.value(call + (", which => '%s'" % (condition % limit) if condition else "")
                          + ")")
        if filled != wanted:
            return ["%d rows filled, not %d" % (filled, wanted)]
    got = {n: int(number) for n, number in db.run("SELECT n, tid::bigint FROM record")}
    return ["row %d: got %d, wanted %r" % (n, number, known[n]) for n, number in got.items()
            if known[n][2] != number][:5]


def main():
    options = options_of(__doc__, rounds=20)
    count = Count()
    with new_database("backfill") as database, Connection(dbname=database) as db:
        with open("examples/migrate/backfill.sql", encoding="utf-8") as file:
            db.run("SET client_min_messages = warning; CREATE EXTENSION idtypes;" + file.read())
        for number in range(options.rounds):
            # without owners, all rows share one
            owned = random.choice((0, 1, 3))
            count.test("round %d, owners %d" % (number, owned), one_round(db, owned))
    return count.finish()


if __name__ == "__main__":
    sys.exit(main())
