"""RESULTS.md: what each key costs, what was asked of ours and what misses it, and why."""

import os
from statistics import median

import contenders as who
import measures
import plan_choice
import planning
import plots
import record
import stats
import targets

REPORT = """# Results

Written by `./dev bench`{form} of the medians in `results/`; do not edit.

{plots}

{medians}## Other generators

{variants}
{plans}## Targets

{targets}
## How

Values are medians. What a ratio compares was measured in one run, in one throwaway cluster, over
one warm connection: round after round, each round every contender in turn, starting with another
one each time, so that a drifting machine hurts all alike.

Where the median misses its target, (i) says that the ratio of instructions meets it (only between
64-bit ids and bigint, whose rows are alike), and (~) that its 95% confidence interval (bootstrap
over the rounds, seed {seed}) includes it, so that this machine cannot tell.

Generators are called as `SELECT count(f()) FROM (SELECT generate_series(1, N))`, less the same with
no call. A tid64, one microsecond per id, may run a second ahead of the clock: it is measured within
that second. A ulidflake goes on in random steps; "steps of 1" is
`idtypes.ulidflake_increment_bits = 1`. Inserts, sorts and scans run without parallel workers,
checkpoints only where said, fsync off. Tables grow without full-page writes, and those of uuid v4
to ten million rows only. Scans are beside a BETWEEN that finds as many bigints. "growth" is how
much dearer a row is in the largest table than in the smallest. `uuid sequential` is a uuid counted
up by one.

## Where

{where}
## Instructions

Counted by callgrind: they repeat, times do not. `bench/check_instructions` guards those of
`src/core` with the ceilings in `bench/instructions.tsv`. `generate` of `src/core` is everything
between reading the clock and returning the id, without entropy; `instant` is an id to microseconds
and back, `encrypt` an id to encrypted text, without AES. Those of calls in the server are net of
the same statement without the call, and the kernel's work for the clock is not in them. The tables
in `results/` have those of whole statements.

{instructions}"""

PLANS = """## Plan choice

An id and its bigint in one table under one ANALYZE, an index on each, and another column with one:
which plan is chosen for a window of ids and a value of that column, in 360 cases a type, and how
many buffers it reads. "Bigint again" is the yardstick: cases in which the bigint itself keeps its
index when ANALYZE has read a sample of the rows and not all of them. "Dearer" is a case that reads
more than 1.1 times the best plan that can be forced, "off" one of 120 estimates of a window that is
wrong by more than ten times. `bench/plan_choice` shows each of them.

"""

# What is shown in one table: title, measure and unit.
MEASURES = [
    ("one new id", "generate", "ns"),
    ("new ids, two sessions", "two backends", "million/s"),
    ("encrypt an id", "encrypt", "ns"),
    ("with a tweak of 1024 bytes", "encrypt, 1024 bytes of tweak", "ns"),
    ("with another one for each id", "encrypt, other 1024 bytes for each", "ns"),
    ("decrypt", "decrypt", "ns"),
    ("insert a row", "insert", "ns"),
    ("B-tree", "B-tree size", "bytes/key"),
    ("WAL of an insert", "WAL", "bytes"),
    ("COPY to text", "COPY text out", "ns/row"),
    ("COPY from text", "COPY text in", "ns/row"),
    ("COPY to binary", "COPY binary out", "ns/row"),
    ("COPY from binary", "COPY binary in", "ns/row"),
    ("ORDER BY", "ORDER BY", "ns/row"),
    ("CREATE INDEX", "CREATE INDEX", "ns/row"),
    ("look-up by index", "point look-ups", "ns"),
    ("hash join", "hash join", "ns/row"),
    ("hash aggregate", "hash aggregate", "ns/row"),
    ("index-only scan of a window", "window scan", "ns/row"),
    ("index-only scan of a prefix", "prefix scan", "ns/row"),
    ("neighbours of a minute", "sliding window", "ns/row"),
    ("the same over timestamptz", "sliding window over timestamptz", "ns/row"),
] + [("%s at %g million rows" % (title, size / 1e6), record.at("growth: " + title, size), "ns")
     for title in ("insert", "look-up") for size in measures.Sizes(False).growth_steps]

