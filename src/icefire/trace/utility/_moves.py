"""Moves between places."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from icefire.core.errors import Undefined
from icefire.trace.data import NOTHING, Cells, Floats, Traces


def moves(original: Traces, cells: Cells) -> Floats:
    """[region, region]: how often somebody is in the one and, at the next time of the same day, in the other; stays included.

    A set counts as its members in equal shares.
    """
    labels = original.times[1]
    same_day = (np.diff(labels) == 1) & (np.diff((labels - 1) // original.day) == 0)
    before, after = cells.codes[:, :-1][:, same_day], cells.codes[:, 1:][:, same_day]
    there = (before != NOTHING) & (after != NOTHING)
    if not there.any():
        raise Undefined("nobody is seen at two times in a row")
    size = cells.spread.shape[0]
    pairs = sparse.csr_array((np.ones(int(there.sum())), (before[there], after[there])), shape=(size, size))
    return np.asarray((cells.spread.T @ pairs @ cells.spread).todense())
