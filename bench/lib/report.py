"""RESULTS.md: what each key costs, what was asked of ours and what misses it, and why."""

import os

import contenders as who
import measures
import plan_choice
import planning
import plots
import record
import stats
import targets
import why

# What is shown in one table: title, measure, unit, and what a value is divided by.
MEASURES = [
    ("one new id", "generate", "ns", 1),
    ("new ids, two sessions", "two backends", "million/s", 1e6),
    ("encrypt an id", "encrypt", "ns", 1),
    ("with a tweak of 1024 bytes", "encrypt, 1024 bytes of tweak", "ns", 1),
    ("with another one for each id", "encrypt, other 1024 bytes for each", "ns", 1),
    ("decrypt", "decrypt", "ns", 1),
    ("insert a row", "insert", "ns", 1),
    ("B-tree", "B-tree size", "bytes/key", 1),
    ("WAL of an insert", "WAL", "bytes", 1),
    ("COPY to text", "COPY text out", "ns/row", 1),
    ("COPY from text", "COPY text in", "ns/row", 1),
    ("COPY to binary", "COPY binary out", "ns/row", 1),
    ("COPY from binary", "COPY binary in", "ns/row", 1),
    ("ORDER BY", "ORDER BY", "ns/row", 1),
    ("CREATE INDEX", "CREATE INDEX", "ns/row", 1),
    ("look-up by index", "point look-ups", "ns", 1),
    ("hash join", "hash join", "ns/row", 1),
    ("hash aggregate", "hash aggregate", "ns/row", 1),
    ("index-only scan of a window", "window scan", "ns/row", 1),
    ("index-only scan of a prefix", "prefix scan", "ns/row", 1),
    ("neighbours of a minute", "sliding window", "ns/row", 1),
    ("the same over timestamptz", "sliding window over timestamptz", "ns/row", 1),
]


def table(header, rows):
    yield "| %s |" % " | ".join(header)
    yield "|%s" % (" --- |" * len(header))
    for row in rows:
        yield "| %s |" % " | ".join(row)
    yield ""


def number(value):
    """Three digits are more than a median is worth."""
    if value is None:
        return "-"
    return "%.*f" % (2 if value < 1 else 1 if value < 100 else 0, value)


def millions(rows):
    return "%g million" % (rows / 1e6)


# Ours first, then the server's own.
KEYS = who.OURS + [who.BIGINT, who.UUID_V7, who.UUID_V4]


def key_columns(results):
    return [c.name for c in KEYS if results.median("insert", c.name)]


def generators():
    """The name of the generator behind each key's default."""
    return {c.name: who.generator_of(c) for c in KEYS}


def value_of(results, measure, name):
    """Of bigint's scans, which are one beside each of ours, the median."""
    if measure in ("generate", "two backends"):
        name = generators()[name]
    if name == "bigint" and measure.endswith(" scan"):
        values = [results.median(measure, "bigint (%s)" % c.name) for c in who.OURS]
        return stats.median(values) if None not in values else None
    return results.median(measure, name)


def growth_measures(results):
    for measure, title in ("growth: insert", "insert"), ("growth: look-up", "look-up"):
        for size in measures.Sizes(False).growth_steps:
            if record.at(measure, size) in results.rows:
                yield ("%s at %s rows" % (title, millions(size)), record.at(measure, size), "ns", 1)


def medians(results):
    names = key_columns(results)
    rows = []
    for title, measure, unit, divisor in MEASURES + list(growth_measures(results)):
        values = [value_of(results, measure, name) for name in names]
        if any(value is not None for value in values):
            rows.append(["%s, %s" % (title, unit)] +
                        [number(None if value is None else value / divisor) for value in values])
    yield "## On PostgreSQL %d" % results.major
    yield ""
    yield from table(["median"] + names, rows)


def variants(majors):
    """The other forms of the generators, and the peers."""
    shown = [("generate", g.name) for g in who.OUR_GENERATORS
             if g.name not in generators().values()]
    shown += [("generate, steps of 1", g.name) for g in who.STEPPING]
    shown += [("generate", g.name) for g in who.PEERS
              if any(results.median("generate", g.name) for results in majors)]
    rows = []
    for measure, name in shown:
        together = "two backends" if measure == "generate" else None
        row = [name + measure[len("generate"):]]
        for results in majors:
            rate = results.median(together, name)
            row += [number(results.median(measure, name)), number(rate / 1e6 if rate else None)]
        rows.append(row)
    header = ["generator"]
    for results in majors:
        header += ["ns on %d" % results.major, "two sessions, million/s"]
    yield from table(header, rows)


