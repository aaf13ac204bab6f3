"""Search for the original rows that are nearest to each published row.

A published row that generalizes can only be somebody whom its cells admit. So candidates are looked up first, and compared by
what is left. If the best of them costs less than one cell that does not fit, nobody else can be nearer. Only rows without such
a proof are compared with everybody; where that takes longer than the budget, some published rows are sampled.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import KDTree

from icefire.concealment.trie import Trie
from icefire.core.budget import Budget
from icefire.frames.ragged import concatenated_ranges, offsets
from icefire.microdata.costs import Costs
from icefire.microdata.distances import Categories, Feature, Floats, Ints, Numbers, Same
from icefire.microdata.lists import BLOCK, Lists, parts_of
from icefire.microdata.partition import group_equal

TREE = 1 << 16
"""Pairs within a class from which on a search tree over the numbers pays."""
MANY = 0.2
"""Share of the people above which candidates are not worth looking up."""
NARROW = 0.02
"""Share of the people below which those within a bound are looked up rather than compared."""
HAIR = 1e-9
"""Share by which the cost of those who fit is less than that of a misfit."""
HELD, TRIED = 1 << 24, 2_000
"""Pairs in the lists of all rows above which some rows are sampled, and rows by which is seen how many there will be."""
SOON = 0.05
"""Share of the rows that are short of candidates above which all rows get more."""

Flags = NDArray[np.bool_]
Gate: TypeAlias = Categories | Same


class Linkage(Costs):
    """Costs that are sums over columns."""

    def __init__(self, columns: Sequence[Feature], rng: np.random.Generator) -> None:
        used = [column for column in columns if column.weight > 0] or list(columns[:1])
        super().__init__([column.alike for column in used], used[0].width, rng)
        self.features = [column.of(self.first) for column in used]
        self.columns = len(used)
        self.gates = [column for column in self.features if isinstance(column, Categories | Same)]
        self.rest = [column for column in self.features if not isinstance(column, Categories | Same)]
        self.scale = np.sum([column.scale for column in self.features], axis=0)
        self.everybody = np.arange(self.width)

    def block(self, rows: Ints) -> Floats:
        total = self.features[0].block(rows, self.everybody)
        for column in self.features[1:]:
            total += column.block(rows, self.everybody)
        return total

    def pairs(self, rows: Ints, people: Ints) -> Floats:
        """The costs of the given pairs of a published and an original row."""
        return self._sum(self.features, self.which[rows], people)

    def _sum(self, columns: Sequence[Feature], rows: Ints, people: Ints) -> Floats:
        total = np.zeros(rows.size)
        for column in columns:
            total += column.pairs(rows, people)
        return total

    def share_below(self, bounds: Floats, people: Ints) -> Floats:
        """Share of some original rows whose cost is below the bound of each published row."""
        found = np.empty(self.height)
        step = max(1, BLOCK // people.size)
        for begin in range(0, self.height, step):
            rows = self.which[begin : begin + step]
            block = np.zeros((rows.size, people.size))
            for column in self.features:
                block += column.block(rows, people)
            found[begin : begin + step] = (block < bounds[begin : begin + step, None]).mean(axis=1)
        return found

    def best(self, number: int, ties: bool = False) -> Lists:
        asked = self.asked
        rows = self._held(number, ties)
        lists = Lists.empty(self.first.size).replaced(rows, self._listed(rows, number, ties))
        # Whoever is not a candidate costs at least one cell that does not fit.
        proven = lists.least + self._slack(np.arange(self.first.size), lists.least) < self._floor + self._misfit
        hard = rows[~proven[rows]]
        narrow = self._narrow(hard, lists.least[hard])
        kept = self._asked_of(rows, np.where(narrow, NARROW, 1.0).sum(), anew=asked is None)
        if kept.size < rows.size:
            lists = Lists.empty(self.first.size).replaced(kept, lists.only(kept))
            there = np.isin(hard, kept)
            hard, narrow = hard[there], narrow[there]
        done, found = self._looked_up(hard[narrow], lists.least[hard[narrow]], number)
        return lists.replaced(done, found).replaced(hard[~narrow], self._compared(hard[~narrow], number))

    def _held(self, number: int, ties: bool) -> Ints:
        """The distinct rows that are listed: all or, where their lists would take too much memory, those of a sample."""
        rows = np.arange(self.first.size)
        if self.samples and self.asked is None and rows.size > 10 * TRIED:
            tried = np.sort(self.rng.choice(rows, TRIED, replace=False))
            pairs = self._listed(tried, number, ties).people.size * (rows.size / TRIED)
            if pairs > HELD:
                self.asked = np.sort(self.rng.choice(self.height, int(self.height * (HELD / pairs)), replace=False))
        return rows if self.asked is None else np.unique(self.which[self.asked])

    def _longer(self, lists: Lists, rows: Ints, bounds: Floats, number: int) -> Lists:
        if rows.size > SOON * self.first.size:
            # Others of whom nobody but ties is listed yet will be short of people soon.
            bare = np.setdiff1d(np.flatnonzero((lists.counts > 0) & (lists.rest <= lists.least)), rows)
            rows, bounds = np.concatenate([rows, bare]), np.concatenate([bounds, np.full(bare.size, np.inf)])
        # Where somebody is missing whatever it costs, all who fit come next, and then those with one more misfit.
        fitting = (self._floor + self._misfit * (1 - HAIR))[rows]
        next_ones = np.where(lists.rest[rows] < fitting, fitting, lists.rest[rows] + self._misfit[rows])
        bounds = np.where(np.isinf(bounds), next_ones, bounds)
        narrow = self._narrow(rows, bounds)
        done, found = self._looked_up(rows[narrow], bounds[narrow], number, self.budget)
        return super()._longer(lists.replaced(done, found), rows[~narrow], bounds[~narrow], number)

    @cached_property
    def _misfit(self) -> Floats:
        """[distinct row]: the least cost of a cell that does not fit."""
        found = np.full(self.first.size, np.inf)
        for column in self.gates:
            np.minimum(found, _misfit(column), out=found)
        return found

    @cached_property
    def _classes(self) -> _Classes:
        return _Classes(self.gates, self.first.size, self.width, self.rng)

    def _listed(self, rows: Ints, number: int, ties: bool) -> Lists:
        """The best candidates of some rows: those who fit as well as anybody in every cell."""
        classes = self._classes
        boxes = classes.box_of[rows]
        if not self.rest:
            whole = Lists(
                classes.starts, classes.people, np.zeros(classes.people.size), np.zeros(classes.starts.size - 1)
            ).only(boxes)
            return Lists(whole.starts, whole.people, whole.costs, self._misfit[rows]).plus(self._floor[rows])
        parts, places = list[Lists](), list[Ints]()
        begins, counts = classes.starts[:-1][boxes], np.diff(classes.starts)[boxes]
        wide = self._tree_pays(boxes, counts)
        # A class that holds a good part of all people is as well compared with everybody.
        plain = np.flatnonzero(~wide & (counts <= max(self.width * MANY, 1000)))
        for part in parts_of(counts[plain]):
            some = plain[part]
            people = classes.people[concatenated_ranges(begins[some], counts[some])]
            others = self._misfit[rows[some]]
            parts.append(self._ranked(rows[some], counts[some], people, 0.0, others, 1 if ties else number))
            places.append(some)
        by_box = np.flatnonzero(wide)[np.argsort(boxes[wide], kind="stable")]
        for some in np.split(by_box, np.flatnonzero(np.diff(boxes[by_box])) + 1) if by_box.size else ():
            people = classes.people[begins[some[0]] : begins[some[0]] + counts[some[0]]]
            parts.append(self._by_tree(rows[some], people, number))
            places.append(some)
        if not places:
            return Lists.empty(rows.size)
        return Lists.empty(rows.size).replaced(np.concatenate(places), Lists.joined(parts)).plus(self._floor[rows])

    def candidates(self) -> Ints:
        """The people who fit some row as well as anybody in every cell."""
        return np.unique(self._classes.people)

    @cached_property
    def _floor(self) -> Floats:
        """[distinct row]: what its cells cost at least, whoever it is."""
        total = np.zeros(self.first.size)
        for column in self.gates:
            total += _least(column)
        return total

    def _tree_pays(self, boxes: Ints, counts: Ints) -> Flags:
        if not all(isinstance(column, Numbers) for column in self.rest):
            return np.zeros(counts.size, dtype=np.bool_)
        return np.bincount(boxes)[boxes] * counts > TREE

    def _by_tree(self, rows: Ints, people: Ints, number: int) -> Lists:
        """The nearest of these people by their numbers."""
        numbers = [column for column in self.rest if isinstance(column, Numbers)]
        points = np.stack([np.sqrt(c.weight) * c.original[people] for c in numbers], axis=1)
        wanted = np.stack([np.sqrt(c.weight) * c.published[rows] for c in numbers], axis=1)
        # Equal points would all have to be listed to find the next one.
        distinct, group = np.unique(points, axis=0, return_inverse=True)
        members = np.argsort(group.ravel(), kind="stable")
        sizes = np.bincount(group.ravel())
        tree, near = KDTree(distinct), min(max(number, 3), len(distinct))
        while True:
            gaps, places = tree.query(wanted, k=near)
            gaps, places = np.reshape(gaps, (rows.size, -1)), np.reshape(places, (rows.size, -1))
            last = gaps[:, -1] ** 2 <= gaps[:, 0] ** 2 + self._slack(rows, gaps[:, 0] ** 2)
            if near == len(distinct) or not last.any():
                break
            near = min(4 * near, len(distinct))
        counts = sizes[places].sum(axis=1)
        flat = places.ravel()
        listed = people[members[concatenated_ranges(offsets(sizes)[flat], sizes[flat])]]
        farther = gaps[:, -1] ** 2 if near < len(distinct) else np.full(rows.size, np.inf)
        return self._ranked(rows, counts, listed, 0.0, np.minimum(farther, self._misfit[rows]), number)

    def _ranked(
        self, rows: Ints, counts: Ints, people: Ints, gates: Floats | float, others: Floats, number: int
    ) -> Lists:
        """The best of the given candidates of each row; what they cost by their cells is given, and what others do at least."""
        costs = gates + self._sum(self.rest, np.repeat(rows, counts), people)
        return self._chosen(rows, counts, people, costs, others, number)

    def _narrow(self, rows: Ints, bounds: Floats) -> Flags:
        """For which rows few people are within the bound, going by a sample of people."""
        if not rows.size or not self.gates:
            return np.zeros(rows.size, dtype=np.bool_)
        people = self.rng.integers(0, self.width, 200)
        found = np.zeros(rows.size, dtype=np.bool_)
        for begin in range(0, rows.size, 10_000):
            part = slice(begin, begin + 10_000)
            block = np.zeros((rows[part].size, people.size))
            for column in self.gates:
                block += column.block(rows[part], people)
            found[part] = (block <= bounds[part, None]).mean(axis=1) <= NARROW
        return found & np.isfinite(bounds)

    def _looked_up(self, rows: Ints, bounds: Floats, number: int, budget: Budget | None = None) -> tuple[Ints, Lists]:
        """The lists of rows, by looking up all whose cells cost no more than the best that is known, and which rows these are:
        all, or as many as the budget goes for."""
        parts: list[Lists] = []
        order = np.argsort(bounds, kind="stable")
        rows, bounds = rows[order], bounds[order]
        step, end = int(np.clip(4 * BLOCK / (NARROW * self.width), 100, 2_000)), 0
        while end < rows.size and (budget is None or budget.left > 0):
            part = slice(end, end + step)
            chosen = rows[part]
            end += chosen.size
            allowed = bounds[part] - self._floor[chosen] + self._slack(chosen, bounds[part])
            counts, people, gates = self._classes.within(chosen, allowed)
            gates += np.repeat(self._floor[chosen], counts)
            for inside in parts_of(counts):
                places = slice(int(counts[: inside.start].sum()), int(counts[: inside.stop].sum()))
                found = counts[inside], people[places], gates[places], bounds[part][inside]
                parts.append(self._ranked(chosen[inside], *found, number))
            if budget is not None:
                budget.spend(float(counts.sum()) * self.columns)
        return rows[:end], Lists.joined(parts)


class _Classes:
    """Published rows of equal cells, and the people who fit as well as anybody in every cell."""

    def __init__(self, gates: Sequence[Gate], height: int, width: int, rng: np.random.Generator) -> None:
        shuffled = rng.permutation(width)
        if not gates:
            self.box_of, self.starts, self.people = np.zeros(height, dtype=np.int64), np.array([0, width]), shuffled
            return
        first, _, self.box_of = group_equal([column.alike for column in gates])
        stand_in, self.sizes, group_of = group_equal([column.values for column in gates])
        # People of a group in random order.
        self.members = shuffled[np.argsort(group_of[shuffled], kind="stable")]
        self.begins = offsets(self.sizes)
        self.trie = Trie(
            [column.values[stand_in] for column in gates],
            [column.cells[first] for column in gates],
            [_excess(column) for column in gates],
        )
        counts, self.people, _ = self._expanded(np.arange(first.size), np.zeros(first.size))
        self.starts = np.concatenate([[0], np.cumsum(counts)])

    def within(self, rows: Ints, bounds: Floats) -> tuple[Ints, Ints, Floats]:
        """How many people cost each row at most so much by their cells; who they are, and what they cost."""
        boxes, place = np.unique(self.box_of[rows], return_inverse=True)
        most = np.full(boxes.size, -np.inf)
        np.maximum.at(most, place, bounds)
        counts, people, costs = self._expanded(boxes, most)
        lists = Lists.of(counts, people, costs, most).only(place)
        return lists.counts, lists.people, lists.costs

    def _expanded(self, boxes: Ints, bounds: Floats) -> tuple[Ints, Ints, Floats]:
        """People in place of groups, for each box."""
        counts, people, costs = [], [], []
        for near in self.trie.within(boxes, bounds):
            order = np.argsort(near.boxes, kind="stable")
            groups = near.records[order]
            counts.append((near.boxes[order], self.sizes[groups]))
            people.append(self.members[concatenated_ranges(self.begins[groups], self.sizes[groups])])
            costs.append(np.repeat(near.costs[order], self.sizes[groups]))
        place = np.searchsorted(boxes, np.concatenate([pair[0] for pair in counts]))
        total = np.bincount(place, np.concatenate([pair[1] for pair in counts]), minlength=boxes.size)
        return total.astype(np.int64), np.concatenate(people), np.concatenate(costs)


def _excess(column: Gate) -> Floats | float:
    """[cell, value]: what a value costs more than the best value for the cell; one number if that is all the same."""
    if isinstance(column, Same):
        return column.weight
    return np.asarray(column.weight * (column.costs - column.costs.min(axis=1, keepdims=True)))


def _misfit(column: Gate) -> Floats:
    """[row]: what a cell that does not fit costs at least, more than one that does."""
    if isinstance(column, Same):
        return np.where(column.cells < 0, np.inf, column.weight)
    excess = np.asarray(_excess(column))
    return np.asarray(np.where(excess > 0, excess, np.inf).min(axis=1)[column.cells])


def _least(column: Gate) -> Floats:
    """[row]: what the best value costs."""
    if isinstance(column, Same):
        return np.where(column.cells < 0, column.weight, 0.0)
    return np.asarray(column.weight * column.costs.min(axis=1)[column.cells])
