#!/usr/bin/env python3
"""Draws the anatomy of each type's ids, from what test/oracle says of its format.

    anatomy.py [--check]

Writes doc/figures/TYPE.svg; with --check it compares them instead.  Before that, the layouts are
held against test/vectors/TYPE.tsv, which the codecs are tested by.
"""

import csv
import itertools
import os
import re
import sys

from drawing import BLUE, MARGIN, OTHERS, SILVER, Drawing, differs, span

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
sys.path.insert(0, os.path.join("test", "oracle"))
import idoracle

WIDTH = 800
BAR = WIDTH - 2 * MARGIN
COLOURS = {"time": BLUE, "zero": SILVER}

# What the examples are ids of, and what fills their other bits.
EXAMPLE = idoracle.instant("2026-11-21T12:34:56.789012Z")
FILLING = bytes((0x9E + 0x59 * i) % 256 for i in range(20))


class Anatomy:
    """A format, an id as an example, and what the characters of its prefixes stand for."""

    def __init__(self, fmt):
        self.fmt = fmt
        self.bits = 8 * fmt.size
        filling = int.from_bytes(FILLING[:fmt.size], "big") % (1 << fmt.low_bits)
        self.example = fmt.at_tick(fmt.tick_at(EXAMPLE), filling)
        self.text = fmt.format(self.example)
        self.prefixes = fmt.shown_for_prefix(self.example)
        # the same field has the same colour in all layouts of a type
        fields = dict.fromkeys(field for _, layout in fmt.layouts for field, _ in layout)
        self.colours = dict(zip((field for field in fields if field not in COLOURS),
                                itertools.cycle(OTHERS)), **COLOURS)

    def fields_of_characters(self):
        """The fields of the bits, in the first layout, that begin to show at each character."""
        found = [[] for _ in self.prefixes]
        owners = [field for field, width in self.fmt.layouts[0][1] for _ in range(width)]
        for bit, field in enumerate(owners):
            found[self.first_change(bit)].append(field)
        return found

    def first_change(self, bit):
        """The first character that changes with a bit of the id."""
        data = bytearray(self.fmt.to_bytes(self.example))
        data[bit // 8] ^= 0x80 >> bit % 8
        try:
            changed = self.fmt.shown_for_prefix(self.fmt.from_bytes(data))
        except idoracle.BadId:
            return 0
        return next(at for at, (new, old) in enumerate(zip(changed, self.prefixes)) if new != old)

    def spans(self):
        """Characters of a prefix, and the microseconds that it spans, down to a tick."""
        for length, character in enumerate(self.prefixes, 1):
            if character == "-":        # no character of its own
                continue
            first, last = self.fmt.prefix(self.prefixes[:length])
            # by the ids, as the ends of a prefix need not be those of ticks
            ticks = (last - first + 1) / 2 ** self.fmt.low_bits
            yield length, max(ticks, 1) * 1e6 / self.fmt.per_second
            if ticks <= 1:
                return


def contradictions(fmt):
    """Yields where the layouts do not say of an id of the vectors what these do."""
    for name, layout in fmt.layouts:
        if sum(bits for _, bits in layout) != 8 * fmt.size:
            yield "layout %s does not fill the id" % name
            return
    with open("test/vectors/%s.tsv" % fmt.name, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader((line for line in file if not line.startswith("#")),
                                   delimiter="\t", quoting=csv.QUOTE_NONE))
    compared = 0
    for row in rows:
        says = {}
        fields = fmt.fields(fmt.parse(row["text"]))
        for name, layout in fmt.layouts:
            rest = fmt.size * 8
            for field, bits in layout:
                rest -= bits
                for form in "", name + "_", name.replace("ts-", "") + "_":
                    says.setdefault(form.replace("-", "_") + field, set()).add(
                        int(row["hex"], 16) >> rest & ((1 << bits) - 1))
        for column in says.keys() & row.keys():
            value = row[column]
            base = 16 if isinstance(fields.get(column), bytes) else 10
            if not re.fullmatch("[0-9]+" if base == 10 else "[0-9a-f]+", value):
                continue        # named, or empty where the profile has none
            compared += 1
            if int(value, base) not in says[column]:
                yield "%s: %s is %s" % (row["text"], column, value)
    if not compared:
        yield "there is no vector to compare with"


def date(tick, fmt):
    """The day of a tick, or its year where other calendars end."""
    day = idoracle.iso(round(fmt.begins(tick) / 1e6) * 10**6).partition("T")[0]
    return day if len(day) == len("2026-11-21") else "the year " + day.partition("-")[0]


class Figure(Drawing):
    """The drawing of a type."""

    def heading(self, text):
        self.y += 22
        self.text(MARGIN, self.y, text, 13, "start", "#555")
        self.y += 8

    def layout(self, anatomy, fields):
        """A bar of the fields with their widths below."""
        scale = BAR / anatomy.bits
        x = MARGIN
        for field, width in fields:
            end = x + width * scale
            self.box(x, self.y, width * scale, 34, anatomy.colours[field])
            if width * scale > 7.5 * len(field) + 4:
                middle = x + width * scale / 2
                self.text(middle, self.y + 21, field, 13, colour="#fff")
                self.text(middle, self.y + 49, "%d bit%s" % (width, "s" if width > 1 else ""), 11,
                          colour="#555")
            else:
                at, anchor = (x, "start") if x == MARGIN else (end, "end")
                self.text(at, self.y + 49, "%s %d" % (field, width), 11, anchor, "#555")
            x = end
        self.y += 54

    def cells(self, text, colours):
        """A row of characters, each with its colour."""
        width = BAR / len(text)
        for at, (character, colour) in enumerate(zip(text, colours)):
            if colour:
                self.box(MARGIN + at * width, self.y, width, 28, colour)
            self.text(MARGIN + (at + 0.5) * width, self.y + 20, character, 16,
                      colour="#fff" if colour else "#222", more=' font-family="monospace"')
        self.y += 28

    def scale(self, width, spans):
        """The spans of prefixes below cells of a width, as far as there is room."""
        shown = MARGIN
        for at, window in spans:
            # the end of a prefix is the right edge of its last character
            x = MARGIN + at * width
            label = span(window)
            half = 3.2 * len(label) + 2
            if x - half >= shown:
                self.path("M%.1f %.1fv6" % (x, self.y))
                self.text(x, self.y + 18, label, 11, colour="#555")
                shown = x + half
        self.y += 40


def draw(fmt):
    """The figure of a type."""
    anatomy = Anatomy(fmt)
    drawing = Figure("Anatomy of a %s" % fmt.name, WIDTH)
    drawing.y += 16
    drawing.text(MARGIN, drawing.y, "%s: %d bits in %d bytes, from %s to %s" % (
        fmt.name, anatomy.bits - dict(fmt.layouts[0][1]).get("zero", 0), fmt.size,
        date(fmt.first_tick, fmt), date(fmt.last_tick, fmt)), 16, "start")
    drawing.y += 10
    for name, layout in fmt.layouts:
        if name:
            drawing.heading(name)
        drawing.layout(anatomy, layout)
    if anatomy.prefixes != anatomy.text:
        drawing.heading("as text")
        drawing.cells(anatomy.text, [None] * len(anatomy.text))
        drawing.heading("in hexadecimal")
    else:
        drawing.heading("as text, the bits of the first layout" if len(fmt.layouts) > 1
                        else "as text")
    # a character has the colour of the field that most of its bits belong to
    drawing.cells(anatomy.prefixes, [
        anatomy.colours[max(fields, key=fields.count)] if fields else None
        for fields in anatomy.fields_of_characters()])
    drawing.scale(BAR / len(anatomy.prefixes), anatomy.spans())
    drawing.text(MARGIN, drawing.y, "Below the characters: the span of time that a prefix up to "
                 "there stands for.", 12, "start", "#555")
    return drawing.svg()


def main():
    tally = idoracle.Count()
    for fmt in idoracle.FORMATS:
        path = "doc/figures/%s.svg" % fmt.name
        wrong = list(contradictions(fmt))[:5]
        if not wrong:
            wrong = differs(path, draw(fmt))
        tally.test("anatomy of " + fmt.name, wrong)
    return tally.finish()


if __name__ == "__main__":
    sys.exit(main())
