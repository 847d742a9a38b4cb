"""What is asked of each measure: a ratio to one of the server's keys."""

from dataclasses import dataclass

import contenders as who

GENERATORS = [g.name for g in who.OUR_GENERATORS]
STEPPING = [g.name for g in who.STEPPING]
NARROW = [c.name for c in who.NARROW]
WIDE = [c.name for c in who.WIDE]
OURS = NARROW + WIDE
# Times differ by that much from run to run.
NOISE = 1.1
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

    def ratios(self, results):
        """{contender: ratio of medians} where both are there."""
        of = results.rows.get(self.measure, {})
        return {name: of[name] / of[self.base_of(name)] for name in self.contenders
                if name in of and self.base_of(name) in of}

    def missed(self, results, noise=1.0):
        """The ratios that are beyond the limit by more than the noise."""
        return {name: ratio for name, ratio in self.ratios(results).items()
                if (self.limit / ratio if self.at_least else ratio / self.limit) > noise}


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
