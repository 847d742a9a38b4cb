"""RESULTS.md: every target with what was measured on each major, then all times."""

import os

import plots
import record
import stats
import targets
import why

UNITS = {"WAL": "bytes", "B-tree size": "bytes", "two backends": "IDs/s"}


def table(header, rows):
    yield "| %s |" % " | ".join(header)
    yield "|%s" % (" --- |" * len(header))
    for row in rows:
        yield "| %s |" % " | ".join(row)
    yield ""


def number(value):
    return "%.3g M" % (value / 1e6) if value >= 1e6 else "%.*f" % (1 if value < 100 else 0, value)


def target_rows(majors):
    for target in targets.TARGETS:
        for contender in target.contenders:
            cells = []
            reasons = []
            for results in majors:
                ratio = target.ratio(results, contender)
                if ratio is None:
                    cells += ["-", "-"]
                    continue
                verdict = target.verdict(results, contender)
                count = target.instructions(results, contender)
                cells += [str(ratio) + ("; %.3f" % count if count else ""), verdict]
                if verdict != targets.MET:
                    reasons.append("%d: %s" % (results.major, why.reason(results, target,
                                                                         contender)))
            if set(cells) != {"-"}:
                yield [target.measure, contender, str(target)] + cells + ["; ".join(reasons)]


def verdict_counts(rows, majors):
    for position, results in enumerate(majors):
        verdicts = [row[4 + 2 * position] for row in rows]
        yield "- PostgreSQL %d: %s" % (results.major, ", ".join(
            "%d %s" % (verdicts.count(verdict), verdict.strip("*")) for verdict in
            (targets.MET, targets.COUNTED, targets.WITHIN, targets.MISSED)))


def times(results):
    """Every measure: median, minimum and spread of each contender, and what it is of the first."""
    for measure, by_contender in results.values.items():
        if measure.startswith("growth") or measure.endswith(": waits"):
            continue
        net = "empty loop" in by_contender
        yield "### %s, PostgreSQL %d" % (measure, results.major)
        yield ""
        bases = [name for name in ("nextval", "bigint", "uuid v4") if name in by_contender]
        rows = []
        for contender in by_contender:
            values = (results.net if net and contender != "empty loop" else results.of)(
                measure, contender)
            row = [contender, number(stats.median(values)), number(min(values)),
                   "%.0f%%" % (100 * stats.spread(values))]
            for base in bases:
                base_values = (results.net if net else results.of)(measure, base)
                row.append("%.2f" % stats.Ratio(values, base_values).value
                           if contender != "empty loop" else "")
            rows.append(row)
        unit = UNITS.get(measure, "ns, net of the empty loop" if net else "ns")
        yield from table(["contender", "median, " + unit, "minimum", "spread"] +
                         ["x " + base for base in bases], rows)


def growth(results):
    steps = results.about["sizes"]["growth_steps"]
    for measure in ("growth: insert", "growth: look-up"):
        found = results.values.get(measure)
        if not found:
            continue
        yield "### %s, PostgreSQL %d" % (measure, results.major)
        yield ""
        window = targets.Growth.CHUNKS * results.about["sizes"]["growth_chunk"]
        rows = []
        for contender, values in found.items():
            near = [[value for at, value in values if
                     (step - window < at if measure == "growth: insert" else step == at) and
                     at <= step] for step in steps]
            rows.append([contender] + [number(stats.median(some)) if some else "-"
                                       for some in near])
        yield from table(["contender"] + ["%s rows, ns" % number(step) for step in steps], rows)


def core_tables(results):
    yield "### src/core alone, PostgreSQL %d's machine" % results.major
    yield ""
    yield from table(["type", "operation", "ns, median", "ns, minimum", "instructions"],
                     [[of, operation, "%.1f" % median, "%.1f" % minimum,
                       "-" if count is None else "%.0f" % count]
                      for of, operation, median, minimum, count in results.about["core"]])
    for kind, title in (("calls", "Instructions of a call in the server"),
                        ("whole", "Instructions of whole statements, per row")):
        rows = results.about["profile"].get(kind, [])
        if rows:
            yield "### %s, PostgreSQL %d" % (title, results.major)
            yield ""
            yield from table(["contender", "operation", "server", "extension", "system libraries",
                              "total"],
                             [row[:2] + ["%.0f" % abs(count) for count in row[2:]] +
                              ["%.0f" % sum(row[2:])] for row in rows])


