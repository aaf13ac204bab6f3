"""Ragged arrays: groups of different sizes, stored one after the other in a flat array."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.integer]
Number = TypeVar("Number", np.int64, np.uint64)


def offsets(counts: Ints) -> NDArray[np.int64]:
    """The start of each group in the flat array.

    >>> offsets(np.array([2, 0, 3])).tolist()
    [0, 2, 2]
    """
    return np.asarray(np.cumsum(counts, dtype=np.int64) - counts)


def concatenated_ranges(starts: Ints, counts: Ints) -> NDArray[np.int64]:
    """`counts[i]` consecutive integers from `starts[i]` on, for every i.

    >>> concatenated_ranges(np.array([7, 0]), np.array([2, 3])).tolist()
    [7, 8, 0, 1, 2]
    """
    return np.arange(int(counts.sum())) - np.repeat(offsets(counts) - starts, counts)


def distinct(values: NDArray[Number]) -> NDArray[Number]:
    """The distinct values, ascending. numpy's own `unique` hashes first, which takes several times as long.

    >>> distinct(np.array([3, 1, 3])).tolist()
    [1, 3]
    """
    ordered = np.sort(values)
    return ordered[np.append(True, ordered[1:] != ordered[:-1])] if ordered.size else ordered
