"""The plots of RESULTS.md and README.md, of the newest major, as SVG of a few lines each."""

import html
import math
import os

import contenders as who
import record

WIDTH = 760
OURS, WAITS, SERVERS, BIGINT = "#2166ac", "#a6c8e4", "#b2182b", "#222222"
INSERT = "growth: insert"
COLORS = {"nextval": BIGINT, "bigint": BIGINT, "uuid v7": "#e08214", "uuid v4": SERVERS}


class Drawing:
    """Elements in pixels from the upper left, with a title and what the numbers are."""

    def __init__(self, title, subtitle, height):
        self.height = height
        # readable on a dark page as well
        self.parts = ['<rect width="100%" height="100%" fill="white"/>']
        self.text(20, 30, title, size=18, weight="bold")
        self.text(20, 52, subtitle, color="#666666")

    def text(self, x, y, text, color=BIGINT, size=14, weight="normal", anchor="start"):
        self.parts.append('<text x="%.0f" y="%.0f" fill="%s" font-size="%d" font-weight="%s" '
                          'text-anchor="%s">%s</text>' %
                          (x, y, color, size, weight, anchor, html.escape(text)))

    def bar(self, x, y, width, height, color):
        self.parts.append('<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s"/>' %
                          (x, y, width, height, color))

    def line(self, points, color, width=2.0, dashes="none"):
        self.parts.append('<polyline points="%s" fill="none" stroke="%s" stroke-width="%g" '
                          'stroke-dasharray="%s"/>' %
                          (" ".join("%.1f,%.1f" % point for point in points), color, width, dashes))

    def save(self, folder, name):
        with open(os.path.join(folder, name + ".svg"), "w") as file:
            # a name, not a place to fetch from
            file.write('<svg xmlns="http:' '//www.w3.org/2000/svg" viewBox="0 0 %d %d" '
                       'font-family="sans-serif">\n%s\n</svg>\n' %
                       (WIDTH, self.height, "\n".join(self.parts)))


# The generators behind the keys, and how they are called here.
GENERATORS = [(c.name, who.generator_of(c)) for c in who.OURS + [who.UUID_V4, who.UUID_V7]] + \
    [("nextval() of a bigint", who.NEXTVAL.name)]


def generate(folder, results):
    """Bars; of a generator that waits for the clock by design, that part is light."""
    left, bar, gap, top = 190, 20, 10, 74
    values = sorted((results.median("generate", name), title, name) for title, name in GENERATORS
                    if results.median("generate", name) is not None)
    drawing = Drawing("Making one new id", "nanoseconds in one session, PostgreSQL %d: shorter is "
                      "better" % results.major, top + len(values) * (bar + gap) + 10)
    scale = (WIDTH - left - 60) / values[-1][0]
    for position, (value, title, name) in enumerate(values):
        y = top + position * (bar + gap)
        server = name in COLORS
        drawing.text(left - 10, y + bar - 5, title, anchor="end",
                     weight="normal" if server else "bold")
        drawing.bar(left, y, value * scale, bar, COLORS.get(name, OURS))
        drawing.text(left + value * scale + 8, y + bar - 5, "%.0f" % value)
        working = results.median("generate, steps of 1", name)
        if working and not server and working < value:
            drawing.bar(left + working * scale, y, (value - working) * scale, bar, WAITS)
            drawing.text(left + working * scale + 8, y + bar - 5, "waits, at full speed", size=13)
    drawing.save(folder, "generate")


def growth(folder, results):
    """Lines over the rows of the table, which grow by the logarithm; those like bigint's share a
    name, as they share a place.
    """
    left, right, top, bottom, height = 50, 190, 80, 50, 360
    shared = ("idtypes and bigint", [c.name for c in who.OURS + [who.BIGINT]])
    by_size = {size: of for size in record.SIZES
               for of in [results.rows.get(record.at(INSERT, size))] if of}
    first, last = min(by_size), max(by_size)
    lines = {name: [(size, of[name].median / 1000) for size, of in by_size.items() if name in of]
             for name in by_size[first]}
    most = max(value for line in lines.values() for _, value in line)
    drawing = Drawing("Inserting a row while the table grows", "microseconds with its primary key, "
                      "PostgreSQL %d: lower is better" % results.major, height)

    def x(size):
        return left + (WIDTH - left - right) * math.log(size / first) / math.log(last / first)

    def y(value):
        return height - bottom - (height - top - bottom) * value / most

    # at most five ticks on the axis
    step = next(step for step in record.steps(-6) if most / step <= 5)
    for tick in range(int(most / step) + 1):
        drawing.line([(left, y(tick * step)), (WIDTH - right, y(tick * step))], "#dddddd", 1)
        drawing.text(left - 8, y(tick * step) + 5, "%g" % (tick * step), "#666666", anchor="end")
    for size in by_size:
        drawing.text(x(size), height - bottom + 22, "%g million%s" % (
            size / 1e6, " rows" if size == last else ""), "#666666", anchor="middle")
    ends = {}
    for name, line in lines.items():
        drawing.line([(x(size), y(value)) for size, value in line], COLORS.get(name, OURS),
                     dashes="5 4" if name == "bigint" else "none")
        title = shared[0] if name in shared[1] else name
        ends.setdefault(title, []).append(line[-1])
    lowest = height
    for title, points in sorted(ends.items(), key=lambda end: min(end[1], key=lambda p: p[1])[1]):
        size, value = sorted(points, key=lambda point: point[1])[len(points) // 2]
        lowest = min(y(value), lowest - 18)
        drawing.text(x(size) + 8, lowest + 5, title, COLORS.get(title, OURS), weight="bold")
    drawing.save(folder, "growth")


def write(folder, majors):
    """Draws what was measured; returns the name of each plot and what it shows."""
    os.makedirs(folder, exist_ok=True)
    drawn = []
    for plot, measure, title in ((generate, "generate", "cost of a new id"),
                                 (growth, INSERT, "cost of an insert while the table grows")):
        measured = [results for results in majors if measure in results.rows]
        if measured:
            plot(folder, measured[-1])
            drawn.append((plot.__name__, title))
    return drawn
