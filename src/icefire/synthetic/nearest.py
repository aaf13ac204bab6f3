"""The nearest rows of one table to each row of another, exactly, by Gower's distance.

Few pairs are compared all with all. Many are searched in a tree of boxes, each split at the median of its widest column, in
memory that grows with the rows and not with the pairs.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from icefire.core import memory
from icefire.core.scores import has_numba
from icefire.synthetic.data import Floats, Ints
from icefire.synthetic.encoding import Coordinates, Points

DENSE = 4_000_000
"""Number of pairs up to which all are compared."""


def nearest(space: Points, number: int = 1, asked: int = 0, among: int = 1) -> tuple[Floats, Ints]:
    """[row, place]: distances of the nearest rows of the table `among` to each row of the table `asked`, and which rows these
    are; the one that stands first if several are as near. There are fewer than `number` if the table is shorter.

    >>> import polars as pl
    >>> from icefire.synthetic.encoding import points
    >>> tables = [pl.DataFrame({"a": [0, 9], "b": ["x", "y"]}), pl.DataFrame({"a": [10, 0], "b": ["y", "y"]})]
    >>> distances, rows = nearest(points(tables, ["a", "b"]))
    >>> distances.round(2).tolist(), rows.tolist()
    ([[0.5], [0.05]], [[1], [0]])
    """
    left, right = space.tables[asked], space.tables[among]
    number = min(number, right.shape[0])
    if left.shape[0] * right.shape[0] <= DENSE or not has_numba():
        found = _dense(left, right, space.categorical, number)
    else:
        from icefire.synthetic import _tree

        found = _tree.search(left, right, space.categorical, number)
    return found[0] / max(1, left.shape[1]), found[1]


def _dense(left: Coordinates, right: Coordinates, categorical: NDArray[np.bool_], number: int) -> tuple[Floats, Ints]:
    distances, rows = np.empty((left.shape[0], number)), np.empty((left.shape[0], number), dtype=np.int64)
    step = memory.step(right.shape[0])
    for begin in range(0, left.shape[0], step):
        part = slice(begin, begin + step)
        total = np.zeros((left[part].shape[0], right.shape[0]))
        # Column by column, in the order in which the tree adds them up: rounding is the same.
        for column, texts in enumerate(categorical):
            a, b = (table[:, column].astype(np.float64) for table in (left[part], right))
            total += a[:, None] != b[None, :] if texts else np.minimum(np.abs(a[:, None] - b[None, :]), 1.0)
        # The sort is stable: of several as near, the first.
        order = np.argsort(total, axis=1, kind="stable")[:, :number] if number > 1 else total.argmin(axis=1)[:, None]
        distances[part], rows[part] = np.take_along_axis(total, order, axis=1), order
    return distances, rows
