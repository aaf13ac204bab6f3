"""Search for the original rows that are nearest to each published row.

A published row that generalizes can only be somebody whom its cells admit. So candidates are looked up first, and compared by
what is left. If the best of them costs less than one cell that does not fit, nobody else can be nearer. Only rows without such
a proof are compared with everybody; where that takes longer than the budget, some published rows are sampled.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.spatial import KDTree

from icefire.concealment.trie import Trie
from icefire.core.budget import current
from icefire.core.matching import NONE, connected, matching
from icefire.frames.ragged import concatenated_ranges, offsets
from icefire.microdata.data import CHANCES, Chances, Guess, Microdata
from icefire.microdata.distances import Categories, Feature, Floats, Ints, Numbers, Same
from icefire.microdata.partition import group_equal

BLOCK = 1 << 22
"""Number of pairs in memory at a time."""
NEIGHBOURS = 40
"""Number of nearest original rows that are candidates in a one-to-one matching."""
LISTED = 8_000_000
"""Most pairs in a one-to-one matching; beyond it, published rows are sampled."""
ROUNDING = 16 * float(np.finfo(np.float64).eps)
"""Costs that differ by less than this, relative to the numbers they are computed from, are equal."""
ROUNDS = 5
"""How often the lists of a one-to-one matching are made longer."""
TREE = 1 << 16
"""Pairs within a class from which on a search tree over the numbers pays."""
MANY = 0.2
"""Share of the people above which candidates are not worth looking up."""
NARROW = 0.02
"""Share of the people below which those within a bound are looked up rather than compared."""

Match = Literal["nearest", "assignment"]
Flags = NDArray[np.bool_]
Gate: TypeAlias = Categories | Same


@dataclass(frozen=True)
class Lists:
    """The best original rows of each published row, the best first; with all that tie with the best."""

    starts: Ints
    people: Ints
    costs: Floats

    @property
    def counts(self) -> Ints:
        return np.diff(self.starts)

    @cached_property
    def least(self) -> Floats:
        """The least cost of each row; infinite where the list is empty."""
        found = np.full(self.counts.size, np.inf)
        some = self.counts > 0
        found[some] = self.costs[self.starts[:-1][some]]
        return found

    def only(self, rows: Ints) -> Lists:
        counts = self.counts[rows]
        places = concatenated_ranges(self.starts[:-1][rows], counts)
        return Lists(np.concatenate([[0], np.cumsum(counts)]), self.people[places], self.costs[places])

    def replaced(self, rows: Ints, other: Lists) -> Lists:
        """The same with other lists for some rows."""
        height = self.counts.size
        both = Lists(
            np.concatenate([self.starts, self.starts[-1] + other.starts[1:]]),
            np.concatenate([self.people, other.people]),
            np.concatenate([self.costs, other.costs]),
        )
        chosen = np.arange(height)
        chosen[rows] = height + np.arange(rows.size)
        return both.only(chosen)


class Costs(ABC):
    """Costs of all pairs of a published and an original row, computed in blocks of published rows.

    Published rows that are equal are compared once. Ties are not broken by file order.
    """

    scale: Floats
    """[distinct published row]: the size of the numbers that its costs are sums and differences of."""
    columns = 1
    """How many cells a pair of rows compares."""

    def __init__(self, alike: Sequence[Ints], width: int, rng: np.random.Generator) -> None:
        self.first, _, self.which = group_equal(list(alike))
        self.height, self.width = self.which.size, width
        self.rng = rng
        self.asked: Ints | None = None
        self.beyond = np.full(self.first.size, np.inf)
        """[distinct published row]: how much more than the nearest everybody costs who is not in its list."""

    @abstractmethod
    def block(self, rows: Ints) -> Floats:
        """[row, original row]: the costs of some distinct published rows."""

    def match(self, how: Match, published: Microdata, knowledge: Microdata) -> Guess:
        """The nearest rows with their ties, or an assignment of the rows of two tables."""
        if how == "assignment":
            return self._assigned(published, knowledge)
        ties = self._ties(self.best(1))
        counts = ties.counts[self.which]
        # A row that was not asked for has no list.
        place = ties.starts[:-1][self.which] + (self.rng.random(self.height) * counts).astype(np.int64)
        rows = np.where(counts > 0, ties.people[np.minimum(place, ties.people.size - 1)], 0)
        if ties.people.size > CHANCES:
            return Guess(rows, asked=self.asked)
        return Guess(rows, self._chances(ties), self.asked)

    def _chances(self, ties: Lists) -> Chances:
        counts = ties.counts
        shares = sparse.csr_array(
            (np.repeat(1.0 / np.maximum(counts, 1), counts), ties.people, ties.starts), (counts.size, self.width)
        )
        return Chances(shares, self.which, np.arange(self.width))

    def _ties(self, lists: Lists) -> Lists:
        rows = np.repeat(np.arange(lists.counts.size), lists.counts)
        equal = lists.costs <= (lists.least + self._slack(np.arange(lists.counts.size), lists.least))[rows]
        counts = np.bincount(rows[equal], minlength=lists.counts.size)
        return Lists(np.concatenate([[0], np.cumsum(counts)]), lists.people[equal], lists.costs[equal])

    def _slack(self, rows: Ints, costs: Floats) -> Floats:
        """How far costs of distinct rows may be off by rounding."""
        return ROUNDING * (self.scale[rows] + np.where(np.isinf(costs), 0.0, np.abs(costs)))

    def nearest(self) -> tuple[Ints, Ints]:
        """Published rows, all or a sample of them, and the original row of least cost for each."""
        lists = self._ties(self.best(1))
        rows = np.arange(self.height) if self.asked is None else self.asked
        counts = lists.counts[self.which[rows]]
        return rows, lists.people[lists.starts[self.which[rows]] + (self.rng.random(rows.size) * counts).astype(int)]

    def smallest(self) -> Floats:
        """The least cost of each published row."""
        return self.best(1).least[self.which]

    def _assigned(self, published: Microdata, knowledge: Microdata) -> Guess:
        """A one-to-one matching of least total cost."""
        lists = self.best(NEIGHBOURS)
        if self.asked is None and lists.counts[self.which].sum() > LISTED:
            share = LISTED / lists.counts[self.which].sum()
            self.asked = np.sort(self.rng.choice(self.height, max(1, int(self.height * share)), replace=False))
        asked = np.arange(self.height) if self.asked is None else self.asked
        kept = self.which[asked]
        for _ in range(ROUNDS):
            near, cost = self._padded(lists, kept)
            chosen = matching(near, cost, self.width)
            gaps = np.zeros(self.first.size)
            np.maximum.at(gaps, kept, _gaps(near, cost, chosen, self.width))
            # Somebody who is not listed costs so much more than the nearest that the matching cannot become cheaper.
            short = np.unique(kept[self.beyond[kept] <= gaps[kept]])
            if not short.size:
                break
            lists = self._longer(lists, short, gaps[short])
        rows = np.zeros(self.height, dtype=np.int64)
        rows[asked] = np.where(chosen == NONE, near[:, 0], chosen)
        guess = assigned(rows, published, knowledge) if self.asked is None else Guess(rows)
        return Guess(guess.rows, guess.chances, self.asked)

    def _longer(self, lists: Lists, rows: Ints, gaps: Floats) -> Lists:
        """The same with longer lists for some distinct rows, as far as the budget goes."""
        self.beyond[rows] = np.inf
        chosen = current().sample(rows.size, float(rows.size) * self.width * self.columns, self.rng)
        rows = rows if chosen is None else rows[chosen]
        return lists.replaced(rows, self._compared(rows, NEIGHBOURS))

    def _padded(self, lists: Lists, rows: Ints) -> tuple[Ints, Floats]:
        """[row, place]: people and costs, NONE where a list is shorter. Rows that share a list begin at different ties."""
        counts = np.minimum(lists.counts, NEIGHBOURS)
        ties = self._ties(lists).counts
        order = np.argsort(rows, kind="stable")
        turn = np.empty(rows.size, dtype=np.int64)
        turn[order] = np.arange(rows.size) - np.searchsorted(rows[order], rows[order])
        place = np.arange(int(counts[rows].max(initial=1)))
        tied = np.minimum(ties[rows], lists.counts[rows])[:, None]
        at = np.where(place < tied, (place + turn[:, None]) % np.maximum(tied, 1), place)
        listed = place < counts[rows][:, None]
        at = np.where(listed, lists.starts[:-1][rows][:, None] + at, 0)
        return np.where(listed, lists.people[at], NONE), np.where(listed, lists.costs[at], 0.0)

    def near(self) -> Ints:
        """[published row, place]: the nearest original rows; NONE where others are farther than a cell that does not fit."""
        return self._padded(self.best(NEIGHBOURS), self.which)[0]

    def neighbours(self, number: int) -> tuple[Ints, Floats]:
        """The original rows of least cost for each published row, the best first, and their costs."""
        lists = self._compared(np.arange(self.first.size), number)
        at = lists.starts[:-1][self.which][:, None] + np.arange(number)
        return lists.people[at], lists.costs[at]

    def best(self, number: int) -> Lists:
        """The lists of distinct published rows; empty for rows that were not asked for."""
        rows = np.arange(self.first.size)
        kept = self._asked_of(rows, float(rows.size))
        return _empty(rows.size).replaced(kept, self._compared(kept, number))

    def _asked_of(self, rows: Ints, hard: float) -> Ints:
        """Those of the distinct rows that are within the budget, if so many of them are compared with everybody."""
        work = hard * self.width * self.columns
        if self.asked is None:
            self.asked = current().sample(self.height, work * self.height / max(1, self.first.size), self.rng)
        return rows if self.asked is None else np.intersect1d(rows, self.which[self.asked])

    def _compared(self, rows: Ints, number: int) -> Lists:
        """The lists of some distinct rows, by comparing them with everybody."""
        parts = []
        step = max(1, BLOCK // self.width)
        for begin in range(0, rows.size, step):
            part = rows[begin : begin + step]
            block = self.block(part)
            least = block.min(axis=1)
            bounds = least + self._slack(part, least)
            if number > 1:
                bounds = np.maximum(bounds, _nth_smallest(block, min(number, self.width)))
            places, people = np.nonzero(block <= bounds[:, None])
            counts = np.bincount(places, minlength=part.size)
            parts.append(self._chosen(part, counts, people, block[places, people], number))
        return _joined(parts)

    def _chosen(self, rows: Ints, counts: Ints, people: Ints, costs: Floats, number: int) -> Lists:
        """The best of the given candidates of each distinct row."""
        starts = np.concatenate([[0], np.cumsum(counts)])
        some = counts > 0
        least = np.full(rows.size, np.inf)
        if people.size:
            least[some] = np.minimum.reduceat(costs, starts[:-1][some])
        place = np.repeat(np.arange(rows.size), counts)
        kept = costs <= (least + self._slack(rows, least))[place]
        if number > 1:
            order = np.lexsort((costs, place))
            people, costs, kept = people[order], costs[order], kept[order]
            kept |= np.arange(people.size) - starts[place] < number
        left = np.bincount(place[kept], minlength=rows.size)
        return Lists(np.concatenate([[0], np.cumsum(left)]), people[kept], costs[kept])


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

    def best(self, number: int) -> Lists:
        rows = np.arange(self.first.size)
        lists = self._listed(rows, number)
        # Whoever is not a candidate costs at least one cell that does not fit.
        proven = lists.least + self._slack(rows, lists.least) < self._floor + self._misfit
        hard = np.flatnonzero(~proven)
        kept = self._asked_of(rows, float(hard.size))
        hard = np.intersect1d(hard, kept)
        if kept.size < rows.size:
            lists = _empty(rows.size).replaced(kept, lists.only(kept))
        bounds = lists.least[hard]
        narrow = self._narrow(hard, bounds)
        lists = lists.replaced(hard[narrow], self._looked_up(hard[narrow], bounds[narrow], number))
        lists = lists.replaced(hard[~narrow], self._compared(hard[~narrow], number))
        self.beyond = self._floor + self._misfit - np.nan_to_num(lists.least, posinf=0.0)
        self.beyond[hard[narrow]], self.beyond[hard[~narrow]] = 0.0, np.inf
        return lists

    def _longer(self, lists: Lists, rows: Ints, gaps: Floats) -> Lists:
        bounds = lists.least[rows] + gaps
        narrow = self._narrow(rows, bounds)
        lists = lists.replaced(rows[narrow], self._looked_up(rows[narrow], bounds[narrow], NEIGHBOURS))
        # A hair more, so that rounding does not ask for them again.
        self.beyond[rows[narrow]] = gaps[narrow] * (1 + 1e-9) + 1e-300
        return super()._longer(lists, rows[~narrow], gaps[~narrow])

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

    def _listed(self, rows: Ints, number: int) -> Lists:
        """The best candidates: those who fit as well as anybody in every cell."""
        classes = self._classes
        if not self.rest:
            base = self._floor
            starts, people = classes.starts, classes.people
            lists = Lists(starts, people, np.zeros(people.size)).only(classes.box_of)
            return Lists(lists.starts, lists.people, lists.costs + np.repeat(base, lists.counts))
        parts: list[Lists] = []
        begins, counts = classes.starts[:-1][classes.box_of], np.diff(classes.starts)[classes.box_of]
        wide = self._tree_pays(counts)
        # A class that holds a good part of all people is as well compared with everybody.
        plain = np.flatnonzero(~wide & (counts <= max(self.width * MANY, 1000)))
        for part in _parts(counts[plain]):
            chosen = plain[part]
            people = classes.people[concatenated_ranges(begins[chosen], counts[chosen])]
            parts.append(self._ranked(chosen, counts[chosen], people, np.zeros(people.size), number))
        lists = _empty(rows.size).replaced(plain, _joined(parts))
        for box in np.unique(classes.box_of[wide]):
            inside = np.flatnonzero(wide & (classes.box_of == box))
            people = classes.people[classes.starts[box] : classes.starts[box + 1]]
            lists = lists.replaced(inside, self._by_tree(inside, people, number))
        return Lists(lists.starts, lists.people, lists.costs + np.repeat(self._floor, lists.counts))

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

    def _tree_pays(self, counts: Ints) -> Flags:
        if not all(isinstance(column, Numbers) for column in self.rest):
            return np.zeros(counts.size, dtype=np.bool_)
        rows = np.bincount(self._classes.box_of, minlength=self._classes.starts.size - 1)[self._classes.box_of]
        return rows * counts > TREE

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
        return self._ranked(rows, counts, listed, np.zeros(listed.size), number)

    def _ranked(self, rows: Ints, counts: Ints, people: Ints, gates: Floats, number: int) -> Lists:
        """The best of the given candidates of each row; what they cost by their cells is given."""
        costs = gates + self._sum(self.rest, np.repeat(rows, counts), people)
        return self._chosen(rows, counts, people, costs, number)

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

    def _looked_up(self, rows: Ints, bounds: Floats, number: int) -> Lists:
        """The lists of some rows, by looking up all whose cells cost no more than the best that is known."""
        parts: list[Lists] = []
        order = np.argsort(bounds, kind="stable")
        step = 2_000
        for begin in range(0, rows.size, step):
            part = order[begin : begin + step]
            chosen = rows[part]
            allowed = bounds[part] - self._floor[chosen] + self._slack(chosen, bounds[part])
            counts, people, gates = self._classes.within(chosen, allowed)
            gates += np.repeat(self._floor[chosen], counts)
            for inside in _parts(counts):
                places = slice(int(counts[: inside.start].sum()), int(counts[: inside.stop].sum()))
                parts.append(self._ranked(chosen[inside], counts[inside], people[places], gates[places], number))
        back = np.empty(rows.size, dtype=np.int64)
        back[order] = np.arange(rows.size)
        return _joined(parts).only(back)


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
        lists = Lists(np.concatenate([[0], np.cumsum(counts)]), people, costs).only(place)
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


def assigned(rows: Ints, published: Microdata, knowledge: Microdata) -> Guess:
    """A one-to-one matching as a guess. Equal rows could as well change places; its other ties are left to the draw."""
    names = [name for name in knowledge.schema.names if name in published.schema.names]
    alike, people_alike = (group_equal([table.codes(name) for name in names])[2] for table in (published, knowledge))
    return Guess.exchanged(rows, alike, people_alike)


def _gaps(near: Ints, cost: Floats, chosen: Ints, width: int) -> Floats:
    """[row]: how much more than their nearest all rows cost together that share candidates with it, or with rows that do."""
    listed = near != NONE
    label = connected(near, width)
    least = np.where(listed, cost, np.inf).min(axis=1)
    paid = np.where(near == chosen[:, None], cost, 0.0).sum(axis=1)
    over = np.where(chosen == NONE, np.inf, np.maximum(paid - least, 0.0))
    # Rounding is not a gap.
    over[over <= ROUNDING * np.abs(paid)] = 0.0
    return np.asarray(np.bincount(label, over)[label], dtype=np.float64)


def _nth_smallest(block: Floats, number: int) -> Floats:
    """[row]: an upper bound of the n-th smallest entry, which few entries lie below."""
    height, width = block.shape
    group = 64
    whole = width // group
    if whole <= number:
        return np.partition(block, number - 1, axis=1)[:, number - 1]
    minima = block[:, : whole * group].reshape(height, whole, group).min(axis=2)
    return np.partition(minima, number - 1, axis=1)[:, number - 1]


def _joined(parts: Sequence[Lists]) -> Lists:
    """One list after the other."""
    if not parts:
        return _empty(0)
    counts = np.concatenate([part.counts for part in parts])
    return Lists(
        np.concatenate([[0], np.cumsum(counts)]),
        np.concatenate([part.people for part in parts]),
        np.concatenate([part.costs for part in parts]),
    )


def _parts(counts: Ints) -> Iterator[slice]:
    """Consecutive parts with at most `BLOCK` pairs each, or one row."""
    ends, first = np.cumsum(counts), 0
    while first < counts.size:
        last = max(first + 1, int(np.searchsorted(ends, (ends[first - 1] if first else 0) + BLOCK, side="right")))
        yield slice(first, last)
        first = last


def _empty(height: int) -> Lists:
    return Lists(np.zeros(height + 1, dtype=np.int64), np.zeros(0, dtype=np.int64), np.zeros(0))
