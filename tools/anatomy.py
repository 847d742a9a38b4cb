#!/usr/bin/env python3
"""Draws the anatomy of each type's ids, from what test/oracle says of its format.

    anatomy.py [--check]

Writes doc/figures/TYPE.svg; with --check it compares them instead.  Before that, the layouts are
held against test/vectors/TYPE.tsv, which the codecs are tested by.
"""

import csv
import os
import re
import sys
from datetime import datetime, timedelta, timezone
from xml.sax.saxutils import escape

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
sys.path.insert(0, os.path.join("test", "oracle"))
import idoracle  # noqa: E402, pylint: disable=wrong-import-position

WIDTH = 800
MARGIN = 12
BAR = WIDTH - 2 * MARGIN
COLOURS = {"time": "#3f6ea8", "zero": "#9aa0a6"}
OTHERS = ["#c4622d", "#4b8b57", "#8a5a9e", "#b08a2e"]
PLAIN = "#6b7075"
SPANS = [(31556952e6, "years"), (86400e6, "d"), (3600e6, "h"), (60e6, "min"), (1e6, "s"),
         (1e3, "ms"), (1, "us")]


# What the examples are ids of, and what fills their other bits.
EXAMPLE = idoracle.instant("2026-11-21T12:34:56.789012Z")
FILLING = bytes((0x9E + 0x59 * i) % 256 for i in range(20))


