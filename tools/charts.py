#!/usr/bin/env python3
"""Draws the charts of the clock and the mark: charts.py [--check]

Simulates a generator and the mark with the constants of src/core, and writes doc/charts/NAME.svg
with a title that says in words what it shows; with --check, only compares the title.  Pages show
each chart with its title as text alternative.  The other figures do not change with the code.
"""

import glob
import re
import sys
import textwrap

import count

END = 8000                  # ms


def number(pattern):
    """The number that the core has there, or it no longer does what is simulated here; lengths of
    time are microseconds."""
    return int(re.search(pattern, CORE)[1])


CORE = "".join(open("src/core/%s.h" % header, encoding="utf-8").read()
               for header in ("generators", "mark", "clockword"))
LEAD, RESERVE, LEAST, MOST = (number(r"#define %s\s+INT64_C\((\d+)\)" % name) / 1000 for name in (
    "GENERATOR_LEAD", "MARK_RESERVE", "MARK_RESERVE_LEAST", "MARK_RESERVE_MOST"))
PROMOTION = LEAD + number(r"\(GENERATOR_LEAD \+ INT64_C\((\d+)\)\)") / 1000
RESERVED = number(r"reserve = initialized_for / (\d+);")
RENEWED = number(r"return mark - \(mark - begins\) / (\d+);")
LATE = number(r"watch.+ \* (\d+) / \d+ - mono;") / number(r"watch.+ \* \d+ / (\d+) - mono;") / 1000


class Server:
    """A generator with ticks of 1 ms, and the mark, as src/core has them; all times in ms."""

    def __init__(self, lead=0):
        self.lead, self.mark, self.runs = lead, 0, []

    def write(self, now, wall, begins):
        reserve = min(max((now - self.settled) / RESERVED, LEAST), MOST)
        self.mark = max(begins + reserve, wall + RESERVE, self.mark + 1)
        self.renew_at = self.mark - (self.mark - begins) / RENEWED

    def run(self, start, stop, clock, name="clock", promoted=False, busy_from=END):
        """Starts, and generates in each ms; returns the times of the first and the last id."""
        begin = max(self.mark, clock(start) + (PROMOTION if promoted else 0))
        last, since, self.settled = begin - 1, start, start
        self.write(start, clock(start), begin)
        rows = []
        for now in range(start, stop):
            tick = max(last, clock(now))
            for _ in range(15 if now >= busy_from else 0):
                if tick + 1 <= clock(now) + self.lead or now - since >= LATE:
                    tick += 1
            if tick > last:
                last, since = tick, now
            if tick >= self.renew_at:
                self.write(now, clock(now), tick)
            rows.append([time / 1000 for time in (now, tick, self.mark, clock(now))])
        self.runs.append((name, rows))
        return begin / 1000, last / 1000


def crash():
    server = Server()
    last = server.run(0, 3100, lambda now: now)[1]
    first = server.run(3600, END, lambda now: now)[0]
    return server.runs, {3100: "crash", 3600: "start, at the mark"}, (
        "A crash. The time of new ids runs along the clock; the mark on the disk stays above it, "
        "raised in steps to %.2g s ahead. The server crashes after ids up to %.2g s. After the "
        "start, new ids begin at the mark, %.2g s ahead of the clock, and their time hardly moves "
        "until the clock reaches it, %.2g s later. No id repeats."
        % (RESERVE / 1000, last, first - 3.6, first - 3.6))


def step_back():
    server = Server()
    server.run(0, END, lambda now: now if now < 3500 else now - 2500)
    return server.runs, {3500: "clock set back by 2.5 s"}, (
        "A clock set back by 2.5 s. The clock drops; the time of new ids does not. It hardly moves "
        "until the clock has caught up, 2.5 s later, and the mark is not raised before that. Where "
        "every tick is used up, the clock takes %.0f times as long to catch up. No id repeats."
        % (LATE / (LATE - 1)))


def failover():
    primary, standby = Server(LEAD), Server()
    last = primary.run(0, 3000, lambda now: now, "clock of the primary", busy_from=1000)[1]
    first = standby.run(3800, END, lambda now: now - 600, "clock of the standby", promoted=True)[0]
    return primary.runs + standby.runs, {3000: "primary lost", 3800: "standby promoted"}, (
        "A failover. The standby's clock is 0.6 s behind the primary's. When the primary is lost, "
        "its ids lead its clock by %.2g s, as in a burst; the last shows %.2g s. The promoted "
        "standby begins %.2g s ahead of its own clock, at %.2g s, later than every id of the "
        "primary. The time of its ids hardly moves until its clock reaches it. No id repeats."
        % (LEAD / 1000, last, PROMOTION / 1000, first))


def draw(path, runs, events, title):
    import matplotlib
    from matplotlib.figure import Figure
    matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "idtypes", "font.size": 8,
                                "axes.spines.top": False, "axes.spines.right": False})
    figure = Figure(figsize=(4.1, 5.2), layout="constrained")
    axes = figure.add_subplot(aspect="equal", xlim=(0, END / 1000), ylim=(0, 10),
                              xlabel="seconds that pass", ylabel="time shown, s")
    axes.grid(color="#e4e6e8")
    for name, rows in runs:
        seconds, ids, mark, clock = zip(*rows)
        axes.plot(seconds, mark, "#b85824", linewidth=3.5, label="mark on the disk")
        axes.plot(seconds, ids, "#3f6ea8", linewidth=2.2, label="time of new ids")
        axes.plot(seconds, clock, ":" if "primary" in name else "--", color="#555", label=name)
    for at, (now, words) in enumerate(events.items(), 1):
        axes.axvline(now / 1000, color="#9aa0a6", linestyle=":", linewidth=1)
        axes.text(now / 1000 + 0.1, 0.4 * (len(events) - at) + 0.15, words)
    once = {line.get_label(): line for line in axes.lines if line.get_label()[0] != "_"}
    axes.legend(once.values(), once.keys(), loc="upper left", frameon=False)
    figure.savefig(path, metadata={"Date": None, "Creator": None, "Title": title})


def main():
    tally = count.Count()
    titles = {}
    for chart in crash, step_back, failover:
        path = "doc/charts/%s.svg" % chart.__name__.replace("_", "-")
        servers, events, titles[path] = chart()
        if "--check" not in sys.argv:
            draw(path, servers, events, titles[path])
    pages = {page: open(page, encoding="utf-8").read() for page in glob.glob("doc/*.md")}
    for path in sorted(glob.glob("doc/charts/*.svg")):
        title = re.search("title>(.+?)</", open(path, encoding="utf-8").read())[1]
        name = "](%s)" % path.removeprefix("doc/")
        image = "\n".join(textwrap.wrap("![" + title + name, 100, break_on_hyphens=False))
        showing = [page for page in pages if name in pages[page]]
        wrong = ["%s: its text is not\n%s" % (page, image) for page in showing
                 if image not in pages[page]]
        if title != titles.get(path, title) or not showing:
            wrong += ["out of date, or on no page: " + title]
        tally.test("chart " + path, wrong)
    return tally.finish()


if __name__ == "__main__":
    sys.exit(main())
