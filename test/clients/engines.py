#!/usr/bin/env python3
"""Holds examples/engines/ENGINE.sql against the oracle.

    engines.py ENGINE FOLDER [--seed N] [--rows N]

ENGINE is sqlite, duckdb or clickhouse; for the latter two, FOLDER has the npm package.  The ids are
those of the vectors and random ones, in all their forms; the refused texts are the oracle's; the
instants lie at and beside the beginning of random ticks, and beyond the ends of a type.  Then come
the blocks of doc/outside.md that have the engine's name as their heading, which find the export of
that page as event.csv.
"""

import functools
import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys

import idoracle
import make_vectors
import siq
import tid64
from count import Count, options_of
from page import Page

# How a text x becomes what a function takes, and its result a text; "hex" where numbers are.
CALLS = {
    "duckdb": {
        "number": "{0}_number(x)::VARCHAR",
        "text": "{0}_text(x::HUGEINT)",
        "hex": "{0}_text(x)",
        "timestamp": "epoch_us({0}_timestamp(x))::VARCHAR",
        "lower": "{0}_lower(x::TIMESTAMPTZ)",
    },
    "clickhouse": {
        "number": "toString({0}_number(x))",
        "text": "{0}_text(if('{0}' = 'uid11', toInt128(x), toInt64(x)))",
        "hex": "{0}_text(x)",
        "timestamp": "toString(toUnixTimestamp64Micro({0}_timestamp(x)))",
        "lower": "{0}_lower(x)",
    },
    # table, column that is given, column that is asked for
    "sqlite": {
        "number": ("id_read", "id", "number"),
        "text": ("id_write", "number", "text"),
        "timestamp": ("id_read", "id", "timestamp"),
        "lower": ("id_write", "instant", "text"),
    },
}
# The first and the last instant that an engine reads.
LIMITS = {
    "sqlite": ("-4712-01-01", "9999-12-31"),
    "duckdb": ("-4712-01-01", "200000-01-01"),
    "clickhouse": ("1900-01-01", "2299-12-31"),
}

PAGE = "doc/outside.md"


def write_export(path):
    """Writes what the statement on the page exports, without the window."""
    start = idoracle.instant("2026-01-01T00:00:00Z")
    with open(path, "w", encoding="ascii") as file:
        file.write("id,account,what\n")
        for n in range(1, 20001):
            account = siq.siq.compose(idoracle.instant("2025-01-01T00:00:00Z"), 1,
                                      siq.siq.domain_hash("example.org"), n % 7, "user")
            file.write("%s,%s,event %d\n" % (
                tid64.tid64.format((start + n * 60 * 10**6) << 10), siq.siq.hex(account), n))


def stamp(us):
    """An instant as SQL has it, in UTC."""
    return idoracle.iso(us).replace("T", " ").rstrip("Z")


def in_sqlite(folder, questions, blocks):
    """Yields the answers to questions, then the rows of each block."""
    with sqlite3.connect(":memory:") as db, open(
            "examples/engines/sqlite.sql", encoding="utf-8") as file:
        db.executescript(file.read())
        for name, function, arguments in questions:
            table, given, asked = CALLS["sqlite"][function]
            db.executemany("INSERT INTO %s (type, %s) VALUES (?, ?)" % (table, given),
                           [(name, argument) for argument in arguments])
            yield [None if row[0] is None else str(row[0]) for row in db.execute(
                "SELECT %s FROM %s ORDER BY rowid" % (asked, table))]
            db.execute("DELETE FROM " + table)
        for block in blocks:
            yield [row[-1:] if statement.lstrip().startswith("EXPLAIN") else row
                   for statement in block.split(";\n") for row in db.execute(statement)]


def in_node(engine, folder, questions, blocks):
    """The same."""
    def quoted(text):
        if text is None:
            return "NULL"
        if engine == "clickhouse":
            text = text.replace("\\", "\\\\")
        return "'%s'" % text.replace("'", "''")

    statements = []
    for name, function, arguments in questions:
        rows = ", ".join("(%d, %s)" % (number, quoted(argument))
                         for number, argument in enumerate(arguments))
        statements.append("SELECT %s FROM %s ORDER BY n" % (
            CALLS[engine][function].format(name),
            "(VALUES %s) AS q(n, x)" % rows if engine == "duckdb" else
            "values('n UInt32, x %s', %s)" % (
                "Nullable(String)" if None in arguments else "String", rows)))
    done = subprocess.run(
        ["node", shutil.copy("test/clients/engine.mjs", folder), engine,
         os.path.abspath("examples/engines/%s.sql" % engine)], cwd=folder,
        env={**os.environ, "TZ": "UTC"}, input=json.dumps(statements + blocks), text=True,
        stdout=subprocess.PIPE, check=True)
    answers = json.loads(done.stdout)
    yield from ([row[0] for row in rows] for rows in answers[:len(statements)])
    yield from answers[len(statements):]


