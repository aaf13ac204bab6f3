"""Local suppression: the cells to leave out so that every row is equal to k - 1 others, at the least total weight.

A pattern is a set of columns that are suppressed together. A row may have any pattern, as long as at least k rows have the
same pattern and the same values in the other columns: a suppressed cell equals nothing but another suppressed cell. The
greedy set cover of Meyerson and Williams takes the cheapest pattern first, and gives it to all rows that it brings
together in classes of k. Then, the rows that are left borrow from classes with more than k rows what they lack to k.

Equal rows are merged into a piece with a count, which is split where some of its rows are borrowed.

Reference: Meyerson, Williams: On the complexity of optimal k-anonymity. PODS 2004.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from icefire.microdata.cells import Codes, Floats
from icefire.microdata.partition import group_equal

WORK = 25_000_000
"""Rows x columns x patterns of one size, at most: beyond it, only the patterns that bring most rows together are tried."""
FEWEST, MOST = 16, 70
"""Bounds of the number of patterns of one size: of up to eight columns, there are no more than 70."""
ROUNDING = 1e-9
OPEN = -1
"""The class of pieces that have none yet."""

Kept = NDArray[np.bool_]
"""[column]: whether a pattern keeps it."""


def suppressed(codes: Sequence[Codes], k: int, weights: Floats) -> tuple[NDArray[np.bool_], Codes]:
    """[row, column]: the cells to suppress; and which rows are equal before. A cell costs the weight of its column.

    There have to be at least k rows. Which of several equal rows are suppressed says nothing: shuffle among them.
    """
    first, counts, same = group_equal(codes)
    values = np.stack([column[first] for column in codes], axis=1)
    # A column that is the same everywhere is never worth suppressing.
    varied = np.flatnonzero((values != values[0]).any(axis=0))
    cells = np.zeros((len(same), len(codes)), dtype=bool)
    if varied.size:
        found = _cheapest(values[:, varied], counts, k, weights[varied])
        order = np.argsort(same, kind="stable")
        by_row = np.argsort(found.rows, kind="stable")
        hidden = np.repeat(~found.kept[found.classes[by_row]], found.counts[by_row], axis=0)
        cells[order[:, None], varied] = hidden
    return cells, same


def _cheapest(values: Codes, counts: Codes, k: int, weights: Floats) -> _Cover:
    """The cheaper of the greedy cover and of suppressing one column after the other in the rows that are still too few."""
    cover = _Cover(values, counts, k, weights)
    cover.fill(_patterns(values, counts, k, weights))
    distinct = [np.unique(column).size for column in values.T]
    order = sorted(range(len(weights)), key=lambda column: (weights[column], -distinct[column]))
    one_by_one = _Cover(values, counts, k, weights)
    for number in range(len(order) + 1):
        kept = np.ones(len(order), dtype=bool)
        kept[order[:number]] = False
        one_by_one.take(kept)
    for found in (cover, one_by_one):
        found.finish()
    return min(cover, one_by_one, key=lambda found: found.total)


def _patterns(values: Codes, counts: Codes, k: int, weights: Floats) -> list[Kept]:
    """The patterns to try, the cheapest first; of equally cheap ones, that which brings most rows together."""
    rows, columns = values.shape
    width = int(np.clip(WORK // (rows * columns), FEWEST, MOST))
    nothing = (True,) * columns
    level = {nothing: _together(values, counts, k, np.array(nothing))}
    found = dict(level)
    for _ in range(columns):
        wider = {
            (*kept[:column], False, *kept[column + 1 :]) for kept in level for column in range(columns) if kept[column]
        }
        scored = {kept: _together(values, counts, k, np.array(kept)) for kept in sorted(wider)}
        # What is saved against suppressing everything.
        best = sorted(scored, key=lambda kept: -scored[kept] * float(weights @ np.array(kept)))[:width]
        level = {kept: scored[kept] for kept in best}
        found |= level
    ordered = sorted(found, key=lambda kept: (float(weights @ ~np.array(kept)), -found[kept]))
    return [np.array(kept) for kept in ordered]


def _together(values: Codes, counts: Codes, k: int, kept: Kept) -> int:
    """How many rows are in classes of at least k."""
    sizes = _grouped(values, kept, counts)[0]
    return int(sizes[sizes >= k].sum())


def _grouped(values: Codes, kept: Kept, counts: Codes) -> tuple[Codes, Codes]:
    """The sizes of the classes of rows that are equal in the kept columns, and the class of each row."""
    keys = list(values[:, kept].T) or [np.zeros(len(values), dtype=np.int64)]
    _, sizes, which = group_equal(keys, counts)
    return sizes, which


class _Cover:
    """Rows in classes, each with its pattern."""

    def __init__(self, values: Codes, counts: Codes, k: int, weights: Floats) -> None:
        self.values, self.k, self.weights = values, k, weights
        self.rows, self.counts = np.arange(len(values)), counts
        self.classes = np.full(len(values), OPEN)
        self.kept = np.zeros((0, values.shape[1]), dtype=bool)
        """[class, column]."""
        self.sizes = np.zeros(0, dtype=np.int64)
        self.costs = np.zeros(0)
        """[class]: of each of its rows."""

    @property
    def open(self) -> Codes:
        return np.flatnonzero(self.classes == OPEN)

    @property
    def total(self) -> float:
        return float(self.sizes @ self.costs)

    def cost(self, kept: Kept) -> float:
        return float(self.weights @ ~kept)

    def fill(self, patterns: Sequence[Kept]) -> None:
        """Take the cheapest patterns first; a pattern for which rows have to be borrowed counts with the cost of these."""
        costs = np.array([self.cost(kept) for kept in patterns])
        reached = -1.0
        for level in _levels(costs, self.k):
            for kept, cost in zip(patterns, costs, strict=True):
                if cost > level + ROUNDING:
                    break
                if cost > reached + ROUNDING:
                    self.take(kept)
                self.borrow(kept, level)
                if not self.open.size:
                    return
            reached = level

    def take(self, kept: Kept) -> None:
        """Give the pattern to all open rows that it brings together."""
        pieces = self.open
        if not pieces.size:
            return
        sizes, which = _grouped(self.values[self.rows[pieces]], kept, self.counts[pieces])
        large = sizes >= self.k
        number = np.cumsum(large) - 1 + self.sizes.size
        inside = large[which]
        self.classes[pieces[inside]] = number[which[inside]]
        self._add(kept, sizes[large])

    def _add(self, kept: Kept, sizes: Codes) -> None:
        self.kept = np.concatenate([self.kept, np.broadcast_to(kept, (sizes.size, kept.size))])
        self.sizes = np.concatenate([self.sizes, sizes])
        self.costs = np.concatenate([self.costs, np.full(sizes.size, self.cost(kept))])

    def borrow(self, kept: Kept, limit: float) -> None:
        """Fill classes of open rows up to k with rows of larger classes, where that costs at most so much per open row."""
        spare = self.sizes - self.k
        lending = np.flatnonzero((self.classes != OPEN) & (spare[self.classes] > 0)) if spare.size else self.open[:0]
        pieces = self.open
        if not pieces.size or not lending.size:
            return
        both = np.concatenate([pieces, lending])
        _, which = _grouped(self.values[self.rows[both]], kept, self.counts[both])
        mine, theirs = which[: pieces.size], which[pieces.size :]
        size = int(which.max()) + 1
        have = np.bincount(mine, self.counts[pieces], size).astype(np.int64)
        wanted = have[theirs] > 0
        lending, theirs = lending[wanted], theirs[wanted]
        more = self.cost(kept) - self.costs[self.classes[lending]]
        order = np.lexsort((more, theirs))
        lending, theirs, more = lending[order], theirs[order], more[order]
        can = np.minimum(self.counts[lending], spare[self.classes[lending]])
        begins = np.searchsorted(theirs, np.arange(size))
        before = np.cumsum(can) - can
        used = np.clip((self.k - have)[theirs] - (before - before[begins[theirs]]), 0, can)
        worth = have * (limit - self.cost(kept)) - np.bincount(theirs, used * more, size)
        enough = have + np.bincount(theirs, can, size) >= self.k
        for group in np.flatnonzero((have > 0) & enough & (worth >= -ROUNDING)):
            members = pieces[mine == group]
            part = slice(begins[group], np.searchsorted(theirs, group, side="right"))
            self._lend(members, lending[part], kept, limit)

    def _lend(self, members: Codes, lending: Codes, kept: Kept, limit: float) -> None:
        """Make a class of the open members and of what is borrowed from these pieces, the first ones first."""
        need = self.k - int(self.counts[members].sum())
        taken = self._affordable(lending, need)
        if sum(number for _, number in taken) < need:
            return
        cost = self.cost(kept)
        more = sum(number * (cost - self.costs[self.classes[piece]]) for piece, number in taken)
        if more > (limit - cost) * (self.k - need) + ROUNDING:
            return
        new = self.sizes.size
        self._add(kept, np.array([self.k]))
        self.classes[members] = new
        for piece, number in taken:
            self.sizes[self.classes[piece]] -= number
            if number < self.counts[piece]:
                self.counts = np.append(self.counts, self.counts[piece] - number)
                self.rows = np.append(self.rows, self.rows[piece])
                self.classes = np.append(self.classes, self.classes[piece])
                self.counts[piece] = number
            self.classes[piece] = new

    def _affordable(self, lending: Codes, need: int) -> list[tuple[int, int]]:
        """(piece, number of its rows) that can be borrowed: no class is left with fewer than k rows."""
        spare: dict[int, int] = {}
        taken = []
        for piece in lending.tolist():
            if need == 0:
                break
            owner = int(self.classes[piece])
            left = spare.get(owner, int(self.sizes[owner]) - self.k)
            number = min(need, left, int(self.counts[piece]))
            if number > 0:
                taken.append((piece, number))
                spare[owner], need = left - number, need - number
        return taken

    def finish(self) -> None:
        """Bring the last open rows into a class, then keep the columns in which all rows of a class are equal."""
        if self.open.size:
            self._join()
        order = np.argsort(self.classes, kind="stable")
        starts = np.searchsorted(self.classes[order], np.arange(self.sizes.size))
        values = self.values[self.rows[order]]
        self.kept = np.minimum.reduceat(values, starts) == np.maximum.reduceat(values, starts)
        self.costs = (~self.kept) @ self.weights

    def _join(self) -> None:
        """Suppress the open rows with borrowed ones, or merge them with a class."""
        pieces = self.open
        open_rows = int(self.counts[pieces].sum())
        values = self.values[self.rows[pieces]]
        first = np.zeros(self.sizes.size, dtype=np.int64)
        inside = np.flatnonzero(self.classes != OPEN)
        first[self.classes[inside]] = self.rows[inside]
        kept = self.kept & (self.values[first] == values[0]) & (values == values[0]).all(axis=0)
        costs = (~kept) @ self.weights
        merged = (self.sizes + open_rows) * costs - self.sizes * self.costs
        cheapest = int(merged.argmin())
        nothing = np.zeros(self.weights.size, dtype=bool)
        lending = inside[np.argsort(-self.costs[self.classes[inside]], kind="stable")]
        taken = self._affordable(lending, self.k - open_rows)
        whole = self.cost(nothing)
        borrowed = open_rows * whole + sum(
            number * (whole - self.costs[self.classes[piece]]) for piece, number in taken
        )
        if sum(number for _, number in taken) + open_rows == self.k and borrowed < merged[cheapest]:
            self._lend(pieces, lending, nothing, np.inf)
            return
        self.classes[pieces] = cheapest
        self.kept[cheapest], self.costs[cheapest] = kept[cheapest], costs[cheapest]
        self.sizes[cheapest] += open_rows


def _levels(costs: Floats, k: int) -> Iterator[float]:
    """Costs per row up to which patterns are accepted: those of the patterns, then doubled up to k times the dearest."""
    distinct = np.unique(costs)
    few = np.unique(np.linspace(0, distinct.size - 1, min(distinct.size, 2 * int(np.log2(costs.size) + 1))).astype(int))
    yield from distinct[few]
    level = float(distinct[-1])
    while level < k * distinct[-1]:
        level *= 2
        yield level
