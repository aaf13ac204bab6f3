"""One-to-one matching over short lists of candidates."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.csgraph import min_weight_full_bipartite_matching

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


def matching(near: Ints, cost: Floats, width: int) -> Ints:
    """Least-cost matching over candidate lists, the nearest first; -1 fills up a list that is shorter than others.

    As many rows as possible get a partner; -1 for those who find all their candidates taken.
    """
    height = near.shape[0]
    top = float(cost.max(initial=0.0))
    # A private way out for every row makes a full matching possible whatever the lists are.
    columns = np.hstack([near, np.arange(width, width + height)[:, None]])
    # Zero would mean "no edge" in a sparse matrix.
    values = np.hstack([cost, np.full((height, 1), 10.0 * top + 1.0)]) + 1e-9 * (1.0 + top)
    listed = columns >= 0
    starts = np.concatenate([[0], np.cumsum(listed.sum(axis=1))])
    graph = sparse.csr_array((values[listed], columns[listed], starts), shape=(height, width + height))
    _, chosen = min_weight_full_bipartite_matching(graph)
    return np.where(chosen < width, chosen, -1)


def one_to_one(near: Ints, cost: Floats, width: int) -> Ints:
    """The same, but a row that finds all its candidates taken keeps its nearest one."""
    partner = matching(near, cost, width)
    return np.where(partner < 0, near[:, 0], partner)
