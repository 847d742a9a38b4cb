#!/usr/bin/env python3
"""Changes one token of the sources at a time, and says which changes no test notices.

    mutate.py N SEED [FILE...]

N changes are drawn by SEED, which names the same ones again in the same
sources, from the files named or else all of src/.  A change that does not
compile, or that gives the same machine code, is no change; another is drawn
for it.  Each of the others is shown to the unit tests, to the regression tests
and to the comparison with the oracle until one fails.  What survives is printed,
with what stood there before.

Works in the current folder, a copy of the sources that it may spoil, with the
server that PGHOST and PG_CONFIG name, whose data folder is PGDATA.  "./dev
mutate" sees to all of that.
"""

import glob
import os
import random
import re
import signal
import subprocess
import sys
import time

SWAPS = [("<=", "<"), (">=", ">"), ("==", "!="), ("!=", "=="), ("&&", "||"), ("||", "&&"),
         ("<<", ">>"), (">>", "<<"), ("++", "--"), ("--", "++"), ("+=", "-="), ("-=", "+="),
         ("|=", "&="), ("&=", "|="), ("^=", "|="), (" < ", " <= "), (" > ", " >= "),
         (" + ", " - "), (" - ", " + "), (" * ", " + "), (" / ", " * "), (" % ", " / "),
         (" & ", " | "), (" | ", " & "), (" ^ ", " | "), ("!", ""), ("~", ""),
         ("true", "false"), ("false", "true"), ("Min(", "Max("), ("Max(", "Min("),
         ("continue;", "break;"), ("break;", "continue;")]
SWAP = dict(SWAPS)
NUMBER = r"(?<![\w.])(?:0[xX][0-9A-Fa-f]+|[0-9]+)(?![\w.])"
TOKEN = re.compile(NUMBER + r"|(?<=UINT64_C\()\w+|" + "|".join(
    (r"\b%s" if old[0].isalpha() else "%s") % re.escape(old) for old, new in SWAPS))
# What is not code, or code that only a failing machine runs.
OPAQUE = re.compile(r'/\*.*?\*/|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|^[ \t]*#[^\n]*|->'
                    r"|(?:StaticAssertDecl|_Static_assert)\(.*?;|\b(?:un)?likely\b",
                    re.DOTALL | re.MULTILINE)

# Quick ones first.
SLOW = ["types", "plans", "estimates", "indexes"]
# A command hangs if it takes so many times what it takes without any change, and a minute more.
PATIENCE = 10


def changes_of(path):
    """All changes of a file, as (path, offset, old, new)."""
    with open(path) as file:
        text = file.read()
    code = OPAQUE.sub(lambda match: re.sub(r"[^\n]", "\0", match.group()), text)
    for match in TOKEN.finditer(code):
        old = match.group()
        new = SWAP.get(old) or ("" if old in SWAP else re.sub(
            r"\d+$|(?<=[xX])[0-9A-Fa-f]+$", lambda digits: (
                "%X" % (int(digits.group(), 16) + 1) if old[1:2] in ("x", "X")
                else str(int(digits.group()) + 1)), old))
        yield path, match.start(), old, new


# Seconds that each command takes without any change.
unchanged = {}


def run(*command):
    """Whether a command succeeds, in time; what it started ends with it."""
    began = time.monotonic()
    seconds = PATIENCE * unchanged[command] + 60 if command in unchanged else 3600
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL, start_new_session=True) as process:
        try:
            succeeds = process.wait(seconds) == 0
            unchanged.setdefault(command, time.monotonic() - began)
            return succeeds
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return False


def make(*arguments):
    return run("make", "-s", "PG_CONFIG=" + os.environ["PG_CONFIG"], "with_llvm=no", *arguments)


def machine_code():
    """The library without what only debuggers read, or None if it cannot be built.

    The build id goes too: it is a checksum of what debuggers read as well, such as columns.
    """
    if not make("all"):
        return None
    run("strip", "-R", ".note.gnu.build-id", "-o", "stripped", "idtypes.so")
    with open("stripped", "rb") as file:
        return file.read()


def restart():
    """A server without anything that a changed library may have left in its memory."""
    mark = os.environ["PGDATA"] + "/idtypes.mark"
    run("pg_ctl", "-m", "immediate", "stop")
    if os.path.exists(mark):
        os.unlink(mark)
    run("pg_ctl", "-l", os.environ["PGDATA"] + "/log", "-w", "start")


def regress(*tests):
    return make("installcheck", "TAP_TESTS=", "ISOLATION=", "REGRESS=" + " ".join(tests))


def killer():
    """The first of the suites that fails, or None."""
    if not run("make", "-C", "test/core/unit", "check", "CFLAGS=-O1", "SEED=1"):
        return "unit"
    restart()
    if not make("install"):
        return "install"
    tests = [os.path.basename(path)[:-len(".sql")] for path in sorted(glob.glob("sql/*.sql"))
             if "--" not in path]
    quick = [test for test in tests if test not in SLOW]
    if not all(regress(*some) for some in [quick] + [[test] for test in SLOW]):
        return "regress"
    if not run("python3", "-B", "test/oracle/compare.py", "--rows", "200"):
        return "compare"
    return None


def main():
    count, seed = int(sys.argv[1]), int(sys.argv[2])
    paths = sys.argv[3:] or sorted(glob.glob("src/**/*.[ch]", recursive=True))
    drawn = [change for path in paths for change in changes_of(path)]
    random.Random(seed).shuffle(drawn)
    original = machine_code()
    by = killer() if original else "build"
    if by is not None:
        sys.exit("without any change: " + by)
    print("%d changes of %d, seed %d" % (count, len(drawn), seed), flush=True)
    tried = survived = 0
    for path, offset, old, new in drawn:
        if tried == count:
            break
        with open(path) as file:
            text = file.read()
        with open(path, "w") as file:
            file.write(text[:offset] + new + text[offset + len(old):])
        if machine_code() not in (None, original):
            tried += 1
            by = killer()
            survived += by is None
            print("%-8s %s:%d: %s -> %s: %s" % (
                by or "SURVIVED", path, text.count("\n", 0, offset) + 1, old.strip(),
                new.strip() or "(nothing)",
                text[text.rfind("\n", 0, offset) + 1:].split("\n")[0].strip()), flush=True)
        with open(path, "w") as file:
            file.write(text)
    print("%d changes, %d survived" % (tried, survived))


if __name__ == "__main__":
    main()
