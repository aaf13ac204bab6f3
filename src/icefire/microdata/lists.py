"""Lists of original rows for published rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from icefire.frames.ragged import concatenated_ranges
from icefire.microdata.distances import Floats, Ints

BLOCK = 1 << 22
"""Number of pairs in memory at a time."""


@dataclass(frozen=True)
class Lists:
    """The best original rows of each published row, the best first; with all that tie with the best."""

    starts: Ints
    people: Ints
    costs: Floats
    rest: Floats
    """[row]: nobody who is not listed costs less."""

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

    def left_out(self, most: Ints) -> Floats:
        """How much more than the nearest the first one costs who is left out if lists are cut; infinite where nobody is."""
        found = np.full(self.counts.size, np.inf)
        cut = self.counts > most
        found[cut] = self.costs[(self.starts[:-1] + most)[cut]] - self.least[cut]
        return found

    def only(self, rows: Ints) -> Lists:
        counts = self.counts[rows]
        places = concatenated_ranges(self.starts[:-1][rows], counts)
        return Lists.of(counts, self.people[places], self.costs[places], self.rest[rows])

    def plus(self, amounts: Floats) -> Lists:
        """The same where everybody costs so much more in each row."""
        return Lists(self.starts, self.people, self.costs + np.repeat(amounts, self.counts), self.rest + amounts)

    def replaced(self, rows: Ints, other: Lists) -> Lists:
        """The same with other lists for some rows."""
        if not rows.size:
            return self
        height = self.counts.size
        both = Lists.joined([self, other])
        chosen = np.arange(height)
        chosen[rows] = height + np.arange(rows.size)
        return both.only(chosen)

    @classmethod
    def of(cls, counts: Ints, people: Ints, costs: Floats, rest: Floats) -> Lists:
        return cls(np.concatenate([[0], np.cumsum(counts)]), people, costs, rest)

    @classmethod
    def empty(cls, height: int) -> Lists:
        starts, people = (np.zeros(size, dtype=np.int64) for size in (height + 1, 0))
        return cls(starts, people, np.zeros(0), np.full(height, -np.inf))

    @classmethod
    def joined(cls, parts: Sequence[Lists]) -> Lists:
        """The lists of some rows, and then those of others."""
        if not parts:
            return cls.empty(0)
        fields = zip(*((part.counts, part.people, part.costs, part.rest) for part in parts), strict=True)
        counts, people, costs, rest = (np.concatenate(field) for field in fields)
        return cls.of(counts, people, costs, rest)


def parts_of(counts: Ints) -> Iterator[slice]:
    """Consecutive parts with at most `BLOCK` pairs each, or one row."""
    ends, first = np.cumsum(counts), 0
    while first < counts.size:
        last = max(first + 1, int(np.searchsorted(ends, (ends[first - 1] if first else 0) + BLOCK, side="right")))
        yield slice(first, last)
        first = last
