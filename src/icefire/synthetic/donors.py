"""Members who lend their values."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from icefire.synthetic.data import Ints


def donors(groups: NDArray[np.integer], wanted: NDArray[np.integer], rng: np.random.Generator) -> Ints:
    """[wanted]: a random row of the group that is wanted. Every wanted group has to have rows.

    >>> donors(np.array([5, 7, 5]), np.array([7, 7]), np.random.default_rng(0)).tolist()
    [1, 1]
    """
    order = np.argsort(groups, kind="stable")
    starts = np.searchsorted(groups[order], wanted, side="left")
    ends = np.searchsorted(groups[order], wanted, side="right")
    return np.asarray(order[starts + (rng.random(wanted.size) * (ends - starts)).astype(np.int64)])