def plans(majors):
    """Whether the planner chooses as for a bigint, where that was measured."""
    for spelling in plan_choice.SPELLINGS:
        rows = []
        for results in majors:
            titles = ["plans with %s: %s" % (spelling, what)
                      for what in ("same index", "buffers", "worst", "dearer", "off")]
            for name in (c.name for c in who.OURS if results.median(titles[0], c.name) is not None):
                base = "bigint (%s)" % name
                same, buffers, worst, dearer, off = titles
                rows.append([str(results.major), name,
                             "%d of %d" % (results.median(same, name), plan_choice.CASES),
                             "%d" % results.median(same, base),
                             "%.2f" % results.median(buffers, name),
                             "%.1f" % results.median(worst, name)] +
                            ["%d, %d" % (results.median(title, name), results.median(title, base))
                             for title in (dearer, off)])
        if rows:
            yield "`%s`:" % plan_choice.SPELLINGS[spelling][0].format(id="id", T="T", first="a",
                                                                      upto="b")
            yield ""
            yield from table(["on", "type", "index of its bigint", "bigint again",
                              "buffers x bigint's", "the worst case", "dearer, bigint's",
                              "estimates off, bigint's"], rows)


PLANS = """
An id and its bigint in one table under one ANALYZE, an index on each, and another column with one:
which plan is chosen for a window of ids and a value of that column, in 360 cases a type, and how
many buffers it reads. "Bigint again" is the yardstick: cases in which the bigint itself keeps its
index when ANALYZE has read a sample of the rows and not all of them. "Dearer" is a case that reads
more than 1.1 times the best plan that can be forced, "off" one of 120 estimates of a window that is
wrong by more than ten times. `bench/plan_choice` shows each of them.
"""

GROUPS = {tuple(targets.GENERATORS): "every generator", tuple(targets.OURS): "every type",
          tuple(targets.NARROW): "the 64-bit types"}
MARKS = {targets.COUNTED: " (i)", targets.UNSURE: " (~)"}


def target_cell(target, results, used):
    """What misses a target, with its ratio and a mark, or else the numbers of its notes.

    used: {number of a note: {name of a contender that refers to it: True}}, added to.
    """
    missing = []
    measured = [name for name in target.contenders if target.ratio(results, name) is not None]
    for name in measured:
        verdict = target.verdict(results, name)
        if verdict == targets.MET:
            continue
        mark = MARKS.get(verdict)
        if mark is None:
            found = why.numbers(target.measure, name)
            for note in found:
                used.setdefault(note, {})[name] = True
            mark = " [%s]" % ", ".join(str(note + 1) for note in found)
        missing.append("%s %.2f%s" % (name, target.ratio(results, name), mark))
    if not measured:
        return "-"
    return "; ".join(missing) or "met"


def target_tables(majors):
    used = {}
    rows = []
    met = []
    for target in targets.TARGETS:
        group = GROUPS.get(tuple(target.contenders), ", ".join(target.contenders))
        cells = [target_cell(target, results, used) for results in majors]
        if not set(cells) <= {"met", "-"}:
            rows.append([target.measure, group, str(target)] + cells)
        elif "met" in cells:
            met.append("%s of %s %s" % (target.measure, group, target))
    yield from verdict_counts(majors)
    yield ""
    yield from table(["measure", "of", "target"] +
                     ["missing on %d" % results.major for results in majors], rows)
    for position in sorted(used):
        yield "- [%d] %s" % (position + 1, why.NOTES[position](majors, list(used[position])))
    yield ""
    yield "Met by all: %s." % "; ".join(met)
    yield ""


def verdict_counts(majors):
    for results in majors:
        verdicts = [target.verdict(results, name) for target in targets.TARGETS
                    for name in target.contenders if target.ratio(results, name) is not None]
        yield ("- PostgreSQL %d: %d met, %d by instructions (i), %d within the interval (~), %d "
               "missed" % (results.major, *(verdicts.count(verdict) for verdict in (
                   targets.MET, targets.COUNTED, targets.UNSURE, targets.MISSED))))


def counts(majors, measure, name):
    """Instructions, one number where the majors agree."""
    found = [number_of_instructions(results, measure, name) for results in majors]
    return found[0] if len(set(found)) == 1 else " / ".join(found)


