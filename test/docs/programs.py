#!/usr/bin/env python3
"""Checks that the programs which pages show are those that "./dev test clients" runs.

    programs.py

Each block of a programming language in doc/ must stand, line by line and but for a common
indentation, in the file of examples/clients or js that was linked last above it; and each program
in examples/clients/clients.tsv, or its folder's files, must be shown.
"""

import glob
import os
import re
import sys
import textwrap

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from count import Count

PAGES = ("doc/*.md", "js/README.md")
PROGRAMS = "examples/clients"
LANGUAGES = {"python", "js", "ts", "java", "go", "ruby", "rust", "php", "prisma"}
LINK_OR_CODE = re.compile(r"\]\(\.\./((?:%s|js)/[^)]*)\)|^```(\w*)\n(.*?)\n```$" % PROGRAMS,
                          re.MULTILINE | re.DOTALL)


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def shown(text, program):
    """Yields line, program linked last, given the first, and code of each block of a page."""
    for match in LINK_OR_CODE.finditer(text):
        if match[1]:
            program = match[1]
        elif match[2] in LANGUAGES:
            yield text.count("\n", 0, match.start()) + 1, program, match[3]


def stands_in(code, source):
    """Whether lines of code are lines of a source, all of them indented by the same."""
    lines = source.split("\n")
    length = code.count("\n") + 1
    return any(textwrap.dedent("\n".join(lines[start:start + length])) == code
               for start in range(len(lines)))


def main():
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
    header, *rows = [line.split("\t") for line in read(PROGRAMS, "clients.tsv").splitlines()
                     if not line.startswith("#")]
    # a project is shown by any of its files
    missing = {"/".join((PROGRAMS, row[header.index("program")].split("/")[0])) for row in rows}
    count = Count()
    for page in sorted(path for pattern in PAGES for path in glob.glob(pattern)):
        # the page of the package shows one program
        first = "js/example.mjs" if page.startswith("js/") else None
        for number, program, code in shown(read(page), first):
            missing.discard("/".join((program or "").split("/")[:3]))
            good = program and stands_in(code, read(program))
            count.test("%s:%d is part of %s" % (page, number, program), [] if good else [code])
    for program in sorted(missing):
        count.test("the pages show %s" % program, ["they show nothing of it"])
    return count.finish()


if __name__ == "__main__":
    sys.exit(main())
