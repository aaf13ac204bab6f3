"""Generalized records as boxes around points: ranges and sets in each column, and their information loss."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Cells = tuple[NDArray[np.integer], ...]
"""The cells of a column: parallel arrays, to be interpreted by the column only."""


@dataclass(frozen=True)
class Column(ABC):
    """The values of all records in a column, and the operations on its cells."""

    codes: Ints = field(repr=False)
    """The value of each record, as its position in the column's order of values."""
    weight: float = field(default=1.0, kw_only=True)
    """The loss of the whole domain: 1 on average over the columns of a space."""

    def take(self, rows: Ints) -> Self:
        """The column of the given records."""
        return replace(self, codes=self.codes[rows])

    @abstractmethod
    def single(self, rows: Ints) -> Cells:
        """The cells that hold the value of one record each."""

    @abstractmethod
    def joined(self, cells: Cells, rows: Ints) -> Cells:
        """Each cell, widened to also hold the value of a record."""

    @abstractmethod
    def holds(self, cells: Cells, rows: Ints) -> Flags:
        """Whether each cell holds the value of a record."""

    @abstractmethod
    def loss(self, cells: Cells) -> Floats:
        """LM (loss metric): 0 for a single value, the weight for the whole domain."""

    @abstractmethod
    def entropy(self, cells: Cells) -> Floats:
        """Conditional entropy of the value given the cell, in bits."""

    @abstractmethod
    def hull(self, rows: Ints, starts: Ints) -> Cells:
        """The smallest cell that holds all values of each group of records; a group begins at each of `starts`."""

    @abstractmethod
    def trims(self, rows: Ints, boxes: Ints) -> tuple[Ints, Floats]:
        """The loss saved by removing a value from a cell.

        rows, boxes: pairs of a record and a cell that holds it, including every record's own cell. Returns the group of each
        pair (pairs with the same cell and the same value form a group), and for each group the loss that the cell saves
        without this value; 0 if the value has to stay.
        """

    @abstractmethod
    def gaps(self, rows: Ints, others: Ints) -> NDArray[np.float32]:
        """[row, other]: the loss of the smallest cell that holds both."""

    def pair_loss(self, left: Ints, right: Ints) -> Floats:
        """The loss of the smallest cell that holds both values of each pair of records."""
        return self.loss(self.joined(self.single(left), right))

    @abstractmethod
    def spread(self, rows: Ints) -> float:
        """The largest gap between two of these records."""

    @abstractmethod
    def apart(self, rows: Ints, starts: Ints) -> Callable[[int], Floats]:
        """A function from a group of records to a bound of its gaps to each group; a group begins at each of `starts`."""


@dataclass(frozen=True)
class Classes:
    """The classes of a hierarchy over values in an order in which every class is a range."""

    labels: Ints = field(repr=False)
    """[level, value]: the number of its class; at level 0 it is alone, at the last one all are together."""
    first: Ints = field(repr=False)
    """[level, value]: the first value of its class."""
    last: Ints = field(repr=False)
    losses: Floats = field(repr=False)
    """[level, value]: the loss of its class."""

    def level(self, left: NDArray[np.integer], right: NDArray[np.integer]) -> Ints:
        """The lowest level at which two values are in one class: as classes nest, how often they are in different ones."""
        apart = np.zeros(np.broadcast_shapes(left.shape, right.shape), dtype=np.int64)
        for labels in self.labels[:-1]:
            apart += labels[left] != labels[right]
        return apart

    def hull(self, left: Ints, right: Ints) -> Cells:
        """The ends of the smallest class that holds both values."""
        level = self.level(left, right)
        return self.first[level, left], self.last[level, left]

    def loss(self, left: NDArray[np.integer], right: NDArray[np.integer]) -> Floats:
        """The loss of the smallest class that holds both values."""
        return np.asarray(self.losses[self.level(left, right), left])


