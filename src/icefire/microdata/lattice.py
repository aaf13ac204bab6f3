"""The best node of a generalization lattice: one level for each column, least loss, few enough rows suppressed.

Rows are grouped to distinct ones first, and each column's class at each level is looked up once, so that a node costs
one sum of integers per column and one count. Two facts save most nodes: a node's loss is at least its loss
without suppression, which is known beforehand; and where a node leaves too many rows in small classes, so does
every finer one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from icefire.microdata.cells import Codes
from icefire.microdata.constraints import Constraint, Counts
from icefire.microdata.partition import group_equal

DENSE = 1 << 24
"""Up to so many possible classes are counted in an array rather than by sorting."""

Node = tuple[int, ...]


@dataclass(frozen=True)
class Ladder:
    """One column: the class and the loss of each value, level by level."""

    codes: Codes
    classes: tuple[Codes, ...]
    losses: tuple[NDArray[np.float64], ...]


@dataclass(frozen=True)
class Recoding:
    """The optimum: a level per column, which rows stay, and what it costs."""

    node: Node
    kept: NDArray[np.bool_]
    loss: float
    evaluated: int


class Lattice:
    """All combinations of levels."""

    def __init__(self, ladders: Sequence[Ladder], constraint: Constraint, suppression: float) -> None:
        keys = [ladder.codes for ladder in ladders] + ([] if constraint.values is None else [constraint.values])
        first, self.weights, self.same = group_equal(keys)
        self.rows = int(self.weights.sum())
        self.limit = int(suppression * self.rows + 1e-9)
        self.constraint = (
            constraint if constraint.values is None else replace(constraint, values=constraint.values[first])
        )
        values = [ladder.codes[first] for ladder in ladders]
        self.classes = [[c[v] for c in ladder.classes] for ladder, v in zip(ladders, values, strict=True)]
        self.sizes = [[int(c.max()) + 1 for c in ladder.classes] for ladder in ladders]
        self.losses = [[loss[v] for loss in ladder.losses] for ladder, v in zip(ladders, values, strict=True)]
        self.shape = tuple(len(ladder.classes) for ladder in ladders)
        self.prunes = constraint.suppression_is_monotone or self.limit == 0
        self.evaluated = 0

    def bounds(self) -> NDArray[np.float64]:
        """Each node's loss without suppression."""
        total = np.zeros(self.shape)
        for axis, levels in enumerate(self.losses):
            means = np.array([float(loss @ self.weights) for loss in levels]) / self.rows
            total += means.reshape([-1 if i == axis else 1 for i in range(len(self.shape))])
        return total / len(self.shape)

    def evaluate(self, node: Node) -> tuple[NDArray[np.bool_], int]:
        """Which groups stay at a node, and how many rows do not."""
        self.evaluated += 1
        key = np.zeros(self.weights.size, dtype=np.int64)
        radix = 1
        for axis, level in enumerate(node):
            if radix * self.sizes[axis][level] >= 1 << 62:
                key = np.unique(key, return_inverse=True)[1]
                radix = int(key.max()) + 1
            key += radix * self.classes[axis][level]
            radix *= self.sizes[axis][level]
        if radix > DENSE or not self.constraint.only_sizes:
            key = group_equal([key])[2]
            radix = int(key.max()) + 1
        if self.constraint.only_sizes:
            fine = np.bincount(key, self.weights, radix) >= self.constraint.k
        else:
            assert self.constraint.values is not None
            fine = self.constraint.holds(Counts.of_rows(key, self.constraint.values, radix, self.weights))
        kept = fine[key]
        return kept, int(self.weights[~kept].sum())

    def loss(self, node: Node, kept: NDArray[np.bool_], suppressed: int) -> float:
        weights = self.weights * kept
        spent = sum(float(self.losses[axis][level] @ weights) for axis, level in enumerate(node))
        return (spent / len(node) + suppressed) / self.rows

    def best(self) -> Recoding | None:
        """The node of least loss that suppresses no more than allowed; None if there is none."""
        bounds = self.bounds()
        hopeless = np.zeros(self.shape, dtype=bool)
        seen: dict[Node, tuple[NDArray[np.bool_], int]] = {}
        found: Recoding | None = None
        for flat in np.argsort(bounds, axis=None, kind="stable"):
            node = tuple(int(level) for level in np.unravel_index(flat, self.shape))
            if found is not None and bounds[node] >= found.loss:
                break
            if hopeless[node]:
                continue
            if self.prunes:
                self._climb(node, bounds, hopeless, seen)
                if hopeless[node]:
                    continue
            kept, suppressed = seen.pop(node) if node in seen else self.evaluate(node)
            if suppressed > self.limit:
                if self.prunes:
                    _mark_finer(hopeless, node)
                continue
            loss = self.loss(node, kept, suppressed)
            if found is None or loss < found.loss:
                found = Recoding(node, kept, loss, 0)
        return None if found is None else replace(found, kept=found.kept[self.same], evaluated=self.evaluated)

    def _climb(
        self,
        node: Node,
        bounds: NDArray[np.float64],
        hopeless: NDArray[np.bool_],
        seen: dict[Node, tuple[NDArray[np.bool_], int]],
    ) -> None:
        """Bisect a cheap path from a node to the top for where it starts to succeed; all below is hopeless."""
        path = [node]
        while (above := _cheapest_step(path[-1], bounds, self.shape)) is not None:
            path.append(above)
        low, high = -1, len(path) - 1
        while high - low > 1:
            middle = (low + high) // 2
            kept, suppressed = self.evaluate(path[middle])
            if suppressed > self.limit:
                low = middle
                _mark_finer(hopeless, path[middle])
            else:
                high = middle
                if middle == 0:
                    seen[path[middle]] = (kept, suppressed)


def _cheapest_step(node: Node, bounds: NDArray[np.float64], shape: tuple[int, ...]) -> Node | None:
    steps = [(*node[:i], level + 1, *node[i + 1 :]) for i, level in enumerate(node) if level + 1 < shape[i]]
    return min(steps, key=lambda step: bounds[step], default=None)


def _mark_finer(hopeless: NDArray[np.bool_], node: Node) -> None:
    hopeless[tuple(slice(0, level + 1) for level in node)] = True
