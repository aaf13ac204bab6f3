"""Gradient-boosted decision trees: each tree corrects what those before it get wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.special import softmax

from icefire.synthetic.data import Floats, Ints
from icefire.synthetic.encoding import Codes
from icefire.synthetic.trees import Tree, grow

ROUNDS, DEPTH, LEAST, RATE = 60, 4, 5, 0.15
RIDGE = 1.0
"""What is added to the curvature in a leaf, so that leaves of few rows count less."""


@dataclass(frozen=True)
class Boosted:
    """A sum of trees: for classes the logarithms of their odds, for a number the number."""

    base: Floats
    """[output]."""
    trees: tuple[Tree, ...] = field(repr=False)
    values: tuple[Floats, ...] = field(repr=False)
    """[tree][node, output]."""

    def outputs(self, codes: Codes) -> Floats:
        """[row, output]."""
        total = np.tile(self.base, (codes.shape[0], 1))
        for tree, values in zip(self.trees, self.values, strict=True):
            total += values[tree.leaves(codes)]
        return total

    def chances(self, codes: Codes) -> Floats:
        """[row, class]: how probable each class is."""
        return np.asarray(softmax(self.outputs(codes), axis=1))


def classifier(
    codes: Codes, sizes: Sequence[int], categorical: Sequence[bool], classes: Ints, number: int, rounds: int = ROUNDS
) -> Boosted:
    """Learn classes 0 to number - 1 by logistic loss: trees over the gradient, and a Newton step in each leaf.

    >>> codes = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 20, dtype=np.int32)
    >>> both = codes.prod(axis=1)
    >>> model = classifier(codes, (2, 2), (True, True), both, 2)
    >>> bool((model.chances(codes).argmax(axis=1) == both).all())
    True

    Reference:
        Friedman: Greedy function approximation: a gradient boosting machine. 2001; Chen, Guestrin: XGBoost: a scalable tree
        boosting system. 2016.
    """
    told = np.eye(number)[classes]
    base = np.log(told.sum(axis=0) + 0.5) - np.log(told.shape[0] + 0.5 * number)
    score, trees, values = np.tile(base, (told.shape[0], 1)), [], []
    for _ in range(rounds):
        chances = softmax(score, axis=1)
        slope, bend = told - chances, chances * (1 - chances)
        tree = grow(codes, sizes, categorical, slope, LEAST, DEPTH)
        leaves = tree.leaves(codes)
        step = RATE * _sums(leaves, slope, tree) / (_sums(leaves, bend, tree) + RIDGE)
        score += step[leaves]
        trees.append(tree)
        values.append(step)
    return Boosted(base, tuple(trees), tuple(values))


def regressor(
    codes: Codes, sizes: Sequence[int], categorical: Sequence[bool], numbers: Floats, rounds: int = ROUNDS
) -> Boosted:
    """Learn numbers by squared error.

    >>> codes = np.arange(40, dtype=np.int32)[:, None] % 4
    >>> model = regressor(codes, (4,), (False,), codes[:, 0] * 10.0)
    >>> model.outputs(codes)[:4, 0].round().tolist()
    [0.0, 10.0, 20.0, 30.0]
    """
    base = np.array([numbers.mean()])
    score, trees, values = np.tile(base, (numbers.size, 1)), [], []
    for _ in range(rounds):
        left = numbers[:, None] - score
        tree = grow(codes, sizes, categorical, left, LEAST, DEPTH)
        leaves = tree.leaves(codes)
        step = RATE * _sums(leaves, left, tree) / np.maximum(_sums(leaves, np.ones_like(left), tree), 1.0)
        score += step[leaves]
        trees.append(tree)
        values.append(step)
    return Boosted(base, tuple(trees), tuple(values))


def _sums(leaves: Ints, values: Floats, tree: Tree) -> Floats:
    """[node, output]: the sums of the rows in a leaf."""
    number = tree.columns.size
    return np.stack([np.bincount(leaves, weights=part, minlength=number) for part in values.T], axis=1)
