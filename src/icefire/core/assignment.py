"""One-to-one assignment of the largest total score, without a table of all pairs.

The assignment is solved over lists of the best candidates. Its dual prices tell which pairs outside of the lists could
improve it: those whose score exceeds the wage of the row plus the price of the column. These are searched for and added to
the lists until there are none, so the result is the optimum over all pairs, up to rounding.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from icefire.core.scores import NONE, Scores, has_numba

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
FIRST, CANDIDATES = 10, 40
"""Length of the lists by which columns get their first prices, and of those made with prices."""
UNITS = 1e9
"""scipy's solver may not terminate on nearly equal costs, so it gets integers: the range of costs in so many units."""


def best_assignment(scores: Scores, rng: np.random.Generator) -> Ints:
    """The column of each row, no column twice, for the largest total; NONE for a row that has no column.

    A row without a column counts as the least score of all, so whoever is left over on both sides has no better score.
    """
    height, width = scores.shape
    # Ties go to the first row, so the order must not tell anything.
    order = rng.permutation(height)
    listed = _Listed.of(np.arange(height), *scores.nearest(FIRST, rng, order))
    prices = listed.first_prices(scores.least, (height, width))
    partner, wages, open_rows = np.full(height, NONE), np.full(height, -np.inf), np.arange(height)
    bound, fallen, fallen_then = np.zeros(height), 0.0, np.zeros(height)
    while True:
        near, values = scores.nearest(CANDIDATES, rng, order[open_rows], prices)
        worth = np.where(near == NONE, -np.inf, values - prices[near])
        margin = 1e-9 * (float(listed.values.max(initial=scores.least)) - scores.least)
        if not (worth > wages[open_rows, None] + margin).any():
            break
        # No column outside of a full list is worth more than the last one of the list.
        bound[open_rows] = worth[:, -1] if near.shape[1] < width else -np.inf
        fallen_then[open_rows] = fallen
        listed = listed.with_pairs(_Listed.of(open_rows, near, values), width)
        before = prices
        partner, wages, prices = listed.solved(scores.least, height, before)
        # Since that list was made, the columns outside of it have gained at most what a price has fallen.
        fallen += float((before - prices).max(initial=0.0))
        open_rows = np.flatnonzero(bound + (fallen - fallen_then) > wages + margin)
    found = np.full(height, NONE)
    found[order] = partner
    return found


@dataclass(frozen=True)
class _Listed:
    """Listed pairs, sorted by row, with their scores."""

    rows: Ints
    columns: Ints
    values: Floats

    @classmethod
    def of(cls, rows: Ints, near: Ints, values: Floats) -> _Listed:
        """The pairs of candidate lists."""
        at = np.nonzero(near != NONE)
        return cls(rows[at[0]], near[at], values[at])

    def with_pairs(self, other: _Listed, width: int) -> _Listed:
        rows, columns = np.append(self.rows, other.rows), np.append(self.columns, other.columns)
        _, chosen = np.unique(rows * width + columns, return_index=True)
        return _Listed(rows[chosen], columns[chosen], np.append(self.values, other.values)[chosen])

    def starts(self, height: int) -> Ints:
        return np.concatenate([[0], np.cumsum(np.bincount(self.rows, minlength=height))])

    def first_prices(self, least: float, shape: tuple[int, int]) -> Floats:
        """Prices to begin with: what rows bid for their best columns."""
        if not has_numba():
            return self.solved(least, shape[0], np.zeros(shape[1]))[2]
        from icefire.core import _augment

        return -_augment.first_prices(self.starts(shape[0]), self.columns, -self.values, -least, shape[1])

    def solved(self, least: float, height: int, prices: Floats) -> tuple[Ints, Floats, Floats]:
        """The assignment over these pairs, the wages of rows and the prices of columns, which begin from the given ones."""
        if not has_numba():
            return _by_scipy(self.rows, self.columns, -self.values, -least, height, prices.size)
        from icefire.core import _augment

        lists = self.starts(height), self.columns, -self.values, -least
        partner, wages, made = _augment.assigned(*lists, -prices)
        left_over = np.ones(prices.size, dtype=np.bool_)
        left_over[partner[partner < prices.size]] = False
        if (made[left_over] < 0).any():
            partner, wages, made = _augment.assigned(*lists, np.zeros(prices.size))
        return np.where(partner < prices.size, partner, NONE), -wages, -made


def _by_scipy(
    rows: Ints, columns: Ints, cost: Floats, alone: float, height: int, width: int
) -> tuple[Ints, Floats, Floats]:
    """The same without numba: scipy's solver, and prices by the shortest paths between columns (Bellman and Ford)."""
    # It takes as long to import as a small attack takes.
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    unit = max(alone - float(cost.min(initial=alone)), 1e-300) / UNITS
    whole = np.rint((cost - alone) / unit)
    # A private column for every row makes a full matching possible; 0 would mean "no edge".
    ends, own = np.concatenate([columns, np.arange(width, width + height)]), np.arange(height)
    edges = np.concatenate([whole, np.zeros(height)]) + UNITS + 1.0
    graph = sparse.csr_array((edges, (np.concatenate([rows, own]), ends)), shape=(height, width + height))
    chosen = np.asarray(min_weight_full_bipartite_matching(graph)[1], dtype=np.int64)
    paid = np.asarray(graph[own, chosen]).ravel() - UNITS - 1.0
    price, order = np.zeros(width + 1), np.argsort(columns, kind="stable")
    begins = np.flatnonzero(np.diff(columns[order], prepend=-1))
    place = np.minimum(chosen, width)
    for _ in range(width + 1):
        reach = (whole - (paid - price[place])[rows])[order]
        lowered = price.copy()
        if order.size:
            targets = columns[order][begins]
            lowered[targets] = np.minimum(price[targets], np.minimum.reduceat(reach, begins))
        if (lowered == price).all():
            break
        price = lowered
    wages = (paid - price[place]) * unit + alone
    return np.where(chosen < width, chosen, NONE), -wages, -price[:width] * unit
