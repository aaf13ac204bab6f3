"""Confidence intervals for shares, means and ratios."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri, stdtrit  # scipy.stats would take half a second to import

from icefire.core.errors import ParameterError
from icefire.core.values import Interval


def wilson(successes: float, trials: int, confidence: float = 0.95) -> Interval:
    """Wilson's score interval for a share; it stays inside [0, 1] and works at 0 and at 1.

    >>> wilson(0, 10).high < 0.28
    True
    """
    if trials < 1:
        raise ParameterError.of("wilson", "trials", "an integer of at least 1", trials)
    z = float(ndtri(0.5 + confidence / 2))
    share = successes / trials
    centre = share + z * z / (2 * trials)
    spread = z * math.sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    scale = 1 + z * z / trials
    # At 0 and 1 rounding may push a bound past the share itself.
    return Interval(
        max(0.0, min(share, (centre - spread) / scale)), min(1.0, max(share, (centre + spread) / scale)), confidence
    )


def mean_of_sample(sample: ArrayLike, population: int | None = None, confidence: float = 0.95) -> Interval:
    """Student's interval for a mean, with the correction for drawing without replacement."""
    values = np.asarray(sample, dtype=np.float64)
    size = values.size
    if size < 2:
        raise ParameterError.of("mean_of_sample", "sample", "at least 2 values", size)
    correction = 1.0 if population is None or population <= 1 else max(0.0, (population - size) / (population - 1))
    error = float(values.std(ddof=1)) * math.sqrt(correction / size)
    reach = float(stdtrit(size - 1, 0.5 + confidence / 2)) * error
    mean = float(values.mean())
    return Interval(mean - reach, mean + reach, confidence)


def log_ratio(ratio: float, standard_error: float, confidence: float = 0.95) -> Interval:
    """Katz's interval for a ratio whose logarithm has the given standard error."""
    z = float(ndtri(0.5 + confidence / 2))
    return Interval(ratio * math.exp(-z * standard_error), ratio * math.exp(z * standard_error), confidence)
