"""RESULTS.md: what each key costs, and what misses its target; results/TABLES.md: all measures."""

import os
from statistics import median

import contenders as who
import measures
import plots
import record
import targets

PAGE = """# Performance

{first}
These are medians on PostgreSQL {major}, in one session. Where more ids are asked for than a format
holds, a call waits: a tid64 holds {tid64} million a second, a ulidflake and the uid11 forms
`snowish` and `ts-seq-rand` {ulidflake} million. [All tables](results/TABLES.md) have more measures,
PostgreSQL {majors}, and the counts of instructions.

{plots}

## What is missed

Each measure has a target, as a ratio to a bigint, a uuid or `nextval()`:
{verdicts} (a time within a
tenth of it). [The table of targets](results/TABLES.md#targets) has each ratio; these are the causes
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

Whether the planner chooses for an id as for a bigint is tested, not measured:
`sql/estimates.sql` compares both.

{opened}## Several prefixes, and other engines

- In a table of a million rows, `id ^@ ANY (array)` of three prefixes took half of what the same
  condition on text takes (0.72 and 1.37 s, the least of 15 rounds on a busy machine). Written with
  `OR`, it uses the index and took 5 ms.
- In [files and other engines](../doc/outside.md), bounds of text or number find the rows: of
  200,000 rows in a Parquet file, DuckDB read two hours with 3 reads and 146 kB, and with 40 reads
  and 2.7 MB if the condition decodes the time.

{peers}## How it was measured

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
(~) means that a time misses by less than a tenth.

## Instructions

Counts of instructions repeat, while times do not. callgrind counts them. `bench/check_instructions`
guards those of `src/core` with the ceilings in `bench/instructions.tsv`, and `bench/check_planning`
those of planning a window beside BETWEEN on a bigint with the ceilings in `bench/planning.tsv`.

In `src/core`, `generate` is everything between reading the clock and returning the id, without
entropy. `instant` is an id to microseconds and back, and `encrypt` is an id to encrypted text,
without AES. In the server, a call is counted net of the same statement without the call, and
without the kernel's work for the clock.

{instructions}"""

PEERS = """## Beside other extensions

The generators behind the defaults, and those of other extensions, in one run on PostgreSQL %d. The
server has preloaded the extensions that want it.

"""

OPENED = """## Open transactions

What `T_settled()` and the readers of [new rows](../doc/read-new.md) take. The first id of a
transaction takes some instructions more than a further one, to say which ids the transaction may
store. A row is late from its COMMIT until it is read by a reader that waits 5 ms between rounds,
beside 20 writers, of which each keeps a transaction open for up to 20 ms and rolls back a fifth of
them, and beside an idle transaction that has written. Each committed row was read once, or the
measure fails.

"""

# What the page begins with, of the newest major.
FIRST = ["generate", "insert", record.at("growth: insert", 10000000), "B-tree size",
         "point look-ups", "window scan"]

