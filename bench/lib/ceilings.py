"""What is counted, and the ceilings that it must stay below: a file of type, name and ceiling."""

import sys
from dataclasses import dataclass


@dataclass
class Ceilings:
    """The file and its head."""

    path: str
    head: str
    room: float         # that new ceilings leave
    loose: float        # the part of a ceiling that it guards nothing below
    form: str           # how numbers are written there

    def read(self):
        with open(self.path, encoding="ascii") as file:
            rows = [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]
        return {(name, of): float(ceiling) for of, name, ceiling in rows}

    def write(self, counts):
        """To be committed only with a reason."""
        with open(self.path, "w", encoding="ascii") as file:
            file.write("# %s\n" % self.head)
            for (name, of), count in sorted(counts.items(), key=lambda row: row[0][::-1]):
                file.write("%s\t%s\t%s\n" % (of, name, self.form % (count * self.room)))

    def guard(self, counts, unit, complaint=lambda key: None, more=()):
        """Prints a line for each, and how many tests passed; returns the program's exit status.

        complaint: what else is wrong with one, or None.
        more: whether further tests passed.
        """
        if sys.argv[1:] == ["--update"]:
            self.write(counts)
        ceilings = self.read()
        verdicts = list(more)
        for key in sorted(set(ceilings) | set(counts), key=lambda key: key[::-1]):
            count = counts.get(key)
            ceiling = ceilings.get(key)
            if count is None:
                verdict = "was not counted"
            elif ceiling is None:
                verdict = "has no ceiling in the file"
            elif complaint(key):
                verdict = complaint(key)
            elif count > ceiling:
                verdict = "is above its ceiling"
            elif count < ceiling * self.loose:
                verdict = "is far below its ceiling: lower that"
            else:
                verdict = ""
            print("%-10s %-14s %8.2f of %7.2f %s %s" % (*key[::-1], count or 0, ceiling or 0, unit,
                                                        verdict))
            verdicts.append(not verdict)
        print("%d passed, %d failed" % (verdicts.count(True), verdicts.count(False)))
        return 0 if verdicts and all(verdicts) else 1
