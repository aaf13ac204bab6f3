"""Distances of some published rows from all original rows, found without comparing all pairs.

The squared distances are those of record linkage: numbers by their squared difference in standard deviations, other cells by
how far the original value lies outside of them. Original rows are grouped by the columns that tell most rows apart. The cost
of these columns is a lower bound for the whole group, so most groups are never looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from icefire.core.errors import Undefined
from icefire.frames.ragged import concatenated_ranges
from icefire.microdata.cells import Cells
from icefire.microdata.data import Microdata
from icefire.microdata.distances import WIDEST

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
GROUP = 20
"""Least mean number of original rows in a group."""
TRIED = 100
"""So many of the nearest groups are compared first, for a bound that rules most others out."""
PART = 1_000_000
"""Original rows that are compared with one published row at a time."""


@dataclass(frozen=True)
class Linked:
    """A column of some published rows and of all original rows."""

    costs: Floats
    """[published row, value]: the cost of each value; of numbers, the published numbers, [published row, 1]."""
    original: NDArray[np.float64] | NDArray[np.int64]
    """The value of each original row as a code, or its number."""

    @property
    def numbers(self) -> bool:
        return self.original.dtype == np.float64

    def cost(self, row: int, originals: Ints | slice) -> Floats:
        """The cost of some original rows for a published row."""
        if self.numbers:
            return np.asarray((self.original[originals] - self.costs[row, 0]) ** 2)
        return np.asarray(self.costs[row][self.original[originals]])

    def paired(self, originals: Ints) -> Floats:
        """The cost of one original row for each published row."""
        if self.numbers:
            return np.asarray((self.original[originals] - self.costs[:, 0]) ** 2)
        return np.asarray(self.costs[np.arange(originals.size), self.original[originals]])

    def mixed(self, rng: np.random.Generator) -> Linked:
        """The column with its published rows in random order."""
        return replace(self, costs=rng.permutation(self.costs))


def linked_columns(published: Microdata, knowledge: Microdata, rows: Ints) -> list[Linked]:
    """The columns that both tables have, for some published rows."""
    found = []
    for name in knowledge.schema.names:
        if name not in published.schema.names:
            continue
        domain, codes = knowledge.domain(name), knowledge.codes(name)
        cells = domain.read(published.frame[name][rows])
        if domain.ordinal and (published.is_numeric(name) or len(domain.values) > WIDEST):
            found += _numbers(np.append(domain.positions, np.nan)[codes], cells.midpoints)
        else:
            found.append(_categories(cells, codes))
    if not found:
        raise Undefined("the published table shares no column with the original")
    return found


def _categories(cells: Cells, codes: Ints) -> Linked:
    if len(cells.domain.values) <= WIDEST:
        return Linked(cells.costs[cells.codes], codes.astype(np.int64))
    if cells.single is not None:
        # The values that these rows show, and all others as one.
        shown = np.unique(cells.single[cells.single >= 0])
        place = np.minimum(np.searchsorted(shown, codes), shown.size - 1)
        costs = np.append(cells.single[:, None] != shown, np.ones((cells.single.size, 1)), axis=1)
        return Linked(costs.astype(np.float64), np.where(shown[place] == codes, place, shown.size))
    costs = np.ones((len(cells.texts), WIDEST))
    for row, inside in enumerate(cells.members):
        costs[row, inside % WIDEST] = 0.0
    return Linked(costs[cells.codes], (codes % WIDEST).astype(np.int64))


def _numbers(original: Floats, published: Floats) -> list[Linked]:
    gaps = [np.isnan(column) for column in (published, original)]
    deviation = float(np.nanstd(original)) if not gaps[1].all() else 1.0
    centre = float(np.nanmean(original)) if not gaps[1].all() else 0.0
    scaled = [np.nan_to_num((column - centre) / (deviation or 1.0)) for column in (published, original)]
    found = [Linked(scaled[0][:, None], scaled[1])]
    if gaps[0].any() or gaps[1].any():
        # A missing number costs 1 beside a number, and a number beside a missing one.
        found.append(Linked(np.stack([gaps[0], ~gaps[0]], axis=1).astype(np.float64), gaps[1].astype(np.int64)))
    return found


class Linkage:
    """Some published rows and all original rows."""

    def __init__(self, columns: Sequence[Linked]) -> None:
        self.columns = columns
        self.height, self.width = columns[0].costs.shape[0], columns[0].original.size
        chosen = self._telling()
        keys = np.zeros(self.width, dtype=np.int64)
        for column in chosen:
            keys = keys * column.costs.shape[1] + column.original
            keys = np.unique(keys, return_inverse=True)[1] if keys.max() > 1 << 40 else keys
        order = np.argsort(keys, kind="stable")
        starts = np.flatnonzero(np.diff(keys[order], prepend=-1))
        self._starts, self._sizes = starts, np.diff(np.append(starts, self.width))
        self._grouping = [replace(column, original=column.original[order[starts]]) for column in chosen]
        rest = [column for column in columns if not any(column is other for other in chosen)]
        # The costliest first, so that rows are ruled out early.
        rest.sort(key=lambda column: -self._typical_cost(column))
        self._rest = [replace(column, original=column.original[order]) for column in rest]

    def _typical_cost(self, column: Linked) -> float:
        return float(np.mean([column.cost(row, slice(0, 1_000)).mean() for row in range(min(20, self.height))]))

    def _telling(self) -> list[Linked]:
        """Columns of categories that tell most rows apart, as long as groups are not too small."""
        chosen: list[Linked] = []
        groups = 1
        for column in sorted(self.columns, key=lambda column: -self._typical_cost(column)):
            if not column.numbers:
                groups *= np.unique(column.original).size
                if groups * GROUP > self.width:
                    break
                chosen.append(column)
        return chosen

    def paired(self, originals: Ints) -> Floats:
        """The distance of each published row from an original row."""
        return np.asarray(sum((column.paired(originals) for column in self.columns), np.zeros(self.height)))

    def smallest(self, bounds: Floats) -> Floats:
        """The least distance of each published row; `bounds` are distances of which it is known that they occur."""
        return np.array([self._smallest(row, float(bound)) for row, bound in enumerate(bounds)])

    def _smallest(self, row: int, bound: float) -> float:
        least = np.zeros(self._starts.size)
        for column in self._grouping:
            least += column.cost(row, slice(None))
        nearest = np.argpartition(least, TRIED)[:TRIED] if least.size > TRIED else np.arange(least.size)
        bound = self._least_of(row, nearest, least, bound)
        others = least < bound
        others[nearest] = False
        return self._least_of(row, np.flatnonzero(others), least, bound)

    def _least_of(self, row: int, groups: Ints, least: Floats, bound: float) -> float:
        """The bound, or the least distance of the rows of some groups if that is smaller."""
        groups = groups[least[groups] < bound]
        for begin, end in _portions(np.cumsum(self._sizes[groups])):
            part = groups[begin:end]
            rows = concatenated_ranges(self._starts[part], self._sizes[part])
            total = self._below(row, rows, np.repeat(least[part], self._sizes[part]), bound)
            bound = min(bound, float(total.min(initial=np.inf)))
        return bound

    def _below(self, row: int, originals: Ints, total: Floats, bound: float) -> Floats:
        """The distances below the bound, of some original rows with the cost of the grouping columns."""
        for column in self._rest:
            total = total + column.cost(row, originals)
            kept = total < bound
            if not kept.all():
                originals, total = originals[kept], total[kept]
        return total

    def share_below(self, bounds: Floats, originals: Ints) -> Floats:
        """Share of the given original rows that are nearer to each published row than its bound."""
        found = np.zeros(self.height)
        columns = [replace(column, original=column.original[originals]) for column in self.columns]
        for row in np.flatnonzero(bounds > 0):
            total = np.zeros(originals.size)
            for column in columns:
                total += column.cost(int(row), slice(None))
            found[row] = (total < bounds[row]).mean()
        return found


def _portions(ends: Ints) -> list[tuple[int, int]]:
    """Ranges of groups with about PART rows each, given how many rows there are up to each group."""
    if not ends.size:
        return []
    cuts = np.searchsorted(ends, np.arange(PART, ends[-1] + PART, PART))
    places = np.unique(np.concatenate([[0], np.minimum(cuts + 1, ends.size)]))
    return list(zip(places[:-1].tolist(), places[1:].tolist(), strict=True))
