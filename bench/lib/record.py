"""What was measured, as one table of medians per major: results/pgNN.tsv.

A row there is a measure, a contender and the median of the rounds.  Lines before the header that
begin with # say what it was measured on and with.
"""

import contextlib
import csv
import os
import sys
import time
from dataclasses import dataclass, field
from statistics import median

FIELDS = ["measure", "contender", "median"]


def at(measure, rows):
    """A measure in a table that has grown to so many rows."""
    return "%s at %d rows" % (measure, rows)


def results_path(folder, major):
    return os.path.join(folder, "results", "pg%d.tsv" % major)


class Recorder:
    """Collects the values of all rounds, and shows progress: a line per measure."""

    def __init__(self):
        self.values = {}

    @contextlib.contextmanager
    def line(self, title):
        began = time.monotonic()
        print("%-44s " % title, end="", flush=True)
        yield
        print("%.1f s" % (time.monotonic() - began), flush=True)

    def add(self, measure, contender, value):
        self.values.setdefault(measure, {}).setdefault(contender, []).append(value)

    def median(self, measure, contender):
        return median(self.values[measure][contender])

    def medians(self):
        return {measure: {contender: self.median(measure, contender) for contender in of}
                for measure, of in self.values.items()}


@dataclass
class Results:
    """The table of one major: about is what stands before it, rows[measure][contender] a median."""

    major: int
    about: dict = field(default_factory=dict)
    rows: dict = field(default_factory=dict)

    def median(self, measure, contender):
        return self.rows.get(measure, {}).get(contender)


def write(folder, results):
    path = results_path(folder, results.major)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path + ".new", "w", newline="", encoding="utf-8") as file:
        for name, text in results.about.items():
            file.write("# %s: %s\n" % (name, text))
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow(FIELDS)
        writer.writerows([measure, name, "%.5g" % value] for measure, of in results.rows.items()
                         for name, value in of.items())
    os.replace(path + ".new", path)


def read(folder, major):
    """The table of a major; an empty one if there is none yet."""
    results = Results(major)
    path = results_path(folder, major)
    if not os.path.exists(path):
        return results
    with open(path, newline="", encoding="utf-8") as file:
        lines = list(file)
    about = [line for line in lines if line.startswith("# ")]
    results.about = dict(line[2:].rstrip("\n").split(": ", 1) for line in about)
    for row in csv.DictReader(lines[len(about):], delimiter="\t"):
        results.rows.setdefault(row["measure"], {})[row["contender"]] = float(row["median"])
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
