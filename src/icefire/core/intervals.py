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


def excess(
    successes: float, trials: int, others: float, control: int, confidence: float = 0.95
) -> tuple[float, Interval]:
    """What a share exceeds that of a control group by, of what can be exceeded: (p - q) / (1 - q), with its interval.

    The interval combines those of Wilson for both shares, as Donner and Zou (2012) do for a ratio. Where nobody of the control
    group is missed, nothing is left to exceed: the value is 0, and the interval says that it could be anything.

    >>> value, interval = excess(60, 100, 20, 100)
    >>> round(value, 3), round(interval.low, 3), round(interval.high, 3)
    (0.5, 0.358, 0.618)
    """
    first, second = wilson(successes, trials, confidence), wilson(others, control, confidence)
    missed, free = 1 - successes / trials, 1 - others / control
    if free <= 0:
        return 0.0, Interval(0.0, 1.0, confidence)
    low, high = _ratio((missed, 1 - first.high, 1 - first.low), (free, 1 - second.high, 1 - second.low))
    value = 1 - missed / free
    return value, Interval(min(value, 1 - high), max(value, 1 - low), confidence)


def _ratio(top: tuple[float, float, float], bottom: tuple[float, float, float]) -> tuple[float, float]:
    """The limits of a ratio, given each estimate with its lower and upper limit."""
    (a, low_a, high_a), (b, low_b, high_b) = top, bottom

    def limit(end_a: float, end_b: float, sign: int) -> float:
        square, scale = end_a * (2 * a - end_a), end_b * (2 * b - end_b)
        root = math.sqrt(max(0.0, (a * b) ** 2 - square * scale))
        return (a * b + sign * root) / scale if scale > 0 else math.inf

    return limit(low_a, high_b, -1), limit(high_a, low_b, 1)


def difference(successes: float, trials: int, others: float, control: int, confidence: float = 0.95) -> Interval:
    """Newcombe's interval for the difference of two shares, from Wilson's for each.

    >>> interval = difference(56, 70, 48, 80)
    >>> round(interval.low, 4), round(interval.high, 4)
    (0.0524, 0.3339)
    """
    first, second = wilson(successes, trials, confidence), wilson(others, control, confidence)
    p, q = successes / trials, others / control
    low = p - q - math.hypot(p - first.low, second.high - q)
    return Interval(low, p - q + math.hypot(first.high - p, q - second.low), confidence)
