#!/usr/bin/env python3
"""Draws the charts of the pages, each no wider than a phone.

    charts.py [--check]

Writes doc/charts/NAME.svg; with --check it compares them instead.  What is drawn comes from the
project: the clocks from a simulation with the constants of src/core, the choice of a type from the
list on its page, the prefixes from test/oracle.  A chart's title says in words what it shows, and
the pages have to show the chart with the title as its text alternative.
"""

import glob
import itertools
import math
import re
import sys
import textwrap
from fractions import Fraction

import anatomy
from drawing import BLUE, GREY, MARGIN, OTHERS, SILVER, SPANS, Drawing, differs
from anatomy import idoracle

WIDTH = 328
LEFT = 26
RIGHT = WIDTH - 8
ORANGE = OTHERS[0]
SECOND = 10**6
TYPE_COLOURS = dict(zip((fmt.name for fmt in idoracle.FORMATS),
                        itertools.cycle(OTHERS[1:3] + [BLUE] + OTHERS[3:] + OTHERS[:1])))

# A constant of the headers: where it is, and what is taken of the line.  An instant or a length of
# time is in microseconds.
SUM = r"\s+(.+)$"
CONSTANTS = [
    ("GENERATOR_LEAD", "generators.h", r"^#define GENERATOR_LEAD" + SUM),
    ("MARK_RESERVE", "mark.h", r"^#define MARK_RESERVE" + SUM),
    ("MARK_RESERVE_LEAST", "mark.h", r"^#define MARK_RESERVE_LEAST" + SUM),
    ("MARK_RESERVE_MOST", "mark.h", r"^#define MARK_RESERVE_MOST" + SUM),
    ("PROMOTION_MARGIN", "mark.h", r"^#define PROMOTION_MARGIN" + SUM),
    ("reserved part", "mark.h", r"\breserve = settled_for / (\d+);"),
    ("renewed part", "mark.h", r"return mark - \(mark - begins\) / (\d+);"),
    ("nanoseconds of a late microsecond", "clockword.h",
     r"return watch->since \+ .+ \* (\d+ / \d+) - mono;"),
]


def constants():
    """The constants by name; exits if one is gone, as the charts would then show what was."""
    found = {}
    for name, header, pattern in CONSTANTS:
        with open("src/core/" + header, encoding="utf-8") as file:
            match = re.search(pattern, file.read(), re.MULTILINE)
        if not match:
            sys.exit("charts.py: src/core/%s has no constant %s; what the simulation does has to "
                     "be what the code does" % (header, name))
        terms = re.sub(r"\bINT64_C\((\d+)\)", r"\1", match[1]).strip("()").split(" + ")
        try:
            found[name] = sum(found[term] if term in found else Fraction(term.replace(" ", ""))
                              for term in terms)
        except ValueError:
            sys.exit("charts.py: %s of src/core/%s is no number: %s" % (name, header, match[1]))
    return found


