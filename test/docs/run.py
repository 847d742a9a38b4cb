#!/usr/bin/env python3
"""Runs the SQL of the documentation's pages and checks the plans and answers.

    run.py [PAGE...]

Each page gets a database of its own on the server that PGHOST, PGPORT, PGUSER
and PGDATABASE name (through the psql on PATH), and one session in which its
```sql blocks run from top to bottom.  Databases and roles that this makes are
dropped at the end.  Without arguments the pages are README.md, if there is
one, and doc/*.md.

A block without error is one test passed.  Comments in the Markdown, on lines
of their own right before a block, say what else must hold:

    <!-- plan: TEXT; TEXT; not: TEXT -->   the plans of the block's statements,
                    as auto_explain shows them, contain the texts, or do not
    <!-- same: SELECT ... -->   the query gives the same rows as the block
    <!-- rows: N -->            the block prints N rows
    <!-- error: TEXT -->        the block's last statement fails so
    <!-- from NN --> <!-- until NN -->   PostgreSQL majors the block is for
    <!-- elsewhere: FILE -->    the block is not run here but by that test
"""

import glob
import os
import re
import subprocess
import sys

KEYS = "plan|same|rows|error|from|until|elsewhere"
NOTE = re.compile(r"^<!-- *(%s)\b:? *(.*?) *-->$" % KEYS, re.DOTALL)
MARK = "--- end of block ---"

# What auto_explain reports goes to the client, where only this program looks.
PRELUDE = """
\\set ON_ERROR_STOP 1
\\pset format unaligned
\\pset tuples_only on
\\pset null NULL
\\set QUIET 1
LOAD 'auto_explain';
SET auto_explain.log_min_duration = 0;
SET auto_explain.log_analyze = on;
SET auto_explain.log_timing = off;
SET timezone = 'UTC';
"""


class Block:
    """A ```sql block with its line number and notes."""

    def __init__(self, line, sql, notes):
        self.line = line
        self.sql = sql
        self.notes = notes

    def is_for(self, major):
        """Whether the block is to be run here."""
        return ("elsewhere" not in self.notes
                and int(self.notes.get("from", 0)) <= major <= int(self.notes.get("until", 999)))


def blocks_of(text):
    """The ```sql blocks of a page; raises ValueError if a note cannot be read."""
    blocks = []
    notes = {}
    lines = iter(enumerate(text.splitlines(), 1))
    for number, line in lines:
        if line.startswith("<!--"):
            start = number
            while "-->" not in line:
                number, more = next(lines)
                line += " " + more.strip()
            for comment in re.findall(r"<!--.*?-->", line):
                match = NOTE.match(comment)
                if not match:
                    raise ValueError("line %d: unknown note %s" % (start, comment))
                notes[match.group(1)] = match.group(2)
        elif line.startswith("```sql"):
            body = []
            start = number
            for number, line in lines:
                if line.startswith("```"):
                    break
                body.append(line)
            blocks.append(Block(start, "\n".join(body) + "\n", notes))
            other = notes.get("elsewhere")
            if other and not os.path.exists(other):
                raise ValueError("line %d: there is no %s" % (start, other))
            notes = {}
        elif line.strip():
            if notes:
                raise ValueError("line %d: a note that no block follows" % number)
            if line.startswith("```"):
                while not next(lines)[1].startswith("```"):
                    pass
    return blocks


def script_of(block):
    """What psql is to do for a block, its end marked in both outputs."""
    body = block.sql
    if "same" in block.notes:
        # in one transaction, so that now() is the same instant
        body = ("BEGIN;\n%s\\echo %s\nSET client_min_messages = warning;\n%s;\nCOMMIT;\n"
                % (body, MARK, block.notes["same"]))
    if "error" in block.notes:
        body = "\\set ON_ERROR_STOP 0\n%s\\set ON_ERROR_STOP 1\nROLLBACK;\n" % body
    # client_min_messages lets the plans through for the block's own statements only
    return ("SET client_min_messages = log;\n%sSET client_min_messages = warning;\n"
            "\\echo %s\n\\warn %s\n" % (body, MARK, MARK))


def psql(database, script):
    return subprocess.run(["psql", "-X", "-d", database, "-f", "-"], input=script, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)


