"""The farthest record of those that are left, and the one that widens a box least, without looking at all of them.

Records are divided into small groups of similar ones, each around one of them. The gap to that record, give or take the radius
of the group, bounds the gaps to all of its records, because gaps obey the triangle inequality.
"""

from __future__ import annotations

import numpy as np

from icefire.concealment.neighbours import divided
from icefire.concealment.space import Boxes, Floats, Ints, Space, taken

SIZE = 32
"""Records in a group."""
FIRST = 8
"""Groups that are looked at first; then twice as many, and so on."""
ROUNDING = 1e-5
"""Sums of gaps in single precision may be off by so much."""


class Pool:
    """Records that are taken out one by one. Of equally good ones the first counts."""

    def __init__(self, space: Space) -> None:
        self._space = space
        self._left = np.ones(space.size, dtype=np.bool_)
        self.size = space.size
        self._build()

    def _build(self) -> None:
        rows, space = self.rows, self._space
        self._groups = [rows[group] for group in divided(Space([c.take(rows) for c in space.columns]), SIZE)]
        self._centres = np.array([group[0] for group in self._groups])
        self._radius = np.array([space.gaps(group[:1], group).max() for group in self._groups]) + ROUNDING
        self._counts = np.array([group.size for group in self._groups])
        self._group = np.empty(space.size, dtype=np.int64)
        self._group[np.concatenate(self._groups)] = np.repeat(np.arange(self._counts.size), self._counts)
        self._built = self.size
        self._seed = -1
        self._distance: Floats

    @property
    def rows(self) -> Ints:
        """The records that are left."""
        return np.flatnonzero(self._left)

    def take(self, row: int) -> None:
        """Take a record out."""
        self._left[row] = False
        self._counts[self._group[row]] -= 1
        self.size -= 1
        if 2 * self.size < self._built and self.size:
            self._build()

    def _gaps(self, seed: int) -> Floats:
        """The gaps from a record to the centres of all groups."""
        if seed != self._seed:
            self._seed = seed
            self._distance = self._space.gaps(np.array([seed]), self._centres)[0].astype(np.float64)
            self._order = np.argsort(self._distance - self._radius, kind="stable")
        return self._distance

    def _within(self, groups: Ints) -> Ints:
        """The records of some groups that are left, in their order."""
        rows = np.concatenate([self._groups[group] for group in groups])
        return np.sort(rows[self._left[rows]])

    def farthest(self, seed: int) -> int:
        """The record that shares the widest box with a given one."""
        most = np.where(self._counts > 0, self._gaps(seed) + self._radius, -1.0)
        rows = self._within(np.array([most.argmax()]))
        gaps = self._space.gaps(np.array([seed]), rows)[0]
        rows = self._within(np.flatnonzero(most >= gaps.max() - ROUNDING))
        return int(rows[self._space.pair_loss(np.full(rows.size, seed), rows).argmax()])

    def cheapest(self, box: Boxes, seed: int) -> int:
        """The record with which a box, which holds the seed, loses least."""
        least = (self._gaps(seed) - self._radius)[self._order] / len(self._space.columns)
        best, found = -1, np.inf
        begin, step = 0, FIRST
        while begin < self._order.size and least[begin] <= found:
            groups = self._order[begin : begin + step]
            rows = self._within(groups[self._counts[groups] > 0]) if self._counts[groups].any() else groups[:0]
            if rows.size:
                wider = self._space.joined(taken(box, np.zeros(rows.size, dtype=np.int64)), rows)
                loss = self._space.loss(wider)
                first = int(loss.argmin())
                if best < 0 or (loss[first], rows[first]) < (found, best):
                    best, found = int(rows[first]), float(loss[first])
            begin, step = begin + step, 2 * step
        return best
