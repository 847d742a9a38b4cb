"""Medians, and how sure the ratio of two is."""

import random
import statistics

SEED = 20111111
RESAMPLES = 2000
median = statistics.median


def quartiles(values):
    """Half of the values lie between these two; None of a single value."""
    if len(values) < 2:
        return (None, None)
    low, _, high = statistics.quantiles(values, n=4)
    return (low, high)


def interval(values, base):
    """95% confidence interval of the ratio of two medians, by bootstrap.

    The values of one round were measured next to each other, so rounds are drawn as a whole.
    With less than three rounds it is the ratio itself.
    """
    rounds = list(zip(values, base))
    if len(rounds) < 3:
        return (median(values) / median(base), ) * 2
    draw = random.Random(SEED)
    ratios = []
    for _ in range(RESAMPLES):
        drawn, drawn_base = zip(*draw.choices(rounds, k=len(rounds)))
        # net times can come out as nothing on a very noisy machine
        ratios.append(median(drawn) / max(median(drawn_base), 1e-9))
    ratios.sort()
    return (ratios[int(RESAMPLES * 0.025)], ratios[int(RESAMPLES * 0.975)])
