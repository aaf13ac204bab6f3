"""Records as points, released records as boxes around them, and what a box loses."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Cells = tuple[NDArray[Any], ...]
"""The cells of one column: arrays of the same length that only the column can read."""
PART = 16_000_000


class Column(ABC):
    """One column: the values of all records, and how cells of them are widened."""

    codes: Ints

    def take(self, rows: Ints) -> Self:
        """Some records alone, in another order."""
        return replace(self, codes=self.codes[rows])  # type: ignore[type-var]

    @abstractmethod
    def single(self, rows: Ints) -> Cells:
        """Cells that hold one record's value each."""

    @abstractmethod
    def joined(self, cells: Cells, rows: Ints) -> Cells:
        """Each cell, widened to hold one more record's value."""

    @abstractmethod
    def holds(self, cells: Cells, rows: Ints) -> NDArray[np.bool_]:
        """Whether each cell holds one record's value."""

    @abstractmethod
    def loss(self, cells: Cells) -> Floats:
        """LM: 0 for one value, 1 for anything."""

    @abstractmethod
    def entropy(self, cells: Cells) -> Floats:
        """Bits that are missing to know the value if one knows the cell."""

    @abstractmethod
    def hull(self, rows: Ints, starts: Ints) -> Cells:
        """The smallest cells that hold the values of each group of records; a group begins at each of `starts`."""

    @abstractmethod
    def trims(self, rows: Ints, boxes: Ints) -> tuple[Ints, Floats]:
        """What would become of cells without one value of those they hold.

        rows, boxes: which record lies in which cell, every record in its own one, too. Given back: for each of these pairs the
        number of its value's group in its cell, and for each group what the cell loses less without it, 0 if that cannot be.
        """

    @abstractmethod
    def gaps(self, rows: Ints) -> NDArray[np.float32]:
        """[row, record]: the loss of a cell that holds both."""


@dataclass(frozen=True)
class Ranged(Column):
    """Values in an order; a cell is a range. A hierarchy closes ranges to its classes."""

    codes: Ints = field(repr=False)
    """The place of each record's value in the order."""
    positions: Floats = field(repr=False)
    """Where each value lies, from 0 to 1; a range loses what it spans."""
    counts: Ints = field(repr=False)
    closing: tuple[Ints, Ints, Floats] | None = field(default=None, repr=False)
    """[first, last]: the first and the last place of the smallest class that holds both, and its loss."""
    missing: bool = False
    """Whether the last value is a missing one: a range of it and others tells nothing, so it is the range of all."""

    def single(self, rows: Ints) -> Cells:
        return self.codes[rows], self.codes[rows]

    def joined(self, cells: Cells, rows: Ints) -> Cells:
        return self._closed(np.minimum(cells[0], self.codes[rows]), np.maximum(cells[1], self.codes[rows]))

    def _closed(self, low: Ints, high: Ints) -> Cells:
        if self.closing is not None:
            return self.closing[0][low, high], self.closing[1][low, high]
        return (np.where(self._mixed(low, high), 0, low), high) if self.missing else (low, high)

    def _mixed(self, low: Ints, high: Ints) -> NDArray[np.bool_]:
        return np.asarray((low != high) & (high == self.counts.size - 1))

    def holds(self, cells: Cells, rows: Ints) -> NDArray[np.bool_]:
        return np.asarray((cells[0] <= self.codes[rows]) & (self.codes[rows] <= cells[1]))

    def loss(self, cells: Cells) -> Floats:
        low, high = cells
        if self.closing is not None:
            return np.asarray(self.closing[2][low, high])
        spanned = np.asarray(self.positions[high] - self.positions[low])
        return np.where(self._mixed(low, high), 1.0, spanned) if self.missing else spanned

    def hull(self, rows: Ints, starts: Ints) -> Cells:
        return self._closed(*(end.reduceat(self.codes[rows], starts) for end in (np.minimum, np.maximum)))

    def trims(self, rows: Ints, boxes: Ints) -> tuple[Ints, Floats]:
        owner, code, group = _groups(self.codes, rows, boxes, self.positions.size)
        gain = np.zeros(owner.size)
        if self.closing is None:
            place = self.positions[code]
            first, last = np.diff(owner, prepend=-1) > 0, np.diff(owner, append=owner.max() + 1) > 0
            gain[first & ~last] = (np.roll(place, -1) - place)[first & ~last]
            gain[last & ~first] = (place - np.roll(place, 1))[last & ~first]
        if self.missing:
            gain[np.isin(owner, owner[code == self.counts.size - 1])] = 0.0
        gain[code == self.codes[owner]] = 0.0
        return group, gain

    def entropy(self, cells: Cells) -> Floats:
        low, high = cells
        share = self.counts / self.counts.sum()
        below = np.concatenate([[0.0], np.cumsum(share)])
        inner = np.concatenate([[0.0], np.cumsum(_plogp(share))])
        return _conditional(below[high + 1] - below[low], inner[high + 1] - inner[low])

    def gaps(self, rows: Ints) -> NDArray[np.float32]:
        if self.closing is not None:
            low = np.minimum(self.codes[rows, None], self.codes)
            return np.asarray(self.closing[2].astype(np.float32)[low, np.maximum(self.codes[rows, None], self.codes)])
        place = self.positions.astype(np.float32)[self.codes]
        gaps = np.asarray(np.abs(place[rows, None] - place))
        if self.missing:
            absent = self.codes == self.counts.size - 1
            gaps[absent[rows, None] != absent] = 1.0
        return gaps


