"""A tree of columns (Chow and Liu): each depends on one other, chosen so that the columns tell most about each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from icefire.synthetic.data import Floats
from icefire.synthetic.encoding import Codes

PSEUDO = 0.5
"""What is added to the counts of a pair of values, spread over all values: nothing is impossible."""


@dataclass(frozen=True)
class Network:
    """Columns in an order in which parents come first, and how likely each value is, given the parent's."""

    order: tuple[int, ...]
    parents: tuple[int, ...]
    """[column]: its parent; -1 for the first."""
    chances: tuple[Floats, ...]
    """[column][value of the parent, value]: probabilities; one row for the first."""

    def terms(self, codes: Codes) -> Floats:
        """[row, column]: the logarithm of how likely a value is, given the parent's."""
        found = np.empty(codes.shape)
        for column, parent in enumerate(self.parents):
            given = codes[:, parent] if parent >= 0 else 0
            found[:, column] = np.log(self.chances[column][given, codes[:, column]])
        return found

    def log_likelihood(self, codes: Codes) -> Floats:
        """[row]: the logarithm of how likely the row is."""
        return np.asarray(self.terms(codes).sum(axis=1))

    def sample(self, rows: int, rng: np.random.Generator) -> Codes:
        """Rows at random."""
        codes = np.zeros((rows, len(self.order)), dtype=np.int32)
        for column in self.order:
            parent = self.parents[column]
            totals = np.cumsum(self.chances[column], axis=1)
            given = codes[:, parent] if parent >= 0 else np.zeros(rows, dtype=np.int64)
            draws = rng.random(rows) * totals[given, -1]
            codes[:, column] = np.minimum((totals[given] <= draws[:, None]).sum(axis=1), totals.shape[1] - 1)
        return codes


def fit(codes: Codes, sizes: Sequence[int], pseudo: float = PSEUDO) -> Network:
    """The tree with the most mutual information, with probabilities from counts.

    >>> codes = np.array([[0, 0, 1], [1, 1, 0], [0, 0, 0], [1, 1, 1]], dtype=np.int32)
    >>> fit(codes, (2, 2, 2)).parents
    (-1, 0, 0)
    """
    width = codes.shape[1]
    shared = np.zeros((width, width))
    for first in range(width):
        for second in range(first + 1, width):
            shared[first, second] = shared[second, first] = mutual_information(pair_counts(codes, sizes, first, second))
    order, parents = spanning_tree(shared)
    chances = []
    for column, parent in enumerate(parents):
        if parent < 0:
            counts = np.bincount(codes[:, column], minlength=sizes[column])[None, :].astype(np.float64)
        else:
            counts = pair_counts(codes, sizes, parent, column)
        chances.append(conditionals(counts, pseudo))
    return Network(order, parents, tuple(chances))


def pair_counts(codes: Codes, sizes: Sequence[int], first: int, second: int) -> Floats:
    """[value, value]: how many rows hold both."""
    places = codes[:, first].astype(np.int64) * sizes[second] + codes[:, second]
    counts = np.bincount(places, minlength=sizes[first] * sizes[second])
    return counts.reshape(sizes[first], sizes[second]).astype(np.float64)


def mutual_information(counts: Floats) -> float:
    """What two columns tell about each other, in nats.

    >>> round(mutual_information(np.array([[2.0, 0.0], [0.0, 2.0]])), 4)
    0.6931
    """
    joint = counts / max(counts.sum(), 1e-300)
    apart = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0, keepdims=True)
    there = joint > 0
    return float((joint[there] * np.log(joint[there] / apart[there])).sum())


def spanning_tree(weights: Floats) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The heaviest tree over all columns (Prim): their order, and the parent of each."""
    width = weights.shape[0]
    parents, order = [-1] * width, [0]
    best, by = weights[0].copy(), np.zeros(width, dtype=np.int64)
    best[0] = -np.inf
    while len(order) < width:
        chosen = int(best.argmax())
        parents[chosen] = int(by[chosen])
        order.append(chosen)
        best[chosen] = -np.inf
        closer = (weights[chosen] > best) & np.isfinite(best)
        best[closer], by[closer] = weights[chosen][closer], chosen
    return tuple(order), tuple(parents)


def conditionals(counts: Floats, pseudo: float = PSEUDO) -> Floats:
    """[given value, value]: probabilities. What is rarely counted leans on the distribution of all."""
    overall = counts.sum(axis=0) + 1.0 / counts.shape[1]
    prior = overall / overall.sum()
    # A value that never occurs is followed by any.
    weighted = counts + max(pseudo, 1e-12) * prior
    return np.asarray(weighted / weighted.sum(axis=1, keepdims=True))
