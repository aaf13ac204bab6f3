"""Distances between published and original rows for record linkage.

The squared distance of two rows is a weighted sum over columns: the squared difference of scaled numbers; 0 or 1 for
categories; and for a generalized cell 0 if it holds the original value.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import Literal, Self

import numpy as np
from numpy.typing import NDArray

from icefire.core.errors import Undefined
from icefire.core.ranks import mean_ranks
from icefire.microdata.cells import Cells
from icefire.microdata.data import Microdata

WIDEST = 512
"""Largest number of distinct values that are told apart. In wider columns, generalized numbers are replaced by their
midpoints, and sets of categories are hashed into this many buckets, so that a few unequal ones count as equal."""
FLOOR = 0.001
"""Least error of a column, in standard deviations: no column decides alone for being untouched."""

Unit = Literal["deviation", "rank", "raw"]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Feature(ABC):
    """A column of both tables: what a pair of a published and an original row costs in it."""

    name: str
    weight: float

    @property
    @abstractmethod
    def height(self) -> int:
        """Number of published rows."""

    @property
    @abstractmethod
    def width(self) -> int:
        """Number of original rows."""

    @abstractmethod
    def of(self, rows: Ints) -> Self:
        """The same for some of the published rows."""

    @abstractmethod
    def pairs(self, rows: Ints, people: Ints) -> Floats:
        """The cost of each pair."""

    @abstractmethod
    def block(self, rows: Ints, people: Ints) -> Floats:
        """[published row, original row]: the costs of all pairs of these."""

    @property
    @abstractmethod
    def alike(self) -> Ints:
        """The same number for published rows with the same cell."""

    @property
    def scale(self) -> Floats:
        """[published row]: the size of the numbers that its costs are differences of."""
        return np.zeros(self.height)


@dataclass(frozen=True)
class Numbers(Feature):
    """Scaled numbers, which cost the square of their difference."""

    published: Floats
    original: Floats
    cells: Ints | None = None
    """The same number for equal published rows, if that is known."""

    @property
    def height(self) -> int:
        return self.published.size

    @property
    def width(self) -> int:
        return self.original.size

    def of(self, rows: Ints) -> Self:
        return replace(self, published=self.published[rows], cells=None if self.cells is None else self.cells[rows])

    def pairs(self, rows: Ints, people: Ints) -> Floats:
        gap = self.published[rows] - self.original[people]
        return np.asarray(self.weight * gap * gap)

    def block(self, rows: Ints, people: Ints) -> Floats:
        gap = self.published[rows][:, None] - self.original[people]
        gap *= gap
        gap *= self.weight
        return gap

    @property
    def alike(self) -> Ints:
        return np.unique(self.published, return_inverse=True)[1] if self.cells is None else self.cells

    @property
    def scale(self) -> Floats:
        return np.asarray(self.weight * self.published**2)


@dataclass(frozen=True)
class Coded(Feature):
    """A column of cells and values, as codes."""

    cells: Ints
    """The cell of each published row."""
    values: Ints
    """The value of each original row."""

    @property
    def height(self) -> int:
        return self.cells.size

    @property
    def width(self) -> int:
        return self.values.size

    def of(self, rows: Ints) -> Self:
        return replace(self, cells=self.cells[rows])


@dataclass(frozen=True)
class Categories(Coded):
    """Categories and generalized cells, which have a cost for each value."""

    costs: Floats
    """[cell, value]."""

    def pairs(self, rows: Ints, people: Ints) -> Floats:
        return np.asarray(self.weight * self.costs[self.cells[rows], self.values[people]])

    def block(self, rows: Ints, people: Ints) -> Floats:
        return np.take(self.weight * self.costs[self.cells[rows]], self.values[people], axis=1)

    @property
    def alike(self) -> Ints:
        return self.cells


@dataclass(frozen=True)
class Same(Coded):
    """Categories of which each published cell is at most one: 0 for the same one, 1 for another.

    A cell is the code of its value, or negative if no original row has it.
    """

    def pairs(self, rows: Ints, people: Ints) -> Floats:
        return np.asarray(self.weight * (self.cells[rows] != self.values[people]))

    def block(self, rows: Ints, people: Ints) -> Floats:
        return np.asarray(self.weight * (self.cells[rows][:, None] != self.values[people]))

    @property
    def alike(self) -> Ints:
        return self.cells + 1


def agreement_weight(column: Feature, people: Ints) -> float:
    """How much a column should count, given the original row of each published one.

    1/(2 e^2) for a typical error e of numbers; for a category how much more often it agrees than by chance.
    """
    if isinstance(column, Numbers):
        # Not the median: a column that is right for most and far off for the others must not decide.
        error = float(np.quantile(np.abs(column.published - column.original[people]), 0.9)) / 1.645
        return 1.0 / (2.0 * max(error, FLOOR) ** 2)
    assert isinstance(column, Categories | Same)
    width = int(column.values.max()) + 1
    if isinstance(column, Same):
        agree = column.cells == column.values[people]
        fits = np.bincount(column.cells + 1, minlength=width + 1)[1 : width + 1] / column.height
    else:
        agree = column.costs[column.cells, column.values[people]] == 0
        shown = np.bincount(column.cells, minlength=len(column.costs)) / column.height
        fits = (shown @ (column.costs == 0))[:width]
    within = float(np.clip(agree.mean(), 0.02, 0.999))
    chance = float(np.clip(fits @ np.bincount(column.values, minlength=width) / column.width, 0.001, 0.98))
    return max(0.0, float(np.log(within / chance) - np.log((1 - within) / (1 - chance))))


def features(published: Microdata, knowledge: Microdata, unit: Unit = "deviation") -> list[Feature]:
    """The features of the common columns; numbers in standard deviations, as their ranks, or as they are."""
    found: list[Feature] = []
    for name in knowledge.schema.names:
        if name not in published.schema.names:
            continue
        domain = knowledge.domain(name)
        cells, codes = published.cells(name, domain), knowledge.codes(name)
        exact = published.is_numeric(name) or (unit == "rank" and name in knowledge.sa) or len(domain.values) > WIDEST
        if domain.ordinal and exact:
            found += _numbers(name, np.append(domain.positions, np.nan)[codes], cells, unit)
        else:
            found.append(_categories(name, cells, codes))
    if not found:
        raise Undefined("the published table shares no column with the original")
    return found


def _categories(name: str, cells: Cells, codes: Ints) -> Feature:
    if len(cells.domain.values) <= WIDEST:
        return Categories(name, 1.0, cells.codes, codes, cells.costs)
    if cells.single is not None:
        return Same(name, 1.0, cells.single, codes)
    costs = np.ones((len(cells.texts), WIDEST))
    for row, inside in enumerate(cells.members):
        costs[row, inside % WIDEST] = 0.0
    return Categories(name, 1.0, cells.codes, codes % WIDEST, costs)


def _numbers(name: str, original: Floats, cells: Cells, unit: Unit) -> list[Feature]:
    missing = [np.isnan(column) for column in (cells.midpoints, original)]
    columns = [_ranks(column) if unit == "rank" else column for column in (cells.midpoints, original)]
    deviation = float(np.nanstd(columns[1])) if unit != "raw" and not missing[1].all() else 1.0
    centre = float(np.nanmean(columns[1])) if not missing[1].all() else 0.0
    scaled = [np.nan_to_num((column - centre) / (deviation or 1.0)) for column in columns]
    found: list[Feature] = [Numbers(name, 1.0, scaled[0], scaled[1], cells.codes)]
    if missing[0].any() or missing[1].any():
        shown, known = (gaps.astype(np.int64) for gaps in missing)
        found.append(Same(name, 1.0, shown, known))
    return found


def _ranks(values: Floats) -> Floats:
    present = ~np.isnan(values)
    result = np.full(values.size, np.nan)
    result[present] = mean_ranks(values[present]) / max(present.sum(), 1)
    return result
