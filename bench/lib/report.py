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

REPORT = """# Performance

{summary}
{plots}

{medians}## Other generators

{variants}
{peers}{opened}{plans}## Targets

{targets}
## How

`./dev bench`{form} measures all of this, and writes this page and the medians in `results/`. Do not
edit the page.

Values are medians. The figures of a ratio come from one run, in one throwaway cluster, over one
warm connection. In each round every contender has its turn, and each round starts with another one,
so that a drifting machine affects all alike.

If the median misses its target, the table says what else is known:

- (i): the ratio of instructions meets the target. This is only compared between 64-bit ids and
  bigint, whose rows are alike.
- (~): the 95% confidence interval of the ratio includes the target, so this machine cannot tell.
  (Bootstrap over the rounds, seed {seed}.)

How each measure is taken:

- Generators are called as `SELECT count(f()) FROM (SELECT generate_series(1, N))`, less the same
  without the call.
- A `tid64` has one id per microsecond, and may lead the clock by a second. It is measured within
  that second.
- A `ulidflake` counts in random steps. "Steps of 1" is `idtypes.ulidflake_increment_bits = 1`.
- Inserts, sorts and scans run without parallel workers, with fsync off, and without checkpoints
  except where the measure says so.
- Tables grow without full-page writes; those of uuid v4 grow to ten million rows only. "Growth" is
  the cost of a row in the largest table, divided by that in the smallest one.
- Scans are compared with a BETWEEN that finds as many bigints.
- `uuid sequential` is a uuid counted up by one.

## Where

{where}
## Instructions

Counts of instructions repeat, while times do not. callgrind counts them. `bench/check_instructions`
guards those of `src/core` with the ceilings in `bench/instructions.tsv`.

In `src/core`, `generate` is everything between reading the clock and returning the id, without
entropy. `instant` is an id to microseconds and back, and `encrypt` is an id to encrypted text,
without AES. In the server, a call is counted net of the same statement without the call, and
without the kernel's work for the clock. The tables in `results/` have whole statements.

{instructions}"""

PEERS = """## Beside other extensions

The generators behind the defaults, and those of other extensions, in one run. The server has
preloaded the extensions that want it.

"""

OPENED = """## Open transactions

What `T_settled()` and the readers of [new rows](../doc/read-new.md) take. The first id of a
transaction takes some instructions more than a further one, to say which ids the transaction may
store. A row is late from its COMMIT until it is read by a reader that waits 5 ms between rounds,
beside 20 writers, of which each keeps a transaction open for up to 20 ms and rolls back a fifth of
them, and beside an idle transaction that has written. Each committed row was read once, or the
measure fails.

"""

PLANS = """## Plan choice

In {least} to {most} of {cases} cases per type, the planner chooses for an id the index that it
chooses for a bigint. To compare, a table has an id and the bigint of its first eight bytes, under
one ANALYZE, with an index on each of them and on a third column. In each case, a query asks for a
window of ids and a value of the third column.

- **index of its bigint**: cases in which the plan for the id uses the index that the plan for the
  bigint uses.
- **bigint again**: cases in which the bigint itself keeps its index when ANALYZE reads a sample of
  the rows instead of all. This is the yardstick.
- **buffers x bigint's**: the buffers that the plans for ids read, divided by those for bigint; then
  the worst case of these.
- **dearer**: cases that read more than 1.1 times the best plan that can be forced.
- **estimates off**: estimates of a window, of 120, that are wrong by more than ten times.

`bench/plan_choice --show` prints the cases that differ.

"""

# What the page begins with, of the newest major.
SUMMARY = [
    ("A new id", "generate", "ns"),
    ("Inserting a row with its primary key", "insert", "ns"),
    ("A key in the index of these rows", "B-tree size", "bytes"),
    ("Inserting into a table of 10 million rows", record.at("growth: insert", 10000000), "ns"),
    ("Looking up a row by its id", "point look-ups", "ns"),
    ("Reading a row of a window by an index-only scan", "window scan", "ns"),
    ("Joining a row by a hash join", "hash join", "ns"),
    ("Sorting a row", "ORDER BY", "ns"),
]

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
    ("count the rows of the minute before, by id", "sliding window", "ns/row"),
    ("the same by a timestamptz", "sliding window over timestamptz", "ns/row"),
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


def beside(values, base):
    """How what our types take compares with what one of the server's keys takes."""
    if max(values) < 0.95 * base:
        return "less than %s"
    if 0.8 * base <= min(values) and max(values) <= 1.2 * base:
        return "about as much as %s"
    most = sum(float(number(value)) <= float(number(base)) for value in values)
    return "no more than %%s for %s" % ("all types" if most == len(values) else "%d of %d types" % (
        most, len(values))) if most else "more than %s"


def listed(names):
    return ", ".join(names[:-1]) + " and " + names[-1] if len(names) > 1 else names[0]


def waits(results):
    """Which generators mostly wait, at full speed."""
    for g in who.STEPPING:
        value, working = (results.median(measure, g.name)
                          for measure in ("generate", "generate, steps of 1"))
        if g.name in GENERATORS.values() and value and working and working < value / 2:
            yield (" Most of the time of a new %s is waiting, because its format holds only %.2g "
                   "million ids a second on average; without that wait it takes %s ns." % (
                       g.name, g.rate / 1e6, number(working)))