@dataclass(frozen=True)
class Ranged(Column):
    """A column of ordered values; a cell is a range. With a hierarchy, ranges are extended to its classes."""

    positions: Floats = field(repr=False)
    """Position of each value, from 0 to the weight; the loss of a range is the difference of its ends."""
    counts: Ints = field(repr=False)
    classes: Classes | None = field(default=None, repr=False)
    """The classes of the hierarchy, if there is one."""
    missing: bool = False
    """Whether the last value is the missing value: a range that mixes it with others is the range of all values."""

    def single(self, rows: Ints) -> Cells:
        return self.codes[rows], self.codes[rows]

    def joined(self, cells: Cells, rows: Ints) -> Cells:
        return self._closed(np.minimum(cells[0], self.codes[rows]), np.maximum(cells[1], self.codes[rows]))

    def _closed(self, low: Ints, high: Ints) -> Cells:
        if self.classes is not None:
            return self.classes.hull(low, high)
        return (np.where(self._mixed(low, high), 0, low), high) if self.missing else (low, high)

    def _mixed(self, low: NDArray[np.integer], high: NDArray[np.integer]) -> Flags:
        return np.asarray((low != high) & (high == self.counts.size - 1))

    def holds(self, cells: Cells, rows: Ints) -> Flags:
        return np.asarray((cells[0] <= self.codes[rows]) & (self.codes[rows] <= cells[1]))

    def loss(self, cells: Cells) -> Floats:
        low, high = cells
        if self.classes is not None:
            return self.classes.loss(low, high)
        spanned = np.asarray(self.positions[high] - self.positions[low])
        return np.where(self._mixed(low, high), self.weight, spanned) if self.missing else spanned

    def hull(self, rows: Ints, starts: Ints) -> Cells:
        return self._closed(*(end.reduceat(self.codes[rows], starts) for end in (np.minimum, np.maximum)))

    def trims(self, rows: Ints, boxes: Ints) -> tuple[Ints, Floats]:
        owner, code, group = _groups(self.codes, rows, boxes, self.positions.size)
        gain = np.zeros(owner.size)
        if self.classes is None:
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

    def gaps(self, rows: Ints, others: Ints) -> NDArray[np.float32]:
        if self.classes is not None:
            return self.classes.loss(self.codes[rows, None], self.codes[others]).astype(np.float32)
        place = self._places
        gaps = np.asarray(np.abs(place[rows, None] - place[others]))
        if self.missing:
            gaps[self._absent[rows, None] != self._absent[others]] = self.weight
        return gaps

    @cached_property
    def _places(self) -> NDArray[np.float32]:
        return self.positions.astype(np.float32)[self.codes]

    @cached_property
    def _absent(self) -> Flags:
        """[record]: whether its value is the missing one."""
        return np.asarray(self.codes == (self.counts.size - 1 if self.missing else -1))

    def spread(self, rows: Ints) -> float:
        return float(self.loss(self.hull(rows, np.array([0])))[0])

    def apart(self, rows: Ints, starts: Ints) -> Callable[[int], Floats]:
        codes, absent = self.codes[rows], self._absent[rows]
        some, none = np.logical_or.reduceat(absent, starts), np.logical_and.reduceat(absent, starts)
        # The ends of the other values; 0 to 0 if all are missing.
        low = np.where(none, 0, np.minimum.reduceat(np.where(absent, self.counts.size, codes), starts))
        high = np.maximum.reduceat(np.where(absent, 0, codes), starts)

        def bound(group: int) -> Floats:
            if self.classes is not None:
                gap = np.where(low > high[group], self.classes.loss(high[group], low), 0.0)
                return np.where(high < low[group], self.classes.loss(high, low[group]), gap)
            before, after = (
                self.positions[low] - self.positions[high[group]],
                self.positions[low[group]] - self.positions[high],
            )
            gap = np.maximum(np.maximum(before, after), 0.0)
            gap[none | none[group]] = self.weight
            return np.where(some & some[group], 0.0, gap)

        return bound


