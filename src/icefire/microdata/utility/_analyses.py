"""What analysts compute of a release: cells are read as the values that they may stand for, all alike.

    W[i, g] = 1 / |cell i|  for each value of cell i that belongs to group g

of a quasi-identifier. A group's size is sum_i W[i, g], its mean of an amount y is
sum_i W[i, g] y_i / sum_i W[i, g].
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from icefire.core.errors import Undefined
from icefire.core.seeds import generator
from icefire.microdata.cells import Codes, Domain, Floats
from icefire.microdata.data import Microdata, Release

GROUPS = 8
"""Groups of a column: its most frequent values, the others together; numbers by equal frequency."""
MAX_ROWS = 100_000
"""Rows beyond which analyses are made of a sample of this size."""


@dataclass(frozen=True)
class Grouping:
    """The values of a column in groups."""

    domain: Domain
    of_value: Codes
    """[value]: its group."""
    number: int

    @classmethod
    def of(cls, original: Microdata, name: str) -> Grouping:
        domain = original.domain(name)
        if domain.ordinal and len(domain.values) > GROUPS:
            middle = domain.counts.cumsum() - domain.counts / 2
            group = (middle / domain.counts.sum() * (GROUPS // 2)).astype(np.int64)
        else:
            order = np.argsort(-domain.counts, kind="stable")
            group = np.empty(order.size, dtype=np.int64)
            group[order] = np.minimum(np.arange(order.size), GROUPS - 1)
        _, group = np.unique(group, return_inverse=True)
        return cls(domain, group, int(group.max()) + 1)

    def before(self, codes: Codes) -> Floats:
        return np.eye(self.number)[self.of_value[codes]]

    @cached_property
    def everything(self) -> Floats:
        return np.bincount(self.of_value, minlength=self.number) / self.of_value.size


@dataclass(frozen=True)
class Analyses:
    """The groups and amounts of a table and of its release, of the same people where they can be sampled."""

    original: Microdata
    release: Release

    @cached_property
    def _rows(self) -> tuple[Codes, Codes]:
        """The original and the published rows that are looked at."""
        rng = generator(0, "analyses")
        before, after = np.arange(self.original.height), np.arange(self.release.rows.size)
        return _draw(before, rng), _draw(after, rng)

    def groups(self, name: str) -> tuple[Floats, Floats]:
        """[row, group] of the original and of the release; what is not published may be anything."""
        grouping = Grouping.of(self.original, name)
        before, after = self._rows
        known = grouping.before(self.original.codes(name)[before])
        if name not in self.release.published.schema.names:
            return known, np.tile(grouping.everything, (after.size, 1))
        cells = self.release.cells(name)
        weights = np.zeros((len(cells.texts), grouping.number))
        for row, members in enumerate(cells.members):
            of_members = grouping.of_value[members]
            counts = np.bincount(of_members, minlength=grouping.number)
            weights[row] = counts / members.size if members.size else grouping.everything
        return known, weights[cells.codes[after]]

    def amounts(self, name: str) -> tuple[Floats, Floats]:
        """[row] of the original and of the release, cells by their midpoints; NaN where missing."""
        domain = self.original.domain(name)
        before, after = self._rows
        positions = np.append(domain.positions, np.nan)
        known = positions[self.original.codes(name)[before]]
        if name not in self.release.published.schema.names:
            return known, np.full(after.size, np.nan)
        return known, self.release.cells(name).midpoints[after]

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Each quasi-identifier with each sensitive amount."""
        if not self.original.qi or not self.original.numeric_sa:
            raise Undefined("means by group need a quasi-identifier and a sensitive amount")
        for name in self.original.qi:
            for amount in self.original.numeric_sa:
                yield name, amount


def _draw(rows: Codes, rng: np.random.Generator) -> Codes:
    if rows.size <= MAX_ROWS:
        return rows
    return np.sort(rng.choice(rows, MAX_ROWS, replace=False))


def mean_by_group(groups: Floats, amounts: Floats) -> Floats:
    """[group]: the mean of the amounts; NaN for a group without any."""
    present = ~np.isnan(amounts)
    sizes = groups[present].sum(axis=0)
    sums = groups[present].T @ amounts[present]
    means: Floats = np.divide(sums, sizes, out=np.full(sizes.size, np.nan), where=sizes > 0)
    return means


def design(columns: Sequence[Floats]) -> Floats:
    """The matrix of a regression on groups: an intercept, and each group but the first of its column."""
    parts = [np.ones((columns[0].shape[0], 1)), *(groups[:, 1:] for groups in columns)]
    return np.concatenate(parts, axis=1)