HOW = """
What a ratio compares was measured in one run, in one throwaway cluster, over one warm connection:
round after round, each round every contender in turn, starting with another one each time, so that
a drifting machine hurts all alike. A ratio is that of the medians; behind it, in parentheses, is
its 95%% confidence interval by bootstrap over the rounds (seed %d), and behind that the ratio of
the instructions, where they were counted. "Met" is the median. Where that misses the target, "met
by instructions" says that their ratio meets it (only between 64-bit ids and bigint, whose rows are
alike), and "met within the interval" that the interval includes it, so that this machine cannot
tell. Spread is half the distance of the quartiles, as a share of the median.

Generators are called as `SELECT count(f()) FROM (SELECT generate_series(1, N))`, less the same with
no call. A generator whose format holds few ids per instant waits by design when asked for more, and
a tid64, one microsecond per id, may run a second ahead of the clock: it is measured within that
second. A ulidflake goes on in random steps; "steps of 1" is `idtypes.ulidflake_increment_bits = 1`.
Inserts, sorts and scans run without parallel workers, checkpoints only where said, fsync off.
Tables grow without full-page writes, and those of uuid v4 to ten million rows only.
Scans count ids through an index-only scan, beside a BETWEEN that finds as many bigints.
`uuid sequential` is a uuid counted up by one; its insert time includes making it from text.
""" % stats.SEED

INSTRUCTIONS = """
Counted by callgrind: they repeat, times do not. `bench/check_instructions` guards those of
`src/core` with the ceilings in `bench/instructions.tsv`. `generate` is everything between reading
the clock and returning the id, without entropy; `instant` is an id to microseconds and back.
In the server, those of calls are net: of the empty loop (generate) or of the same scan; `out` and
`in` are casts to and from text. Whole statements run on 5,000 shuffled rows. The kernel's work for
the clock is not in the counts; `call and clock` among the times has it.
"""


def report(majors):
    rows = list(target_rows(majors))
    yield "# Results"
    yield ""
    yield "Written by `./dev bench`%s; do not edit. All values are in `results/`." % (
        "" if all(r.about["form"] == "full" for r in majors) else " in its quick form")
    yield ""
    yield from verdict_counts(rows, majors)
    yield ""
    yield "![cost of a new id](plots/generate.svg)"
    yield "![growth](plots/growth.svg)"
    yield ""
    yield "## Targets"
    yield ""
    header = ["measure", "contender", "target"]
    for results in majors:
        header += ["on %d" % results.major, "verdict"]
    yield from table(header + ["why not, or not surely"], rows)
    yield "## How"
    yield HOW
    yield "## Where"
    yield ""
    for results in majors:
        about = results.about
        machine = about["machine"]
        yield "- PostgreSQL %s on %s%s, %d cores, %s, %s, %s, %s; %s" % (
            about["server"], machine["processor"], " (virtual machine)" if machine["virtual"] else
            "", machine["cores"], machine["memory"], machine["kernel"], machine["system"],
            machine["compiler"], ", ".join("%s = %s" % pair for pair in
                                           sorted(about["settings"].items())))
        sizes = about["sizes"]
        yield ("  - %s form: %s rows inserted in %d rounds, %s ids sorted and looked up in %d,"
               " tables grown to %s rows" %
               (about["form"], number(sizes["insert_rows"]), sizes["insert_rounds"],
                number(sizes["sort_rows"]), sizes["sort_rounds"],
                number(sizes["growth_steps"][-1])))
    yield ""
    yield "## Instructions"
    yield INSTRUCTIONS
    for results in majors:
        yield from core_tables(results)
    yield "## Times and sizes"
    yield ""
    for results in majors:
        yield from times(results)
        yield from growth(results)


def write(folder):
    majors = record.read_all(folder)
    plots.write(os.path.join(folder, "plots"), majors)
    text = "\n".join(report(majors)).rstrip() + "\n"
    with open(os.path.join(folder, "RESULTS.md"), "w") as file:
        file.write(text)
