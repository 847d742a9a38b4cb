"""Builds core_bench.c and reads its times and, under callgrind, its instruction counts."""

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


def lines(output):
    """The program's lines, as {(operation, type): first number}."""
    fields = [line.split("\t") for line in output.splitlines()]
    return {(operation, of): float(one) for operation, of, one, _ in fields}


def times(program):
    """Nanoseconds per call: {(operation, type): median}, less the empty call's."""
    found = lines(subprocess.run([program], check=True, stdout=subprocess.PIPE,
                                 universal_newlines=True).stdout)
    empty = found.pop(("empty", "-"))
    return {key: ns - empty for key, ns in found.items()}


def instructions(program):
    """Instructions per call: {(operation, type): count}, less the empty call's.

    Only code of this program and the C library runs, on the same ids every time, so the counts of
    two runs are equal.
    """
    printed, dumps = callgrind.profile([program, "count"])
    calls = lines(printed)[("calls", "-")]
    counts = {tuple(trigger.split()[2:]): total / calls for trigger, total in dumps
              if trigger.startswith("Client Request: ")}
    empty = counts.pop(("empty", "-"))
    # The time of the clock is spent in the kernel's code, which is not counted.
    return {key: count - empty for key, count in counts.items() if key[1] != "-"}