# What is shown in one table: title, measure and unit.
MEASURES = [
    ("one new id", "generate", "ns"),
    ("new ids, two sessions", "two backends", "million/s"),
    ("encrypt an id", "encrypt", "ns"),
    ("encrypt, with a tweak of 1024 bytes", "encrypt, 1024 bytes of tweak", "ns"),
    ("encrypt, with another such tweak for each id", "encrypt, other 1024 bytes for each", "ns"),
    ("decrypt an id", "decrypt", "ns"),
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
    ("the same, between two instants", "window scan, instants", "ns/row"),
    ("index-only scan of a prefix", "prefix scan", "ns/row"),
    ("the same, by ^@", "prefix scan, ^@", "ns/row"),
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


def rows_of(results, names, only=None):
    """The table of measures, or of some in their order, for some keys."""
    rows = {}
    for title, measure, unit in MEASURES:
        values = [value_of(results, measure, name) for name in names]
        if any(value is not None for value in values):
            rows[measure] = ["%s, %s" % (title, unit)] + [number(value, unit) for value in values]
    return table(["median"] + names, [rows[measure] for measure in only or rows if measure in rows])


def medians(results):
    return "## On PostgreSQL %d\n\n%s\n" % (results.major, rows_of(results, key_columns(results)))


def variants(majors):
    """The other forms of the generators."""
    shown = [("generate", g.name) for g in who.OUR_GENERATORS
             if g.name not in GENERATORS.values()]
    shown += [("generate, steps of 1", g.name) for g in who.STEPPING]
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


def peers(majors):
    """Other extensions, on the newest major where they were measured."""
    for results in reversed(majors):
        rows = [[g.name, number(alone), number(
                    results.median("two backends beside peers", g.name), "million/s")]
                for g in who.generators(results.major, who.DEFAULT_GENERATORS) + who.PEERS
                for alone in [results.median("generate beside peers", g.name)]
                if alone is not None and g is not who.EMPTY]
        if rows:
            return PEERS % results.major + table(
                ["generator", "ns", "two sessions, million/s"], rows) + "\n"
    return ""


def opened(majors):
    """What open transactions cost, where that was measured."""
    text = ""
    for results in (r for r in majors if "lateness" in r.rows):
        first = [number(results.instructions("first id", g.name)) for g in who.DEFAULT_GENERATORS]
        rows = [["first id of a transaction, instructions more",
                 " to ".join(dict.fromkeys([min(first, key=float), max(first, key=float)]))]]
        rows += [["uid11_settled(), max_prepared_transactions = %s, ns" %
                  measure[len("settled, "):].replace(" preparable", ""), number(of["uid11"].median)]
                 for measure, of in results.rows.items() if measure.startswith("settled")]
        rows += [["lateness of a row, %s of %d, ms" % (
            share, results.median("lateness", "rows")), number(row.median / 1e6)]
                 for share, row in results.rows["lateness"].items() if share != "rows"]
        text += results.about.get("open transactions", "") + "\n\n" + table(
            ["measure", "on %d" % results.major], rows) + "\n"
    return OPENED + text.lstrip() if text else ""


GROUPS = {tuple(targets.GENERATORS): "every generator", tuple(targets.OURS): "every type",
          tuple(targets.NARROW): "the 64-bit types"}


def measured(target, results):
    return [name for name in target.contenders if target.ratio(results, name) is not None]


def target_cell(target, results):
    """What misses a target, with its ratio."""
    names = measured(target, results)
    missing = [(name, target.verdict(results, name)) for name in names]
    return "; ".join("%s %.2f%s" % (name, target.ratio(results, name), verdict)
                     for name, verdict in missing if verdict != targets.MET) or (
                         targets.MET if names else "-")


def verdicts_of(results):
    """How many of the targets are met on a major, in words."""
    verdicts = [target.verdict(results, name) for target in targets.TARGETS
                for name in measured(target, results)]
    return "on PostgreSQL %d, %d of %d are met, and %d nearly" % (
        results.major, verdicts.count(targets.MET), len(verdicts), verdicts.count(targets.NEARLY))


def target_table(majors):
    return table(
        ["measure", "of", "target"] + ["missing on %d" % results.major for results in majors],
        [[target.measure, GROUPS.get(tuple(target.contenders), ", ".join(target.contenders)),
          str(target)] + [target_cell(target, results) for results in majors]
         for target in targets.TARGETS])


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
    yield instructions("in the server", key_columns(majors[-1]),
                       ["generate", "cast to text", "cast from text"], "")


def write(folder):
    majors = record.read_all(folder)
    drawn = plots.write(os.path.join(folder, "plots"), majors)
    newest = majors[-1]
    page = PAGE.format(
        first=rows_of(newest, key_columns(newest), FIRST), major=newest.major,
        majors=" and ".join(str(results.major) for results in majors),
        tid64="%.2g" % (who.TID64_RATE / 1e6), ulidflake="%.2g" % (who.ULIDFLAKE_RATE / 1e6),
        form="" if all(results.about["form"] == "full" for results in majors)
        else " --quick",
        plots="\n".join("![%s](plots/%s.svg)" % (title, name) for name, title in drawn),
        verdicts="; ".join(verdicts_of(results) for results in majors),
        peers=peers(majors), opened=opened(majors), where=where(majors))
    tables = TABLES.format(
        medians="".join(medians(results) for results in reversed(majors)),
        variants=variants(majors), targets=target_table(majors),
        instructions="\n".join(instruction_tables(majors)))
    for name, text in ("RESULTS", page), ("results/TABLES", tables):
        with open(os.path.join(folder, name + ".md"), "w") as file:
            file.write(text)
