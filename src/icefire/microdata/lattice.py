"""Optimal full-domain generalization: the node of least loss in the generalization lattice, with bounded suppression.

A node is a combination of hierarchy levels, one for each column. Equal rows are grouped first, and the classes of each
column at each level are computed once, so that a node costs an integer sum per column and a count. Most nodes are pruned by
three rules: the loss of a node is at least its loss without suppression, which is cheap; if a node has to suppress too
many rows, so has every finer node; and the rows that a node suppresses are suppressed by every finer node, too, which raises
the least loss of all these nodes at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from icefire.microdata.cells import Codes
from icefire.microdata.constraints import Constraint
from icefire.microdata.partition import group_equal

DENSE = 1 << 18
"""Largest number of possible classes that are counted in an array rather than by sorting."""

FACTOR = 0x9E3779B97F4A7C15
"""An odd number for multiplicative hashing."""

ROUNDING = 1e-12
"""Losses that differ by less may be equal."""

BLOCK = 64
Node = tuple[int, ...]


@dataclass(frozen=True)
class Ladder:
    """The class and the loss of each value of a column, by level."""

    codes: Codes
    classes: tuple[Codes, ...]
    losses: tuple[NDArray[np.float64], ...]
    importance: float = 1.0
    """The weight of the column in the mean loss."""


@dataclass(frozen=True)
class Recoding:
    """The optimal node, the rows that are not suppressed, the loss, and the number of nodes that were evaluated."""

    node: Node
    kept: NDArray[np.bool_]
    loss: float
    evaluated: int


class Lattice:
    """The generalization lattice: all combinations of levels."""

    def __init__(
        self, ladders: Sequence[Ladder], constraint: Constraint, suppression: float, counts: Codes | None = None
    ) -> None:
        """With counts, a row stands for several."""
        keys = [ladder.codes for ladder in ladders] + constraint.keys
        first, self.counts, self.same = group_equal(keys, counts)
        self.weights = self.counts.astype(np.float64)
        self.rows = int(self.counts.sum())
        self.limit = int(suppression * self.rows + 1e-9)
        self.constraint = constraint.at(first)
        self.values = [ladder.codes[first] for ladder in ladders]
        self.classes = [[c[v] for c in ladder.classes] for ladder, v in zip(ladders, self.values, strict=True)]
        self.sizes = [[int(c.max()) + 1 for c in ladder.classes] for ladder in ladders]
        total = sum(ladder.importance for ladder in ladders)
        self.losses = [np.stack(ladder.losses) * (ladder.importance / total) for ladder in ladders]
        """Times the share of the column in the mean."""
        self.shape = tuple(len(ladder.classes) for ladder in ladders)
        self.prunes = constraint.suppression_is_monotone or self.limit == 0
        self.evaluated = 0

    def evaluate(self, node: Node) -> NDArray[np.bool_]:
        """Which groups of equal rows are kept at a node."""
        self.evaluated += 1
        key = np.zeros(self.weights.size, dtype=np.int64)
        radix = 1
        for axis, level in enumerate(node):
            size = self.sizes[axis][level]
            if radix * size >= 1 << 62:
                key, radix = _slots(key)
            key *= size
            key += self.classes[axis][level]
            radix *= size
        if radix > DENSE:
            key, radix = _slots(key)
        if self.constraint.only_sizes:
            return (np.bincount(key, self.weights, radix) >= self.constraint.k)[key]
        return self.constraint.holds_for(key, radix, self.counts)[key]

    def loss(self, groups: Codes, shape: Sequence[int]) -> NDArray[np.float64]:
        """The loss of some groups at each node of the so many finest levels: summed over rows, averaged over columns."""
        weights, total = self.weights[groups], np.zeros(())
        for values, losses, levels in zip(self.values[::-1], self.losses[::-1], shape[::-1], strict=True):
            # Added up by value first: a column has far fewer values than rows.
            by_value = np.bincount(values[groups], weights, losses.shape[1])
            total = np.add.outer(losses[:levels] @ by_value, total)
        return total

    def best(self) -> Recoding | None:
        """The node of least loss within the suppression limit; None if there is none."""
        search = _Search(self)
        found: Recoding | None = None
        for node in search.nodes():
            if found is not None and search.bounds[node] >= found.loss:
                break
            if self.prunes and not search.climb(node):
                continue
            loss, kept = search.look(node)
            if kept is not None and (found is None or loss < found.loss):
                found = Recoding(node, kept, loss, 0)
        return None if found is None else replace(found, kept=found.kept[self.same], evaluated=self.evaluated)


def _slots(keys: Codes) -> tuple[Codes, int]:
    """A small number for each key, equal for equal keys only, and a bound of these numbers.

    Keys are hashed into a table; those that find their slot taken are hashed again, into a smaller table. Faster than sorting.
    """
    slots = np.empty(keys.size, dtype=np.int64)
    left, bound, factor = np.arange(keys.size), 0, FACTOR
    while left.size:
        bits = int(left.size).bit_length() + 1
        mine, table = keys[left], np.empty(1 << bits, dtype=np.int64)
        slot = ((mine.view(np.uint64) * np.uint64(factor)) >> np.uint64(64 - bits)).astype(np.int64)
        table[slot] = mine
        slots[left] = bound + slot
        left = left[table[slot] != mine]
        bound, factor = bound + table.size, factor * FACTOR % (1 << 64)
    return slots, bound


class _Search:
    """What the nodes seen so far say about the others."""

    def __init__(self, lattice: Lattice) -> None:
        self.lattice = lattice
        self.bounds = lattice.loss(np.arange(lattice.weights.size), lattice.shape) / lattice.rows
        """The loss of each node without suppression."""
        self.least = self.bounds.copy()
        """A better bound of each node's loss: with the rows that it has to suppress for certain."""
        self.reached = np.inf
        """The least loss of a feasible node so far."""
        self.out = np.zeros(lattice.shape, dtype=bool)
        """Nodes that are infeasible, or worse than one that was seen."""
        self.seen: dict[Node, tuple[float, NDArray[np.bool_] | None]] = {}

    def nodes(self) -> Iterator[Node]:
        """The nodes that may be the best, by their loss without suppression."""
        for flat in _left(np.argsort(self.bounds, axis=None, kind="stable"), self.out):
            yield tuple(int(level) for level in np.unravel_index(flat, self.lattice.shape))

    def look(self, node: Node) -> tuple[float, NDArray[np.bool_] | None]:
        """The loss of a node and the groups that it keeps; None if it suppresses too many."""
        if node in self.seen:
            return self.seen[node]
        lattice = self.lattice
        kept = lattice.evaluate(node)
        dropped = np.flatnonzero(~kept)
        suppressed = int(lattice.weights[dropped].sum())
        finer = tuple(slice(0, level + 1) for level in node)
        if suppressed > lattice.limit:
            if lattice.prunes:
                self.out[finer] = True
            return np.inf, None
        # Finer nodes suppress these rows as well. A suppressed row loses 1 in every column.
        added = (suppressed - lattice.loss(dropped, [level + 1 for level in node])) / lattice.rows
        loss = float(self.bounds[node] + max(0.0, added[node]))
        if loss < self.reached:
            self.reached = loss
            self.out |= self.least > loss + ROUNDING
        if lattice.prunes and suppressed:
            added += self.bounds[finer]
            least = np.maximum(self.least[finer], added, out=self.least[finer])
            self.out[finer] |= least > self.reached + ROUNDING
        return loss, kept

    def climb(self, node: Node) -> bool:
        """Bisect a cheap path from a node to the top for its first feasible node; whether the node may still be the best."""
        path = [node]
        while (above := _cheapest_step(path[-1], self.bounds, self.lattice.shape)) is not None:
            path.append(above)
        low, high = -1, len(path) - 1
        while high - low > 1 and self.least[node] <= self.reached + ROUNDING:
            middle = (low + high) // 2
            loss, kept = self.look(path[middle])
            low, high = (middle, high) if kept is None else (low, middle)
            if middle == 0:
                self.seen = {node: (loss, kept)}
        return not self.out[node]


def _left(order: NDArray[np.intp], out: NDArray[np.bool_]) -> Iterator[int]:
    """The nodes in this order, without those that are out by the time they are reached.

    A lattice may have millions of nodes, nearly all of them infeasible: these are skipped in blocks of growing size.
    """
    flat = out.reshape(-1)
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
