"""What is asked of each measure, a ratio to one of the server's keys, and why it is missed."""

from dataclasses import dataclass

import contenders as who

GENERATORS = [g.name for g in who.OUR_GENERATORS]
STEPPING = [g.name for g in who.STEPPING]
NARROW = [c.name for c in who.NARROW]
WIDE = [c.name for c in who.WIDE]
OURS = NARROW + WIDE
# What a verdict shows.  Of the last two the median misses, but the instructions or the interval
# do not.
MET, MISSED, COUNTED, UNSURE = "met", "", " (i)", " (~)"
NEXTVAL, V4, V7, BIGINT = "nextval", "uuid v4", "uuid v7", "bigint"
SHA256 = "sha256"


@dataclass
class Target:
    """contender <= limit x base in a measure, or >= where more is better."""

    measure: str
    contenders: list
    limit: float
    base: str
    at_least: bool = False

    def base_of(self, contender):
        return self.base.replace("*", contender)

    def __str__(self):
        return "%s %g x %s" % ("at least" if self.at_least else "at most", self.limit,
                               self.base.replace(" (*)", ""))

    def holds(self, ratio):
        return ratio >= self.limit if self.at_least else ratio <= self.limit

    def ratio(self, figures, contender):
        """Of medians or instructions by measure and contender; None where one is not there."""
        value = figures(self.measure, contender)
        base = figures(self.measure, self.base_of(contender))
        return None if value is None or base is None else value / base

    def verdict(self, results, contender):
        """What the median says; where that misses, what the instructions or the interval say.

        Instructions decide only between a 64-bit id and a bigint, whose rows and index entries are
        alike: of other types, they leave out what longer ones cost in caches.
        """
        if self.holds(self.ratio(results.median, contender)):
            return MET
        instructions = self.ratio(results.instructions, contender)
        if instructions and instructions <= self.limit and contender in NARROW and \
                self.base.startswith(BIGINT):
            return COUNTED
        ends = results.rows[self.measure][contender].ratios.get(self.base, ())
        return UNSURE if any(self.holds(end) for end in ends) else MISSED


def beside_their_like(measures, narrow_limit, wide_limit):
    """64-bit ids beside a bigint, the others beside a uuid."""
    for measure in measures:
        yield Target(measure, NARROW, narrow_limit, BIGINT)
        yield Target(measure, WIDE, wide_limit, V4)


TARGETS = [
    Target("generate", GENERATORS, 0.4, NEXTVAL),
    Target("generate", GENERATORS, 0.1, V4),
    Target("generate", GENERATORS, 0.15, V7),
    Target("generate, steps of 1", STEPPING, 0.4, NEXTVAL),
    Target("two backends", GENERATORS, 4, NEXTVAL, at_least=True),
    # 2.5 us, and 4 us with a long tweak, where setting up SHA-256 takes 1 us
    Target("encrypt", OURS, 1.0, SHA256),
    Target("decrypt", OURS, 1.0, SHA256),
    Target("encrypt, 1024 bytes of tweak", OURS, 1.0, SHA256),
    Target("encrypt, other 1024 bytes for each", OURS, 2.0, SHA256),
    Target("COPY text out", OURS, 1.0, V4),
    Target("COPY text in", OURS, 1.0, V4),
    Target("COPY binary out", OURS, 1.0, V4),
    Target("COPY binary out", NARROW, 1.02, BIGINT),
    Target("COPY binary in", OURS, 1.0, V4),
    Target("COPY binary in", NARROW, 1.02, BIGINT),
    Target("insert", NARROW + ["siq"], 1.0, BIGINT),
    Target("insert", ["scru160"], 1.1, BIGINT),
    Target("insert", OURS, 0.6, V4),
    Target("WAL", NARROW, 1.0, BIGINT),
    Target("WAL", WIDE, 0.7, V4),
    *beside_their_like(["CREATE INDEX", "ORDER BY"], 1.03, 1.0),
    Target("B-tree size", ["tid64", "ulidflake"], 1.0, BIGINT),
    Target("B-tree size", ["uid11"], 1.25, BIGINT),
    Target("B-tree size", ["siq"], 1.0, "uuid sequential"),
    Target("B-tree size", ["siq"], 0.8, V4),
    Target("B-tree size", ["scru160"], 1.3, "uuid sequential"),
    *beside_their_like(["point look-ups", "hash join", "hash aggregate"], 1.03, 1.03),
    *(Target(scan, OURS, 1.05, "bigint (*)")
      for scan in ("prefix scan", "prefix scan, ^@", "window scan", "window scan, instants")),
    # how much dearer a row is in the largest table than in the smallest
    Target("growth: insert", OURS, 1.0, BIGINT),
    Target("growth: look-up", OURS, 1.0, BIGINT),
]

RATES = {g.name: g.rate for g in who.OUR_GENERATORS if g.rate}
# Ids of all sessions rise in one order, unless sessions take theirs by the block.
ORDERED = [g.name for g in who.OUR_GENERATORS if g.word and not g.blocks]
GENERATED = ("generate", "two backends")
# Why targets are missed, and by what measure and contender; the last one where there is no other.
NOTES = [
    ("The format holds only so many ids a second on average. Beyond that, a call waits by design. "
     "The rates: %s." % ", ".join("%s %.3g million" % (name, rate / 1e6)
                               for name, rate in RATES.items()),
     lambda measure, name: measure in GENERATED and name in RATES),
    ("The ids of all sessions rise in one order, so two sessions take turns at one clock word in "
     "shared memory.",
     lambda measure, name: measure == "two backends" and name in ORDERED),
    ("The random field of an xid is a counter behind a permutation, so that it neither repeats "
     "nor can be guessed.",
     lambda measure, name: measure == "generate" and name == "uid11 xid"),
    ("Ids of one millisecond come in random order. At such rates the B-tree cannot use its fast "
     "path for the rightmost page: it splits pages in the middle, and logs more of them.",
     lambda measure, name: name == "uid11" and measure in ("insert", "WAL", "B-tree size")),
    ("A scru160 has 20 bytes and a uuid 16, so there is more to copy, compare, hash and send.",
     lambda measure, name: name == "scru160" and not measure.startswith("growth") and
     measure not in GENERATED),
    ("Beyond the server's buffers a look-up waits for this machine's disk, which hurts all "
     "alike but not in the same round: a contender's rounds differ severalfold.",
     lambda measure, name: measure == "growth: look-up"),
    ("No cause is known but the machine's noise: the code does the same or less.",
     lambda measure, name: True),
]


def notes_of(measure, contender):
    """The notes, by their numbers from 0, that say why; the last one only by itself."""
    found = [number for number, (_, applies) in enumerate(NOTES[:-1])
             if applies(measure, contender)]
    return found or [len(NOTES) - 1]