# Ours first, then the server's own; and the name of the generator behind each key's default.
KEYS = who.OURS + [who.BIGINT, who.UUID_V7, who.UUID_V4]
GENERATORS = {c.name: who.generator_of(c) for c in KEYS}


def table(header, rows):
    return "".join("| %s |\n" % " | ".join(cells)
                   for cells in [header, ["---"] * len(header)] + rows)


def number(value, unit=""):
    """Three digits are more than a median is worth."""
    if value is None:
        return "-"
    if unit == "million/s":
        value /= 1e6
    return "%.*f" % (2 if value < 1 else 1 if value < 100 else 0, value)


def key_columns(results):
    return [c.name for c in KEYS if results.median("insert", c.name)]


def generated(measure, name):
    """A measure and its contender: of a key, or the generator behind it."""
    return measure, GENERATORS[name] if measure in ("generate", "two backends") else name


def value_of(results, measure, name):
    """Of bigint's scans, which are one beside each of ours, the median."""
    if name == "bigint" and measure.endswith(" scan"):
        values = [results.median(measure, "bigint (%s)" % c.name) for c in who.OURS]
        return median(values) if None not in values else None
    return results.median(*generated(measure, name))


def medians(results):
    names = key_columns(results)
    rows = []
    for title, measure, unit in MEASURES:
        values = [value_of(results, measure, name) for name in names]
        if any(value is not None for value in values):
            rows.append(["%s, %s" % (title, unit)] + [number(value, unit) for value in values])
    return "## On PostgreSQL %d\n\n%s\n" % (results.major, table(["median"] + names, rows))


def variants(majors):
    """The other forms of the generators, and the peers."""
    shown = [("generate", g.name) for g in who.OUR_GENERATORS
             if g.name not in GENERATORS.values()]
    shown += [("generate, steps of 1", g.name) for g in who.STEPPING]
    shown += [("generate", g.name) for g in who.PEERS
              if any(results.median("generate", g.name) for results in majors)]
    rows = []
    for measure, name in shown:
        row = [name + measure[len("generate"):]]
        for results in majors:
            together = results.median("two backends", name) if measure == "generate" else None
            row += [number(results.median(measure, name)), number(together or None, "million/s")]
        rows.append(row)
    header = ["generator"]
    for results in majors:
        header += ["ns on %d" % results.major, "two sessions, million/s"]
    return table(header, rows)


def plans(majors):
    """Whether the planner chooses as for a bigint, where that was measured."""
    text = ""
    for spelling, (written, _) in plan_choice.SPELLINGS.items():
        rows = []
        for results in majors:
            for name in (c.name for c in who.OURS):
                of_id, of_bigint = ({what: results.median(
                    "plans with %s: %s" % (spelling, what), contender)
                    for what in ("same index", "buffers", "worst", "dearer", "off")}
                    for contender in (name, "bigint (%s)" % name))
                if of_id["same index"] is not None:
                    rows.append([str(results.major), name,
                                 "%d of %d" % (of_id["same index"], plan_choice.CASES),
                                 "%d" % of_bigint["same index"],
                                 "%.2f" % of_id["buffers"], "%.1f" % of_id["worst"],
                                 "%d, %d" % (of_id["dearer"], of_bigint["dearer"]),
                                 "%d, %d" % (of_id["off"], of_bigint["off"])])
        if rows:
            text += "`%s`:\n\n%s\n" % (
                written.format(id="id", T="T", first="a", upto="b"),
                table(["on", "type", "index of its bigint", "bigint again", "buffers x bigint's",
                       "the worst case", "dearer, bigint's", "estimates off, bigint's"], rows))
    return PLANS + text if text else ""


GROUPS = {tuple(targets.GENERATORS): "every generator", tuple(targets.OURS): "every type",
          tuple(targets.NARROW): "the 64-bit types"}


def measured(target, results):
    return [name for name in target.contenders if target.ratio(results.median, name) is not None]


