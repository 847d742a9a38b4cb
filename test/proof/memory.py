#!/usr/bin/env python3
"""Asks herd7 whether processors that reorder memory accesses keep what the generators rely on.

    memory.py [TEST...]

Each test is what two processes do to the generators' shared memory, reduced to the accesses whose
order matters, and an outcome that must never come.  Comments name the functions of the source.  A
test is written for each machine as compilers translate the server's atomics and barriers there,
and put to herd7, which goes through every order that the machine's published model allows.  A
mutant lacks one barrier, or the order of one access: with it the outcome must be possible, or else
the test shows nothing.

Prints a line for each test on each machine.  Where herd7 is not installed, it says so and ends
with status 0: Debian does not package it.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from count import Count

# Accesses: write(VARIABLE, VALUE); read(VARIABLE, REGISTER); cas(VARIABLE, EXPECTED, NEW), whose
# EXPECTED is a value or a register; add(VARIABLE).  Barriers: write_barrier, read_barrier,
# memory_barrier, as pg_write_barrier() and so on.  What a mutant changes is marked with "?".
TESTS = {
    # A backend that sees the mark of settle(), write_mark(), and swaps afterwards, swaps a clock
    # word that settle() has written.
    "settle": (
        ["write(last, 1)", "write_barrier?", "write(renew_at, 1)"],
        # shared_last(), clockwords_next()
        ["read(last, a)", "read_barrier", "read(renew_at, b)", "cas(last, 0, 2)"],
        "1:a=0 /\\ 1:b=1 /\\ 1:swapped"),
    # A backend that sees a clock word of restart() sees its mark.
    "restart": (
        ["write(renew_at, 1)", "memory_barrier", "cas(last, 0, 1)"],
        ["read(last, a)", "read_barrier?", "read(renew_at, b)"],
        "0:swapped /\\ 1:a=1 /\\ 1:b=0"),
    # A backend that sees a clock word of advance() sees that it starts there, idtypes_generators().
    "advance": (
        ["write(start, 1)", "cas(last, 0, 1)?"],
        ["read(last, a)", "read_barrier", "read(start, b)"],
        "0:swapped /\\ 1:a=1 /\\ 1:b=0"),
    "advance, reader": (
        ["write(start, 1)", "cas(last, 0, 1)"],
        ["read(last, a)", "read_barrier?", "read(start, b)"],
        "0:swapped /\\ 1:a=1 /\\ 1:b=0"),
    # A block that was taken before restart() or advance() swapped has the number from before,
    # clockwords_next_of_block().
    "block": (
        ["read(last, a)", "cas(last, 9, 7)", "add(restarts)"],
        ["read(restarts, b)", "cas(last, 0, 9)?"],
        "0:a=9 /\\ 0:swapped /\\ 1:b=1 /\\ 1:swapped"),
}

VARIABLES = ["last", "renew_at", "start", "restarts"]
REGISTERS = {"a": 5, "b": 6}
# Registers that the accesses below use by themselves; OLD is what a swap found.
VALUE, OLD, STATUS, EXPECTED, COUNT, DONE = 7, 8, 9, 10, 11, 12


class Machine:
    """How the accesses are written: register() names a register, address() that of a variable."""

    barriers = {}
    swapped = "{p}:{old}={expected} /\\ {p}:{status}=0"

    def found(self, number):
        """What the outcome calls a register."""
        return self.register(number)

    def lines(self, access, weak, label):
        """The instructions of one access; weak ones order nothing."""
        name, *args = re.findall(r"\w+", access)
        if name in self.barriers:
            return [] if weak else [self.barriers[name]]
        at = {"label": label, "at": self.address(args[0]), "value": self.register(VALUE),
              "old": self.register(OLD), "status": self.register(STATUS),
              "expected": self.register(EXPECTED), "count": self.register(COUNT),
              "done": self.register(DONE)}
        if name == "read":
            at["value"] = self.register(REGISTERS[args[1]])
            return [self.load.format(**at)]
        if name == "write":
            return [self.set(VALUE, args[1]), self.store.format(**at)]
        if name == "add":
            return [self.set(VALUE, 1)] + [line.format(**at) for line in self.adding]
        return [self.set(EXPECTED, args[1]), self.set(VALUE, args[2])] + \
            [line.format(**at) for line in (self.weak_swap if weak else self.swap)]

    def test(self, name, processes, outcome, mutant):
        """The test as herd7 reads it."""
        registers, columns = [], []
        for number, accesses in enumerate(processes):
            registers += ["%d:%s=%s" % (number, self.address(variable), variable)
                          for variable in VARIABLES]
            column = []
            for place, access in enumerate(accesses):
                column += self.lines(access.rstrip("?"), mutant and access.endswith("?"),
                                     "L%d%d" % (number, place))
            columns.append(column)
        rows = ["%s ;" % " | ".join(cells) for cells in
                zip(["P0"] + columns[0] + [""] * max(0, len(columns[1]) - len(columns[0])),
                    ["P1"] + columns[1] + [""] * max(0, len(columns[0]) - len(columns[1])))]

        def condition(match):
            process, what = match[1], match[2]
            if what == "swapped":
                expected = next(re.findall(r"\w+", access)[2] for access in processes[int(process)]
                                if access.startswith("cas"))
                return self.swapped.format(p=process, old=self.found(OLD), expected=expected,
                                           status=self.found(STATUS))
            return "%s:%s" % (process, self.found(REGISTERS[what]))
        return "\n".join(["%s %s" % (self.model, re.sub(r"\W+", "-", name)),
                          "{ %s; }" % "; ".join(registers), *rows,
                          "exists (%s)" % re.sub(r"(\d):(\w+)", condition, outcome), ""])


class Arm(Machine):
    """AArch64 with LL/SC, as gcc and clang make it without LSE."""

    model = "AArch64"
    barriers = {"read_barrier": "DMB ISHLD", "write_barrier": "DMB ISH",
                "memory_barrier": "DMB ISH"}
    load, store = "LDR {value},[{at}]", "STR {value},[{at}]"
    swap = ["LDAXR {old},[{at}]", "CMP {old},{expected}", "B.NE {label}",
            "STLXR {status},{value},[{at}]", "{label}:"]
    weak_swap = ["LDXR {old},[{at}]", "CMP {old},{expected}", "B.NE {label}",
                 "STXR {status},{value},[{at}]", "{label}:"]
    adding = ["LDAXR {count},[{at}]", "ADD {count},{count},{value}", "STLXR {done},{count},[{at}]"]

    def register(self, number):
        return "W%d" % number

    def found(self, number):
        return "X%d" % number

    def address(self, variable):
        return "X%d" % (1 + VARIABLES.index(variable))

    def set(self, number, value):
        return "MOV W%d,#%s" % (number, value)


class ArmLse(Arm):
    """AArch64 with the atomics of LSE."""

    swapped = "{p}:{old}={expected}"
    swap = ["MOV {old},{expected}", "CASAL {old},{value},[{at}]"]
    weak_swap = ["MOV {old},{expected}", "CAS {old},{value},[{at}]"]
    adding = ["LDADDAL {value},{count},[{at}]"]


class Power(Machine):
    """POWER, as the server's own assembler has it."""

    model = "PPC"
    barriers = {"read_barrier": "lwsync", "write_barrier": "lwsync", "memory_barrier": "sync"}
    swapped = "{p}:{status}=1"
    load, store = "lwz {value},0({at})", "stw {value},0({at})"
    weak_swap = ["lwarx {old},r0,{at}", "cmpw {old},{expected}", "bne {label}",
                 "stwcx. {value},r0,{at}", "bne {label}", "li {status},1", "{label}:"]
    swap = ["sync", *weak_swap, "isync"]
    adding = ["sync", "lwarx {count},r0,{at}", "add {count},{count},{value}",
              "stwcx. {count},r0,{at}"]

    def register(self, number):
        return "r%d" % number

    def address(self, variable):
        return "r%d" % (1 + VARIABLES.index(variable))

    def set(self, number, value):
        return "li r%d,%s" % (number, value)


