"""What pairs of a published and an original row cost, and who is matched by that."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Literal

import numpy as np
from scipy import sparse

from icefire.core.budget import current
from icefire.core.matching import NONE, connected, holds, sparse_matching
from icefire.frames.ragged import offsets
from icefire.microdata.data import CHANCES, Chances, Guess, Microdata
from icefire.microdata.distances import Floats, Ints
from icefire.microdata.lists import BLOCK, Lists
from icefire.microdata.partition import group_equal

NEIGHBOURS, MORE = 40, 4
"""Number of nearest original rows that are candidates in a one-to-one matching, and how many times more if they do not do."""
LISTED = 8_000_000
"""Most pairs in a one-to-one matching at first; beyond it, published rows are sampled."""
ROUNDING = 16 * float(np.finfo(np.float64).eps)
"""Costs that differ by less than this, relative to the numbers they are computed from, are equal."""
ROUNDS = 10
"""How often the lists of a one-to-one matching are made longer, at most."""
PAIR = 50
"""Comparisons of cells that a pair takes in a one-to-one matching, roughly."""

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
        self.budget = current()
        self.samples = math.isfinite(self.budget.minutes)
        """Whether some rows may be sampled: guess files have an answer for every row, whatever it takes."""

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
        return Chances.made(shares, self.which)

    def _ties(self, lists: Lists) -> Lists:
        rows = np.repeat(np.arange(lists.counts.size), lists.counts)
        equal = lists.costs <= (lists.least + self._slack(np.arange(lists.counts.size), lists.least))[rows]
        counts = np.bincount(rows[equal], minlength=lists.counts.size)
        return Lists.of(counts, lists.people[equal], lists.costs[equal], lists.rest)

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
        """A one-to-one matching of least total cost, as far as the budget goes."""
        lists = self.best(NEIGHBOURS, ties=True)
        asked = self._listed_rows(lists)
        kept = self.which[asked]
        if self.asked is not None:
            rows = np.unique(kept)
            lists = Lists.empty(self.first.size).replaced(rows, lists.only(rows))
        chosen, lists = self._matched(lists, kept)
        first = lists.people[np.minimum(lists.starts[:-1][kept], lists.people.size - 1)]
        found = np.zeros(self.height, dtype=np.int64)
        found[asked] = np.where(chosen == NONE, first, chosen)
        guess = assigned(found, published, knowledge) if self.asked is None else Guess(found)
        return Guess(guess.rows, guess.chances, self.asked)

    def _listed_rows(self, lists: Lists) -> Ints:
        """The published rows that are matched: all or, where they have too many candidates, a sample."""
        rows = np.arange(self.height) if self.asked is None else self.asked
        listed = int(np.minimum(lists.counts, NEIGHBOURS)[self.which[rows]].sum())
        if self.samples and listed > LISTED:
            number = max(1, int(rows.size * (LISTED / listed)))
            rows = self.asked = rows[np.sort(self.rng.choice(rows.size, number, replace=False))]
        return rows

    def _matched(self, lists: Lists, kept: Ints) -> tuple[Ints, Lists]:
        """The original row of each of the published ones, NONE for those that have no candidate left; and their candidates."""
        shape = kept.size, self.width
        # Where many share their candidates, nobody may be left for some of them if the lists are cut.
        whole = int(lists.counts[kept].sum()) <= 2 * LISTED
        most = np.maximum(lists.counts, NEIGHBOURS) if whole else np.full(self.first.size, NEIGHBOURS)
        chosen, changed, label = np.full(kept.size, NONE), np.ones(kept.size, dtype=np.bool_), None
        for _ in range(ROUNDS):
            rows, people, costs = self._pairs(lists, kept, most)
            if not changed.all():
                # Rows that share nobody with a row of a longer list keep whom they have.
                label = connected(rows, people, shape)
                changed = holds(label, changed)
            if changed.any():
                open_pairs = changed[rows]
                found = sparse_matching(rows[open_pairs], people[open_pairs], costs[open_pairs], shape)
                chosen = np.where(changed, found, chosen)
            self.budget.spend(PAIR * rows.size)
            gaps = np.zeros(self.first.size)
            np.maximum.at(gaps, kept, _gaps(rows, people, costs, chosen, lists.least[kept], self.width, label))
            # Somebody who was left out costs so much more than the nearest that the matching cannot become cheaper.
            cut = (lists.counts > most) & (lists.left_out(most) <= gaps) & (gaps > 0.0)
            short = np.unique(kept[(lists.rest < lists.least + gaps)[kept]])
            before = np.minimum(lists.counts, most)
            if cut[kept].any():
                most[cut] *= MORE
            elif short.size:
                number = max(NEIGHBOURS, MORE * int(lists.counts[short].max(initial=1)))
                lists = self._longer(lists, short, (lists.least + gaps)[short], number)
                most = np.maximum(most, np.where(lists.counts > before, lists.counts, 0))
            else:
                break
            after = np.minimum(lists.counts, most)
            if self.budget.left <= 0 or after[kept].sum() > MORE * LISTED:
                break
            changed = (after > before)[kept]
        return chosen, lists

    def _longer(self, lists: Lists, rows: Ints, bounds: Floats, number: int) -> Lists:
        """The same with longer lists for some distinct rows, up to so many candidates or as much as these may cost."""
        rows = rows[: self.budget.affords(rows.size, float(self.width * self.columns))]
        return lists.replaced(rows, self._compared(rows, number))

    def _pairs(self, lists: Lists, rows: Ints, most: Ints) -> tuple[Ints, Ints, Floats]:
        """Published rows, their candidates, at most so many for each distinct row, and the costs.

        Rows that share a list begin at different ties.
        """
        counts = np.minimum(lists.counts, most)[rows]
        tied = self._ties(lists).counts[rows]
        order = np.argsort(rows, kind="stable")
        turn = np.empty(rows.size, dtype=np.int64)
        turn[order] = np.arange(rows.size) - np.searchsorted(rows[order], rows[order])
        row = np.repeat(np.arange(rows.size), counts)
        place = np.arange(row.size) - offsets(counts)[row]
        ties = np.maximum(tied, 1)[row]
        place = np.where(place < ties, (place + turn[row]) % ties, place) + lists.starts[:-1][rows][row]
        return row, lists.people[place], lists.costs[place]

    def near(self) -> Ints:
        """[published row, place]: the nearest original rows; NONE where others are farther than a cell that does not fit."""
        lists = self.best(NEIGHBOURS)
        counts = np.minimum(lists.counts, NEIGHBOURS)[self.which]
        rows, people, _ = self._pairs(lists, self.which, np.full(self.first.size, NEIGHBOURS))
        found = np.full((self.height, int(counts.max(initial=1))), NONE)
        found[rows, np.arange(rows.size) - offsets(counts)[rows]] = people
        return found

    def neighbours(self, number: int) -> tuple[Ints, Floats]:
        """The original rows of least cost for each published row, the best first, and their costs."""
        lists = self._compared(np.arange(self.first.size), number)
        at = lists.starts[:-1][self.which][:, None] + np.arange(number)
        return lists.people[at], lists.costs[at]

    def best(self, number: int, ties: bool = False) -> Lists:
        """The lists of distinct published rows; empty for rows that were not asked for.

        ties: nobody but those who tie with the best has to be listed, where others are easily found later.
        """
        rows = np.arange(self.first.size)
        kept = self._asked_of(rows, float(rows.size), anew=self.asked is None)
        return Lists.empty(rows.size).replaced(kept, self._compared(kept, number))

    def _asked_of(self, rows: Ints, hard: float, anew: bool) -> Ints:
        """Those of the distinct rows that are within the budget, if so many of them are compared with everybody.

        anew: whether they were not yet compared.
        """
        if anew:
            asked = np.arange(self.height) if self.asked is None else self.asked
            work = hard * self.width * self.columns * asked.size / max(1, rows.size)
            some = self.budget.sample(asked.size, work, self.rng)
            self.asked = self.asked if some is None else asked[some]
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
            others = np.where(counts < self.width, bounds, np.inf)
            parts.append(self._chosen(part, counts, people, block[places, people], others, number))
        return Lists.joined(parts)

    def _chosen(self, rows: Ints, counts: Ints, people: Ints, costs: Floats, others: Floats, number: int) -> Lists:
        """The best of the given candidates of each distinct row; it is known what all others cost at least."""
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
        costs = costs[kept]
        last = costs[np.maximum(np.cumsum(left) - 1, 0)] if costs.size else np.zeros(rows.size)
        return Lists.of(left, people[kept], costs, np.where(left < counts, np.minimum(others, last), others))


def assigned(rows: Ints, published: Microdata, knowledge: Microdata) -> Guess:
    """A one-to-one matching as a guess. Equal rows could as well change places; its other ties are left to the draw."""
    names = [name for name in knowledge.schema.names if name in published.schema.names]
    alike, people_alike = (group_equal([table.codes(name) for name in names])[2] for table in (published, knowledge))
    return Guess.exchanged(rows, alike, people_alike)


def _gaps(
    rows: Ints, people: Ints, costs: Floats, chosen: Ints, least: Floats, width: int, label: Ints | None
) -> Floats:
    """[row]: how much more than their nearest all rows cost together that share candidates with it, or with rows that do.

    label: the same number for such rows, if that is known.
    """
    taken = people == chosen[rows]
    paid = np.bincount(rows[taken], costs[taken], minlength=chosen.size)
    # Where everybody is taken, nobody can be found for the others.
    alone = np.inf if np.count_nonzero(chosen != NONE) < width else 0.0
    over = np.where(chosen == NONE, alone, np.maximum(paid - least, 0.0))
    # Rounding is not a gap.
    over[over <= ROUNDING * np.abs(paid)] = 0.0
    if not over.any():
        return over
    if label is None:
        label = connected(rows, people, (chosen.size, width))
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
