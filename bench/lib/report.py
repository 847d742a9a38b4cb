"""RESULTS.md: what each key costs, and what misses its target; results/TABLES.md: all measures."""

import os
from statistics import median

import calls
import contenders as who
import record
import targets

PAGE = """# Performance: benchmarks

{first}
These are medians on PostgreSQL {major}, in one session. Where more ids are asked for than a format
holds, a call waits: a tid64 holds {tid64} million a second, a ulidflake and the uid11 forms
`snowish` and `ts-seq-rand` {ulidflake} million. [All tables](results/TABLES.md) have more measures,
PostgreSQL {majors}, and the counts of instructions.

## What is missed

Each measure has a target, as a ratio to a bigint, a uuid or `nextval()`:
{verdicts}.
[The table of targets](results/TABLES.md#targets) has each ratio; these are the causes
of what is missed:

- **Generating `ulidflake` and `ts-seq-rand` at full speed**: the format holds only so many ids a
  second, so a call waits by design.
- **Generating in two sessions at once**, all but `xid` and `fullrand`: the ids of all sessions rise
  in one order, so two sessions take turns at one clock word in shared memory.
- **Inserting `uid11`, and its index**: its default ids come in random order within a millisecond.
  At such rates a B-tree cannot use its fast path for the rightmost page: it splits pages in the
  middle, and logs more of them.
- **`scru160`** in binary COPY, scans and hash aggregates: it has 20 bytes and a uuid 16, so there
  is more to copy, compare, hash and send.
- **Look-ups while the table grows**: beyond the server's buffers a look-up waits for the machine's
  disk, which hurts all alike but not in the same round: the rounds of a contender differ
  severalfold.

For the rest no cause is known but the machine's noise: the code does the same or less.

## Open transactions

What `uid11_settled()` takes, by which the readers of [new rows](../doc/read-new.md) know which ids
may still come; `max_prepared_transactions` makes it look at prepared transactions, too.

{opened}
## Beside other extensions

The generators behind the defaults, and those of other extensions, in one run. The server has
preloaded the extensions that want it.

{peers}
## How it was measured

`./dev bench`{form} measures all of this, and writes this page, and the tables and medians in
`results/`. Do not edit the pages.

Values are medians. The figures of a ratio come from one run, in one throwaway cluster, over one
warm connection. In each round every contender has its turn, and each round starts with another one,
so that a drifting machine affects all alike.

- Generators are called as `SELECT count(f()) FROM (SELECT generate_series(1, N))`, less the same
  without the call. A `tid64` is measured within the second that it may lead the clock.
- A `ulidflake` counts in random steps. "Steps of 1" is `idtypes.ulidflake_increment_bits = 1`.
- Inserts, sorts and scans run without parallel workers, with fsync off, and without checkpoints
  except where the measure says so.
- Tables grow without full-page writes; those of uuid v4 grow to ten million rows only. "Growth" is
  the cost of a row in the largest table, divided by that in the smallest one.
- Scans are compared with a BETWEEN that finds as many bigints.
- `uuid sequential` is a uuid counted up by one.

{where}"""

TABLES = """# All tables of the benchmarks

[Performance](../RESULTS.md) has what they show, and how it was measured.

{medians}## Other generators

{variants}
## Targets

{targets}
## Instructions

Counts of instructions repeat, while times do not. callgrind counts them in the server: a call is
the execution of a statement, net of the same without the call, and without the kernel's work for
the clock. `instant` is an id to a timestamp and back. `bench/check` guards them with the ceilings
in `bench/instructions.tsv`, and those of planning a window beside BETWEEN on a bigint with the
ceilings in `bench/planning.tsv`.

{instructions}"""

# What the page begins with, of the newest major.
FIRST = {
    "generate": "one new id, ns",
    "insert": "insert a row, ns",
    record.at("growth: insert", 10000000): "insert at 10 million rows, ns",
    "B-tree size": "B-tree, bytes/key",
    "point look-ups": "look-up by index, ns",
    "window scan": "index-only scan of a window, ns/row",
}
# All that is in the tables: that, and what has a target.  What is not named here is in nanoseconds.
TITLES = {
    **{target.measure: target.measure + ", ns" for target in targets.TARGETS},
    **FIRST,
    "two backends": "two backends, million/s",
    "WAL": "WAL, bytes",
    "growth: insert": "growth: insert, times",
    "growth: look-up": "growth: look-up, times",
}

# Ours first, then the server's own; and the name of the generator behind each key's default.
KEYS = who.OURS + [who.BIGINT, who.UUID_V7, who.UUID_V4]
GENERATORS = {c.name: who.generator_of(c) for c in KEYS}


def table(header, rows):
    return "".join("| %s |\n" % " | ".join(cells)
                   for cells in [header, ["---"] * len(header)] + rows)


def number(value, title=""):
    """Three digits are more than a median is worth."""
    if value is None:
        return "-"
    if title.endswith("million/s"):
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
        return median([value for value in values if value]) if any(values) else None
    return results.median(*generated(measure, name))


