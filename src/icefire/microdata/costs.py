"""What pairs of a published and an original row cost, and who is matched by that."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Literal

import numpy as np
from scipy import sparse

from icefire.core.budget import current
from icefire.core.matching import NONE, connected, matching
from icefire.microdata.data import CHANCES, Chances, Guess, Microdata
from icefire.microdata.distances import Floats, Ints
from icefire.microdata.lists import BLOCK, Lists
from icefire.microdata.partition import group_equal

NEIGHBOURS = 40
"""Number of nearest original rows that are candidates in a one-to-one matching."""
LISTED = 8_000_000
"""Most pairs in a one-to-one matching; beyond it, published rows are sampled."""
ROUNDING = 16 * float(np.finfo(np.float64).eps)
"""Costs that differ by less than this, relative to the numbers they are computed from, are equal."""
ROUNDS = 5
"""How often the lists of a one-to-one matching are made longer."""

Match = Literal["nearest", "assignment"]


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
        return Lists.of(counts, lists.people[equal], lists.costs[equal])

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
        """The least cost of each published row; infinite where rows were sampled and it is not among them."""
        return self.best(1).least[self.which]

    def _assigned(self, published: Microdata, knowledge: Microdata) -> Guess:
        """A one-to-one matching of least total cost."""
        lists = self.best(NEIGHBOURS)
        listed = int(np.minimum(lists.counts, NEIGHBOURS)[self.which].sum())
        if self.asked is None and listed > LISTED:
            number = max(1, int(self.height * (LISTED / listed)))
            self.asked = np.sort(self.rng.choice(self.height, number, replace=False))
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
        return Lists.empty(rows.size).replaced(kept, self._compared(kept, number))

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
        return Lists.joined(parts)

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
        return Lists.of(left, people[kept], costs[kept])


def assigned(rows: Ints, published: Microdata, knowledge: Microdata) -> Guess:
    """A one-to-one matching as a guess. Equal rows could as well change places; its other ties are left to the draw."""
    names = [name for name in knowledge.schema.names if name in published.schema.names]
    alike, people_alike = (group_equal([table.codes(name) for name in names])[2] for table in (published, knowledge))
    return Guess.exchanged(rows, alike, people_alike)


def _gaps(near: Ints, cost: Floats, chosen: Ints, width: int) -> Floats:
    """[row]: how much more than their nearest all rows cost together that share candidates with it, or with rows that do."""
    least = np.where(near != NONE, cost, np.inf).min(axis=1)
    paid = np.where(near == chosen[:, None], cost, 0.0).sum(axis=1)
    over = np.where(chosen == NONE, np.inf, np.maximum(paid - least, 0.0))
    # Rounding is not a gap.
    over[over <= ROUNDING * np.abs(paid)] = 0.0
    if not over.any():
        return over
    label = connected(near, width)
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