class Server:
    """A generator and the mark, as src/core has them; the unit of mono is a part of a tick."""

    TICK = 1000             # microseconds

    def __init__(self, rules, lead=0):
        self.rules = rules
        self.late = rules["nanoseconds of a late microsecond"] / 1000
        self.parts = self.late.denominator
        self.lead = lead
        self.mark = 0

    def start(self, mono, wall, promoted=False):
        """Starts, from the mark of the file."""
        start = self.mark
        if promoted:
            start = max(start, wall + self.rules["PROMOTION_MARGIN"])
        self.last = -(-max(start, wall) // self.TICK) - 1
        self.since = self.settled = mono
        self.write(mono, wall, max(start, wall))

    def write(self, mono, wall, begins):
        """Moves the mark on for ids that begin at an instant."""
        reserve = (mono - self.settled) * self.TICK / self.parts / self.rules["reserved part"]
        reserve = min(max(reserve, self.rules["MARK_RESERVE_LEAST"]),
                      self.rules["MARK_RESERVE_MOST"])
        # the file keeps the later of two marks
        self.mark = max(begins + reserve, wall + self.rules["MARK_RESERVE"], self.mark + 1)
        self.renew_at = self.mark - (self.mark - begins) / self.rules["renewed part"]

    def generate(self, mono, wall, every_tick):
        """
        The time of an id, in a tick that has room for it; or where every tick is used up, of one
        in the next tick as soon as that is due.
        """
        tick = max(self.last, wall // self.TICK)
        if every_tick and tick == self.last and (
                (tick + 1) * self.TICK <= wall + self.lead
                or mono - self.since >= self.late * self.parts):
            tick += 1
        if tick > self.last:
            self.last, self.since = tick, mono
        begins = tick * self.TICK
        if begins >= self.renew_at:
            self.write(mono, wall, begins)
        assert begins < self.mark
        return begins


class Plot(Drawing):
    """Times over time, in microseconds, both at the same scale."""

    def __init__(self, title, seconds, top):
        super().__init__(title, WIDTH)
        self.seconds = seconds
        self.scale = (RIGHT - LEFT) / seconds / SECOND
        self.bottom = MARGIN + 24 + top * SECOND * self.scale
        self.text(4, MARGIN + 8, "time shown, s", 11, "start", GREY)
        for second in range(0, top + 1):
            y = self.at(0, second * SECOND)[1]
            self.path("M%d %.1fH%d" % (LEFT, y, RIGHT), "#e4e6e8")
            self.text(LEFT - 6, y + 4, str(second), 11, "end", GREY)
        for second in range(1, seconds + 1):
            self.text(self.at(second * SECOND, 0)[0], self.bottom + 15, str(second), 11,
                      colour=GREY)
        self.text(RIGHT, self.bottom + 31, "seconds that pass", 11, "end", GREY)

    def at(self, time, value):
        return LEFT + time * self.scale, self.bottom - value * self.scale

    def line(self, points, colour, width=2, more="", steps=False):
        """A line through the points (time, value), with a gap where the value is None."""
        commands, before = [], []
        for point in list(points) + [(0, None)]:
            if point[1] is None:
                if before:
                    commands += self.drawn(before, steps)
                before = []
            else:
                before.append(self.at(*point))
        self.path("".join(commands), colour, ' stroke-width="%.1f" fill="none"%s' % (width, more))

    @staticmethod
    def drawn(points, steps):
        """The commands of a line, without the points that lie between two others on it."""
        kept = points[:1]
        for at in range(1, len(points) - 1):
            (x, y), (left, up), (right, down) = points[at], kept[-1], points[at + 1]
            if abs((x - left) * (down - up) - (y - up) * (right - left)) > 0.05:
                if steps and y != up:
                    kept.append((x, up))
                kept.append((x, y))
        kept.append(points[-1])
        return ["M%.1f %.1f" % kept[0]] + ["L%.1f %.1f" % point for point in kept[1:]]

    def event(self, second, words, below=0):
        """A moment on the axis of time, with words at the bottom."""
        x = self.at(second * SECOND, 0)[0]
        top = self.at(0, (second + 3) * SECOND)[1]
        self.path("M%.1f %.1fV%.1f" % (x, self.bottom, top), SILVER, ' stroke-dasharray="2 3"')
        self.text(x + 4, self.bottom - 6 - 15 * below, words, 12, "start")

    def legend(self, rows):
        """What the lines are, in the corner above them."""
        y = MARGIN + 34
        for words, colour, more in rows:
            self.path("M%d %.1fh22" % (LEFT + 4, y), colour, ' stroke-width="2.5"' + more)
            self.text(LEFT + 32, y + 4, words, 12, "start")
            y += 17

    def caption(self, *lines):
        """Sentences below the chart, which is the end of it."""
        for line, words in enumerate(lines):
            self.text(4, self.bottom + 52 + 15 * line, words, 11, "start")
        self.y = self.bottom + 48 + 15 * (len(lines) - 1)


DASHES = ' stroke-dasharray="5 4"'
DOTS = ' stroke-dasharray="1.5 3"'
CLOCK = ("clock", GREY, DASHES)
IDS = ("time of new ids", BLUE, "")
MARK = ("mark on the disk", ORANGE, "")


def seconds_of(time):
    """A length of time, as the charts round it."""
    return "%g s" % round(float(time) / SECOND, 1)


class Tape:
    """Samples of a simulation; the time of its ids must not go back."""

    def __init__(self, parts):
        self.parts = parts
        self.series = {}
        self.newest = -1

    def moments(self, first, last):
        """The moments from a second to another one: in the unit of mono, and in microseconds."""
        for mono in range(round(first * 1000 * self.parts), round(last * 1000 * self.parts)):
            yield mono, mono * 1000 // self.parts

    def show(self, now, ids=None, **values):
        if ids is not None:
            assert ids >= self.newest
            self.newest = ids
            values["ids"] = ids
        if now % 20000 < 1000 // self.parts:
            for name, value in values.items():
                self.series.setdefault(name, []).append((now, value))


def draw_lines(plot, tape):
    """The lines of a tape; the mark is wide, as the ids may cover it."""
    for name in "mark", "lost_mark":
        plot.line(tape.series.get(name, []), ORANGE, 4, steps=True)
    plot.line(tape.series.get("lost_clock", []), GREY, 1.5, DOTS)
    plot.line([point for point in tape.series["clock"] if point[1] >= 0], GREY, 1.5, DASHES)
    plot.line(tape.series["ids"], BLUE, 2.5)


def crash(rules):
    lost, back, end = 3.1, 3.6, 8
    server = Server(rules)
    tape = Tape(server.parts)
    server.start(0, 0)
    for mono, now in tape.moments(0, lost):
        tape.show(now, server.generate(mono, now, False), clock=now, mark=server.mark)
    last = tape.newest
    for _, now in tape.moments(lost, back):
        tape.show(now, clock=now, mark=server.mark)
    tape.series["ids"].append((now, None))
    begins = server.mark
    server.start(round(back * 1000 * server.parts), round(back * SECOND))
    for mono, now in tape.moments(back, end):
        tape.show(now, server.generate(mono, now, False), clock=now, mark=server.mark)
    assert last < begins
    ahead = begins - back * SECOND
    plot = Plot(
        "A crash. The time of new ids runs along the clock; the mark on the disk stays above it, "
        "raised in steps to %s ahead. The server crashes after ids up to %s. After the start, new "
        "ids begin at the mark, %s ahead of the clock, and their time hardly moves until the clock "
        "reaches it, %s later. No id repeats." % (
            seconds_of(rules["MARK_RESERVE"]), seconds_of(last), seconds_of(ahead),
            seconds_of(ahead)), end, 10)
    plot.event(lost, "crash", 1)
    plot.event(back, "start, at the mark")
    plot.legend([MARK, IDS, CLOCK])
    draw_lines(plot, tape)
    plot.caption("After the start, ids begin %s ahead of the" % seconds_of(ahead),
                 "clock, which reaches them %s later." % seconds_of(ahead))
    return plot


def catching_up(rules):
    """How many times as long as a step back it takes until it is gone, where no tick has room."""
    step = SECOND // 10
    server = Server(rules)
    server.start(0, step)
    mono = 0
    while mono * server.TICK // server.parts < server.generate(
            mono, mono * server.TICK // server.parts, True):
        mono += 1
    return round(mono * server.TICK / server.parts / step)


def step_back(rules):
    at, back, end = 3.5, 2.5, 8
    server = Server(rules)
    tape = Tape(server.parts)
    server.start(0, 0)
    for mono, now in tape.moments(0, end):
        wall = now if now < at * SECOND else now - round(back * SECOND)
        tape.show(now, server.generate(mono, wall, False), clock=wall, mark=server.mark)
    gone, times = seconds_of(back * SECOND), catching_up(rules)
    plot = Plot(
        "A clock set back by %s. The clock drops; the time of new ids does not. It hardly moves "
        "until the clock has caught up, %s later, and the mark is not raised before that. Where "
        "every tick is used up, the clock takes %d times as long to catch up. No id repeats."
        % (gone, gone, times), end, 10)
    plot.event(at, "clock set back by " + gone)
    plot.legend([MARK, IDS, CLOCK])
    draw_lines(plot, tape)
    plot.caption("The clock catches up %s later. Where every" % gone,
                 "tick is used up, that takes %d times as long." % times)
    return plot


def failover(rules):
    lost, promoted, end = 3, 3.8, 8
    differ = 0.6

    def at_standby(now):
        return now - round(differ * SECOND)

    primary, standby = Server(rules, rules["GENERATOR_LEAD"]), Server(rules)
    tape = Tape(primary.parts)
    primary.start(0, 0)
    for mono, now in tape.moments(0, lost):
        tape.show(now, primary.generate(mono, now, now >= SECOND), lost_clock=now,
                  lost_mark=primary.mark, clock=at_standby(now))
    last = tape.newest
    tape.series["ids"].append((now, None))
    for _, now in tape.moments(lost, promoted):
        tape.show(now, clock=at_standby(now))
    standby.start(round(promoted * 1000 * standby.parts), at_standby(round(promoted * SECOND)),
                  promoted=True)
    first = None
    for mono, now in tape.moments(promoted, end):
        new = standby.generate(mono, at_standby(now), False)
        first = new if first is None else first
        tape.show(now, new, mark=standby.mark, clock=at_standby(now))
    assert first > last
    plot = Plot(
        "A failover. The standby's clock is %s behind the primary's. When the primary is lost, its "
        "ids lead its clock by %s, as in a burst; the last shows %s. The promoted standby begins "
        "%s ahead of its own clock, at %s, later than every id of the primary. The time of its ids "
        "hardly moves until its clock reaches it. No id repeats." % (
            seconds_of(differ * SECOND), seconds_of(rules["GENERATOR_LEAD"]), seconds_of(last),
            seconds_of(rules["PROMOTION_MARGIN"]), seconds_of(first)), end, 10)
    plot.event(lost, "primary lost", 1)
    plot.event(promoted, "standby promoted")
    plot.legend([MARK, IDS, ("clock of the primary", GREY, DOTS),
                 ("clock of the standby", GREY, DASHES)])
    draw_lines(plot, tape)
    plot.caption("The primary's last id shows %s, the first one" % seconds_of(last),
                 "of the promoted standby %s." % seconds_of(first))
    return plot


# Transactions whose ids rise in this order: begin, when the id was made, and commit.
TRANSACTIONS = [(0.6, 1.4, 2.6), (2.0, 2.6, 7.4), (3.2, 3.8, 4.8), (6.4, 7.0, 8.4)]
ROUNDS = [5.6, 9.4]


def read_by(point):
    """The rows that each round reads, as numbers, where a function says where it ends."""
    since, read = -1, []
    for now in ROUNDS:
        visible = [made for _, made, commit in TRANSACTIONS if commit <= now]
        until = point(now, visible)
        read.append([at for at, (_, made, commit) in enumerate(TRANSACTIONS, 1)
                     if commit <= now and since < made <= until])
        since = until
    return read


def oldest_running(now):
    """When the oldest transaction began that runs at a moment, or that moment."""
    return min([begin for begin, _, commit in TRANSACTIONS if begin <= now < commit] + [now])


def named(numbers):
    return " and ".join(map(str, numbers))


def commit_order(_rules):
    newest = read_by(lambda now, visible: max(visible))
    point = read_by(lambda now, visible: oldest_running(now))
    rows = range(1, len(TRANSACTIONS) + 1)
    missed = [row for row in rows if not any(row in read for read in newest)]
    assert missed and sorted(sum(point, [])) == list(rows)
    drawing = Drawing(
        "Four rows in the order of their ids, each with the time from the beginning of its "
        "transaction to the commit, and two rounds of a reader. In round 1, row %s is not "
        "committed yet, but row 3 is. A reader that asks for ids above the last one seen reads "
        "rows %s, then row %s, and misses row %s for good. The watermark is where the oldest open "
        "transaction began, before row 2: the reader stops there, reads row %s, and in round 2 "
        "rows 2, 3 and 4." % (named(missed), named(newest[0]), named(newest[1]), named(missed),
                              named(point[0])), WIDTH)
    assert point[1] == [2, 3, 4]
    left, right, columns = 40, 206, (237, 297)

    def x(time):
        return left + (right - left) * time / 10

    drawing.text(columns[0], 18, "read with", 11, colour=GREY)
    drawing.text(columns[1], 18, "read up to", 11, colour=GREY)
    drawing.text(columns[0], 32, "id > last", 10, more=' font-family="monospace"')
    drawing.text(columns[1], 32, "watermark", 10)
    top, height = 60, 36
    bottom = top + height * len(TRANSACTIONS)
    mark = x(oldest_running(ROUNDS[0]))
    drawing.box(mark, top - 4, x(ROUNDS[0]) - mark, bottom - top + 4, "#f6e3d8")
    for number, now in enumerate(ROUNDS, 1):
        drawing.path("M%.1f %dV%d" % (x(now), top - 8, bottom + 4), "#222",
                     ' stroke-width="1.5"')
        drawing.text(x(now), top - 12, "round %d" % number, 11)
    for row, (begin, made, commit) in enumerate(TRANSACTIONS, 1):
        y = top + height * (row - 1)
        lost = row in missed
        drawing.text(2, y + 19, "row %d" % row, 12, "start",
                     more=' font-weight="bold"' if lost else "")
        drawing.box(x(begin), y + 5, x(commit) - x(begin), 20, ORANGE if lost else BLUE)
        drawing.parts.append('<circle cx="%.1f" cy="%.1f" r="4" fill="#fff"/>'
                             % (x(made), y + 15))
        for column, read in zip(columns, (newest, point)):
            numbers = [at for at, ids in enumerate(read, 1) if row in ids]
            drawing.text(column, y + 19, "round %d" % numbers[0] if numbers else "never", 12,
                         colour="#222" if numbers else ORANGE,
                         more="" if numbers else ' font-weight="bold"')
    drawing.path("M%.1f %dV%d" % (mark, top - 4, bottom + 4), ORANGE, ' stroke-width="2"' + DASHES)
    drawing.text(mark, bottom + 17, "watermark of round 1", 11, colour=ORANGE)
    drawing.text(2, bottom + 37, "Bar: from the beginning of a transaction to its commit.", 11,
                 "start", GREY)
    drawing.text(2, bottom + 52, "Circle: its id is made. Shaded: left for round 2.", 11,
                 "start", GREY)
    drawing.y = bottom + 48
    return drawing


def which_type(_rules):
    with open("doc/which-type.md", encoding="utf-8") as file:
        items = re.findall(r"^\d+\. (.+(?:\n   .+)*)", file.read(), re.MULTILINE)
    formats = {fmt.name: fmt for fmt in idoracle.FORMATS}
    rows = []
    for item in items:
        question = re.search(r"\*\*(.+?)\*\*", " ".join(item.split()))
        answer = re.search(r"\[`(\w+)`\]\(\1\.md\)", item)
        rows.append((question[1], answer and answer[1]))
    answers = [name for _, name in rows if name]
    # a type that the page never recommends is in no answer
    if not set(answers) <= set(formats) or len(set(answers)) < len(answers) or \
            rows[-1][0] != "Otherwise":
        sys.exit("charts.py: the list of doc/which-type.md does not lead to types, to each at most "
                 "once, and end with one for the rest: %s" % rows)

    def words(name):
        fmt = formats[name]
        return "%d bytes, %d characters" % (fmt.size, len(fmt.format(fmt.largest)))

    drawing = Drawing(
        "From top to bottom, the first yes decides. " + " ".join(
            "%s Yes: %s." % (question, "%s, %s" % (name, words(name)) if name
                             else "the type of that format") for question, name in rows[:-1])
        + " Otherwise: %s, %s." % (answers[-1], words(answers[-1])), WIDTH)
    y = 6
    for at, (question, name) in enumerate(rows):
        lines = textwrap.wrap(question, 27)
        height = max(16 * len(lines) + 14, 62)
        middle = y + height / 2
        rest = at == len(rows) - 1
        drawing.parts.append('<rect x="2" y="%.1f" width="186" height="%.1f" rx="6" fill="#f1f3f5" '
                             'stroke="%s"/>' % (y, height, SILVER))
        for line, part in enumerate(lines):
            drawing.text(95, middle + 4.5 + 16 * (line - (len(lines) - 1) / 2), part, 12)
        if not rest:
            drawing.text(207, middle - 5, "yes", 11, colour=GREY)
            drawing.path("M95 %.1fv20m-4 -6l4 6l4 -6" % (y + height), GREY, ' fill="none"')
            drawing.text(102, y + height + 14, "no", 11, "start", GREY)
        drawing.path("M188 %.1fh36m-6 -4l6 4l-6 4" % middle, GREY, ' fill="none"')
        drawing.parts.append('<rect x="226" y="%.1f" width="100" height="58" rx="6" fill="%s"/>'
                             % (middle - 29, TYPE_COLOURS.get(name, GREY)))
        if name:
            size, length = words(name).split(", ")
            drawing.text(276, middle - 10, name, 14, colour="#fff", more=' font-weight="bold"')
            drawing.text(276, middle + 7, size, 11, colour="#fff")
            drawing.text(276, middle + 21, length, 11, colour="#fff")
        else:
            drawing.text(276, middle - 4, "the type of", 12, colour="#fff")
            drawing.text(276, middle + 12, "that format", 12, colour="#fff")
        y += height + 20
    drawing.y = y - 24
    return drawing


def prefixes(_rules):
    spans = {fmt.name: list(anatomy.Anatomy(fmt).spans()) for fmt in idoracle.FORMATS}
    longest = max(window for each in spans.values() for _, window in each)
    units = dict((unit, length) for length, unit in SPANS)
    marks = [("1000 y", 1000 * units["years"]), ("1 y", units["years"]), ("1 d", units["d"]),
             ("1 h", units["h"]), ("1 min", units["min"]), ("1 s", units["s"]),
             ("1 ms", units["ms"]), ("1 us", units["us"])]

    def least(each, window):
        """The shortest prefix whose span is a length of time or less."""
        return next(("%d" % length for length, long in each if long <= window), "none")

    drawing = Drawing(
        "The span of time of a prefix, per type and number of characters, on a logarithmic axis "
        "from a thousand years to a microsecond. A prefix stands for a day or less from this many "
        "characters on: %s. For a second or less: %s." % tuple(
            ", ".join("%s %s" % (name, least(each, units[unit])) for name, each in spans.items())
            for unit in ("d", "s")), WIDTH)
    def y(window):
        return 52 + 30 * (math.log10(longest) - math.log10(window))

    bottom = y(1) + 12
    left, step = 48, (WIDTH - 48) / len(spans)
    for words, length in marks:
        drawing.path("M%d %.1fH%d" % (left, y(length), WIDTH - 2), "#c8ccd0")
        drawing.text(left - 6, y(length) + 4, words, 11, "end", GREY)
    for at, (name, each) in enumerate(spans.items()):
        x = left + step * (at + 0.5)
        drawing.text(x, 20, name, 11)
        drawing.path("M%.1f %.1fV%.1f" % (x, y(each[0][1]), y(each[-1][1])), TYPE_COLOURS[name],
                     ' stroke-width="2"')
        for length, window in each:
            drawing.parts.append('<circle cx="%.1f" cy="%.1f" r="9" fill="%s"/>'
                                 % (x, y(window), TYPE_COLOURS[name]))
            drawing.text(x, y(window) + 4, str(length), 11, colour="#fff")
    drawing.y = bottom
    return drawing


# The chart, the function that draws it, and the pages that show it.
CHARTS = [
    ("crash", crash, ["uniqueness", "operations"]),
    ("step-back", step_back, ["uniqueness", "operations"]),
    ("failover", failover, ["uniqueness", "operations"]),
    ("commit-order", commit_order, ["read-new"]),
    ("which-type", which_type, ["which-type"]),
    ("prefixes", prefixes, ["queries"]),
]


def shown(name, title, page):
    """What is wrong with how a page shows a chart, whose text is written first unless called to
    check."""
    path = "doc/%s.md" % page
    image = "\n".join(textwrap.wrap("![%s](charts/%s.svg)" % (title, name), 100,
                                    break_on_hyphens=False))
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if "--check" not in sys.argv:
        text = re.sub(r"!\[[^]]*\]\(charts/%s\.svg\)" % name, lambda _: image, text)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    return [] if image in text else ["%s does not show it, with this text:" % path, image]


def main():
    rules = constants()
    tally = idoracle.Count()
    for name, draw, pages in CHARTS:
        chart = draw(rules)
        wrong = differs("doc/charts/%s.svg" % name, chart.svg())
        for page in pages:
            wrong += shown(name, chart.title, page)
        tally.test("chart " + name, wrong)
    left = set(glob.glob("doc/charts/*")) - {"doc/charts/%s.svg" % name for name, _, _ in CHARTS}
    tally.test("no other charts", sorted(left))
    return tally.finish()


if __name__ == "__main__":
    sys.exit(main())
