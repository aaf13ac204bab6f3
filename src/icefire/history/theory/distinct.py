"""Number of different items among some purchases."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from icefire.core.errors import ParameterError


def distinct_distribution(records: int, items: int) -> NDArray[np.float64]:
    """Probability of y = 0, 1, ... different items among x records of l equally likely items.

    Pr(y|x) = (1 - (y-1)/l) Pr(y-1|x-1) + (y/l) Pr(y|x-1).

    >>> l = 5
    >>> bool(np.isclose(distinct_distribution(4, l)[2], 7 / l**2 * (1 - 1 / l)))
    True
    """
    _check(records, items)
    y = np.arange(min(records, items) + 1)
    probability: NDArray[np.float64] = (y == 0).astype(np.float64)
    for _ in range(records):
        stay = y / items * probability
        probability = stay + np.concatenate([[0.0], ((items - y) / items * probability)[:-1]])
    return probability


def expected_distinct(records: float, items: int) -> float:
    """E(y) = l (1 - (1 - 1/l)^x).

    >>> round(expected_distinct(95, 2700), 2)
    93.37
    """
    _check(records, items)
    return float(items * -np.expm1(records * np.log1p(-1 / items))) if items > 1 else float(min(records, 1))


def _check(records: float, items: int) -> None:
    if records < 0:
        raise ParameterError.of("theory", "records", "a number of at least 0", records)
    if items < 1:
        raise ParameterError.of("theory", "items", "an integer of at least 1", items)
