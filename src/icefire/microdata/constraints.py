"""Privacy models of equivalence classes: k-anonymity, l-diversity, t-closeness, (alpha, k)-anonymity, beta-likeness and
delta-disclosure.

All are computed from the counts of sensitive values in each class. The same functions serve as metrics of a published table
and as constraints of the algorithms that make one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from icefire.microdata.cells import Codes

Floats = NDArray[np.float64]
Diversity = Literal["distinct", "entropy", "recursive"]


@dataclass(frozen=True)
class Counts:
    """Counts of sensitive values by equivalence class, sparse, sorted by class and then by value."""

    classes: Codes
    values: Codes
    counts: Codes
    class_number: int
    """Number of classes."""

    @classmethod
    def of_rows(cls, classes: Codes, values: Codes, class_number: int, weights: Codes | None = None) -> Counts:
        """Counts from the class and the sensitive value of each row."""
        width = int(values.max(initial=0)) + 1
        key, place = np.unique(classes * width + values, return_inverse=True)
        return cls(key // width, key % width, np.bincount(place, weights).astype(np.int64), class_number)

    @classmethod
    def of_pairs(cls, classes: Codes, values: Codes, counts: Codes, class_number: int) -> Counts:
        """Counts from distinct (class, value) pairs."""
        order = np.argsort(classes * (int(values.max(initial=0)) + 1) + values)
        return cls(classes[order], values[order], counts[order], class_number)

    @property
    def sizes(self) -> Codes:
        return np.bincount(self.classes, self.counts, self.class_number).astype(np.int64)

    @property
    def shares(self) -> Floats:
        """Relative frequency of each value in its class."""
        return self.counts / self.sizes[self.classes]


def distinct(counts: Counts) -> Floats:
    """Number of distinct sensitive values in each class."""
    return np.bincount(counts.classes, minlength=counts.class_number).astype(np.float64)


def entropy(counts: Counts) -> Floats:
    """exp(entropy) of the sensitive values in each class: the largest l of entropy l-diversity."""
    shares = counts.shares
    return np.exp(np.bincount(counts.classes, -shares * np.log(shares), counts.class_number))


def recursive(counts: Counts, l: int) -> Floats:  # noqa: E741
    """r_1 / (r_l + ... + r_m) of each class, counts in descending order; recursive (c, l)-diversity is a ratio below c."""
    order = np.lexsort((-counts.counts, counts.classes))
    classes, ordered = counts.classes[order], counts.counts[order].astype(np.float64)
    starts = np.searchsorted(classes, np.arange(counts.class_number))
    place = np.arange(classes.size) - starts[classes]
    largest = np.bincount(classes, np.where(place == 0, ordered, 0.0), counts.class_number)
    tail = np.bincount(classes, np.where(place >= l - 1, ordered, 0.0), counts.class_number)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(tail > 0, largest / tail, np.inf)


def distance_to_whole(counts: Counts, whole: Floats, ordered: bool) -> Floats:
    """Earth mover's distance between the sensitive values of each class and those of the whole table (t-closeness).

    Unordered: half the sum of absolute differences. Ordered: sum of absolute cumulative differences / (m - 1).
    """
    shares = counts.shares
    if not ordered:
        change = np.abs(shares - whole[counts.values]) - whole[counts.values]
        return np.asarray(0.5 * (1.0 + np.bincount(counts.classes, change, counts.class_number)))
    if whole.size < 2:
        return np.zeros(counts.class_number)
    return _ordered_distance(counts, shares, whole)


def _ordered_distance(counts: Counts, shares: Floats, whole: Floats) -> Floats:
    # Between two values of a class its cumulative share is constant, while that of the table increases. The sum of absolute
    # differences over such a stretch is split where the two cross, and prefix sums give both parts.
    rising = np.minimum(np.cumsum(whole), 1.0)
    prefix = np.concatenate([[0.0], np.cumsum(rising)])
    running = np.cumsum(shares)
    first = np.searchsorted(counts.classes, np.arange(counts.class_number))
    before = np.where(first > 0, running[first - 1], 0.0)
    inside = running - before[counts.classes]
    following = np.append(counts.values[1:], 0)
    last = np.append(counts.classes[1:] != counts.classes[:-1], True)
    begin, end = counts.values, np.where(last, whole.size, following)
    cross = np.clip(np.searchsorted(rising, inside), begin, end)
    stretch = (
        inside * (cross - begin)
        - (prefix[cross] - prefix[begin])
        + (prefix[end] - prefix[cross])
        - inside * (end - cross)
    )
    # A class without rows has no first value. Its result does not matter: it fails k-anonymity.
    smallest = counts.values[np.minimum(first, counts.values.size - 1)]
    total = np.bincount(counts.classes, stretch, counts.class_number) + prefix[smallest]
    return np.asarray(total / (whole.size - 1))


def largest_share(counts: Counts) -> Floats:
    """Share of the most frequent sensitive value in each class: the alpha of (alpha, k)-anonymity."""
    return _largest(counts, counts.shares)


def largest_gain(counts: Counts, whole: Floats) -> Floats:
    """By how much a sensitive value is more frequent in each class than in the whole table, relative to the latter, at most
    (beta-likeness); 0 if none is."""
    return _largest(counts, counts.shares / whole[counts.values] - 1.0)


def largest_log_ratio(counts: Counts, whole: Floats) -> Floats:
    """The largest |log(share in the class / share in the whole table)| of a sensitive value (delta-disclosure).

    Infinite in a class without some value of the table.
    """
    ratios = _largest(counts, np.abs(np.log(counts.shares / whole[counts.values])))
    return np.where(distinct(counts) < np.count_nonzero(whole), np.inf, ratios)


def _largest(counts: Counts, values: Floats) -> Floats:
    """The largest value of each class, at least 0."""
    found = np.zeros(counts.class_number)
    np.maximum.at(found, counts.classes, values)
    return found


@dataclass(frozen=True)
class Constraint:
    """k-anonymity, optionally with further models that look at a sensitive column."""

    k: int
    values: Codes | None = None
    """The sensitive value of each row, as a code."""
    whole: Floats | None = None
    """Distribution of the sensitive values in the whole table."""
    ordered: bool = False
    diversity: Diversity | None = None
    l: int = 2  # noqa: E741
    c: float = 1.0
    t: float | None = None
    alpha: float | None = None
    beta: float | None = None
    delta: float | None = None
    exempt: float = 1.0
    """Values that are more frequent than this in the whole table are exempt from `alpha`."""
    others: tuple[Constraint, ...] = ()
    """Constraints on further sensitive columns, which hold as well."""

    @property
    def keys(self) -> list[Codes]:
        """The sensitive values that it looks at, one array for each column."""
        return [part.values for part in (self, *self.others) if part.values is not None]

    def at(self, rows: NDArray[np.int64]) -> Constraint:
        """The constraint for some of the rows."""
        values = None if self.values is None else self.values[rows]
        return replace(self, values=values, others=tuple(part.at(rows) for part in self.others))

    def holds_for(
        self, classes: Codes, class_number: int, weights: Codes | None = None, rows: Codes | None = None
    ) -> NDArray[np.bool_]:
        """Which classes satisfy the constraint; a row (or each of `rows`) has a class and stands for so many."""
        fine = np.ones(class_number, dtype=np.bool_)
        for part in (self, *self.others):
            assert part.values is not None
            values = part.values if rows is None else part.values[rows]
            fine &= part.holds(Counts.of_rows(classes, values, class_number, weights))
        return fine

    @property
    def _of_shares(self) -> bool:
        return any(bound is not None for bound in (self.t, self.alpha, self.beta, self.delta))

    @property
    def only_sizes(self) -> bool:
        """Whether the constraint is k-anonymity alone."""
        return self.diversity is None and not self._of_shares

    @property
    def suppression_is_monotone(self) -> bool:
        """Whether coarser classes never need more suppression: true for k-anonymity and distinct l-diversity."""
        return not self._of_shares and self.diversity in (None, "distinct")

    def holds(self, counts: Counts) -> NDArray[np.bool_]:
        """Which classes satisfy the constraint."""
        fine = counts.sizes >= self.k
        if self.diversity == "distinct":
            fine &= distinct(counts) >= self.l
        elif self.diversity == "entropy":
            fine &= entropy(counts) >= self.l - 1e-12
        elif self.diversity == "recursive":
            fine &= recursive(counts, self.l) < self.c
        if self.t is not None and self.whole is not None:
            fine &= distance_to_whole(counts, self.whole, self.ordered) <= self.t + 1e-12
        if self.alpha is not None:
            shares = counts.shares
            if self.whole is not None:
                shares = np.where(self.whole[counts.values] > self.exempt, 0.0, shares)
            fine &= _largest(counts, shares) <= self.alpha + 1e-12
        if self.beta is not None and self.whole is not None:
            fine &= largest_gain(counts, self.whole) <= self.beta + 1e-12
        if self.delta is not None and self.whole is not None:
            fine &= largest_log_ratio(counts, self.whole) <= self.delta + 1e-12
        return fine
