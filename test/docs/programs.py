#!/usr/bin/env python3
"""Checks that the programs which pages show are those that ./dev clients runs.

    programs.py

Each block of a programming language in doc/ must stand, line by line and but for a common
indentation, in the file of examples/clients that was linked last above it; and each program in
examples/clients/clients.tsv, or its folder's files, must be shown.
"""

import glob
import os
import re
import sys
import textwrap

PAGES = "doc/*.md"
PROGRAMS = "examples/clients"
LANGUAGES = {"python", "js", "ts", "java", "go", "ruby", "php", "prisma"}


def shown(lines):
    """Yields line, program linked last, and code of each block of a page."""
    program = None
    lines = iter(enumerate(lines, 1))
    for number, line in lines:
        for link in re.findall(r"\]\(\.\./%s/([^)]*)\)" % re.escape(PROGRAMS), line):
            program = link
        if line.startswith("```"):
            code = []
            for _, inside in lines:
                if inside.startswith("```"):
                    break
                code.append(inside)
            if line[3:].strip() in LANGUAGES:
                yield number, program, code


def stands_in(code, source):
    """Whether lines of code are lines of a source, all of them indented by the same."""
    for start in range(len(source) - len(code) + 1):
        part = textwrap.dedent("\n".join(source[start:start + len(code)]))
        if part.split("\n") == code:
            return True
    return False


def main():
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
    with open(os.path.join(PROGRAMS, "clients.tsv"), encoding="utf-8") as file:
        lines = [line.split("\t") for line in file if not line.startswith("#")]
    column = lines[0].index("program")
    # a project is shown by any of its files
    missing = {line[column].split("/")[0] for line in lines[1:]}
    passed = failed = 0
    blocks = []
    for page in sorted(glob.glob(PAGES)):
        with open(page, encoding="utf-8") as file:
            blocks += [(page, *block) for block in shown(file.read().split("\n"))]
    for page, number, program, code in blocks:
        name = "%s:%d is part of %s" % (page, number, program)
        missing.discard((program or "").split("/")[0])
        good = False
        if program:
            with open(os.path.join(PROGRAMS, program), encoding="utf-8") as file:
                good = stands_in(code, file.read().split("\n"))
        passed += good
        failed += not good
        print("%s - %s" % ("ok" if good else "not ok", name))
        if not good:
            print("    " + "\n    ".join(code))
    for program in sorted(missing):
        failed += 1
        print("not ok - %s show nothing of %s" % (PAGES, program))
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
