"""Decision trees on codes, small and deterministic."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from icefire.synthetic.encoding import Codes

DEPTH = 5
LEAST = 0.02
"""Share of the rows that a leaf has, at least: smaller ones would tell of chance."""


@dataclass(frozen=True)
class Node:
    """A leaf with the share of rows of class 1, or a question: is the code of a column at most a number?"""

    share: float
    column: int = -1
    at: int = 0
    yes: Node | None = None
    no: Node | None = None

    def shares(self, codes: Codes) -> NDArray[np.float64]:
        """[row]: how probable class 1 is."""
        if self.yes is None or self.no is None:
            return np.full(codes.shape[0], self.share)
        asked = codes[:, self.column] <= self.at
        found = np.empty(codes.shape[0])
        found[asked], found[~asked] = self.yes.shares(codes[asked]), self.no.shares(codes[~asked])
        return found


def trained(codes: Codes, classes: NDArray[np.bool_], depth: int = DEPTH) -> Node:
    """A tree whose leaves are not too small."""
    return grow(codes, classes, depth, max(5, round(LEAST * classes.size)))


def grow(codes: Codes, classes: NDArray[np.bool_], depth: int, least: int) -> Node:
    """A tree by Gini's impurity, with so many rows in each leaf.

    >>> tree = grow(np.array([[0], [0], [1], [1]], dtype=np.int32), np.array([False, False, True, True]), 5, 1)
    >>> tree.column, tree.at, tree.shares(np.array([[1]], dtype=np.int32)).tolist()
    (0, 0, [1.0])
    """
    share = float(classes.mean()) if classes.size else 0.0
    leaf = Node(share)
    if depth == 0 or classes.size < 2 * least or share in (0.0, 1.0):
        return leaf
    best, gain = leaf, 1e-12
    for column in range(codes.shape[1]):
        held = codes[:, column]
        total = np.cumsum(np.bincount(held))[:-1]
        ones = np.cumsum(np.bincount(held, classes))[:-1]
        for at in np.flatnonzero((total >= least) & (classes.size - total >= least)):
            left, right = ones[at] / total[at], (classes.sum() - ones[at]) / (classes.size - total[at])
            part = total[at] / classes.size
            found = share * (1 - share) - part * left * (1 - left) - (1 - part) * right * (1 - right)
            if found > gain + 1e-12:
                best, gain = Node(share, column, int(at)), found
    if best.column < 0:
        return leaf
    asked = codes[:, best.column] <= best.at
    yes, no = (grow(codes[side], classes[side], depth - 1, least) for side in (asked, ~asked))
    return Node(share, best.column, best.at, yes, no)
