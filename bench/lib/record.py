"""What was measured, as one table of medians per major.

The report is made of the tables results/pgNN.tsv.  A row there is a measure of a contender:

    median         of the rounds, net of the empty loop where there was one
    instructions   by callgrind, where they were counted

Lines before the header that begin with # say what it was measured on and with.
"""

import csv
import os
import sys
import time
from dataclasses import dataclass, field
from statistics import median

FIELDS = ["measure", "contender", "median", "instructions"]


def at(measure, rows):
    """A measure in a table that has grown to so many rows."""
    return "%s at %d rows" % (measure, rows)


def results_path(folder, major):
    return os.path.join(folder, "results", "pg%d.tsv" % major)


class Recorder:
    """Collects the rounds, and shows progress: a line per measure, a dot per round."""

    def __init__(self):
        self.values = {}
        self.began = None

    def begin(self, title):
        self.began = time.monotonic()
        print("%-44s " % title, end="", flush=True)

    def tick(self):
        print(".", end="", flush=True)

    def end(self):
        print(" %.1f s" % (time.monotonic() - self.began), flush=True)

    def add(self, measure, contender, number, value):
        """number: of the round, or in a growing table its rows."""
        self.values.setdefault(measure, {}).setdefault(contender, []).append((number, value))


@dataclass
class Row:
    """One measure of one contender; what is not known of it is None."""

    median: float = None
    instructions: float = None


# Sizes of a growing table that are kept, from its first to its last step.
SIZES = [step * 10 ** power for power in (5, 6, 7, 8) for step in (1, 2, 5)]
# Chunks of rows up to a size whose inserts are its cost.
CHUNKS = 5
LOOP = "empty loop"


def net(values):
    """The values of each contender in the order of rounds, net of the empty loop's."""
    found = {name: [value for _, value in sorted(rounds)] for name, rounds in values.items()}
    loop = found.get(LOOP)
    return {name: [value - empty for value, empty in zip(rounds, loop)]
            if loop and name != LOOP else rounds for name, rounds in found.items()}


def of_growth(measure, values, sizes):
    """The measure at some sizes of the table, and how much dearer the last is than the first.

    The second compares value by value: chunk by chunk of inserts, or round by round.
    """
    first, last = sizes["growth_steps"][0], sizes["growth_steps"][-1]
    near = CHUNKS * sizes["growth_chunk"] if measure.endswith("insert") else 1
    kept = sorted(set(sizes["growth_steps"]) | {size for size in SIZES if first < size < last})

    def at_size(rounds, size):
        return [value for rows, value in rounds if size - near < rows <= size]

    for size in kept:
        found = {name: at_size(rounds, size) for name, rounds in values.items()}
        yield at(measure, size), {name: some for name, some in found.items() if some}
    factors = {name: [after / before for after, before in
                      zip(at_size(rounds, last), at_size(rounds, first))]
               for name, rounds in values.items()}
    yield measure, {name: some for name, some in factors.items() if some}


def summary(values, sizes):
    """{measure: {contender: Row}} of what a Recorder has collected."""
    measured = {}
    for measure, of in values.items():
        measured.update(of_growth(measure, of, sizes) if measure.startswith("growth") else
                        {measure: net(of)})
    return {measure: {name: Row(median(rounds)) for name, rounds in of.items()}
            for measure, of in measured.items() if of}


@dataclass
class Results:
    """The table of one major: about is what stands before it, rows[measure][contender] a Row."""

    major: int
    about: dict = field(default_factory=dict)
    rows: dict = field(default_factory=dict)

    def median(self, measure, contender):
        return self.rows.get(measure, {}).get(contender, Row()).median

    def instructions(self, measure, contender):
        return self.rows.get(measure, {}).get(contender, Row()).instructions

    def merge(self, rows, instructions):
        """Takes over what was measured anew, and keeps the rest."""
        self.rows.update(rows)
        for (measure, name), count in instructions.items():
            self.rows.setdefault(measure, {}).setdefault(name, Row()).instructions = count


def shown(value):
    return "" if value is None else "%.5g" % value


def write(folder, results):
    path = results_path(folder, results.major)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path + ".new", "w", newline="") as file:
        for name, text in results.about.items():
            file.write("# %s: %s\n" % (name, text))
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow(FIELDS)
        for measure, of in results.rows.items():
            for name, row in of.items():
                writer.writerow([measure, name, shown(row.median), shown(row.instructions)])
    os.replace(path + ".new", path)


def read(folder, major):
    """The table of a major; an empty one if there is none yet."""
    results = Results(major)
    path = results_path(folder, major)
    if not os.path.exists(path):
        return results
    with open(path, newline="") as file:
        lines = list(file)
    about = [line for line in lines if line.startswith("# ")]
    results.about = dict(line[2:].rstrip("\n").split(": ", 1) for line in about)
    for fields in csv.DictReader(lines[len(about):], delimiter="\t"):
        row = Row(*(float(fields[name]) if fields[name] else None for name in FIELDS[2:]))
        results.rows.setdefault(fields["measure"], {})[fields["contender"]] = row
    return results


def read_all(folder):
    """The results of all majors in a folder, oldest first."""
    path = os.path.join(folder, "results")
    names = os.listdir(path) if os.path.isdir(path) else []
    majors = sorted(int(name[2:-4]) for name in names
                    if name.startswith("pg") and name.endswith(".tsv"))
    if not majors:
        sys.exit("no results in %s" % folder)
    return [read(folder, major) for major in majors]
