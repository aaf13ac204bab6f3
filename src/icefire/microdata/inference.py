"""Guessing a sensitive value of people by their quasi-identifiers: the most frequent value among the published rows that fit.

Whoever fits no row gets the most frequent value of the whole release. Of several equally frequent values one is drawn, which
counts by its expectation.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from icefire.frames.ragged import concatenated_ranges
from icefire.microdata.cells import Codes, Floats
from icefire.microdata.covering import PAIRS, Covering

CLOSE = 1e-9
"""Sums of votes that differ by less are equal."""


@dataclass(frozen=True)
class Votes:
    """How many rows of a class hold each value: sorted by class and value, with numbers above 0."""

    classes: Codes
    values: Codes
    weights: Floats
    width: int
    """Number of values that there may be."""
    number: int
    """Number of classes; some may have no votes."""

    @classmethod
    def of(cls, classes: Codes, values: Codes, weights: Floats, width: int, number: int) -> Votes:
        """Votes of equal class and value are added up."""
        keys, place = np.unique(classes * width + values, return_inverse=True)
        added = np.bincount(place, weights, keys.size).astype(np.float64)
        return cls(keys // width, keys % width, added, width, number)

    @classmethod
    def together(cls, values: Codes, weights: Floats, width: int) -> Votes:
        """All votes as those of one class."""
        added = np.bincount(values, weights, width)
        some = np.flatnonzero(added)
        return cls(np.zeros_like(some), some, added[some].astype(np.float64), width, 1)

    @property
    def starts(self) -> Codes:
        """Index of the first vote of each class, and the number of votes."""
        return np.searchsorted(self.classes, np.arange(self.number + 1))

    @cached_property
    def _first(self) -> tuple[Floats, Codes]:
        return _top(self.classes, self.weights, self.number)

    @cached_property
    def _second(self) -> tuple[Floats, Codes]:
        below = self.weights < self._first[0][self.classes] - CLOSE
        return _top(self.classes[below], self.weights[below], self.number)

    def for_value(self, classes: Codes, values: Codes) -> Floats:
        """How many votes there are for a value of a class."""
        keys, wanted = self.classes * self.width + self.values, classes * self.width + values
        place = np.minimum(np.searchsorted(keys, wanted), max(keys.size - 1, 0))
        return np.where(keys[place] == wanted, self.weights[place], 0.0) if keys.size else np.zeros(wanted.size)

    def right(self, classes: Codes, values: Codes) -> Floats:
        """The chance that the most frequent value of a class is this one; NaN in a class without votes."""
        most, ties = (of[classes] for of in self._first)
        found = np.where(self.for_value(classes, values) >= most - CLOSE, 1.0 / np.maximum(ties, 1), 0.0)
        return np.where(ties > 0, found, np.nan)

    def right_without(self, classes: Codes, values: Codes) -> Floats:
        """The same after a vote for this value was taken away; NaN if no vote is left."""
        (most, ties), (second, followers) = (tuple(of[classes] for of in top) for top in (self._first, self._second))
        alone = (self.for_value(classes, values) >= most - CLOSE) & (ties == 1)
        ahead = np.where(most - 1 > second + CLOSE, 1.0, 1.0 / (followers + 1))
        found = np.where(alone & (most - 1 >= second - CLOSE), ahead, 0.0)
        return np.where(alone & (most <= 1 + CLOSE) & (followers == 0) | (ties == 0), np.nan, found)


def _top(classes: Codes, weights: Floats, number: int) -> tuple[Floats, Codes]:
    """The most votes for a value of each class, and how many values have so many; 0 where there are none."""
    most = np.zeros(number)
    np.maximum.at(most, classes, weights)
    return most, np.bincount(classes[weights >= most[classes] - CLOSE], minlength=number)


@dataclass(frozen=True)
class Released:
    """What the published rows say of a sensitive column: for each vote its row, the value and the weight."""

    rows: Codes
    values: Codes
    weights: Floats
    width: int
    """Number of values that there may be."""

    def successes(self, covering: Covering, values: Codes, own: Codes | None = None) -> tuple[Floats, Floats]:
        """The chance of guessing the value of each person, with all published rows, and without the person's own (`own`).

        Without own rows, both are the same.
        """
        classes, groups = (np.concatenate(parts) for parts in zip(*covering.pairs(PAIRS), strict=True))
        unions, union_of = _unions(classes, groups, self._votes(covering, classes), covering.people.size)
        everybody = Votes.together(self.values, self.weights, self.width)
        place, whole = union_of[covering.group_of], np.zeros(values.size, dtype=np.int64)
        inside = unions.right(place, values)
        found = np.where(np.isnan(inside), everybody.right(whole, values), inside)
        if own is None:
            return found, found
        number = covering.people.size
        fits = np.isin(covering.class_of[own] * number + covering.group_of, classes * number + groups)
        outside = np.where(fits, unions.right_without(place, values), inside)
        without = np.where(np.isnan(outside), everybody.right_without(whole, values), outside)
        # Where nobody else is in the table, there is nothing to guess from.
        return found, np.nan_to_num(without)

    def _votes(self, covering: Covering, classes: Codes) -> Votes:
        """The votes of the classes that cover somebody."""
        used = np.zeros(covering.sizes.size, dtype=np.bool_)
        used[classes] = True
        mine = used[covering.class_of[self.rows]]
        of_class = covering.class_of[self.rows[mine]]
        return Votes.of(of_class, self.values[mine], self.weights[mine], self.width, covering.sizes.size)


def _unions(classes: Codes, groups: Codes, votes: Votes, number: int) -> tuple[Votes, Codes]:
    """The votes of all classes that cover a group together, and which of these unions is that of each group.

    Groups that the same classes cover share a union, so that the votes of a class which covers many are added up once.
    """
    order = np.lexsort((classes, groups))
    classes, groups = classes[order], groups[order]
    ends = np.searchsorted(groups, np.arange(number + 1))
    known: dict[bytes, int] = {}
    union_of = np.empty(number, dtype=np.int64)
    for group in range(number):
        union_of[group] = known.setdefault(classes[ends[group] : ends[group + 1]].tobytes(), len(known))
    members = [np.frombuffer(union, dtype=np.int64) for union in known]
    chosen, union = np.concatenate(members), np.repeat(np.arange(len(members)), [part.size for part in members])
    starts = votes.starts
    counts = np.diff(starts)[chosen]
    rows = concatenated_ranges(starts[:-1][chosen], counts)
    added = Votes.of(np.repeat(union, counts), votes.values[rows], votes.weights[rows], votes.width, len(members))
    return added, union_of
