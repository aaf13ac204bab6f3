"""Sums over one-to-one matchings, in many blocks at once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from icefire.core.matching import Match, put_back
from icefire.history.data import NONE, Ints

Floats = NDArray[np.float64]
NEVER = 1e-12
BALANCED = 30
"""Rounds of belief propagation for the probabilities of pairs of people."""
UNMATCHED = 100.0
"""How much less likely than its worst partner a row is to have none."""


@dataclass(frozen=True)
class Pairs:
    """Pairs of a row and a column, sorted, where rows and columns belong to groups."""

    rows: Ints
    columns: Ints
    row_groups: Ints
    """The group of each row; groups are consecutive."""
    column_groups: Ints

    @cached_property
    def shape(self) -> tuple[int, int]:
        """The number of groups of rows and of columns."""
        return int(self.row_groups.max(initial=-1)) + 1, int(self.column_groups.max(initial=-1)) + 1

    @cached_property
    def starts(self) -> Ints:
        """Where the pairs of another row or another group of columns begin."""
        return starts(self.rows, self.column_groups[self.columns])

    def only(self, kept: NDArray[np.bool_]) -> Pairs:
        return Pairs(self.rows[kept], self.columns[kept], self.row_groups, self.column_groups)

    def groups(self) -> Pairs:
        """The pairs of groups that have a pair, each group alone."""
        blocks = np.unique(self.blocks(self.rows, self.columns))
        height, width = self.shape
        return Pairs(*np.divmod(blocks, max(width, 1)), np.arange(height), np.arange(width))

    def blocks(self, rows: Ints, columns: Ints) -> Ints:
        return self.row_groups[rows] * self.shape[1] + self.column_groups[columns]


def matchings(pairs: Pairs, log_odds: Floats, spare: Floats, rounds: int) -> tuple[Floats, Floats]:
    """Log of the sum, over all one-to-one matchings within a block, of the product of the odds of its matched pairs.

    A block is a group of rows and a group of columns. A row may stay unmatched, with the log odds `spare`, and a column with
    odds 1. Such sums are as hard as permanents, so they are approximated by belief propagation (Bethe), which is exact where
    the pairs that matter form no cycle. Returns [row group, column group] sums and the probability of each pair to be matched,
    given its block.

    Row 0 stays unmatched (odds 1) or takes one of two columns (odds 2 and 3): 1 + 2 + 3.

    >>> pairs = Pairs(np.array([0, 0]), np.array([0, 1]), np.array([0]), np.array([0, 0]))
    >>> sums, chance = matchings(pairs, np.log([2.0, 3.0]), np.log([1.0]), rounds=5)
    >>> round(float(np.exp(sums[0, 0])), 6), chance.round(3).tolist()
    (6.0, [0.333, 0.5])
    """
    begin, shape = pairs.starts, pairs.shape
    row_node = np.repeat(np.arange(begin.size), np.diff(np.append(begin, pairs.rows.size)))
    node_rows, node_columns = pairs.rows[begin], pairs.columns[begin]
    # Columns by group of rows, of those that have a pair.
    width = max(pairs.column_groups.size, 1)
    nodes, column_node = np.unique(pairs.row_groups[pairs.rows] * width + pairs.columns, return_inverse=True)
    top = np.maximum(np.maximum.reduceat(log_odds, begin), spare[node_rows]) if begin.size else np.zeros(0)
    odds, rest = np.exp(log_odds - top[row_node]), np.exp(spare[node_rows] - top)
    to_row, to_column = np.ones_like(odds), np.zeros_like(odds)
    load: Floats = np.zeros(nodes.size)
    total = rest
    for _ in range(rounds if begin.size else 0):
        gain = odds * to_row
        total = np.add.reduceat(gain, begin) + rest
        to_column = odds / np.maximum(total[row_node] - gain, NEVER)
        load = _sums(column_node, to_column, load.size)
        to_row = 1.0 / (1.0 + np.maximum(load[column_node] - to_column, 0.0))
    if begin.size:
        total = np.add.reduceat(odds * to_row, begin) + rest
    both = to_column * to_row
    size = shape[0] * shape[1]
    sums = _sums(pairs.blocks(node_rows, node_columns), np.log(total) + top - spare[node_rows], size)
    sums -= _sums(pairs.blocks(pairs.rows, pairs.columns), np.log1p(both), size)
    sums += _sums(nodes // width * shape[1] + pairs.column_groups[nodes % width], np.log1p(load), size)
    found: Floats = sums.reshape(shape) + _sums(pairs.row_groups, spare, shape[0])[:, None]
    return found, odds * to_row / total[row_node]


def partners(scores: Floats, spare: Floats) -> Floats:
    """[pseudonym, user]: the probability of each pair of people, where each has one partner at most.

    Scores differ by hundreds between large and small customers, which belief propagation alone would take very long to
    balance. So the prices of the best assignment (its dual solution) are subtracted first.
    """
    height, width = scores.shape
    alone = np.full((height, height), -1e12)
    np.fill_diagonal(alone, spare)
    full = np.hstack([scores, alone])
    chosen = linear_sum_assignment(full, maximize=True)[1]
    best, price = full[np.arange(height), chosen], np.zeros(width + height)
    for _ in range(height + 1):
        raised = np.maximum(price, (full - (best - price[chosen])[:, None]).max(axis=0))
        if np.allclose(raised, price):
            break
        price = raised
    wage = best - price[chosen]
    odds = np.exp(np.minimum(scores - wage[:, None] - price[:width], 0.0))
    rest, idle = np.exp(np.minimum(spare - wage, 0.0)), np.exp(-price[:width])
    gain = odds
    for _ in range(BALANCED):
        others = gain.sum(axis=1, keepdims=True) + rest[:, None] - gain
        to_user = odds / np.maximum(others, NEVER)
        gain = odds / np.maximum(to_user.sum(axis=0) - to_user + idle, NEVER)
    return np.asarray(gain / (gain.sum(axis=1) + rest)[:, None])


def likeliest(scores: Floats, rng: np.random.Generator) -> Match:
    """The likeliest partner of each row and of each column, by their log-likelihood ratios, over all one-to-one matchings.

    Columns may be left over, and get NONE if that is likelier than each of their partners. Most entries are right this way,
    though they need not be one-to-one.
    """
    # Ties go to the first row or column, so the order must not tell anything.
    orders = [rng.permutation(size) for size in scores.shape]
    mixed = scores[np.ix_(*orders)]
    chance = partners(mixed, mixed.min(axis=1) - UNMATCHED)
    left_over = 1.0 - chance.sum(axis=0)
    columns = np.where(chance.max(axis=0) < left_over, NONE, chance.argmax(axis=0))
    return put_back(Match(chance.argmax(axis=1), columns), *orders)


def _sums(places: Ints, values: Floats, size: int) -> Floats:
    return np.bincount(places, values, minlength=size).astype(np.float64, copy=False)


def starts(*keys: NDArray[np.generic]) -> Ints:
    """Where a new combination of values begins."""
    changed = np.zeros(keys[0].size, dtype=np.bool_)
    changed[:1] = True
    for key in keys:
        changed[1:] |= key[1:] != key[:-1]
    return np.flatnonzero(changed)
