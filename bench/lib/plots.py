"""The plots of RESULTS.md and README.md, as SVG."""

import os

import matplotlib

matplotlib.use("svg")
# Text as text, and nothing that differs between two runs on the same values.
matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "idtypes", "font.size": 9,
                            "axes.spines.top": False, "axes.spines.right": False})

import matplotlib.pyplot as pyplot  # noqa: E402

import contenders as who  # noqa: E402
import stats  # noqa: E402

OURS = "#2166ac"
SERVERS = "#b2182b"
OTHER = "#888888"
LINES = {"bigint": "#000000", "uuid v4": SERVERS, "uuid v7": "#f4a582", "siq": "#1b7837",
         "scru160": "#762a83", "tid64": "#2166ac", "uid11": "#e08214", "ulidflake": "#35978f"}


def save(figure, folder, name):
    # readable on a dark page as well
    figure.patch.set_facecolor("white")
    figure.savefig(os.path.join(folder, name + ".svg"), bbox_inches="tight",
                   metadata={"Date": None, "Creator": "bench/run"})
    pyplot.close(figure)


def color_of(name):
    if name in ("nextval", "uuid v4", "uuid v7", "bigint", "uuid sequential"):
        return SERVERS
    return OTHER if name.startswith("call") or name.endswith("as text") else OURS


def bars(axes, values, title, unit):
    """Horizontal bars on a log scale, which has no place for what costs nothing."""
    names = sorted((name for name in values if values[name] > 1), key=values.get)
    axes.set_xscale("log")
    axes.set_xlim(1, 3 * max(values.values()))
    axes.barh(names, [values[name] for name in names], color=[color_of(name) for name in names])
    for position, name in enumerate(names):
        axes.text(values[name], position, " %.0f" % values[name], va="center")
    axes.set_title(title)
    axes.set_xlabel(unit)
    axes.invert_yaxis()


def generate(folder, majors):
    figure, axes = pyplot.subplots(1, len(majors), figsize=(5.5 * len(majors), 4), squeeze=False,
                                   layout="constrained")
    for results, axis in zip(majors, axes[0]):
        values = {}
        for measure, steps in ("generate", ""), ("generate, steps of 1", ", steps of 1"):
            for name in results.values.get(measure, {}):
                suffix = steps
                waits = results.of(measure + ": waits", name)
                if steps and name not in [g.name for g in who.STEPPING]:
                    continue
                if waits and stats.median(waits) > 0:
                    suffix += " (waits for the clock)"
                values[name + suffix] = stats.median(results.net(measure, name))
        bars(axis, values, "One new id, PostgreSQL %d" % results.major,
             "ns per call, net of the loop (log scale)")
    save(figure, folder, "generate")


def measures(folder, majors):
    """Cost beside uuid v4's of everything that is done with a stored key."""
    names = ["COPY text out", "COPY text in", "COPY binary out", "COPY binary in", "insert",
             "WAL", "B-tree size", "CREATE INDEX", "ORDER BY", "point look-ups", "hash join",
             "hash aggregate"]
    results = majors[-1]
    keys = [key for key in LINES if results.of("insert", key) and key != "uuid v4"]
    names = [name for name in names if results.of(name, "uuid v4")]
    figure, axes = pyplot.subplots(figsize=(9, 5), layout="constrained")
    width = 0.85 / len(keys)
    for position, key in enumerate(keys):
        axes.bar([at + position * width for at in range(len(names))],
                 [stats.median(results.of(name, key)) /
                  stats.median(results.of(name, "uuid v4")) for name in names],
                 width, label=key, color=LINES[key])
    axes.axhline(1, color=SERVERS, linewidth=1)
    axes.set_xticks([at + 0.4 for at in range(len(names))])
    axes.set_xticklabels(names, rotation=30, ha="right")
    axes.set_ylabel("uuid v4 = 1")
    axes.set_title("Keys in use, PostgreSQL %d" % results.major)
    axes.legend(ncol=len(keys), loc="upper center", fontsize=8)
    save(figure, folder, "measures")


def growth(folder, majors):
    # of the largest tables
    results = max(majors, key=lambda r: (r.about["sizes"]["growth_steps"][-1], r.major))
    figure, axes = pyplot.subplots(1, 2, figsize=(9.5, 3.6), layout="constrained")
    for axis, measure, title in zip(axes, ("growth: insert", "growth: look-up"),
                                    ("Insert, by rows in the table", "Look-up by key")):
        for name, values in results.values.get(measure, {}).items():
            by_rows = {}
            for rows, value in values:
                by_rows.setdefault(rows, []).append(value)
            rows = sorted(by_rows)
            medians = [stats.median(by_rows[at]) for at in rows]
            if measure == "growth: insert":
                medians = smooth(medians)
            axis.plot([at / 1e6 for at in rows], medians, label=name, color=LINES[name],
                      marker="" if len(rows) > 10 else "o")
        axis.set_title(title + ", PostgreSQL %d" % results.major)
        axis.set_xlabel("million rows")
        axis.set_ylabel("ns per row")
        axis.set_ylim(bottom=0)
    axes[1].legend(fontsize=8, loc="lower right")
    save(figure, folder, "growth")


def smooth(values, reach=4):
    """Medians of nine neighbours: a checkpoint makes single chunks dear."""
    return [stats.median(values[max(0, at - reach):at + reach + 1]) for at in range(len(values))]


def write(folder, majors):
    os.makedirs(folder, exist_ok=True)
    for plot, measure in ((generate, "generate"), (measures, "insert"), (growth, "growth: insert")):
        if any(measure in results.values for results in majors):
            plot(folder, [r for r in majors if measure in r.values])