def questions_of(engine, module, rows):
    """Yields function, arguments, and what the oracle says of each."""
    fmt = module.FORMAT
    number = getattr(fmt, "hex", str)
    first, last = (idoracle.instant(day + "T00:00:00Z") for day in LIMITS[engine])
    ticks = [random.randint(fmt.first_tick, fmt.last_tick) for _ in range(rows // 2)]
    ticks += [fmt.tick_at(idoracle.instant("2026-01-01T00:00:00Z") + random.randrange(10**14))
              for _ in range(rows // 2)]
    values = [fmt.parse(row["text"]) for row in make_vectors.read(fmt.name + ".tsv")]
    values += [fmt.at_tick(tick, random.randrange(1 << fmt.low_bits)) for tick in ticks]
    forms = [(form, value) for value in values for form in module.Subject.forms(value, random)]
    refused = [make_vectors.unescaped(row["text"]) for row in make_vectors.read("invalid.tsv")
               if row["type"] == fmt.name] + [None]
    instants = [us + step for us in map(fmt.begins, ticks + [fmt.first_tick, fmt.last_tick])
                for step in (-1, 0, 1)]
    instants += [idoracle.instant(day + "T00:00:00Z")
                 for day in ("1066-10-14", "1901-02-03", "2298-07-06")]

    def lower(us):
        window = fmt.window(us, None)
        return window and (number if fmt.name == "siq" else fmt.format)(window[0])

    # SQLite reads one form of these, shows no year above 9999, and has no integer above 63 bits
    lite = engine == "sqlite"
    one = {"siq": 28, "scru160": 32}.get(fmt.name) if lite else None
    forms = [(text, value) for text, value in forms if one in (None, len(text))]
    held = [value for value in values if not lite or fmt.size == 8 and value < 1 << 63]
    if not lite or fmt.name != "scru160":
        yield ("number", [text for text, _ in forms] + refused,
               [None if lite and fmt.size == 8 and value >= 1 << 63 else number(value)
                for _, value in forms] + [None] * len(refused))
    if held:
        yield ("text" if fmt.size == 8 else "hex", [number(value) for value in held],
               [fmt.format(value) for value in held])
    instants = [us for us in instants if first <= us <= last]
    yield "lower", [stamp(us) for us in instants], [
        None if lite and fmt.name == "uid11" and us > fmt.begins((1 << 41) - 1) else lower(us)
        for us in instants]
    forms = [(text, value) for text, value in forms if not lite or fmt.timestamp(value) <= last]
    yield ("timestamp", [text for text, _ in forms] + refused,
           [(stamp if lite else str)(fmt.timestamp(value)) for _, value in forms]
           + [None] * len(refused))


def main():
    options = options_of(__doc__, rows=300)
    engine, folder = options.rest
    questions = [(module.FORMAT.name, *question) for module in idoracle.MODULES
                 for question in questions_of(engine, module, options.rows)]
    blocks = [block for block in Page(PAGE).blocks
              if block.heading.lower() == engine and "elsewhere" in block.notes]
    write_export(os.path.join(folder, "event.csv"))
    answer = in_sqlite if engine == "sqlite" else functools.partial(in_node, engine)
    answers = answer(folder, [question[:3] for question in questions],
                     [block.sql for block in blocks])
    count = Count()
    for (name, function, arguments, expected), got in zip(questions, answers):
        wrong = ["%s(%r): got %s, expected %s" % (function, *one)
                 for one in zip(arguments, got, expected) if one[1] != one[2]]
        if len(got) != len(expected):
            wrong.append("%d rows, expected %d" % (len(got), len(expected)))
        count.test("%s, %s: %s of %d values" % (engine, name, function, len(expected)), wrong[:5])
    for block, rows in zip(blocks, answers):
        got = [line.strip("\u2502 ")
               for row in rows for line in " | ".join(map(str, row)).split("\n")]
        shown = block.result.shown.split("\n")
        if "EXPLAIN SELECT" in block.sql:       # of that plan, the page shows a part
            got = [line for line in got if line in shown]
        count.equal("%s:%d" % (PAGE, block.line), got, shown)
    return count.finish()


if __name__ == "__main__":
    sys.exit(main())