class Anatomy:
    """A format, an id as an example, and what the characters of its prefixes stand for."""

    def __init__(self, fmt):
        self.name = fmt.name
        self.size = fmt.size
        self.layouts = fmt.layouts
        self.first, self.last = (fmt.begins(tick) / 1e6
                                 for tick in (fmt.first_tick, fmt.last_tick))
        filling = int.from_bytes(FILLING[:fmt.size], "big") % (1 << fmt.low_bits)
        example = fmt.at_tick(fmt.tick_at(EXAMPLE), filling)
        self.text = fmt.format(example)
        self.prefixes = fmt.shown_for_prefix(example)
        self.changes = [self.first_change(fmt, example, bit) for bit in range(8 * fmt.size)]
        self.windows = dict(self.spans(fmt))

    def first_change(self, fmt, example, bit):
        """The first character that changes with a bit of the id."""
        data = bytearray(fmt.to_bytes(example))
        data[bit // 8] ^= 0x80 >> bit % 8
        try:
            changed = fmt.shown_for_prefix(fmt.from_bytes(data))
        except idoracle.BadId:
            return 0
        return next(at for at, pair in enumerate(zip(changed, self.prefixes)) if len(set(pair)) > 1)

    def spans(self, fmt):
        """Characters of a prefix, and the microseconds that it spans, down to a tick."""
        for length, character in enumerate(self.prefixes, 1):
            if character == "-":        # no character of its own
                continue
            first, last = map(fmt.tick, fmt.prefix(self.prefixes[:length]))
            yield length, (last - first + 1) * 1e6 / fmt.per_second
            if first == last:
                return

    def colour(self, field):
        """The same field has the same colour in all layouts of a type."""
        if field in COLOURS:
            return COLOURS[field]
        names = []
        for _, fields in self.layouts:
            names += [one for one, _ in fields if one not in COLOURS and one not in names]
        return OTHERS[names.index(field) % len(OTHERS)]


def fields_of(anatomy, layout, hexadecimal):
    """The fields of an id by a layout: name and value as a number."""
    rest = anatomy.size * 8
    for name, bits in layout:
        rest -= bits
        yield name, int(hexadecimal, 16) >> rest & ((1 << bits) - 1)


def contradictions(anatomy):
    """Yields where the layouts do not say of an id of the vectors what these do."""
    for name, layout in anatomy.layouts:
        if sum(bits for _, bits in layout) != anatomy.size * 8:
            yield "layout %s does not fill the id" % name
    with open("test/vectors/%s.tsv" % anatomy.name, encoding="utf-8", newline="") as file:
        lines = [line for line in file if not line.startswith("#")]
    compared = 0
    for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
        says = {}
        for name, layout in anatomy.layouts:
            for field, value in fields_of(anatomy, layout, row["hex"]):
                for column in (field, name.replace("-", "_") + "_" + field,
                               name.replace("ts-", "").replace("-", "_") + "_" + field):
                    says.setdefault(column, set()).add(value)
        for column in says.keys() & row.keys():
            value = row[column]
            if not re.fullmatch("[0-9]+" if column != "random" or len(value) < 24 else
                                "[0-9a-f]+", value):
                continue        # named, or empty where the profile has none
            compared += 1
            if int(value, 16 if len(value) == 24 else 10) not in says[column]:
                yield "%s: %s is %s" % (row["text"], column, value)
    if not compared:
        yield "there is no vector to compare with"


def span(microseconds):
    """A length of time in two or three digits."""
    for length, unit in SPANS:
        if microseconds >= length * 0.99:
            number = microseconds / length
            return ("%.1f %s" if number < 9.95 and abs(number - round(number)) > 0.05
                    else "%.0f %s") % (number, unit)
    return "%.2g us" % microseconds


def instant(seconds):
    """A time, or the year where calendars end."""
    if seconds > 250000000000:
        return "the year %.0f" % (1970 + seconds / 31556952 - 0.5)
    return (datetime(1970, 1, 1, tzinfo=timezone.utc)
            + timedelta(seconds=round(seconds))).strftime("%Y-%m-%d")


class Drawing:
    """An SVG that grows downwards."""

    def __init__(self, title):
        self.parts = ["<title>%s</title>" % escape(title)]
        self.y = MARGIN

    def text(self, x, y, text, size=13, anchor="middle", colour="#222", more=""):
        self.parts.append('<text x="%.1f" y="%.1f" font-size="%d" text-anchor="%s" fill="%s"%s>'
                          "%s</text>" % (x, y, size, anchor, colour, more, escape(text)))

    def box(self, x, y, width, height, colour):
        self.parts.append('<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s" '
                          'stroke="#fff"/>' % (x, y, width, height, colour))

    def heading(self, text):
        self.y += 22
        self.text(MARGIN, self.y, text, 13, "start", "#555")
        self.y += 8

    def svg(self):
        # the name space is a name, and nobody's server
        return ('<svg xmlns="http:' '//www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" '
                'height="%d" font-family="DejaVu Sans, Verdana, sans-serif">\n'
                '<rect width="100%%" height="100%%" fill="#fff"/>\n%s\n</svg>\n'
                % (WIDTH, self.y + MARGIN, WIDTH, self.y + MARGIN, "\n".join(self.parts)))


def draw_layout(drawing, anatomy, name, fields):
    """A bar of the fields with their widths, and the last bit of each below."""
    bits = anatomy.size * 8
    scale = BAR / bits
    rest = bits
    x = MARGIN
    if name:
        drawing.heading(name)
    for field, width in fields:
        drawing.box(x, drawing.y, width * scale, 34, anatomy.colour(field))
        middle = x + width * scale / 2
        below = "%d bit%s" % (width, "s" if width > 1 else "")
        if width * scale > 7.5 * len(field) + 4:
            drawing.text(middle, drawing.y + 21, field, 13, colour="#fff")
            drawing.text(middle, drawing.y + 49, below, 11, colour="#555")
        elif rest == bits:
            drawing.text(x, drawing.y + 49, "%s %d" % (field, width), 11, "start", "#555")
        else:
            drawing.text(x + width * scale, drawing.y + 49, "%s %d" % (field, width), 11, "end",
                         "#555")
        x += width * scale
        rest -= width
    drawing.y += 54


def majority(anatomy, fields, bits):
    """The colour of the field that most of the bits belong to; None without bits."""
    owner = []
    for field, width in fields:
        owner += [field] * width
    names = [owner[bit] for bit in bits]
    return anatomy.colour(max(set(names), key=names.count)) if names else None


def draw_cells(drawing, text, colours):
    """A row of characters, each with its colour."""
    width = BAR / len(text)
    for at, (character, colour) in enumerate(zip(text, colours)):
        if colour:
            drawing.box(MARGIN + at * width, drawing.y, width, 28, colour)
        drawing.text(MARGIN + (at + 0.5) * width, drawing.y + 20, character, 16,
                     colour="#fff" if colour else "#222", more=' font-family="monospace"')
    drawing.y += 28
    return width


def draw(anatomy):
    """The figure of a type."""
    fields = anatomy.layouts[0][1]
    drawing = Drawing("Anatomy of a %s" % anatomy.name)
    drawing.y += 16
    drawing.text(MARGIN, drawing.y, "%s: %d bits in %d bytes, from %s to %s"
                 % (anatomy.name, anatomy.size * 8 - sum(bits for name, bits in fields
                                                       if name == "zero"), anatomy.size,
                    instant(anatomy.first), instant(anatomy.last)), 16, "start")
    drawing.y += 10
    for name, layout in anatomy.layouts:
        draw_layout(drawing, anatomy, name, layout)

    bits = range(anatomy.size * 8)
    if anatomy.prefixes != anatomy.text:
        drawing.heading("as text")
        draw_cells(drawing, anatomy.text, [None] * len(anatomy.text))
    drawing.heading("in hexadecimal" if anatomy.prefixes != anatomy.text
                    else "as text%s" % (", the bits of the first layout"
                                        if len(anatomy.layouts) > 1 else ""))
    width = draw_cells(drawing, anatomy.prefixes, [
        majority(anatomy, fields, [bit for bit in bits if anatomy.changes[bit] == at])
        for at in range(len(anatomy.prefixes))])
    shown = MARGIN
    for at, window in anatomy.windows.items():
        # the end of a prefix is the right edge of its last character
        x = MARGIN + at * width
        label = span(window)
        half = 3.2 * len(label) + 2
        if x - half >= shown:
            drawing.parts.append('<path d="M%.1f %.1fv6" stroke="#555"/>' % (x, drawing.y))
            drawing.text(x, drawing.y + 18, label, 11, colour="#555")
            shown = x + half
    drawing.y += 40
    drawing.text(MARGIN, drawing.y, "Below the characters: the span of time that a prefix up to "
                 "there stands for.", 12, "start", "#555")
    return drawing.svg()


def main():
    check = "--check" in sys.argv
    failed = 0
    found = [Anatomy(fmt) for fmt in idoracle.FORMATS]
    for anatomy in found:
        path = "doc/figures/%s.svg" % anatomy.name
        wrong = list(contradictions(anatomy))
        svg = "" if wrong else draw(anatomy)
        if wrong:
            pass
        elif check:
            with open(path, encoding="utf-8") as file:
                if file.read() != svg:
                    wrong.append("%s is not what the layouts give; draw it anew" % path)
        else:
            with open(path, "w", encoding="utf-8") as file:
                file.write(svg)
        failed += bool(wrong)
        print("%s - anatomy of %s" % ("not ok" if wrong else "ok", anatomy.name),
              *wrong[:5], sep="\n")
    print("%d passed, %d failed" % (len(found) - failed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
