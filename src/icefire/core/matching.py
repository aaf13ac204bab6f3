"""Matching of rows to columns: by the best score, by assignment or by a Sinkhorn plan; dense, and over candidate lists."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Assign = Literal["argmax", "assignment", "sinkhorn"]
NONE = -1
"""No partner."""
ROUNDS = 60
ALIKE = 1e-12
"""Costs that differ by a smaller share are equal."""


@dataclass(frozen=True)
class Match:
    """The best partner of each row and of each column, NONE where there is none."""

    rows: Ints
    columns: Ints


def match_dense(scores: Floats, how: Assign, rng: np.random.Generator, least: float = -np.inf) -> Match:
    """Match the rows and columns of a full matrix of scores; a score has to be above `least` to count."""
    height, width = scores.shape
    # Ties go to the first row or column, so the order must not tell anything.
    row_order, column_order = rng.permutation(height), rng.permutation(width)
    mixed = scores[np.ix_(row_order, column_order)]
    if how == "assignment":
        # scipy.optimize takes longer to import than most commands take to run.
        from scipy.optimize import linear_sum_assignment

        chosen_rows, chosen_columns = linear_sum_assignment(mixed, maximize=True)
        rows, columns = np.full(height, NONE), np.full(width, NONE)
        rows[chosen_rows], columns[chosen_columns] = chosen_columns, chosen_rows
    else:
        plan = sinkhorn(mixed) if how == "sinkhorn" else mixed
        rows, columns = plan.argmax(axis=1), plan.argmax(axis=0)
    rows = np.where(mixed[np.arange(height), rows] > least, rows, NONE)
    columns = np.where(mixed[columns, np.arange(width)] > least, columns, NONE)
    return put_back(Match(rows, columns), row_order, column_order)


def put_back(found: Match, row_order: Ints, column_order: Ints) -> Match:
    """The matching in the order before rows and columns were permuted."""
    rows, columns = np.full(row_order.size, NONE), np.full(column_order.size, NONE)
    rows[row_order] = np.where(found.rows == NONE, NONE, column_order[found.rows])
    columns[column_order] = np.where(found.columns == NONE, NONE, row_order[found.columns])
    return Match(rows, columns)


def sinkhorn(scores: Floats, logarithms: bool = False) -> Floats:
    """A transport plan from scores: the entries of each member of the smaller side add up to 1, those of the larger side
    to at most 1.

    If scores are not logarithms of likelihoods, their unit is taken from the scores themselves: the typical lead of a row's
    best over its mean is ten units.
    """
    height, width = scores.shape
    if height > width:
        return sinkhorn(scores.T, logarithms).T
    lead = 10.0 if logarithms else np.median(scores.max(axis=1) - scores.mean(axis=1))
    heat = scores * (10.0 / lead) if lead > 0 else scores
    plan: Floats = np.exp(heat - heat.max(axis=1, keepdims=True))
    for _ in range(ROUNDS):
        plan /= np.maximum(plan.sum(axis=0, keepdims=True), 1.0)
        plan /= np.maximum(plan.sum(axis=1, keepdims=True), 1e-300)
    return plan


def matching(near: Ints, cost: Floats, width: int) -> Ints:
    """Least-cost matching over candidate lists, the nearest first; -1 fills up a list that is shorter than others.

    As many rows as possible get a partner; the others get -1.
    """
    rows, listed = np.nonzero(near >= 0)
    return sparse_matching(rows, near[rows, listed], cost[rows, listed], (len(near), width))


def sparse_matching(rows: Ints, columns: Ints, cost: Floats, shape: tuple[int, int]) -> Ints:
    """The same over pairs of a row and a column."""
    from scipy.sparse.csgraph import maximum_bipartite_matching

    least = np.full(shape[0], np.inf)
    np.minimum.at(least, rows, cost)
    # Where all rows can have one of their nearest, nothing is cheaper.
    nearest = cost <= least[rows] + ALIKE * np.abs(least[rows])
    graph = sparse.csr_array((np.ones(int(nearest.sum())), (rows[nearest], columns[nearest])), shape)
    chosen = maximum_bipartite_matching(graph, perm_type="column").astype(np.int64)
    left = chosen < 0
    if left.any():
        label = _connected(rows, columns, shape)
        hard = np.isin(label, label[left])
        place = np.cumsum(hard) - 1
        kept = hard[rows]
        chosen[hard] = _cheapest(place[rows[kept]], columns[kept], cost[kept], (int(hard.sum()), shape[1]))
    return chosen


def connected(near: Ints, width: int) -> Ints:
    """[row]: the same number for rows that share candidates, directly or by way of other rows."""
    rows, listed = np.nonzero(near >= 0)
    return _connected(rows, near[rows, listed], (len(near), width))


def _connected(rows: Ints, columns: Ints, shape: tuple[int, int]) -> Ints:
    from scipy.sparse.csgraph import connected_components

    size = sum(shape)
    graph = sparse.csr_array((np.ones(rows.size), (rows, shape[0] + columns)), (size, size))
    return np.asarray(connected_components(graph, directed=False)[1][: shape[0]], dtype=np.int64)


def _cheapest(rows: Ints, columns: Ints, cost: Floats, shape: tuple[int, int]) -> Ints:
    height, width = shape
    # A private dummy column for every row makes a full matching possible whatever the lists are.
    dummies, price = np.arange(height), 10.0 * float(cost.max(initial=0.0)) + 1.0
    chosen = full_matching(
        np.concatenate([rows, dummies]),
        np.concatenate([columns, width + dummies]),
        np.concatenate([cost, np.full(height, price)]),
        (height, width + height),
    )
    return np.where(chosen < width, chosen, NONE)


def full_matching(
    rows: NDArray[np.integer], columns: NDArray[np.integer], cost: Floats, shape: tuple[int, int]
) -> Ints:
    """The column of every row, at least total cost over the listed pairs, which have to allow a full matching."""
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    # scipy's solver may not terminate on nearly equal costs, so they are rounded to integers; 0 would mean "no edge".
    low, high = float(cost.min()), float(cost.max())
    whole = np.rint((cost - low) * (1e9 / (high - low) if high > low else 0.0)) + 1.0
    graph = sparse.csr_array((whole, (rows, columns)), shape=shape)
    return np.asarray(min_weight_full_bipartite_matching(graph)[1], dtype=np.int64)


def one_to_one(near: Ints, cost: Floats, width: int) -> Ints:
    """Like `matching`, but a row whose candidates are all taken gets its nearest candidate."""
    partner = matching(near, cost, width)
    return np.where(partner < 0, near[:, 0], partner)
