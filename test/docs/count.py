"""Counts the tests of a program."""


class Count:
    """Counts tests, and prints each with what went wrong."""

    def __init__(self):
        self.passed = self.failed = 0

    def test(self, name, wrong, *more):
        self.passed += not wrong
        self.failed += bool(wrong)
        print("%s - %s" % ("not ok" if wrong else "ok", name))
        if wrong:
            print(*wrong, *more, sep="\n")

    def finish(self):
        """Prints the sums, and returns the program's exit status."""
        print("%d passed, %d failed" % (self.passed, self.failed))
        return 1 if self.failed or not self.passed else 0
