"""Ranks as contests use them: 1 is best, ties share the mean rank."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from icefire.core.values import Direction


def shared_ranks(values: Sequence[float], direction: Direction) -> NDArray[np.float64]:
    """
    >>> shared_ranks([0.2, 0.1, 0.2], Direction.LOWER_IS_BETTER).tolist()
    [2.5, 1.0, 2.5]
    """
    array = np.asarray(values, dtype=np.float64)
    return mean_ranks(-array if direction is Direction.HIGHER_IS_BETTER else array)


def mean_ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Ranks from 1 for the smallest value; equal values share the mean of their ranks.

    >>> mean_ranks(np.array([5.0, 1.0, 5.0])).tolist()
    [2.5, 1.0, 2.5]
    """
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return np.asarray((last - (counts - 1) / 2)[place])