def summary(results):
    """What each of the first measures shows, in words and figures."""
    text = ""
    for what, measure, unit in SUMMARY:
        ours = sorted((value, c.name) for c in who.OURS
                      for value in [value_of(results, measure, c.name)] if value is not None)
        if not ours:
            continue
        compared = {}
        for c in KEYS:
            value = value_of(results, measure, c.name)
            if c not in who.OURS and value is not None:
                name = c.expression.split("(")[0] + "()" if measure == "generate" else c.name
                compared.setdefault(beside([value for value, _ in ours], value), []).append(
                    "%s (%s)" % (name, number(value)))
        text += "- **%s** takes %s (%s) to %s %s (%s): %s.%s\n" % (
            what, number(ours[0][0]), ours[0][1], number(ours[-1][0]), unit, ours[-1][1],
            "; ".join(words % listed(names) for words, names in compared.items()),
            "".join(waits(results)) if measure == "generate" else "")
    verdicts = verdicts_of(results)
    met, missed = verdicts.count(targets.MET), verdicts.count(targets.MISSED)
    return text + (
        "- **Targets**: %d of %d are met and %d are missed; [the table](#targets) says which, and "
        "why. For the other %d, the times miss, but the instructions or the confidence interval "
        "do not.\n\n"
        "These are medians on PostgreSQL %d, in one session. \"About\" means 0.8 to 1.2 times as "
        "much.\n" % (met, len(verdicts), missed, len(verdicts) - met - missed, results.major))


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
    """Other extensions, where they were measured."""
    rows = []
    for results in majors:
        for g in who.generators(results.major, who.DEFAULT_GENERATORS) + who.PEERS:
            alone = results.median("generate beside peers", g.name)
            if alone is not None and g is not who.EMPTY:
                rows.append([g.name, str(results.major), number(alone), number(
                    results.median("two backends beside peers", g.name), "million/s")])
    return PEERS + table(["generator", "on", "ns", "two sessions, million/s"],
                         rows) + "\n" if rows else ""


def opened(majors):
    """What open transactions cost, where that was measured."""
    text = ""
    for results in (r for r in majors if "lateness" in r.rows):
        rows = [["first id of a transaction, instructions more: " + g.name,
                 number(results.instructions("first id", g.name))]
                for g in who.DEFAULT_GENERATORS]
        rows += [["uid11_settled(), max_prepared_transactions = %s, ns" %
                  measure[len("settled, "):].replace(" preparable", ""), number(of["uid11"].median)]
                 for measure, of in results.rows.items() if measure.startswith("settled")]
        rows += [["lateness of a row, %s of %d, ms" % (
            share, results.median("lateness", "rows")), number(row.median / 1e6)]
                 for share, row in results.rows["lateness"].items() if share != "rows"]
        text += results.about.get("open transactions", "") + "\n\n" + table(
            ["measure", "on %d" % results.major], rows) + "\n"
    return OPENED + text.lstrip() if text else ""


def plans(majors):
    """Whether the planner chooses as for a bigint, where that was measured."""
    tables = {}
    same = []
    for spelling, (written, _) in plan_choice.SPELLINGS.items():
        rows = []
        for results in majors:
            for name in (c.name for c in who.OURS):
                of_id, of_bigint = ({what: results.median(
                    "plans with %s: %s" % (spelling, what), contender)
                    for what in ("same index", "buffers", "worst", "dearer", "off")}
                    for contender in (name, "bigint (%s)" % name))
                if of_id["same index"] is not None:
                    same.append(of_id["same index"])
                    rows.append([str(results.major), name,
                                 "%d of %d" % (of_id["same index"], plan_choice.CASES),
                                 "%d" % of_bigint["same index"],
                                 "%.2f" % of_id["buffers"], "%.1f" % of_id["worst"],
                                 "%d, %d" % (of_id["dearer"], of_bigint["dearer"]),
                                 "%d, %d" % (of_id["off"], of_bigint["off"])])
        if rows:
            shown = table(["on", "type", "index of its bigint", "bigint again",
                           "buffers x bigint's", "the worst case", "dearer, bigint's",
                           "estimates off, bigint's"], rows)
            tables.setdefault(shown, []).append(
                "`%s`" % written.format(id="id", T="T", first="a", upto="b"))
    return PLANS.format(least="%d" % min(same), most="%d" % max(same), cases=plan_choice.CASES) + \
        "".join("%s:\n\n%s\n" % (listed(spellings), shown)
                for shown, spellings in tables.items()) if tables else ""


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


def verdicts_of(results):
    return [target.verdict(results, name) for target in targets.TARGETS
            for name in measured(target, results)]


def verdict_counts(results):
    verdicts = verdicts_of(results)
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
            planning.BETWEEN, *plan_choice.SPELLINGS, *planning.WAYS], planning.measure(""))
    yield instructions("in the server", key_columns(majors[-1]),
                       ["generate", "cast to text", "cast from text"], "")


def write(folder):
    majors = record.read_all(folder)
    drawn = plots.write(os.path.join(folder, "plots"), majors)
    text = REPORT.format(
        summary=summary(majors[-1]),
        form="" if all(results.about["form"] == "full" for results in majors)
        else " --quick",
        plots="\n".join("![%s](plots/%s.svg)" % (title, name) for name, title in drawn),
        medians="".join(medians(results) for results in reversed(majors)),
        variants=variants(majors), peers=peers(majors), opened=opened(majors), plans=plans(majors),
        targets=target_tables(majors),
        seed=stats.SEED, where=where(majors), instructions="\n".join(instruction_tables(majors)))
    with open(os.path.join(folder, "RESULTS.md"), "w") as file:
        file.write(text)