def number_of_instructions(results, measure, name):
    count = results.instructions(measure, name)
    return "-" if count is None else "%.0f" % count


def instruction_tables(majors):
    operations = ["parse", "format", "instant", "generate", "encrypt"]
    titles = " / ".join(str(results.major) for results in majors)
    yield from table(["src/core, " + titles] + operations,
                     [[c.name] + [counts(majors, "core: " + operation, c.name)
                                  for operation in operations] for c in who.OURS])
    spellings = [planning.BETWEEN, planning.PREFIX] + list(plan_choice.SPELLINGS)
    if any(planning.measure(planning.BETWEEN) in results.rows for results in majors):
        yield from table(["planning a window, " + titles] + spellings,
                         [[c.name] + [counts(majors, planning.measure(spelling), c.name)
                                      for spelling in spellings] for c in who.OURS])
    rows = []
    for name in key_columns(majors[-1]):
        rows.append([name, counts(majors, "generate", generators()[name]),
                     counts(majors, "cast to text", name), counts(majors, "cast from text", name)])
    yield from table(["in the server, " + titles, "generate", "cast to text", "cast from text"],
                     rows)


HOW = """
Values are medians. What a ratio compares was measured in one run, in one throwaway cluster, over
one warm connection: round after round, each round every contender in turn, starting with another
one each time, so that a drifting machine hurts all alike.

Where the median misses its target, (i) says that the ratio of instructions meets it (only between
64-bit ids and bigint, whose rows are alike), and (~) that its 95%% confidence interval (bootstrap
over the rounds, seed %d) includes it, so that this machine cannot tell.

Generators are called as `SELECT count(f()) FROM (SELECT generate_series(1, N))`, less the same with
no call. A tid64, one microsecond per id, may run a second ahead of the clock: it is measured within
that second. A ulidflake goes on in random steps; "steps of 1" is
`idtypes.ulidflake_increment_bits = 1`. Inserts, sorts and scans run without parallel workers,
checkpoints only where said, fsync off. Tables grow without full-page writes, and those of uuid v4
to ten million rows only. Scans are beside a BETWEEN that finds as many bigints. "growth" is how
much dearer a row is in the largest table than in the smallest. `uuid sequential` is a uuid counted
up by one.
""" % stats.SEED

INSTRUCTIONS = """
Counted by callgrind: they repeat, times do not. `bench/check_instructions` guards those of
`src/core` with the ceilings in `bench/instructions.tsv`. `generate` of `src/core` is everything
between reading the clock and returning the id, without entropy; `instant` is an id to microseconds
and back, `encrypt` an id to encrypted text, without AES. Those of calls in the server are net of
the same statement without the call, and the kernel's work for the clock is not in them. The tables
in `results/` have those of whole statements.
"""


def report(majors, drawn):
    yield "# Results"
    yield ""
    yield "Written by `./dev bench`%s of the medians in `results/`; do not edit." % (
        "" if all(r.about["form"] == "full" for r in majors) else " in its quick form")
    yield ""
    yield from ("![%s](plots/%s.svg)" % (title, name) for name, title in drawn)
    yield ""
    for results in reversed(majors):
        yield from medians(results)
    yield "## Other generators"
    yield ""
    yield from variants(majors)
    chosen = list(plans(majors))
    if chosen:
        yield "## Plan choice"
        yield PLANS
        yield from chosen
    yield "## Targets"
    yield ""
    yield from target_tables(majors)
    yield "## How"
    yield HOW
    yield "## Where"
    yield ""
    for results in majors:
        yield "- PostgreSQL %s on %s: %s." % tuple(
            results.about[name] for name in ("server", "machine", "sizes"))
    for settings in dict.fromkeys(results.about["settings"] for results in majors):
        yield "- Settings%s: %s." % (
            " and".join(" on %d" % results.major for results in majors
                        if results.about["settings"] == settings), settings)
    yield ""
    yield "## Instructions"
    yield INSTRUCTIONS
    yield from instruction_tables(majors)


def write(folder):
    majors = record.read_all(folder)
    drawn = plots.write(os.path.join(folder, "plots"), majors)
    text = "\n".join(report(majors, drawn)).rstrip() + "\n"
    with open(os.path.join(folder, "RESULTS.md"), "w") as file:
        file.write(text)
