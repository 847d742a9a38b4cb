"""Counts the tests of a program, and reads its options."""

import argparse
import os
import random

# Whether the long form of the tests is asked for, by "./dev test --long".
STRESS = bool(os.environ.get("IDTYPES_STRESS"))


class Count:
    """Counts tests, and prints each with what went wrong; or only those that failed."""

    def __init__(self, only_failed=False):
        self.passed = self.failed = 0
        self.only_failed = only_failed

    def test(self, name, wrong, *more):
        """A test that passes if nothing is wrong; more is printed where something is."""
        self.passed += not wrong
        self.failed += bool(wrong)
        if wrong or not self.only_failed:
            print("%s - %s" % ("not ok" if wrong else "ok", name))
        if wrong:
            print(*wrong, *more, sep="\n")

    def check(self, name, good, why=""):
        self.test(name, [] if good else [why])

    def equal(self, name, got, wanted):
        self.check(name, got == wanted, "got    %r\nwanted %r" % (got, wanted))

    def finish(self):
        """Prints the sums, and returns the program's exit status."""
        print("%d passed, %d failed" % (self.passed, self.failed))
        return 1 if self.failed or not self.passed else 0


def options_of(doc, **numbers):
    """The options of a program: --seed, and numbers with their defaults.  Prints them, seeds the
    random numbers, and returns the options; further arguments are the list "rest".
    """
    parser = argparse.ArgumentParser(description=doc.splitlines()[0])
    for name, default in {"seed": random.randrange(1 << 32), **numbers}.items():
        parser.add_argument("--" + name, type=int, default=default)
    parser.add_argument("rest", nargs="*")
    options = parser.parse_args()
    print("# " + ", ".join("%s %d" % (name, getattr(options, name)) for name in ("seed", *numbers)))
    random.seed(options.seed)
    return options
