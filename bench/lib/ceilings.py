"""What is counted, and the ceilings that it must stay below: a file of type, name and ceiling."""

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

    def check(self, counts, unit, complaint=lambda key: None):
        """Prints a line for each; returns how many tests passed and failed.

        complaint: what else is wrong with one, or None.
        """
        ceilings = self.read()
        verdicts = []
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
        return verdicts.count(True), verdicts.count(False)


def finish(passed, failed):
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed or not passed else 0
