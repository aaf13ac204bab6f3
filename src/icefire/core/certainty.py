r"""Which statements of an attacker count as certain, and how much of what is certain is news.

    certain    the surest statements of a group, as many as are right in at least 90% of the cases
    news(b)    1 for b <= 1/2, 0 for b >= 2/3, linear between

b is the baseline: how probable the same statement is without the release. A confidence is checked, not believed: an attacker
who is sure and wrong is certain of nothing.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
CERTAIN = 0.9
"""Confidence from which on a statement counts as certain."""
LIKELY, EXPECTED = 1 / 2, 2 / 3
"""Baseline up to which a certain statement is news, and from which on it is none."""


def news(baseline: Floats) -> Floats:
    """[statement]: how much of it is news.

    >>> news(np.array([0.1, 7 / 12, 0.9])).round(3).tolist()
    [1.0, 0.5, 0.0]
    """
    return np.clip((EXPECTED - baseline) / (EXPECTED - LIKELY), 0.0, 1.0)


def surest(stated: Flags, right: Flags, groups: Ints, confidence: Floats) -> Flags:
    """[statement]: whether it belongs to the surest statements of its group of which at least 90% are right.

    The last statement is the least sure one, and with it too many are wrong.

    >>> stated, right = np.ones(4, dtype=bool), np.array([True, True, True, False])
    >>> surest(stated, right, np.zeros(4, dtype=int), np.array([0.99, 0.98, 0.97, 0.96])).tolist()
    [True, True, True, False]
    """
    chosen = np.zeros(stated.size, dtype=np.bool_)
    some = np.flatnonzero(stated)
    order = some[np.lexsort((-confidence[some], groups[some]))]
    for mine in np.split(order, np.flatnonzero(np.diff(groups[order])) + 1) if order.size else ():
        sure, hits = confidence[mine], np.cumsum(right[mine])
        last_of_tie = np.append(np.abs(np.diff(sure)) > 1e-12, True)
        good = np.flatnonzero(last_of_tie & (hits >= CERTAIN * np.arange(1, mine.size + 1)))
        if good.size:
            chosen[mine[: good[-1] + 1]] = True
    return chosen
