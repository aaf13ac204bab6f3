"""The farthest and the nearest of the points that are left, without looking at all of them.

For the nearest, points are kept in blocks, the leaves of a k-d tree: only blocks whose bounding box is near enough are looked
at. For the farthest, they are kept in the order of their distance from a centre: by the triangle inequality, only the outer
ones can be far from a point.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
SIZE = 64
"""Points in a block."""
OUTER = 64
"""Outer points that are looked at first."""
AGED = 0.05
"""Share of points that may be taken out before the order is renewed."""
ROUNDING = 1e-9
"""Bounds may be off by so much of themselves."""


class Points:
    """Points that are taken out group by group. Of equally distant ones the first counts."""

    def __init__(self, points: Floats) -> None:
        self._points = points
        self.left = np.ones(len(points), dtype=np.bool_)
        self.size = len(points)
        self._total: Floats
        self._radius: Floats
        self._order()
        self._build()

    @property
    def rows(self) -> Ints:
        """The points that are left."""
        return np.flatnonzero(self.left)

    @property
    def centre(self) -> Floats:
        """The mean of the points that are left."""
        return np.asarray(self._total / self.size)

    def take(self, rows: Ints) -> None:
        """Take points out."""
        self.left[rows] = False
        self.size -= rows.size
        self._total = self._total - self._points[rows].sum(axis=0)
        if not self.size:
            return
        if self.size < (1 - AGED) * self._radius.size:
            self._order()
        if 2 * self.size < self._built:
            self._build()
        else:
            self._within.reshape(-1, self._points.shape[1])[self._place[rows]] = np.inf

    def _order(self) -> None:
        rows = self.rows
        # Added up again, so that rounding does not pile up.
        self._total = self._points[rows].sum(axis=0)
        self._middle = self.centre
        radius = np.sqrt(_squares(self._points[rows], self._middle))
        order = np.argsort(-radius, kind="stable")
        self._outer = rows[order]
        self._radius = radius[order]
        self._far = self._points[self._outer]

    def farthest(self, point: Floats) -> int:
        """The point at the largest distance."""
        offset = float(np.sqrt(_squares(self._middle[None], point)[0]))
        slack = ROUNDING * (offset + self._radius[0])
        end, reach = 0, OUTER
        while end < min(reach, self._radius.size):
            end = min(reach, self._radius.size)
            distance = np.where(self.left[self._outer[:end]], _squares(self._far[:end], point), -1.0)
            best = distance.max()
            # A point farther inside than this is nearer than the farthest so far. If all were taken out, look at more.
            inner = np.sqrt(max(best, 0.0)) - offset - slack
            reach = int(np.searchsorted(-self._radius, -inner, side="right")) if best >= 0 else 2 * end
        return int(self._outer[:end][distance == best].min())

    def _build(self) -> None:
        parts = _leaves(self._points, self.rows)
        width = max(part.size for part in parts)
        self._rows = np.zeros((len(parts), width), dtype=np.int64)
        self._within = np.full((len(parts), width, self._points.shape[1]), np.inf)
        self._place = np.empty(len(self._points), dtype=np.int64)
        for number, part in enumerate(parts):
            self._rows[number, : part.size] = part
            self._within[number, : part.size] = self._points[part]
            self._place[part] = number * width + np.arange(part.size)
        self._low = self._within.min(axis=1)
        self._high = np.where(np.isfinite(self._within), self._within, -np.inf).max(axis=1)
        self._built = self.size

    def nearest(self, point: Floats, count: int) -> tuple[Ints, Floats]:
        """So many points at the least distances, the nearest first, and the squares of these."""
        gap = np.maximum(np.maximum(self._low - point, point - self._high), 0.0)
        bound = np.einsum("ij,ij->i", gap, gap)
        first = min(2 + 2 * count // SIZE, bound.size)
        while True:
            _, distance = self._look(np.argpartition(bound, first - 1)[:first], point)
            least = np.partition(distance, count - 1)[count - 1] if distance.size >= count else np.inf
            if least < np.inf or first == bound.size:
                break
            first = min(2 * first, bound.size)
        rows, distance = self._look(np.flatnonzero(bound <= least * (1 + ROUNDING)), point)
        chosen = np.flatnonzero(distance <= least)
        best = chosen[np.lexsort((rows[chosen], distance[chosen]))[:count]]
        return rows[best], distance[best]

    def _look(self, blocks: Ints, point: Floats) -> tuple[Ints, Floats]:
        """The points of some blocks, and the squares of their distances: infinite if they were taken out."""
        return self._rows[blocks].reshape(-1), _squares(self._within[blocks].reshape(-1, point.size), point)


def _squares(points: Floats, point: Floats) -> Floats:
    difference = points - point
    return np.asarray(np.einsum("ij,ij->i", difference, difference))


def _leaves(points: Floats, rows: Ints) -> list[Ints]:
    """The rows in parts of at most `SIZE`, halved along their widest column again and again."""
    waiting, done = [rows], []
    while waiting:
        part = waiting.pop()
        if part.size <= SIZE:
            done.append(part)
            continue
        inside = points[part]
        axis = int((inside.max(axis=0) - inside.min(axis=0)).argmax())
        order = np.argpartition(inside[:, axis], part.size // 2)
        waiting += [part[order[: part.size // 2]], part[order[part.size // 2 :]]]
    return done