MACHINES = {"AArch64 LSE": ArmLse(), "AArch64 LL/SC": Arm(), "POWER": Power()}


def ask(test):
    """What herd7 says: Never, Sometimes or Always; or its complaint."""
    with tempfile.NamedTemporaryFile("w", suffix=".litmus") as file:
        file.write(test)
        file.flush()
        done = subprocess.run(["herd7", file.name], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False)
    found = re.search(r"^Observation \S+ (\w+)", done.stdout, re.M)
    return found[1] if found and done.returncode == 0 else done.stdout.strip() + "\n" + test


def main():
    if shutil.which("herd7") is None:
        print("memory order: not checked, as herd7 is not installed")
        return 0
    unknown = set(sys.argv[1:]) - set(TESTS)
    if unknown:
        sys.exit("no test %s: %s" % (", ".join(unknown), ", ".join(TESTS)))
    count = Count()
    for name, (first, second, outcome) in TESTS.items():
        if sys.argv[1:] and name not in sys.argv[1:]:
            continue
        for machine, how in MACHINES.items():
            verdict, mutant = (ask(how.test(name, (first, second), outcome, mutant))
                               for mutant in (False, True))
            changed = next(access for access in first + second if access.endswith("?"))
            count.equal("%s, %s: never, but sometimes without %s" % (name, machine, changed[:-1]),
                        (verdict, mutant), ("Never", "Sometimes"))
    return count.finish()


if __name__ == "__main__":
    sys.exit(main())