def rows_of(results, names, titles):
    """The table of measures, by their titles, for some keys."""
    rows = [[title] + [number(value_of(results, measure, name), title) for name in names]
            for measure, title in titles.items()]
    return table(["median"] + names, [row for row in rows if set(row[1:]) != {"-"}])


def medians(results):
    return "## On PostgreSQL %d\n\n%s\n" % (
        results.major, rows_of(results, key_columns(results), TITLES))


def rows_on(majors, title, rows):
    """A table of (name, measure, contender), with a column for each major."""
    return table([title] + ["on %d" % results.major for results in majors],
                 [[name] + [number(results.median(measure, contender), name) for results in majors]
                  for name, measure, contender in rows
                  if any(results.median(measure, contender) for results in majors)])


def variants(majors):
    """The other forms of the generators."""
    others = [g.name for g in who.OUR_GENERATORS if g.name not in GENERATORS.values()]
    return rows_on(majors, "generator, ns", [(name, "generate", name) for name in others] + [
        (g.name + ", steps of 1", "generate, steps of 1", g.name) for g in who.STEPPING])


def peers(majors):
    """The defaults beside other extensions, where those were measured."""
    names = [g.name for g in who.generators(majors[-1].major, who.DEFAULT_GENERATORS) + who.PEERS]
    return rows_on(majors, "generator", [
        ("%s, %s" % (name, unit), measure + " beside peers", name)
        for measure, unit in (("generate", "ns"), ("two backends", "two backends, million/s"))
        for name in names])


def opened(majors):
    """What open transactions cost."""
    return rows_on(majors, "uid11_settled(), ns", [
        ("%d prepared transactions allowed%s" % (prepared, more),
         "settled, %d preparable%s" % (prepared, more), "uid11")
        for prepared in (0, 100) for more in ("", ", 90 open")])


GROUPS = {tuple(targets.GENERATORS): "every generator", tuple(targets.OURS): "every type",
          tuple(targets.NARROW): "the 64-bit types"}


def target_cell(target, results):
    """What misses a target, with its ratio."""
    return "; ".join("%s %.2f" % missed for missed in target.missed(results).items()) or (
        "met" if target.ratios(results) else "-")


def verdicts_of(results):
    """How many of the targets are met on a major, in words."""
    asked, missed, clearly = (sum(map(len, ratios)) for ratios in zip(*(
        (target.ratios(results), target.missed(results), target.missed(results, targets.NOISE))
        for target in targets.TARGETS)))
    return "on PostgreSQL %d, %d of %d are met, and %d more within a tenth" % (
        results.major, asked - missed, asked, missed - clearly)


def target_table(majors):
    return table(
        ["measure", "of", "target"] + ["missing on %d" % results.major for results in majors],
        [[target.measure, GROUPS.get(tuple(target.contenders), ", ".join(target.contenders)),
          str(target)] + [target_cell(target, results) for results in majors]
         for target in targets.TARGETS])


def where(majors):
    text = "".join("- PostgreSQL %s, commit %s, %s, on %s: %s.\n" % tuple(
        results.about[name] for name in ("server", "commit", "day", "machine", "sizes"))
        for results in majors)
    for settings in dict.fromkeys(results.about["settings"] for results in majors):
        text += "- Settings%s: %s.\n" % (
            " and".join(" on %d" % results.major for results in majors
                        if results.about["settings"] == settings), settings)
    return text


def instructions(majors):
    """One table, with a number for each major."""
    def counts(operation, name):
        return " / ".join(number(results.median("instructions: " + operation, name))
                          for results in majors)

    return table(["on " + " / ".join(str(results.major) for results in majors), *calls.CALLS],
                 [[key.name] + [counts(operation, key.name) for operation in calls.CALLS]
                  for key in calls.KEYS])


def pages(majors):
    """{path: text} of the pages."""
    newest = majors[-1]
    page = PAGE.format(
        first=rows_of(newest, key_columns(newest), FIRST), major=newest.major,
        majors=" and ".join(str(results.major) for results in majors),
        tid64="%.2g" % (who.TID64_RATE / 1e6), ulidflake="%.2g" % (who.ULIDFLAKE_RATE / 1e6),
        form="" if all(results.about["form"] == "full" for results in majors)
        else " --quick",
        verdicts=";\n".join(verdicts_of(results) for results in majors),
        peers=peers(majors), opened=opened(majors), where=where(majors))
    tables = TABLES.format(
        medians="".join(medians(results) for results in reversed(majors)),
        variants=variants(majors), targets=target_table(majors),
        instructions=instructions(majors))
    return {"RESULTS.md": page, "results/TABLES.md": tables}


def write(folder):
    for name, text in pages(record.read_all(folder)).items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)


def differing(folder):
    """The pages that are not what is written of the results."""
    majors = record.read_all(folder)
    for name, text in pages(majors).items():
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            if file.read() != text:
                yield "%s is not what ./dev bench --report writes" % name
