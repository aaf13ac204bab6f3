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
    height = near.shape[0]
    top = float(cost.max(initial=0.0))
    # A private dummy column for every row makes a full matching possible whatever the lists are.
    columns = np.hstack([near, np.arange(width, width + height)[:, None]])
    values = np.hstack([cost, np.full((height, 1), 10.0 * top + 1.0)])
    rows, listed = np.nonzero(columns >= 0)
    chosen = full_matching(rows, columns[rows, listed], values[rows, listed], (height, width + height))
    return np.where(chosen < width, chosen, -1)


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
