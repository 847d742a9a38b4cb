"""The measured values: written as CSV while they come in, read back for the report."""

import csv
import json
import os
import sys
import time

FIELDS = ["measure", "contender", "round", "value"]


def path(folder, major, suffix):
    return os.path.join(folder, "results", "pg%d.%s" % (major, suffix))


class Recorder:
    """Writes pgNN.csv, and shows progress: a line per measure, a dot per round.

    Measures that were not run keep what an earlier run of the same form found.  Nothing is
    replaced before the end.
    """

    def __init__(self, folder, major, form):
        os.makedirs(os.path.join(folder, "results"), exist_ok=True)
        self.path = path(folder, major, "csv")
        self.earlier = []
        if os.path.exists(self.path) and read_about(folder, major).get("form") == form:
            with open(self.path, newline="") as file:
                self.earlier = list(csv.reader(file))[1:]
        self.file = open(self.path + ".new", "w", newline="")
        self.writer = csv.writer(self.file, lineterminator="\n")
        self.writer.writerow(FIELDS)
        self.measures = set()
        self.began = None

    def begin(self, title):
        self.began = time.monotonic()
        print("%-44s " % title, end="", flush=True)

    def tick(self):
        print(".", end="", flush=True)

    def end(self):
        self.file.flush()
        print(" %.1f s" % (time.monotonic() - self.began), flush=True)

    def add(self, measure, contender, number, value):
        self.measures.add(measure)
        self.writer.writerow([measure, contender, number, "%.6g" % value])

    def close(self):
        self.writer.writerows(row for row in self.earlier if row[0] not in self.measures)
        self.file.close()
        os.replace(self.file.name, self.path)


class Results:
    """What was measured on one major: values[measure][contender] is a list of (round, value)."""

    def __init__(self, folder, major):
        self.major = major
        self.values = {}
        with open(path(folder, major, "csv"), newline="") as file:
            for row in csv.DictReader(file):
                of = self.values.setdefault(row["measure"], {})
                of.setdefault(row["contender"], []).append((int(row["round"]),
                                                            float(row["value"])))
        self.about = read_about(folder, major)

    def of(self, measure, contender):
        """The values of a contender by round, or an empty list."""
        return [value for _, value in sorted(self.values.get(measure, {}).get(contender, []))]

    def instructions(self, measure):
        """Instructions per row or call of a measure: {contender: count}."""
        return {row[0]: sum(row[2:]) for kind in self.about["profile"].values() for row in kind
                if row[1] == measure}

    def net(self, measure, contender):
        """The same less what the empty loop took in the same round."""
        return [value - empty for value, empty in
                zip(self.of(measure, contender), self.of(measure, "empty loop"))]


def read_about(folder, major):
    """What the values were measured on and with; empty if nothing was."""
    try:
        with open(path(folder, major, "json")) as file:
            return json.load(file)
    except FileNotFoundError:
        return {}


def write_about(folder, major, about):
    with open(path(folder, major, "json"), "w") as file:
        json.dump(about, file, indent=1, sort_keys=True)
        file.write("\n")


def read_all(folder):
    """The results of all majors in a folder, oldest first."""
    names = os.listdir(os.path.join(folder, "results"))
    majors = sorted(int(name[2:-5]) for name in names
                    if name.startswith("pg") and name.endswith(".json"))
    if not majors:
        sys.exit("no results in %s" % folder)
    return [Results(folder, major) for major in majors]
