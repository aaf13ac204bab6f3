"""Optimal full-domain generalization: the node of least loss in the generalization lattice, with bounded suppression.

A node is a combination of hierarchy levels, one for each column. Equal rows are grouped first, and the classes of each
column at each level are computed once, so that a node costs an integer sum per column and a count. Most nodes are pruned by
two rules: the loss of a node is at least its loss without suppression, which is cheap; and if a node has to suppress too
many rows, so has every finer node.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from icefire.microdata.cells import Codes
from icefire.microdata.constraints import Constraint, Counts
from icefire.microdata.partition import group_equal

DENSE = 1 << 24
"""Largest number of possible classes that are counted in an array rather than by sorting."""

BLOCK = 64
Node = tuple[int, ...]


@dataclass(frozen=True)
class Ladder:
    """The class and the loss of each value of a column, by level."""

    codes: Codes
    classes: tuple[Codes, ...]
    losses: tuple[NDArray[np.float64], ...]


@dataclass(frozen=True)
class Recoding:
    """The optimal node, the rows that are not suppressed, the loss, and the number of nodes that were evaluated."""

    node: Node
    kept: NDArray[np.bool_]
    loss: float
    evaluated: int


class Lattice:
    """The generalization lattice: all combinations of levels."""

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
        """The loss of each node without suppression."""
        total = np.zeros(self.shape)
        for axis, levels in enumerate(self.losses):
            means = np.array([float(loss @ self.weights) for loss in levels]) / self.rows
            total += means.reshape([-1 if i == axis else 1 for i in range(len(self.shape))])
        return total / len(self.shape)

    def evaluate(self, node: Node) -> tuple[NDArray[np.bool_], int]:
        """Which groups of equal rows are kept at a node, and the number of suppressed rows."""
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
        """Mean loss over rows and columns; a suppressed row loses 1."""
        weights = self.weights * kept
        total = sum(float(self.losses[axis][level] @ weights) for axis, level in enumerate(node))
        return (total / len(node) + suppressed) / self.rows

    def best(self) -> Recoding | None:
        """The node of least loss within the suppression limit; None if there is none."""
        bounds = self.bounds()
        infeasible = np.zeros(self.shape, dtype=bool)
        seen: dict[Node, tuple[NDArray[np.bool_], int]] = {}
        found: Recoding | None = None
        for flat in _left(np.argsort(bounds, axis=None, kind="stable"), infeasible):
            node = tuple(int(level) for level in np.unravel_index(flat, self.shape))
            if found is not None and bounds[node] >= found.loss:
                break
            if self.prunes:
                self._climb(node, bounds, infeasible, seen)
                if infeasible[node]:
                    continue
            kept, suppressed = seen.pop(node) if node in seen else self.evaluate(node)
            if suppressed > self.limit:
                if self.prunes:
                    _mark_finer(infeasible, node)
                continue
            loss = self.loss(node, kept, suppressed)
            if found is None or loss < found.loss:
                found = Recoding(node, kept, loss, 0)
        return None if found is None else replace(found, kept=found.kept[self.same], evaluated=self.evaluated)

    def _climb(
        self,
        node: Node,
        bounds: NDArray[np.float64],
        infeasible: NDArray[np.bool_],
        seen: dict[Node, tuple[NDArray[np.bool_], int]],
    ) -> None:
        """Bisect a cheap path from a node to the top for its first feasible node, and mark everything below as infeasible."""
        path = [node]
        while (above := _cheapest_step(path[-1], bounds, self.shape)) is not None:
            path.append(above)
        low, high = -1, len(path) - 1
        while high - low > 1:
            middle = (low + high) // 2
            kept, suppressed = self.evaluate(path[middle])
            if suppressed > self.limit:
                low = middle
                _mark_finer(infeasible, path[middle])
            else:
                high = middle
                if middle == 0:
                    seen[path[middle]] = (kept, suppressed)


def _left(order: NDArray[np.intp], infeasible: NDArray[np.bool_]) -> Iterator[int]:
    """The nodes in this order, without those that are infeasible by the time they are reached.

    A lattice may have millions of nodes, nearly all of them infeasible: these are skipped in blocks of growing size.
    """
    flat = infeasible.reshape(-1)
    position, size = 0, BLOCK
    while position < order.size:
        block = flat[order[position : position + size]]
        step = int(block.argmin())
        if block[step]:
            position, size = position + block.size, size * 2
        else:
            position, size = position + step + 1, BLOCK
            yield int(order[position - 1])


def _cheapest_step(node: Node, bounds: NDArray[np.float64], shape: tuple[int, ...]) -> Node | None:
    steps = [(*node[:i], level + 1, *node[i + 1 :]) for i, level in enumerate(node) if level + 1 < shape[i]]
    return min(steps, key=lambda step: bounds[step], default=None)


def _mark_finer(infeasible: NDArray[np.bool_], node: Node) -> None:
    infeasible[tuple(slice(0, level + 1) for level in node)] = True
