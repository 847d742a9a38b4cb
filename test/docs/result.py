"""Compares what a page shows with what came out, line by line."""

import difflib
import re


def stripped(text):
    """The same without blanks at the ends of lines and lines at the end."""
    return "\n".join(line.rstrip() for line in text.rstrip().split("\n"))


def normal(text, varies):
    """A result in the form in which it is compared."""
    text = stripped(text)
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
    if shown != right:
        lines = "\n".join(difflib.unified_diff(
            shown.split("\n"), right.split("\n"), "shown", "came out", n=0, lineterm=""))
        yield ("%s:%d: shows another result than there is\n%s\n--- this came out\n%s\n---"
               % (path, result.line, lines.replace("\0", "..."), got.rstrip()))