@dataclass(frozen=True)
class Sets(Column):
    """A column of unordered values; a cell is a set, stored as a bit mask in 64-bit words."""

    counts: Ints = field(repr=False)
    missing: bool = False
    """Whether the last value is the missing value: a set that mixes it with others is the set of all values."""

    @property
    def _words(self) -> int:
        return -(-self.counts.size // 64)

    def _bit(self, rows: Ints, word: int) -> NDArray[np.uint64]:
        return self._bits[word][rows]

    @cached_property
    def _bits(self) -> list[NDArray[np.uint64]]:
        """[word][record]: the bit of its value."""
        bit = np.uint64(1) << (self.codes & 63).astype(np.uint64)
        return [np.where(self.codes >> 6 == word, bit, np.uint64(0)) for word in range(self._words)]

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

    def holds(self, cells: Cells, rows: Ints) -> Flags:
        found = np.zeros(rows.size, dtype=np.bool_)
        for word, bits in enumerate(cells):
            found |= (bits & self._bit(rows, word)) != 0
        return found

    def loss(self, cells: Cells) -> Floats:
        size = np.bitwise_count(cells[0])
        for bits in cells[1:]:
            size = size + np.bitwise_count(bits).astype(np.int64)
        return np.asarray(self._losses[size])

    @cached_property
    def _losses(self) -> Floats:
        """The loss of a set by its size."""
        return self.weight * (np.arange(self.counts.size + 1) - 1.0) / max(1, self.counts.size - 1)

    def hull(self, rows: Ints, starts: Ints) -> Cells:
        found = tuple(np.bitwise_or.reduceat(self._bit(rows, word), starts) for word in range(self._words))
        return self._closed(found)

    def trims(self, rows: Ints, boxes: Ints) -> tuple[Ints, Floats]:
        owner, code, group = _groups(self.codes, rows, boxes, self.counts.size)
        gain = np.full(owner.size, 0.0 if self.missing else self._step)
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

    @property
    def _step(self) -> float:
        return self.weight / max(1, self.counts.size - 1)

    def gaps(self, rows: Ints, others: Ints) -> NDArray[np.float32]:
        codes = self._small
        gaps = np.asarray((codes[rows, None] != codes[others]) * np.float32(self._step))
        if self.missing:
            last = self.counts.size - 1
            gaps[(codes[rows, None] == last) != (codes[others] == last)] = self.weight
        return gaps

    def pair_loss(self, left: Ints, right: Ints) -> Floats:
        # Without the bits of all values, which are many where there are many pairs.
        left, right = self.codes[left], self.codes[right]
        loss = np.where(left != right, self._step, 0.0)
        if self.missing:
            last = self.counts.size - 1
            loss[(left == last) != (right == last)] = self.weight
        return loss

    @cached_property
    def _small(self) -> NDArray[np.integer]:
        return self.codes.astype(np.min_scalar_type(self.counts.size))

    def spread(self, rows: Ints) -> float:
        codes = self.codes[rows]
        if (codes == codes[0]).all():
            return 0.0
        return self.weight if self.missing and (codes == self.counts.size - 1).any() else self._step

    def apart(self, rows: Ints, starts: Ints) -> Callable[[int], Floats]:
        group_of = np.repeat(np.arange(starts.size), np.diff(starts, append=rows.size))
        present = np.zeros((self.counts.size, starts.size), dtype=np.bool_)
        present[self.codes[rows], group_of] = True
        values = np.split(self.codes[rows], starts[1:])
        return lambda group: np.where(present[np.unique(values[group])].any(axis=0), 0.0, self._step)


def _groups(codes: Ints, rows: Ints, boxes: Ints, size: int) -> tuple[Ints, Ints, Ints]:
    """The distinct (box, value) pairs as two arrays, and the index of each input pair among them."""
    keys, group = np.unique(boxes * np.int64(size) + codes[rows], return_inverse=True)
    return keys // size, keys % size, group


def _plogp(share: Floats | float) -> Floats:
    return np.asarray(np.where(np.asarray(share) > 0, share * np.log2(np.maximum(share, 1e-300)), 0.0))


def _conditional(total: Floats, inner: Floats) -> Floats:
    """Entropy of a distribution restricted to a part of it, from the sum of p and the sum of p log p over the part."""
    safe = np.maximum(total, 1e-300)
    return np.maximum(np.log2(safe) - inner / safe, 0.0)


Boxes = tuple[Cells, ...]
"""Boxes, one for each released record: the cells of every column."""


@dataclass(frozen=True)
class Space:
    """All columns together. The loss of a box is the mean over its columns."""

    columns: Sequence[Column]

    @property
    def size(self) -> int:
        return self.columns[0].codes.size

    def single(self, rows: Ints) -> Boxes:
        return tuple(column.single(rows) for column in self.columns)

    def joined(self, boxes: Boxes, rows: Ints) -> Boxes:
        return tuple(column.joined(cells, rows) for column, cells in zip(self.columns, boxes, strict=True))

    def holds(self, boxes: Boxes, rows: Ints) -> Flags:
        found = np.ones(rows.size, dtype=np.bool_)
        for column, cells in zip(self.columns, boxes, strict=True):
            found &= column.holds(cells, rows)
        return found

    def loss(self, boxes: Boxes) -> Floats:
        total = self.columns[0].loss(boxes[0]).copy()
        for column, cells in zip(self.columns[1:], boxes[1:], strict=True):
            total += column.loss(cells)
        return np.asarray(total / len(self.columns))

    def entropy(self, boxes: Boxes) -> Floats:
        return np.asarray(np.mean([c.entropy(cells) for c, cells in zip(self.columns, boxes, strict=True)], axis=0))

    def closure(self, members: Ints) -> Boxes:
        """The smallest box that holds the records of each row of `members`, [box, member]."""
        boxes = self.single(members[:, 0])
        for place in range(1, members.shape[1]):
            boxes = self.joined(boxes, members[:, place])
        return boxes

    def hull(self, rows: Ints, boxes: Ints) -> Boxes:
        """The smallest boxes that hold their records; `boxes` is the box of each row, sorted and without gaps."""
        starts = np.flatnonzero(np.diff(boxes, prepend=-1))
        return tuple(column.hull(rows, starts) for column in self.columns)

    def pair_loss(self, left: Ints, right: Ints) -> Floats:
        """The loss of the smallest box around each pair of records."""
        losses = (column.pair_loss(left, right) for column in self.columns)
        return np.asarray(sum(losses, np.zeros(left.size)) / len(self.columns))

    def gaps(self, rows: Ints, others: Ints) -> NDArray[np.float32]:
        """[row, other]: the loss of the smallest box around both, times the number of columns."""
        return sum((column.gaps(rows, others) for column in self.columns[1:]), self.columns[0].gaps(rows, others))


def taken(boxes: Boxes, rows: Ints) -> Boxes:
    """The boxes with the given indices, as a copy."""
    return tuple(tuple(part[rows] for part in cells) for cells in boxes)


def put_boxes(boxes: Boxes, rows: Ints, new: Boxes) -> None:
    """Overwrite the boxes with the given indices."""
    for cells, new_cells in zip(boxes, new, strict=True):
        for part, new_part in zip(cells, new_cells, strict=True):
            part[rows] = new_part
