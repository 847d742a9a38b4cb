"""Compares what a page shows with what came out, line by line."""

import itertools
import re


def stripped(text):
    """The same without blanks at the ends of lines and lines at the end."""
    return "\n".join(line.rstrip() for line in text.rstrip().split("\n"))


def normal(text, varies):
    """A result in the form in which it is compared."""
    lines = []
    for line in text.rstrip().splitlines():
        line = line.rstrip()
        # the page may break a long message, but the line under it that points at a place is none
        if (lines and re.match(r" +\S", line) and re.match(r"[A-Z]+:  ", lines[-1])
                and line.strip() != "^"):
            line = lines.pop() + " " + line.strip()
        lines.append(line)
    # from PostgreSQL 19 on two lines say what was one
    text = re.sub(r"^DETAIL:  No (\w+) of that name accepts the given argument types\.\nHINT:  ",
                  r"HINT:  No \1 matches the given name and argument types. ", "\n".join(lines),
                  flags=re.MULTILINE)
    for pattern in varies:
        text = re.sub(r"(?<![^\W_])(?:%s)(?![^\W_])" % pattern, "\0", text)
    if varies:
        # so the width of a column may vary as well
        text = re.sub(r" +", " ", re.sub(r"-{2,}", "--", text))
        text = re.sub(r" $|^ ", "", text, flags=re.MULTILINE)
    return text


def difference(path, result, got):
    """Says where and how a shown result differs from what came out, if it does."""
    shown = normal(result.shown, result.varies)
    right = normal(got, result.varies)
    if shown == right:
        return
    # the first line that differs at once, as the whole may be long
    pairs = itertools.zip_longest(shown.split("\n"), right.split("\n"), fillvalue="(no line)")
    line, (one, other) = next(both for both in enumerate(pairs) if both[1][0] != both[1][1])
    yield ("%s:%d: shows another result than there is, first in or near line %d\n"
           "expected: %s\ngot:      %s\n--- the page shows\n%s\n--- but this came out\n%s\n---"
           % (path, result.line, result.line + 1 + line, one.replace("\0", "..."),
              other.replace("\0", "..."), result.shown, got.rstrip()))