def value(query):
    """The result of a query in the database that the environment names."""
    return subprocess.run(["psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-c", query], text=True,
                          stdout=subprocess.PIPE, check=True).stdout.strip()


def complaints(block, outputs, messages):
    """What a block that ran did not keep of its notes, given what it printed and reported."""
    failed = re.findall(r"^(?:psql:[^ ]* )?ERROR: .*", messages, re.MULTILINE)
    wanted = block.notes.get("error")
    if wanted is None and failed:
        yield failed[0]
    elif wanted is not None and not any(wanted in line for line in failed):
        yield "no error with: " + wanted
    for text in block.notes.get("plan", "").split(";"):
        text = text.strip()
        absent = text.startswith("not:")
        if absent:
            text = text[len("not:"):].strip()
        if text and "Query Text:" not in messages:
            yield "no plan was reported"
        elif text and (text in plans_of(messages)) == absent:
            yield "the plan has%s: %s" % ("" if absent else " not", text)
    if "rows" in block.notes and len(outputs[0].splitlines()) != int(block.notes["rows"]):
        yield "%d rows, not %s" % (len(outputs[0].splitlines()), block.notes["rows"])
    if "same" in block.notes:
        if outputs[0] != outputs[1]:
            yield "not the same as %s:\n%s" % (block.notes["same"], outputs[1])
        elif not outputs[0].strip():
            yield "the same, but empty"


def plans_of(messages):
    """The plans among the messages of a block, without the texts of the queries."""
    plans = []
    for report in re.split(r"^(?:psql:[^ ]* )?LOG: ", messages, flags=re.MULTILINE)[1:]:
        # the plan begins at the first line that tells a node's cost
        match = re.search(r"^[^\n]*\(cost=.*", report, re.MULTILINE | re.DOTALL)
        if match:
            plans.append(match.group())
    return "\n".join(plans)


def run_page(page, database, major):
    """Runs a page; returns the numbers of tests passed and failed."""
    passed = failed = 0
    with open(page, encoding="utf-8") as file:
        try:
            blocks = blocks_of(file.read())
        except ValueError as error:
            print("not ok - %s: %s" % (page, error))
            return 0, 1
    run = [block for block in blocks if block.is_for(major)]
    done = psql(database, PRELUDE + "".join(script_of(block) for block in run))
    outputs = iter(done.stdout.split(MARK + "\n"))
    messages = iter(done.stderr.split(MARK + "\n"))
    for block in blocks:
        name = "%s:%d" % (page, block.line)
        if block not in run:
            print("# %s is %s" % (name, "tested by " + block.notes["elsewhere"]
                                  if "elsewhere" in block.notes
                                  else "not for PostgreSQL %d" % major))
            continue
        printed = [next(outputs, "") for _ in range(2 if "same" in block.notes else 1)]
        reported = next(messages, "ERROR:  not reached")
        wrong = list(complaints(block, printed, reported))
        passed += not wrong
        failed += bool(wrong)
        print("%s - %s" % ("not ok" if wrong else "ok", name))
        if wrong:
            print("\n".join(wrong), block.sql, *printed, reported, sep="\n")
    return passed, failed


def main():
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
    pages = sys.argv[1:] or glob.glob("README.md") + sorted(glob.glob("doc/*.md"))
    major = int(value("SHOW server_version_num")) // 10000
    roles = "SELECT string_agg(format('DROP ROLE %I', rolname), ';') FROM pg_roles WHERE oid >= "
    roles += value("SELECT coalesce(max(oid::bigint), 0) + 1 FROM pg_roles")
    total = [0, 0]
    for number, page in enumerate(pages):
        database = "idtypes_docs_%d_%d" % (os.getpid(), number)
        value("CREATE DATABASE " + database)
        try:
            total = [a + b for a, b in zip(total, run_page(page, database, major))]
        finally:
            value("DROP DATABASE %s WITH (FORCE)" % database)
            value(value(roles) or "SELECT")
    if total[0] == 0:
        total[1] += 1
        print("not ok - no block was run")
    print("%d passed, %d failed" % tuple(total))
    return 1 if total[1] else 0


if __name__ == "__main__":
    sys.exit(main())
