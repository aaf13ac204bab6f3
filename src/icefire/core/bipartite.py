"""Matchings of as many rows as possible (Hopcroft-Karp), whatever is cheap.

    while a path leads from a row without a partner to a free column,
          its pairs not matched and matched by turns:
        exchange the pairs along such paths, which share nothing

Each round searches from all rows without a partner at a time, level by level, so that their trees
share nothing and each gives a path. SciPy's search goes row by row, and takes minutes where thousands
of rows have similar lists.

Reference:
    Hopcroft, Karp: An n^(5/2) algorithm for maximum matchings in bipartite graphs. 1973.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

Ints = NDArray[np.int64]
NONE = -1


def largest_matching(graph: sparse.csr_array, chosen: Ints) -> Ints:
    """The column of each row, NONE where none is left; begins with the pairs of `chosen`."""
    chosen, owner = chosen.copy(), np.full(graph.shape[1], NONE)
    rows = np.flatnonzero(chosen != NONE)
    owner[chosen[rows]] = rows
    rng = np.random.default_rng(0)
    while True:
        ends, via = _forest(graph, chosen, owner, rng)
        if not ends.size:
            return chosen
        while ends.size:
            rows = via[ends]
            before = chosen[rows]
            chosen[rows], owner[ends] = ends, rows
            ends = before[before != NONE]


def _forest(graph: sparse.csr_array, chosen: Ints, owner: Ints, rng: np.random.Generator) -> tuple[Ints, Ints]:
    """A free column of each tree that reaches one, and the row from which each column was reached."""
    root, via = np.full(chosen.size, NONE), np.full(owner.size, NONE)
    front = np.flatnonzero(chosen == NONE)
    root[front] = front
    arrived = np.zeros(chosen.size, dtype=np.bool_)
    ends = [np.zeros(0, dtype=np.int64)]
    while front.size:
        rows, columns = _pairs_of(graph, front)
        new = np.flatnonzero(via[columns] == NONE)
        # Any of the rows may reach a column: where all share theirs, the first would leave none to the others.
        new = rng.permutation(new)
        via[columns[new]] = rows[new]
        columns = np.unique(columns[new])
        rows = via[columns]
        free = owner[columns] == NONE
        trees, first = np.unique(root[rows[free]], return_index=True)
        arrived[trees] = True
        ends.append(columns[free][first])
        front = owner[columns[~free]]
        root[front] = root[rows[~free]]
        # One path of each tree is enough.
        front = front[~arrived[root[front]]]
    return np.concatenate(ends), via


def _pairs_of(graph: sparse.csr_array, rows: Ints) -> tuple[Ints, Ints]:
    """The pairs of some rows."""
    begins, counts = graph.indptr[rows].astype(np.int64), np.diff(graph.indptr)[rows]
    places = np.arange(counts.sum()) + np.repeat(begins - np.cumsum(counts) + counts, counts)
    return np.repeat(rows, counts), graph.indices[places].astype(np.int64)
