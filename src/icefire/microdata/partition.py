"""Mondrian partitioning, vectorized over all partitions of a depth.

A textbook implementation recurses in Python for every class. Here equal rows are first merged into a weighted row; then
each round cuts all open partitions: one sort of packed integers (partition, value, row) finds all medians, and reductions
over the sorted columns give all widths. Partitions that fit into the processor's cache are finished batch by batch.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from icefire.microdata.cells import Codes
from icefire.microdata.constraints import Constraint

BATCH = 1 << 16
"""Rows in a batch, so that its columns stay in the cache."""

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Axis:
    """A column to cut along. Codes are in the order of the values, or of the hierarchy."""

    codes: Codes
    positions: NDArray[np.float64]
    """Position of each code, scaled to [0, 1]; the width of a range of codes is the difference of its ends."""
    levels: tuple[NDArray[np.int64], ...] = ()
    """With a hierarchy: the class of each code by level, from the values up to the root; cuts fall between classes."""
    level_widths: tuple[NDArray[np.float64], ...] = ()
    """With a hierarchy: the width of the class of each code, by level."""
    missing: int | None = None
    """The code of the missing value, which is the last one. A class that mixes it with other values is generalized to *."""

    def widths(self, low: Ints, high: Ints) -> tuple[NDArray[np.float64], Ints]:
        """Width of each range of codes, and the lowest level at which a class holds it."""
        if not self.levels:
            return self.positions[high] - self.positions[low], np.zeros(low.size, dtype=np.int64)
        width, found = np.zeros(low.size), np.full(low.size, -1)
        for level, (classes, wide) in enumerate(zip(self.levels, self.level_widths, strict=True)):
            here = (found < 0) & (classes[low] == classes[high])
            found[here], width[here] = level, wide[low[here]]
        return width, found


@dataclass(frozen=True)
class Partition:
    """The result of Mondrian."""

    classes: Codes
    """The class of each row."""
    members: Ints
    """One of each group of equal rows, sorted by class."""
    starts: Ints
    """Index of the first member of each class."""


def partition(axes: Sequence[Axis], constraint: Constraint, counts: Ints | None = None) -> Partition:
    """Cut the rows along the axes as long as both sides satisfy the constraint. With counts, a row stands for several."""
    keys = [axis.codes for axis in axes] + constraint.keys
    first, weights, same = group_equal(keys, counts)
    columns = np.stack([axis.codes[first].astype(np.int32) for axis in axes])
    constraint = constraint.at(first)
    batches = _Cutter(axes, constraint, weights, stop=BATCH).run(np.arange(first.size), columns)
    finisher = _Cutter(axes, constraint, weights, stop=0)
    with ThreadPoolExecutor() as pool:
        finished = list(pool.map(lambda rows: finisher.run(rows, columns[:, rows]), batches))
    groups = [group for batch in finished for group in batch]
    sizes = np.fromiter((group.size for group in groups), dtype=np.int64, count=len(groups))
    members = np.concatenate(groups)
    classes = np.empty(first.size, dtype=np.int64)
    classes[members] = np.repeat(np.arange(len(groups)), sizes)
    return Partition(classes[same], first[members], np.cumsum(sizes) - sizes)


def group_equal(keys: Sequence[Codes], counts: Ints | None = None) -> tuple[Ints, Ints, Ints]:
    """Group rows that agree on all keys: (first row of each group, group sizes, group of each row).

    With counts, a row stands for several.
    """
    mixed = np.zeros(keys[0].size, dtype=np.int64)
    radix = 1
    for key in keys:
        width = int(key.max(initial=0)) + 1
        if radix * width >= 1 << 62:
            mixed = np.unique(mixed, return_inverse=True)[1]
            radix = int(mixed.max(initial=0)) + 1
        mixed, radix = mixed * width + key, radix * width
    order, ordered = sort_with_order(mixed)
    new = np.concatenate([[True], ordered[1:] != ordered[:-1]])
    starts = np.flatnonzero(new)
    same = np.empty(mixed.size, dtype=np.int64)
    same[order] = np.cumsum(new) - 1
    sizes = np.diff(starts, append=mixed.size) if counts is None else np.add.reduceat(counts[order], starts)
    return order[starts], sizes, same


@dataclass(frozen=True)
class _Open:
    """Open partitions: their rows and columns, stored one partition after the other."""

    rows: Ints
    columns: NDArray[np.int32]
    starts: Ints
    spent: NDArray[np.bool_]
    """[axis, partition]: whether no cut along the axis is allowed."""

    @property
    def sizes(self) -> Ints:
        return np.diff(self.starts, append=self.rows.size)

    def only(self, chosen: NDArray[np.bool_]) -> _Open:
        """Some of the partitions."""
        keep = np.repeat(chosen, self.sizes)
        sizes = self.sizes[chosen]
        return _Open(self.rows[keep], self.columns[:, keep], np.cumsum(sizes) - sizes, self.spent[:, chosen])


class _Cutter:
    """Cuts partitions until none of at least `stop` rows can be cut."""

    def __init__(self, axes: Sequence[Axis], constraint: Constraint, weights: Ints, stop: int) -> None:
        self.axes, self.constraint, self.weights, self.stop = axes, constraint, weights, stop
        self.missing = np.array([-1 if axis.missing is None else axis.missing for axis in axes])
        # If only sizes matter, an axis that allows no cut of a partition allows none of its parts; except with a hierarchy,
        # where a part may lie within one child class.
        self.lasting = np.array([[constraint.only_sizes and not axis.levels] for axis in axes])

    def run(self, rows: Ints, columns: NDArray[np.int32]) -> list[Ints]:
        """The rows of each final partition."""
        parts = _Open(rows, columns, np.array([0]), np.zeros((len(self.axes), 1), dtype=bool))
        done: list[Ints] = []
        while parts.rows.size:
            axis, level = self._choose(parts)
            closed = axis < 0
            if closed.any():
                finished = parts.only(closed)
                done += np.split(finished.rows, finished.starts[1:])
                parts, axis, level = parts.only(~closed), axis[~closed], level[~closed]
            if parts.rows.size:
                parts = self._cut(parts, axis, level)
        return done

    def _choose(self, parts: _Open) -> tuple[Ints, Ints]:
        """The widest axis of each partition that is not spent, or -1; and its hierarchy level."""
        widths = np.empty(parts.spent.shape)
        levels = np.empty(parts.spent.shape, dtype=np.int64)
        for index, axis in enumerate(self.axes):
            low = np.minimum.reduceat(parts.columns[index], parts.starts)
            high = np.maximum.reduceat(parts.columns[index], parts.starts)
            widths[index], levels[index] = axis.widths(low, high)
            widths[index][low == high] = -1.0
        widths[parts.spent] = -1.0
        best = widths.argmax(axis=0)
        each = np.arange(parts.starts.size)
        small = np.add.reduceat(self.weights[parts.rows], parts.starts) < 2 * self.constraint.k
        closed = (widths[best, each] < 0) | small | (parts.sizes < self.stop)
        return np.where(closed, -1, best), levels[best, each]

    def _cut(self, parts: _Open, axis: Ints, level: Ints) -> _Open:
        starts = parts.starts
        number = np.repeat(np.arange(starts.size), parts.sizes)
        values = self._values_to_cut(parts.columns, number, axis, level)
        base = int(values.max()) + 1
        order, key = sort_with_order(number * base + values)
        rows = parts.rows[order]
        missing = self.missing[axis]
        before_missing = np.searchsorted(key, np.arange(starts.size) * base + missing)
        cut = self._best_cut(rows, key, starts, number, np.where(missing >= 0, before_missing, starts))
        failed = cut == starts
        parts.spent[axis[failed], np.flatnonzero(failed)] = True
        parent = np.repeat(np.arange(starts.size), 1 + ~failed)
        spent = parts.spent[:, parent] & (self.lasting | failed[parent])
        return _Open(rows, parts.columns[:, order], np.sort(np.concatenate([starts, cut[~failed]])), spent)

    def _best_cut(self, rows: Ints, key: Ints, starts: Ints, number: Ints, before_missing: Ints) -> Ints:
        """The cut of each partition: before its missing values, or next to the median; its start if no cut is allowed."""
        running = np.concatenate([[0], np.cumsum(self.weights[rows])])
        ends = np.append(starts[1:], rows.size)
        half = running[starts] + (running[ends] - running[starts]) // 2
        middle = key[np.searchsorted(running, half, side="right") - 1]
        below, above = np.searchsorted(key, middle, side="left"), np.searchsorted(key, middle, side="right")
        nearer = np.abs(running[below] - half) <= np.abs(running[above] - half)
        cut = starts.copy()
        for place in (before_missing, np.where(nearer, below, above), np.where(nearer, above, below)):
            left, right = running[place] - running[starts], running[ends] - running[place]
            fine = (cut == starts) & (left >= self.constraint.k) & (right >= self.constraint.k)
            if not self.constraint.only_sizes:
                fine &= self._both_sides_hold(rows, number, place)
            cut[fine] = place[fine]
        return cut

    def _both_sides_hold(self, rows: Ints, number: Ints, cut: Ints) -> NDArray[np.bool_]:
        side = 2 * number + (np.arange(rows.size) >= cut[number])
        holds = self.constraint.holds_for(side, 2 * cut.size, self.weights[rows], rows)
        return holds[0::2] & holds[1::2]

    def _values_to_cut(self, columns: NDArray[np.int32], number: Ints, axis: Ints, level: Ints) -> Ints:
        values = columns[axis[number], np.arange(columns.shape[1])].astype(np.int64)
        for index, column in enumerate(self.axes):
            for height in range(1, len(column.levels)):
                here = ((axis == index) & (level == height))[number]
                if here.any():
                    values[here] = column.levels[height - 1][values[here]]
        return values


def sort_with_order(values: Ints) -> tuple[Ints, Ints]:
    """Stable argsort of non-negative integers: the order, and the sorted values."""
    place_bits = max(1, int(values.size - 1).bit_length())
    if place_bits + int(values.max(initial=0)).bit_length() > 63:
        order = np.argsort(values, kind="stable")
        return order, values[order]
    # numpy's sort is several times faster than its argsort, so each value is packed with its index and sorted.
    packed = (values << place_bits) | np.arange(values.size)
    packed.sort()
    return packed & ((1 << place_bits) - 1), packed >> place_bits
