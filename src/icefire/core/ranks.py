"""Ranks as contests use them: 1 is best, ties share the mean rank."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from icefire.core.values import Direction


def shared_ranks(values: Sequence[float], direction: Direction) -> NDArray[np.float64]:
    """
    >>> shared_ranks([0.2, 0.1, 0.2], Direction.LOWER_IS_BETTER).tolist()
    [2.5, 1.0, 2.5]
    """
    array = np.asarray(values, dtype=np.float64)
    signed = -array if direction is Direction.HIGHER_IS_BETTER else array
    return np.asarray(rankdata(signed, method="average"), dtype=np.float64)