def target_cell(target, results, used):
    """What misses a target, with its ratio and a mark, or else the numbers of its notes.

    used: the numbers of the notes that are referred to, added to.
    """
    missing = []
    for name in measured(target, results):
        mark = target.verdict(results, name)
        if mark == targets.MET:
            continue
        if mark == targets.MISSED:
            found = targets.notes_of(target.measure, name)
            used.update(found)
            mark = " [%s]" % ", ".join(str(note + 1) for note in found)
        missing.append("%s %.2f%s" % (name, target.ratio(results.median, name), mark))
    return "; ".join(missing) or (targets.MET if measured(target, results) else "-")


def target_tables(majors):
    used = set()
    rows = []
    met = []
    for target in targets.TARGETS:
        group = GROUPS.get(tuple(target.contenders), ", ".join(target.contenders))
        cells = [target_cell(target, results, used) for results in majors]
        if not set(cells) <= {targets.MET, "-"}:
            rows.append([target.measure, group, str(target)] + cells)
        elif targets.MET in cells:
            met.append("%s of %s %s" % (target.measure, group, target))
    header = ["measure", "of", "target"] + ["missing on %d" % results.major for results in majors]
    notes = "".join("- [%d] %s\n" % (note + 1, targets.NOTES[note][0]) for note in sorted(used))
    return "%s\n%s\n%s\nMet by all: %s.\n" % (
        "".join(verdict_counts(results) for results in majors), table(header, rows), notes,
        "; ".join(met))


def verdict_counts(results):
    verdicts = [target.verdict(results, name) for target in targets.TARGETS
                for name in measured(target, results)]
    return ("- PostgreSQL %d: %d met, %d by instructions (i), %d within the interval (~), %d "
            "missed\n" % (results.major, *(verdicts.count(verdict) for verdict in (
                targets.MET, targets.COUNTED, targets.UNSURE, targets.MISSED))))


def where(majors):
    text = "".join("- PostgreSQL %s on %s: %s.\n" % tuple(
        results.about[name] for name in ("server", "machine", "sizes")) for results in majors)
    for settings in dict.fromkeys(results.about["settings"] for results in majors):
        text += "- Settings%s: %s.\n" % (
            " and".join(" on %d" % results.major for results in majors
                        if results.about["settings"] == settings), settings)
    return text


def counts(majors, measure, name):
    """Instructions, one number where the majors agree."""
    found = [results.instructions(*generated(measure, name)) for results in majors]
    shown = ["-" if count is None else "%.0f" % count for count in found]
    return " / ".join(shown if len(set(shown)) > 1 else shown[:1])


def instruction_tables(majors):
    def instructions(what, names, columns, measure):
        return table(
            ["%s, %s" % (what, " / ".join(str(results.major) for results in majors))] + columns,
            [[name] + [counts(majors, measure + column, name) for column in columns]
             for name in names])

    ours = [c.name for c in who.OURS]
    yield instructions("src/core", ours, ["parse", "format", "instant", "generate", "encrypt"],
                       "core: ")
    if any(planning.measure(planning.BETWEEN) in results.rows for results in majors):
        yield instructions("planning a window", ours, [
            planning.BETWEEN, planning.PREFIX, *plan_choice.SPELLINGS], planning.measure(""))
    yield instructions("in the server", key_columns(majors[-1]),
                       ["generate", "cast to text", "cast from text"], "")


def write(folder):
    majors = record.read_all(folder)
    drawn = plots.write(os.path.join(folder, "plots"), majors)
    text = REPORT.format(
        form="" if all(results.about["form"] == "full" for results in majors)
        else " in its quick form",
        plots="\n".join("![%s](plots/%s.svg)" % (title, name) for name, title in drawn),
        medians="".join(medians(results) for results in reversed(majors)),
        variants=variants(majors), plans=plans(majors), targets=target_tables(majors),
        seed=stats.SEED, where=where(majors), instructions="\n".join(instruction_tables(majors)))
    with open(os.path.join(folder, "RESULTS.md"), "w") as file:
        file.write(text)
