"""Builds core_bench.c and reads its instruction counts, under callgrind."""

import glob
import os
import subprocess

import callgrind

BENCH = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SOURCES = os.path.join(os.path.dirname(BENCH), "src", "core", "*.c")
# As PostgreSQL is built by Debian.
FLAGS = ["-std=c11", "-O2", "-Wall", "-Wextra", "-Wshadow", "-Wstrict-prototypes", "-Werror"]


def build(folder):
    program = os.path.join(folder, "core_bench")
    subprocess.run([os.environ.get("CC", "cc")] + FLAGS +
                   ["-o", program, os.path.join(BENCH, "core_bench.c")] +
                   sorted(glob.glob(SOURCES)), check=True)
    return program


def instructions(program):
    """Instructions per call: {(operation, type): count}, less the empty call's.

    Only code of this program and the C library runs, on the same ids every time, so the counts of
    two runs are equal.
    """
    calls, dumps = callgrind.profile([program])
    counts = {tuple(trigger.split()[2:]): total / int(calls) for trigger, total in dumps
              if trigger.startswith("Client Request: ")}
    empty = counts.pop(("empty", "-"))
    return {key: count - empty for key, count in counts.items()}
