#!/usr/bin/env python3
"""Checks the form of the project's files: names them as arguments.

Prints one line per complaint and, at the end, "N passed, N failed", where a
file without a complaint is one test passed.
"""

import os
import re
import sys

MAX_COLUMNS = 100
TAB = 4

# What programs write, or is data: only checked to be text with Unix line ends.
GENERATED = re.compile(r"\.(out|tsv|csv|svg|txt)$|"
                       r"^(LICENSE|META\.json|bench/RESULTS\.md)$")
# May hold bytes of any kind.
BINARY = re.compile(r"\.(png|gz|zip)$")
# Programs that run on other people's machines must not name a server.
SCRIPT = re.compile(r"^(dev|Makefile)$|^(tools|\.ci)/|/(Makefile|run)$|\.(sh|py|pl)$")
# Indented with tabs.
TABBED = re.compile(r"^Makefile$|/Makefile$|^(test/\w+|sql|t)/run$|\.(c|h|sh|pl)$")
URL = re.compile(r"\b(https?|ftp):" + "//")
# The folders of src/, from the bottom up, and the headers that a file includes of them.
FLOORS = (("core",), ("server",), ("functions", "generators", "planner"), ("types",))
INCLUDED = re.compile(r'#include "(\w+)/\w+\.h"')


def floor_of(folder):
    """The floor that a folder of src/ lies on; -1 if it is none of them."""
    return next((floor for floor, folders in enumerate(FLOORS) if folder in folders), -1)


def complaints(path, data):
    """Yields (line number, complaint) for one file."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        yield 1, "not UTF-8"
        return
    if "\r" in text:
        yield 1, "carriage return"
    if text and not text.endswith("\n"):
        yield text.count("\n") + 1, "no line end at the end of the file"
    if GENERATED.search(path):
        return
    own = os.path.basename(os.path.dirname(path))
    above = floor_of(own) if path.startswith("src/") else -1
    if text.endswith("\n\n"):
        yield text.count("\n"), "empty line at the end of the file"
    for number, line in enumerate(text.splitlines(), 1):
        width = len(line.expandtabs(TAB))
        # A table row of Markdown cannot be broken.
        if width > MAX_COLUMNS and not (path.endswith(".md") and line.startswith("|")):
            yield number, "%d columns, more than %d" % (width, MAX_COLUMNS)
        if line != line.rstrip():
            yield number, "white space at the end of the line"
        if " \t" in line[: len(line) - len(line.lstrip())]:
            yield number, "a tab after a blank in the indentation"
        if TABBED.search(path) and line.startswith(" " * TAB):
            yield number, "indented with blanks"
        if not line.isascii() and not path.endswith(".md"):
            yield number, "a character outside ASCII"
        included = INCLUDED.match(line) if above >= 0 else None
        if included and included[1] != own and floor_of(included[1]) >= above:
            yield number, "includes a header of src/%s, which is not below src/%s" % (
                included[1], own)
        if SCRIPT.search(path) and URL.search(line):
            yield number, "a URL in a script"


def main():
    passed = failed = 0
    for path in sys.argv[1:]:
        if BINARY.search(path) or os.path.islink(path):
            continue
        with open(path, "rb") as file:
            found = list(complaints(path, file.read()))
        for number, complaint in found:
            print("%s:%d: %s" % (path, number, complaint))
        passed += not found
        failed += bool(found)
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
