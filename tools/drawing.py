"""What the drawings of the pages share: lengths of time in words, a surface, and the check.

Every drawing is an SVG in dark colours on white; doc/site.css inverts it in the dark scheme.
"""

import sys
from xml.sax.saxutils import escape

MARGIN = 12
GREY = "#555"
BLUE = "#3f6ea8"
SILVER = "#9aa0a6"
OTHERS = ["#b85824", "#3d7a4a", "#855598", "#8f6f14"]         # white on each can be read
SPANS = [(31556952e6, "years"), (86400e6, "d"), (3600e6, "h"), (60e6, "min"), (1e6, "s"),
         (1e3, "ms"), (1, "us")]


def span(microseconds):
    """A length of time in two or three digits."""
    for length, unit in SPANS:
        if microseconds >= length * 0.99:
            number = microseconds / length
            return ("%.1f %s" if number < 9.95 and abs(number - round(number)) > 0.05
                    else "%.0f %s") % (number, unit)
    return "%.2g us" % microseconds


class Drawing:
    """An SVG of a width that grows downwards."""

    def __init__(self, title, width):
        self.title = title
        self.parts = ["<title>%s</title>" % escape(title)]
        self.width = width
        self.y = MARGIN

    def text(self, x, y, text, size=13, anchor="middle", colour="#222", more=""):
        self.parts.append('<text x="%.1f" y="%.1f" font-size="%d" text-anchor="%s" fill="%s"%s>'
                          "%s</text>" % (x, y, size, anchor, colour, more, escape(text)))

    def box(self, x, y, width, height, colour):
        self.parts.append('<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s" '
                          'stroke="#fff"/>' % (x, y, width, height, colour))

    def path(self, commands, colour=GREY, more=""):
        self.parts.append('<path d="%s" stroke="%s"%s/>' % (commands, colour, more))

    def svg(self):
        # the name space is a name, and nobody's server
        return ('<svg xmlns="http:' '//www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" '
                'height="%d" font-family="DejaVu Sans, Verdana, sans-serif">\n'
                '<rect width="100%%" height="100%%" fill="#fff"/>\n%s\n</svg>\n'
                % (self.width, self.y + MARGIN, self.width, self.y + MARGIN,
                   "\n".join(self.parts)))


def differs(path, svg):
    """What is wrong with the file of a drawing, which is written first unless called to check."""
    if "--check" not in sys.argv:
        with open(path, "w", encoding="utf-8") as file:
            file.write(svg)
    with open(path, encoding="utf-8") as file:
        return [] if file.read() == svg else ["%s is out of date; draw it anew" % path]
