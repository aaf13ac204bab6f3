"""A trie of records, to find the records that cells cover, or nearly cover, without comparing all pairs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from icefire.frames.ragged import concatenated_ranges

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
PART = 4_000_000
"""Number of pairs in memory at a time."""
TABLE = 100_000_000
"""Largest lookup table of a level; beyond it children are found by binary search."""


@dataclass(frozen=True)
class Near:
    """Pairs of a box and a record, and what each costs; ordered by box."""

    boxes: Ints
    records: Ints
    costs: Floats


class Trie:
    """Records form a level for each column, the most selective first. Boxes, which have a cell in each column, descend it in
    batches, so that only existing branches are visited and memory stays bounded."""

    def __init__(self, values: Sequence[Ints], cells: Sequence[Ints], costs: Sequence[Floats | float]) -> None:
        """values, cells: for each column the code of each record's value and of each box's cell; records have to be distinct.
        costs: for each column, [cell, value], what it costs to take the value for the cell; at least 0. A single number is the
        cost of every value but the one whose code is the cell's; a negative cell is no value, and all cost nothing."""
        columns = [Column(*of) for of in zip(values, cells, costs, strict=True)]
        order = np.argsort([column.share for column in columns], kind="stable")
        self.columns = [columns[place] for place in order]
        self.sort = np.lexsort([column.values for column in self.columns[::-1]])
        self.levels: list[_Level] = []
        new = np.zeros(self.sort.size, dtype=np.bool_)
        new[:1] = True
        parents = np.zeros(self.sort.size, dtype=np.int64)
        for column in self.columns:
            ordered = column.values[self.sort]
            new[1:] |= ordered[1:] != ordered[:-1]
            self.levels.append(_Level(parents[new], ordered[new], int(parents[-1]) + 1, column.size))
            parents = np.cumsum(new) - 1
            # The level has them now. Not a part of the old array, which would keep all of it.
            column.values = np.zeros(0, dtype=np.int64)

    def within(self, boxes: Ints, bounds: Floats) -> Iterator[Near]:
        """For some boxes, in batches, the records that cost at most so much."""
        step = max(1, PART // 64)
        for begin in range(0, boxes.size, step):
            part = slice(begin, begin + step)
            yield self._descend(boxes[part], bounds[part])

    def _descend(self, boxes: Ints, bounds: Floats) -> Near:
        # Places in the batch, so that bounds are found.
        places, nodes, spent = np.arange(boxes.size), np.zeros(boxes.size, dtype=np.int64), np.zeros(boxes.size)
        slack = float(bounds.max(initial=0.0))
        for level, column in zip(self.levels, self.columns, strict=True):
            low, high, exact = column.ranges(boxes[places], slack)
            begins, counts = level.children(nodes, low, high)
            kept = []
            for part in _parts(counts):
                children = concatenated_ranges(begins[part], counts[part])
                place = np.repeat(places[part], counts[part])
                cost = np.repeat(spent[part], counts[part])
                if not exact:
                    cost = cost + column.cost(boxes[place], level.values[children])
                    fits = cost <= bounds[place]
                    place, children, cost = place[fits], children[fits], cost[fits]
                kept.append((place, children, cost))
            places, nodes, spent = (np.concatenate(parts) for parts in zip(*kept, strict=True))
        return Near(boxes[places], self.sort[nodes], spent)


class Column:
    """A column of records and boxes."""

    def __init__(self, values: Ints, cells: Ints, costs: Floats | float) -> None:
        self.values, self.cells = values, cells
        self.price = None if isinstance(costs, np.ndarray) else costs
        self.table = costs if isinstance(costs, np.ndarray) else np.zeros((0, 0))
        self.size = int(max(values.max(initial=0), cells.max(initial=0))) + 1 if self.price else self.table.shape[1]
        self.share = float((self.table <= 0).mean(axis=1)[cells].mean()) if self.price is None else 1.0 / self.size
        """The share of values that cost nothing."""

    def ranges(self, boxes: Ints, slack: float) -> tuple[Ints, Ints, bool]:
        """The first and last value that may cost at most so much, for each box; and whether all between cost nothing."""
        cells = self.cells[boxes]
        if self.price is not None:
            some = (cells < 0) | (slack >= self.price)
            return np.where(some, 0, cells), np.where(some, self.size - 1, cells), slack < self.price
        inside = self.table <= slack
        low, high = inside.argmax(axis=1), self.size - 1 - inside[:, ::-1].argmax(axis=1)
        high = np.where(inside.any(axis=1), high, low - 1)
        whole = slack == 0 and bool((inside.sum(axis=1) == high - low + 1).all())
        return low[cells], high[cells], whole

    def cost(self, boxes: Ints, values: Ints) -> Floats:
        cells = self.cells[boxes]
        if self.price is None:
            return np.asarray(self.table[cells, values])
        return np.where((cells >= 0) & (cells != values), self.price, 0.0)


class _Level:
    """The nodes of a column, sorted by parent and then by value."""

    def __init__(self, parents: Ints, values: Ints, count: int, size: int) -> None:
        self.values, self.size = values.astype(np.int32), size
        self.keys = parents * np.int64(size) + values
        self.before: NDArray[np.int32] | None = None
        """Number of nodes before each (parent, value); None if the table would be too large."""
        if count * size <= TABLE:
            present = np.zeros(count * size + 1, dtype=np.int32)
            present[self.keys + 1] = 1
            self.before = np.cumsum(present, dtype=np.int32)
            self.keys = np.zeros(0, dtype=np.int64)

    def children(self, parents: Ints, low: Ints, high: Ints) -> tuple[Ints, Ints]:
        """Index of the first child with a value from low to high, and the number of these children, by parent."""
        first, last = parents * self.size + low, parents * self.size + high + 1
        if self.before is not None:
            begin = self.before[first].astype(np.int64)
            return begin, self.before[last] - begin
        begin = np.searchsorted(self.keys, first)
        return begin, np.searchsorted(self.keys, last) - begin


def _parts(counts: Ints) -> Iterator[slice]:
    """Consecutive parts with at most `PART` pairs each, or one element."""
    ends, first = np.cumsum(counts), 0
    if not counts.size:
        yield slice(0, 0)
    while first < counts.size:
        last = max(first + 1, int(np.searchsorted(ends, (ends[first - 1] if first else 0) + PART, side="right")))
        yield slice(first, last)
        first = last