@dataclass(frozen=True)
class Sets(Column):
    """Values without an order; a cell is a set."""

    codes: Ints = field(repr=False)
    counts: Ints = field(repr=False)
    missing: bool = False
    """Whether the last value is a missing one: a set of it and others tells nothing, so it is the set of all."""

    @property
    def _words(self) -> int:
        return -(-self.counts.size // 64)

    def _bit(self, rows: Ints, word: int) -> NDArray[np.uint64]:
        codes = self.codes[rows]
        return np.where(codes >> 6 == word, np.uint64(1) << (codes & 63).astype(np.uint64), np.uint64(0))

    def single(self, rows: Ints) -> Cells:
        return tuple(self._bit(rows, word) for word in range(self._words))

    def joined(self, cells: Cells, rows: Ints) -> Cells:
        return self._closed(tuple(bits | self._bit(rows, word) for word, bits in enumerate(cells)))

    def _closed(self, cells: Cells) -> Cells:
        wider = list(cells)
        if self.missing:
            last = self.counts.size - 1
            absent = wider[last >> 6] >> np.uint64(last & 63) & np.uint64(1) != 0
            mixed = absent & (sum(np.bitwise_count(bits).astype(np.int64) for bits in wider) > 1)
            for word in range(self._words):
                every = np.uint64((1 << min(64, self.counts.size - 64 * word)) - 1)
                wider[word] = np.where(mixed, every, wider[word])
        return tuple(wider)

    def holds(self, cells: Cells, rows: Ints) -> NDArray[np.bool_]:
        found = np.zeros(rows.size, dtype=np.bool_)
        for word, bits in enumerate(cells):
            found |= (bits & self._bit(rows, word)) != 0
        return found

    def loss(self, cells: Cells) -> Floats:
        size = sum(np.bitwise_count(bits).astype(np.int64) for bits in cells)
        return np.asarray(size - 1.0) / max(1, self.counts.size - 1)

    def hull(self, rows: Ints, starts: Ints) -> Cells:
        found = tuple(np.bitwise_or.reduceat(self._bit(rows, word), starts) for word in range(self._words))
        return self._closed(found)

    def trims(self, rows: Ints, boxes: Ints) -> tuple[Ints, Floats]:
        owner, code, group = _groups(self.codes, rows, boxes, self.counts.size)
        gain = np.full(owner.size, 0.0 if self.missing else 1.0 / max(1, self.counts.size - 1))
        gain[code == self.codes[owner]] = 0.0
        return group, gain

    def entropy(self, cells: Cells) -> Floats:
        share = self.counts / self.counts.sum()
        total, inner = np.zeros(cells[0].size), np.zeros(cells[0].size)
        for code, chance in enumerate(share):
            inside = (cells[code >> 6] >> np.uint64(code & 63)) & np.uint64(1) != 0
            total += chance * inside
            inner += _plogp(chance) * inside
        return _conditional(total, inner)

    def gaps(self, rows: Ints) -> NDArray[np.float32]:
        step = np.float32(1.0 / max(1, self.counts.size - 1))
        gaps = np.asarray((self.codes[rows, None] != self.codes) * step)
        if self.missing:
            absent = self.codes == self.counts.size - 1
            gaps[absent[rows, None] != absent] = 1.0
        return gaps


def _groups(codes: Ints, rows: Ints, boxes: Ints, size: int) -> tuple[Ints, Ints, Ints]:
    """The different values in each box: the box, the value, and which of them each pair belongs to."""
    keys, group = np.unique(boxes * np.int64(size) + codes[rows], return_inverse=True)
    return keys // size, keys % size, group


def _plogp(share: Floats | float) -> Floats:
    return np.asarray(np.where(np.asarray(share) > 0, share * np.log2(np.maximum(share, 1e-300)), 0.0))


def _conditional(total: Floats, inner: Floats) -> Floats:
    """Entropy of a value known to lie in a part of the distribution: its share, and its sum of p log p."""
    safe = np.maximum(total, 1e-300)
    return np.maximum(np.log2(safe) - inner / safe, 0.0)


Boxes = tuple[Cells, ...]
"""One box per record: the cells of every column."""


@dataclass(frozen=True)
class Space:
    """All columns together. A box's loss is the mean over its columns."""

    columns: Sequence[Column]

    @property
    def size(self) -> int:
        return self.columns[0].codes.size

    def single(self, rows: Ints) -> Boxes:
        return tuple(column.single(rows) for column in self.columns)

    def joined(self, boxes: Boxes, rows: Ints) -> Boxes:
        return tuple(column.joined(cells, rows) for column, cells in zip(self.columns, boxes, strict=True))

    def holds(self, boxes: Boxes, rows: Ints) -> NDArray[np.bool_]:
        found = np.ones(rows.size, dtype=np.bool_)
        for column, cells in zip(self.columns, boxes, strict=True):
            found &= column.holds(cells, rows)
        return found

    def loss(self, boxes: Boxes) -> Floats:
        return np.asarray(np.mean([c.loss(cells) for c, cells in zip(self.columns, boxes, strict=True)], axis=0))

    def entropy(self, boxes: Boxes) -> Floats:
        return np.asarray(np.mean([c.entropy(cells) for c, cells in zip(self.columns, boxes, strict=True)], axis=0))

    def closure(self, members: Ints) -> Boxes:
        """The smallest boxes that hold each row's members, [box, member]."""
        boxes = self.single(members[:, 0])
        for place in range(1, members.shape[1]):
            boxes = self.joined(boxes, members[:, place])
        return boxes

    def hull(self, rows: Ints, boxes: Ints) -> Boxes:
        """The smallest boxes that hold their records; `boxes` is sorted and names every box."""
        starts = np.flatnonzero(np.diff(boxes, prepend=-1))
        return tuple(column.hull(rows, starts) for column in self.columns)

    def pair_loss(self, one: Ints, other: Ints) -> Floats:
        """The loss of boxes of two records each."""
        return self.loss(self.joined(self.single(one), other))

    def nearest(self, count: int) -> Ints:
        """[record, place]: the other records that are cheapest to share a box with, the cheapest first."""
        count = min(count, self.size - 1)
        found = np.empty((self.size, count), dtype=np.int64)
        step = max(1, PART // self.size)
        for begin in range(0, self.size, step):
            rows = np.arange(begin, min(begin + step, self.size))
            gaps = sum((column.gaps(rows) for column in self.columns[1:]), self.columns[0].gaps(rows))
            gaps[np.arange(rows.size), rows] = np.inf
            best = np.argpartition(gaps, count - 1, axis=1)[:, :count] if count else found[rows]
            order = np.take_along_axis(gaps, best, axis=1).argsort(axis=1, kind="stable")
            found[rows] = np.take_along_axis(best, order, axis=1)
        return found


def taken(boxes: Boxes, rows: Ints) -> Boxes:
    return tuple(tuple(part[rows] for part in cells) for cells in boxes)


def replaced(boxes: Boxes, rows: Ints, new: Boxes) -> None:
    """Put new boxes in place of some."""
    for cells, others in zip(boxes, new, strict=True):
        for part, other in zip(cells, others, strict=True):
            part[rows] = other
