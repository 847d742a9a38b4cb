#!/usr/bin/env python3
"""Runs the SQL of the documentation's pages and compares what they show.

    run.py [--accept] [--here FILE] [PAGE...]

Each page gets a database of its own on the server that PGHOST, PGPORT, PGUSER
and PGDATABASE name (through the psql on PATH), and one session in which its
```sql blocks run from top to bottom.  Databases and roles that this makes are
dropped at the end.  Without arguments the pages are README.md, if there is
one, and doc/*.md.  SQL that would be in a reader's way is in test/docs/PAGE.md,
which is run after doc/PAGE.md in the same database.  The blocks of
doc/cheat-sheet.md are also run as readers paste them: each alone, after the first.

A ```text block that follows an SQL block is its result: tables, plans, messages, exactly as psql
prints them without the count of rows.  A block without an error, or with the error that is shown,
and with the result that is shown, is one test passed.  A dump of the page's database must restore
without an error.  With --accept, results and tables that differ are written anew into the pages.
With --here, the blocks are run that a note "elsewhere" leaves to the test FILE, and no others.

Comments in the Markdown, on lines of their own right before a block or table, say more:

before ```text
    <!-- varies: PATTERN; PATTERN -->   what matches one of the regular expressions, between
                    characters that are neither letters nor digits, may be another match of it;
                    the widths of columns then do not matter either
before a table
    <!-- table: SELECT ... -->   the query gives its columns and rows; reference.sql has functions
                    to ask for what the extension consists of
before ```sql
    <!-- plan: TEXT; TEXT; not: TEXT -->   the plans of the block's statements,
                    as auto_explain shows them, contain the texts, or do not
    <!-- same: SELECT ... -->   the query gives the same rows as the block
    <!-- rows: N -->            the block prints N rows
    <!-- error: TEXT -->        the block's last statement fails so
    <!-- from NN --> <!-- until NN -->   PostgreSQL majors the block is for
    <!-- elsewhere: FILE -->    the block is not run here but by that test, which also compares
                    the result if one is shown
    <!-- below: FILE -->        so are all blocks from here on; without a FILE, no more
"""

import argparse
import glob
import os
import re
import sys

import source
from block import MARK, PRELUDE, complaints, reports_of, script_of
from count import Count
from page import Page
from result import difference, stripped
from sql import SqlError, new_database, psql, restore, value

MESSAGES_PAGE = "doc/messages.md"
PASTED_PAGE = "doc/cheat-sheet.md"


def table_of(query, database):
    """What a query gives, as a Markdown table."""
    try:
        printed, _ = psql("LOAD 'idtypes';\n" + query, "-A", "-F", " | ", "-P", "footer=off",
                          "-d", database)
    except SqlError as error:
        return "%s\n" % error
    lines = ["| %s |\n" % line for line in printed.splitlines()]
    lines[1:1] = ["|" + "---|" * (lines[0].count("|") - 1) + "\n"]
    return "".join(lines)


def prepare_reference(database):
    """Makes what queries about the extension ask."""
    with open("test/docs/reference.sql", encoding="utf-8") as file:
        value(file.read(), "-d", database)


def check_reference(pages, database, count):
    """Every function that people call or see in plans, and every setting, must stand on exactly one
    page, every message on its own."""
    value("CREATE EXTENSION idtypes_uuid", "-d", database)
    prepare_reference(database)
    tables = {path: "".join(table.shown for table in page.tables) for path, page in pages.items()}
    names = value("LOAD 'idtypes'; SELECT '`' || form || '`' FROM reference.listed, unnest(forms)"
                  " form WHERE kind <> 'support'"
                  " UNION ALL SELECT setting FROM reference.settings()"
                  " UNION ALL SELECT function FROM reference.functions_of_uuid()", "-d", database)
    for name in names.splitlines():
        on = [path for path, shown in tables.items() if name in shown]
        count.check("%s stands on one page" % name, len(on) == 1,
                    "in a table made by a query on: %s" % (on or "no page"))
    messages = source.messages()
    # headings, and rows of tables
    rows = [heading or row for heading, row in re.findall(
        r"^### `(.*)`$|^\| `(.*?)` \|", "\n".join(pages[MESSAGES_PAGE].text), re.MULTILINE)]
    for message in sorted(messages.union(rows)):
        count.equal("message %s is in src/, and stands on %s once" % (message, MESSAGES_PAGE),
                    (message in messages, rows.count(message)), (True, 1))


