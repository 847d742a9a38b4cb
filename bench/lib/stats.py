"""Medians, and how sure the ratio of two is."""

import random
import statistics

SEED = 20111111
RESAMPLES = 2000
median = statistics.median


def spread(values):
    """Half of the values lie within this share of the median, either way."""
    quartiles = statistics.quantiles(values, n=4) if len(values) > 1 else [values[0]] * 3
    return (quartiles[2] - quartiles[0]) / 2 / abs(median(values))


class Ratio:
    """Ratio of two medians, with its 95% confidence interval by bootstrap.

    The values of one round were measured next to each other, so rounds are drawn as a whole.
    With a single round there is no interval.
    """

    def __init__(self, values, base):
        rounds = list(zip(values, base))
        self.value = median(values) / median(base)
        self.low = self.high = self.value
        if len(rounds) > 2:
            draw = random.Random(SEED)
            ratios = sorted(self.resampled(draw, rounds) for _ in range(RESAMPLES))
            self.low = ratios[int(RESAMPLES * 0.025)]
            self.high = ratios[int(RESAMPLES * 0.975)]

    @staticmethod
    def resampled(draw, rounds):
        values, base = zip(*draw.choices(rounds, k=len(rounds)))
        # net times can come out as nothing on a very noisy machine
        return median(values) / max(median(base), 1e-9)

    def __str__(self):
        digits = 2 if self.value < 10 else 1
        text = "%.*f" % (digits, self.value)
        if self.low < self.high:
            text += " (%.*f - %.*f)" % (digits, self.low, digits, self.high)
        return text
