"""How sure the ratio of two medians is."""

import numpy

SEED = 20111111
RESAMPLES = 2000


def interval(values, base):
    """95% confidence interval of the ratio of two medians, by bootstrap.

    The values of one round were measured next to each other, so rounds are drawn as a whole.
    """
    draw = numpy.random.default_rng(SEED).integers(len(values), size=(RESAMPLES, len(values)))
    over, under = (numpy.median(numpy.array(of)[draw], axis=1) for of in (values, base))
    # net times can come out as nothing on a very noisy machine
    return tuple(numpy.quantile(over / numpy.maximum(under, 1e-9), (0.025, 0.975)))
