"""Who belongs to whom: by the best score, one to one, or by a balanced plan; over full matrices and over short lists."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.optimize import linear_sum_assignment
from scipy.sparse.csgraph import min_weight_full_bipartite_matching

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Assign = Literal["argmax", "assignment", "sinkhorn"]
NONE = -1
"""No partner."""
ROUNDS = 60


@dataclass(frozen=True)
class Match:
    """The best partner of each row and of each column, NONE where there is none."""

    rows: Ints
    columns: Ints


def match_dense(scores: Floats, how: Assign, rng: np.random.Generator, least: float = -np.inf) -> Match:
    """The same for a full matrix of scores; a score has to be above `least` to count."""
    height, width = scores.shape
    # Ties go to whoever comes first, so nobody may stand in a telling order.
    row_order, column_order = rng.permutation(height), rng.permutation(width)
    mixed = scores[np.ix_(row_order, column_order)]
    if how == "assignment":
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
    """The same matching before rows and columns were mixed."""
    rows, columns = np.full(row_order.size, NONE), np.full(column_order.size, NONE)
    rows[row_order] = np.where(found.rows == NONE, NONE, column_order[found.rows])
    columns[column_order] = np.where(found.columns == NONE, NONE, row_order[found.columns])
    return Match(rows, columns)


def sinkhorn(scores: Floats) -> Floats:
    """Scores as a plan of who is whom: everybody on the smaller side gives out one whole, and nobody on the larger side
    receives more than that.

    The temperature is taken from the scores themselves: the typical lead of a row's best over its mean is ten units.
    """
    height, width = scores.shape
    if height > width:
        return sinkhorn(scores.T).T
    lead = np.median(scores.max(axis=1) - scores.mean(axis=1))
    heat = scores * (10.0 / lead) if lead > 0 else scores
    plan: Floats = np.exp(heat - heat.max(axis=1, keepdims=True))
    for _ in range(ROUNDS):
        plan /= np.maximum(plan.sum(axis=0, keepdims=True), 1.0)
        plan /= np.maximum(plan.sum(axis=1, keepdims=True), 1e-300)
    return plan


def matching(near: Ints, cost: Floats, width: int) -> Ints:
    """Least-cost matching over candidate lists, the nearest first; -1 fills up a list that is shorter than others.

    As many rows as possible get a partner; -1 for those who find all their candidates taken.
    """
    height = near.shape[0]
    top = float(cost.max(initial=0.0))
    # A private way out for every row makes a full matching possible whatever the lists are.
    columns = np.hstack([near, np.arange(width, width + height)[:, None]])
    values = np.hstack([cost, np.full((height, 1), 10.0 * top + 1.0)])
    rows, listed = np.nonzero(columns >= 0)
    chosen = full_matching(rows, columns[rows, listed], values[rows, listed], (height, width + height))
    return np.where(chosen < width, chosen, -1)


def full_matching(
    rows: NDArray[np.integer], columns: NDArray[np.integer], cost: Floats, shape: tuple[int, int]
) -> Ints:
    """The column of every row, at least total cost over the listed pairs, which have to allow a full matching."""
    # scipy's solver may never end where costs are nearly equal, so they are whole numbers; zero would mean "no pair".
    low, high = float(cost.min()), float(cost.max())
    whole = np.rint((cost - low) * (1e9 / (high - low) if high > low else 0.0)) + 1.0
    graph = sparse.csr_array((whole, (rows, columns)), shape=shape)
    return np.asarray(min_weight_full_bipartite_matching(graph)[1], dtype=np.int64)


def one_to_one(near: Ints, cost: Floats, width: int) -> Ints:
    """The same, but a row that finds all its candidates taken keeps its nearest one."""
    partner = matching(near, cost, width)
    return np.where(partner < 0, near[:, 0], partner)
