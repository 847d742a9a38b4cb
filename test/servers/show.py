#!/usr/bin/env python3
"""Shows a person a table on two of three servers: ./dev cluster.

    show.py SOCKET SOCKET SOCKET

Runs what doc/several-servers.md says of postgres_fdw on three servers that this may do anything
with, whose socket folders are the arguments, and prints it block by block: the SQL, for queries the
plan, and the time.
"""

import re
import sys
import textwrap
import time

from three import ON_PAGE, Three, docs

COLUMNS = 98


def indented(text, by=2):
    """Prints text, its long lines broken at blanks."""
    for line in text.rstrip().splitlines():
        margin = " " * (by + len(line) - len(line.lstrip()))
        print(textwrap.fill(line.strip(), COLUMNS, initial_indent=margin,
                            subsequent_indent=margin + "      ", break_long_words=False,
                            break_on_hyphens=False))


def show_reports(run):
    """Prints the plans of a block without costs and lists of columns, and its errors."""
    for report in docs.reports_of(run.reported):
        duration = re.search(r"duration: ([0-9.]+) ms", report)
        if duration:
            print("\n  %s ms" % duration.group(1))
            indented("\n".join(re.sub(r"  \(cost=[^)]*\)", "", line)
                               for line in docs.plans_of(report).splitlines()
                               if not re.match(r" +Output: ", line)), 4)
        elif report.startswith("ERROR"):
            print()
            indented(report.split("CONTEXT:")[0])


def main():
    three = Three(sys.argv[1:])
    three.create_databases()
    three.number()
    print("The servers have idtypes.node_id = 1, 2 and 3.  What follows is the section on"
          " postgres_fdw\nof doc/several-servers.md, run on them.")
    for block in three.blocks("postgres_fdw, step by step"):
        print("\n== %s\n" % (block.title or "On " + block.place))
        indented(block.sql)
        began = time.monotonic()
        runs = three.run(block, ON_PAGE)
        seconds = time.monotonic() - began
        for run in runs:
            if run.complaints():
                raise SystemExit("\n".join(run.complaints()))
        if "plan" not in block.notes:
            print("\n  %.1f s on %d server%s" % (seconds, len(runs), "s"[:len(runs) - 1]))
        show_reports(runs[0])
    print("\n== who made which rows\n")
    for server in three.servers[1:]:
        for number, rows, title in server.rows(
                "SELECT %s, count(*), min(title) FROM post WHERE title NOT LIKE 'old%%'"
                " GROUP BY 1 ORDER BY 1" % ON_PAGE.number):
            print("  on server %d: %5s rows with machine %s, such as \"%s\""
                  % (server.number, rows, number, title))
    print("\nThe servers are stopped again; their data is removed with the next run.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