def run_page(path, spare, major, count, accept, here):
    """Runs a page and the one beside it, compares them, and returns the page; None if one cannot be
    read.

    The database "spare" is for restores that are rolled back.
    """
    beside = "test/docs/" + os.path.basename(path)
    try:
        pages = [Page(one) for one in (path, beside) if one == path or os.path.exists(one)]
    except ValueError as error:
        count.test("%s: %s" % (path, error), ["it cannot be checked"])
        return None
    sql = "".join(block.sql for page in pages for block in page.blocks)
    if not sql and not pages[0].tables:
        count.test("%s: can be checked, and has no SQL" % path, [])
        return pages[0]
    with new_database("docs") as database:
        others = [run_blocks(page, database, major, count, accept, here) for page in pages]
        if not here and re.search(r"\bCREATE (?!EXTENSION)", sql):
            count.test("%s: a dump of what it makes restores" % path,
                       restore(database, spare, keep=False))
        others[0] += compare_tables(pages[0], database, count, accept)
    for page, other in zip(pages, others):
        if other:
            page.accept(other)
            count.test("%s: is written anew" % page.path, [])
    return Page(path)


def compare_tables(page, database, count, accept):
    """Compares the tables that queries give; returns those to accept, each with the other one."""
    if page.tables:
        prepare_reference(database)
    other = []
    for table in page.tables:
        got = table_of(table.query, database)
        if accept and got != table.shown:
            other.append((table, got))
        else:
            count.test("%s:%d" % (page.path, table.line), [] if got == table.shown else [
                "%s:%d: another table than %s gives\n--- expected, as the page shows\n%s--- got\n%s"
                % (page.path, table.line, table.query, table.shown, got)])
    return other


def run_blocks(page, database, major, count, accept, here):
    """Runs the SQL of a page that is for the test "here".

    Returns the results that did not come out as shown and are to be accepted, each with what did.
    """
    run = [block for block in page.blocks if block.is_for(major, here)]
    printed, reported = psql(PRELUDE + "".join(script_of(block) for block in run), "-d", database,
                             stop=False)
    outputs = iter(printed.split(MARK + "\n"))
    messages = iter(reported.split(MARK + "\n"))
    other = []
    for block in page.blocks:
        name = "%s:%d" % (page.path, block.line)
        if block not in run:
            if block.notes.get("elsewhere") == here:
                print("ok - %s # SKIP not for PostgreSQL %d" % (name, major))
            continue
        printed = [next(outputs, "") for _ in range(2 if "same" in block.notes else 1)]
        reported = next(messages, "ERROR:  not reached")
        wrong = list(complaints(block, printed, reported))
        if block.result:
            got = printed[0] + "".join(one for one in reports_of(reported)
                                       if not one.startswith("LOG:"))
            differs = list(difference(page.path, block.result, got))
            if differs and accept and not wrong:
                other.append((block.result, stripped(got)))
                continue
            wrong += differs
        count.test(name, wrong, "--- the statements", block.sql, "--- printed", *printed,
                   "--- reported", reported)
    return other


def run_pasted(page, major, count):
    """Runs each block of a page in a new database, where only the page's first block was run."""
    first, *others = page.blocks
    for block in others:
        with new_database("pasted_%d" % block.line) as database:
            page.blocks = [first, block]
            run_blocks(page, database, major, count, False, None)
    # a pager would take what is pasted next for its commands
    count.test("%s: results fit on a screen" % page.path, [
        "%s:%d: wider than 80 characters: %s" % (page.path, block.result.line, line)
        for block in [first] + others if block.result
        for line in block.result.shown.splitlines() if len(line) > 80])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--accept", action="store_true")
    parser.add_argument("--here")
    parser.add_argument("pages", nargs="*")
    options = parser.parse_args()
    pages = options.pages or glob.glob("README.md") + sorted(glob.glob("doc/*.md"))
    major = int(value("SHOW server_version_num")) // 10000
    roles = "SELECT string_agg(format('DROP ROLE %I', rolname), ';') FROM pg_roles WHERE oid >= "
    roles += value("SELECT coalesce(max(oid::bigint), 0) + 1 FROM pg_roles")
    count = Count()
    read = {}
    with new_database("spare") as spare:
        # what all dumps begin with, and what is not there yet only once costs its time
        value("CREATE EXTENSION idtypes", "-d", spare)
        for page in pages:
            try:
                read[page] = run_page(page, spare, major, count, options.accept, options.here)
            finally:
                value(value(roles) or "SELECT")
            if page == PASTED_PAGE and read[page] and not options.here:
                run_pasted(read[page], major, count)
        if not options.pages and all(read.values()):
            check_reference(read, spare, count)
    return count.finish()


if __name__ == "__main__":
    sys.exit(main())
