"""Why a target is missed: each reason once, as a note that the missed targets refer to."""

from dataclasses import dataclass
from typing import Callable

import contenders as who

RATES = {g.name: g.rate for g in who.OUR_GENERATORS if g.rate}
# Ids of all sessions rise in one order, unless sessions take theirs by the block.
ORDERED = [g.name for g in who.OUR_GENERATORS if g.word and not g.blocks]
GENERATED = ("generate", "two backends")


def rates(majors, names):
    return ("The format holds only so many ids a second on average, and beyond that a call waits "
            "by design: %s." % ", ".join("%s %.3g million" % (name, RATES[name] / 1e6)
                                      for name in names))


def permutation(majors, names):
    # snowish does the same but for that
    parts = ["%.0f of %.0f ns on %d" % (results.median("generate", "uid11 xid") -
                                        results.median("generate", "uid11 snowish"),
                                        results.median("generate", "uid11 xid"), results.major)
             for results in majors if results.median("generate", "uid11 xid")]
    return ("The random field of an xid is a counter behind a permutation, so that it neither "
            "repeats nor can be guessed; that takes %s." % ", ".join(parts))


@dataclass
class Note:
    """A text, or a function that makes it of the majors and of the names of those that refer to it;
    applies(measure, contender) says whose reason it is.
    """

    text: object
    applies: Callable

    def __call__(self, majors, names):
        return self.text(majors, names) if callable(self.text) else self.text


NOTES = [
    Note(rates, lambda measure, name: measure in GENERATED and name in RATES),
    Note("The ids of all sessions rise in one order, so two sessions advance one word in shared "
         "memory, one after the other.",
         lambda measure, name: measure == "two backends" and name in ORDERED),
    Note(permutation, lambda measure, name: measure == "generate" and name == "uid11 xid"),
    Note("Ids of one millisecond come in random order, so at such rates the B-tree cannot use its "
         "fast path for the rightmost page, splits pages in the middle and logs more of them.",
         lambda measure, name: name == "uid11" and measure in ("insert", "WAL", "B-tree size")),
    Note("A scru160 has 20 bytes, a uuid 16: more to copy, compare, hash and send.",
         lambda measure, name: name == "scru160" and not measure.startswith("growth") and
         measure not in GENERATED),
    Note("Beyond the server's buffers a look-up waits for this machine's disk, which hurts all "
         "alike but not in the same round: a contender's rounds differ severalfold.",
         lambda measure, name: measure == "growth: look-up"),
    Note("No cause is known but the machine's noise: the code does the same or less.",
         lambda measure, name: True),
]


def numbers(measure, contender):
    """The notes, from 0, that say why: all that apply, the last one only by itself."""
    found = [number for number, note in enumerate(NOTES[:-1]) if note.applies(measure, contender)]
    return found or [len(NOTES) - 1]
