"""The plots of RESULTS.md and README.md, of the newest major."""

import os

import contenders as who
import measures
import record

OURS, WAITS, SERVERS, BIGINT = "#2166ac", "#a6c8e4", "#b2182b", "#222222"
COLORS = {"nextval": BIGINT, "bigint": BIGINT, "uuid v7": "#e08214", "uuid v4": SERVERS}
INSERT = "growth: insert"


def generate(axes, results):
    """Bars; of a generator that waits for the clock by design, that part is light."""
    # the generators behind the keys, and how they are called here
    titles = {who.generator_of(c): c.name for c in who.OURS + [who.UUID_V4, who.UUID_V7]}
    titles[who.NEXTVAL.name] = "nextval() of a bigint"
    values = [(results.median("generate", name), name) for name in titles]
    for value, name in sorted((each for each in values if each[0] is not None), reverse=True):
        working = value
        if name not in COLORS:
            working = min(value, results.median("generate, steps of 1", name) or value)
        bar = axes.barh(titles[name], value, color=WAITS)
        axes.barh(titles[name], working, color=COLORS.get(name, OURS))
        axes.bar_label(bar, ["%.0f%s" % (value, ", most of it waiting, at full speed"
                                         if working < value / 2 else "")], padding=5)
    axes.set(title="Making one new id", xlabel="nanoseconds in one session, PostgreSQL %d: "
             "shorter is better" % results.major)


def growth(axes, results):
    """Lines over the rows of the table, which grow by the logarithm; ours share a name."""
    by_size = {size: of for size in measures.SIZES
               for of in [results.rows.get(record.at(INSERT, size))] if of}
    for name in by_size[min(by_size)]:
        points = [(size, of[name] / 1000) for size, of in by_size.items() if name in of]
        axes.plot(*zip(*points), color=COLORS.get(name, OURS), label=name if name in COLORS else
                  "idtypes" if name == who.OURS[0].name else None,
                  linestyle="dashed" if name == "bigint" else "solid")
    axes.set_xscale("log")
    axes.minorticks_off()
    axes.set_xticks(list(by_size), ["%g" % (size / 1e6) for size in by_size])
    axes.set_ylim(0, 1.2 * axes.get_ylim()[1])
    axes.legend(frameon=False, ncols=4, loc="upper left")
    axes.set(title="Inserting a row with its primary key while the table grows",
             xlabel="million rows, PostgreSQL %d: lower is better" % results.major,
             ylabel="microseconds")


def plots(majors):
    """The name of each plot and what it shows, how it is drawn, and of what."""
    for plot, measure, title in ((generate, "generate", "cost of a new id"),
                                 (growth, INSERT, "cost of an insert while the table grows")):
        measured = [results for results in majors if measure in results.rows]
        if measured:
            yield plot.__name__, title, plot, measured[-1]


def write(folder, majors):
    # only here: whoever checks the report needs no package for drawing
    import matplotlib  # pylint: disable=import-outside-toplevel
    from matplotlib.figure import Figure  # pylint: disable=import-outside-toplevel

    # Text stays text, and the same results give the same file.
    matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "idtypes", "font.size": 12,
                                "axes.spines.top": False, "axes.spines.right": False})
    os.makedirs(folder, exist_ok=True)
    for name, _, plot, results in plots(majors):
        figure = Figure(figsize=(8, 3.6), layout="constrained")
        # a reader's font may be larger
        figure.get_layout_engine().set(w_pad=0.15, h_pad=0.15)
        plot(figure.add_subplot(), results)
        figure.savefig(os.path.join(folder, name + ".svg"), metadata={"Date": None})
