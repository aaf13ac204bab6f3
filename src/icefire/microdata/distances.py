"""Distances between published and original rows for record linkage, computed as matrix products.

The squared distance of two rows is a weighted sum over columns: the squared difference of scaled numbers; 0 or 1 for
categories; and for a generalized cell 0 if it holds the original value. All of these are inner products, so distances are
computed in blocks by a matrix product, and memory stays bounded.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from icefire.core.errors import Undefined
from icefire.core.matching import one_to_one
from icefire.core.ranks import mean_ranks
from icefire.microdata.cells import Cells, as_text
from icefire.microdata.data import CHANCES, Guess, Microdata
from icefire.microdata.partition import group_equal

BLOCK = 1 << 24
"""Number of distances in memory at a time."""
NEIGHBOURS = 40
"""Number of nearest original rows that are candidates in a one-to-one matching."""
WIDEST = 512
"""Largest number of distinct values that are encoded exactly. In wider columns, generalized numbers are replaced by their
midpoints, and categories are hashed into this many buckets, so that a few unequal categories count as equal."""
ROUNDING = 16 * float(np.finfo(np.float64).eps)
"""Costs that differ by less than this, relative to the numbers they are computed from, are equal."""
FLOOR = 0.001
"""Least error of a column, in standard deviations: no column decides alone for being untouched."""

Match = Literal["nearest", "assignment"]
Unit = Literal["deviation", "rank", "raw"]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Feature:
    """A column of both tables as feature matrices.

    Numbers are a single scaled feature; their distance is the squared difference. Otherwise `original` is the one-hot
    encoding of a row's value, and `published` the distance of the row from each value.
    """

    name: str
    published: Floats
    original: Floats
    numbers: bool
    weight: float = 1.0


def features(published: Microdata, knowledge: Microdata, unit: Unit = "deviation") -> list[Feature]:
    """The features of the common columns; numbers in standard deviations, as their ranks, or as they are."""
    found = []
    for name in knowledge.schema.names:
        if name not in published.schema.names:
            continue
        domain, cells = knowledge.domain(name), knowledge.domain(name).read(published.frame[name])
        codes = knowledge.codes(name)
        exact = published.is_numeric(name) or (unit == "rank" and name in knowledge.sa) or len(domain.values) > WIDEST
        if domain.ordinal and exact:
            found += _numbers(name, np.append(domain.positions, np.nan)[codes], cells.midpoints, unit)
        else:
            found.append(_categories(name, cells, codes))
    if not found:
        raise Undefined("the published table shares no column with the original")
    return found


def _categories(name: str, cells: Cells, codes: Ints) -> Feature:
    width = len(cells.domain.values)
    if width <= WIDEST:
        return Feature(name, cells.costs[cells.codes], np.eye(width)[codes], numbers=False)
    costs = np.ones((len(cells.texts), WIDEST))
    for row, inside in enumerate(cells.members):
        costs[row, inside % WIDEST] = 0.0
    return Feature(name, costs[cells.codes], np.eye(WIDEST)[codes % WIDEST], numbers=False)


def _numbers(name: str, original: Floats, published: Floats, unit: Unit) -> list[Feature]:
    missing = [np.isnan(column) for column in (published, original)]
    columns = [_ranks(column) if unit == "rank" else column for column in (published, original)]
    deviation = float(np.nanstd(columns[1])) if unit != "raw" and not missing[1].all() else 1.0
    centre = float(np.nanmean(columns[1])) if not missing[1].all() else 0.0
    scaled = [np.nan_to_num((column - centre) / (deviation or 1.0))[:, None] for column in columns]
    found = [Feature(name, scaled[0], scaled[1], numbers=True)]
    if missing[0].any() or missing[1].any():
        costs, one_hot = np.stack([~missing[0], missing[0]], axis=1), np.stack([missing[1], ~missing[1]], axis=1)
        found.append(Feature(name, costs.astype(np.float64), one_hot.astype(np.float64), numbers=False))
    return found


def agreement_weight(column: Feature, people: Ints) -> float:
    """How much a column should count, given the original row of each published one.

    1/(2 e^2) for a typical error e of numbers; for a category how much more often it agrees than by chance.
    """
    matched = column.original[people]
    if column.numbers:
        # Not the median: a column that is right for most and far off for the others must not decide.
        error = float(np.quantile(np.abs(column.published - matched), 0.9)) / 1.645
        return 1.0 / (2.0 * max(error, FLOOR) ** 2)
    fits = column.published == 0
    within = float(np.clip((fits & (matched > 0)).any(axis=1).mean(), 0.02, 0.999))
    chance = float(np.clip((fits.mean(axis=0) * column.original.mean(axis=0)).sum(), 0.001, 0.98))
    return max(0.0, float(np.log(within / chance) - np.log((1 - within) / (1 - chance))))


def _ranks(values: Floats) -> Floats:
    present = ~np.isnan(values)
    result = np.full(values.size, np.nan)
    result[present] = mean_ranks(values[present]) / max(present.sum(), 1)
    return result


def assigned(rows: Ints, published: Microdata, knowledge: Microdata) -> Guess:
    """A one-to-one matching as a guess. Equal rows could as well change places; its other ties are left to the draw."""
    names = [name for name in knowledge.schema.names if name in published.schema.names]
    alike, people_alike = (
        group_equal([_numbered(table.column(name)) for name in names])[2] for table in (published, knowledge)
    )
    return Guess.exchanged(rows, alike, people_alike)


def _numbered(column: pl.Series) -> Ints:
    """A number for each distinct value."""
    return as_text(column).fill_null("").rank("dense").to_numpy().astype(np.int64)


class Costs(ABC):
    """Costs of all pairs of a published and an original row, computed in blocks of published rows.

    Original rows are shuffled internally, so that ties are not broken by file order.
    """

    scale: Floats
    """[published row]: the size of the numbers that its costs are sums and differences of."""

    def __init__(self, height: int, width: int, rng: np.random.Generator) -> None:
        self.height, self.width = height, width
        self._shuffled = rng.permutation(width)

    @abstractmethod
    def block(self, part: slice) -> Floats:
        """The costs of some published rows and all original rows in shuffled order."""

    def _blocks(self) -> Iterator[tuple[slice, Floats]]:
        step = max(1, BLOCK // self.width)
        for begin in range(0, self.height, step):
            part = slice(begin, min(begin + step, self.height))
            yield part, self.block(part)

    def nearest(self) -> Ints:
        """The original row of least cost for each published row."""
        nearest: Ints = self._shuffled[np.concatenate([block.argmin(axis=1) for _, block in self._blocks()])]
        return nearest

    def smallest(self) -> Floats:
        """The least cost of each published row."""
        return np.concatenate([block.min(axis=1) for _, block in self._blocks()])

    def share_below(self, bounds: Floats) -> Floats:
        """Share of original rows whose cost is below the bound of each published row."""
        return np.concatenate([(block < bounds[part, None]).mean(axis=1) for part, block in self._blocks()])

    def two_smallest(self) -> Floats:
        """The least and the second least cost of each published row."""
        return np.concatenate([np.partition(block, 1, axis=1)[:, :2] for _, block in self._blocks()])

    def assignment(self) -> Ints:
        """The original row of each published row in a one-to-one matching of least total cost."""
        near, cost = self.neighbours(min(NEIGHBOURS, self.width))
        return one_to_one(near, cost, self.width)

    def match(self, how: Match, published: Microdata, knowledge: Microdata) -> Guess:
        """The nearest rows with their ties, or an assignment of the rows of two tables."""
        if how == "assignment":
            return assigned(self.assignment(), published, knowledge)
        rows, counts = np.empty(self.height, dtype=np.int64), np.zeros(self.height, dtype=np.int64)
        tied = []
        for part, block in self._blocks():
            least = block.min(axis=1)
            equal = block <= (least + ROUNDING * (self.scale[part] + np.abs(least)))[:, None]
            rows[part] = self._shuffled[block.argmin(axis=1)]
            counts[part] = np.count_nonzero(equal, axis=1)
            if counts.sum() <= CHANCES:
                tied.append(self._shuffled[np.flatnonzero(equal) % self.width])
        pool = np.concatenate([rows[:0], *tied])
        return Guess.among(rows, pool, np.cumsum(counts) - counts, counts, self.width)

    def neighbours(self, number: int) -> tuple[Ints, Floats]:
        """The original rows of least cost for each published row, the best first, and their costs."""
        near = np.empty((self.height, number), dtype=np.int64)
        cost = np.empty((self.height, number))
        for part, block in self._blocks():
            chosen = _smallest(block, number)
            values = np.take_along_axis(block, chosen, axis=1)
            order = np.argsort(values, axis=1, kind="stable")
            near[part] = self._shuffled[np.take_along_axis(chosen, order, axis=1)]
            cost[part] = np.take_along_axis(values, order, axis=1)
        return near, cost


class Distances(Costs):
    """Squared distances between all published and original rows."""

    def __init__(self, columns: list[Feature], rng: np.random.Generator) -> None:
        super().__init__(len(columns[0].published), len(columns[0].original), rng)
        left, right = [], []
        self._published = np.zeros(self.height)
        self._original = np.zeros(self.width)
        for column in columns:
            if column.numbers:
                root = np.sqrt(column.weight)
                a, b = column.published * root, column.original[self._shuffled] * root
                self._published += (a * a).sum(axis=1)
                self._original += (b * b).sum(axis=1)
                left.append(2 * a)
                right.append(b)
            else:
                left.append(column.published * -column.weight)
                right.append(column.original[self._shuffled])
        self._left, self._right = np.hstack(left), np.hstack(right).T.copy()
        self.scale = self._published

    def block(self, part: slice) -> Floats:
        block: Floats = self._left[part] @ self._right
        np.subtract(self._original[None, :], block, out=block)
        block += self._published[part, None]
        return np.maximum(block, 0.0, out=block)

    def pairs(self, rows: Ints, originals: Ints) -> Floats:
        """Distances of the given pairs of a published and an original row."""
        place = np.empty(self.width, dtype=np.int64)
        place[self._shuffled] = np.arange(self.width)
        at = place[originals]
        products = np.einsum("ij,ij->i", self._left[rows], self._right.T[at])
        return np.asarray(np.maximum(self._published[rows] + self._original[at] - products, 0.0))


def _smallest(block: Floats, number: int) -> Ints:
    """Columns of the smallest entries of each row, in arbitrary order."""
    height, width = block.shape
    group = 64
    whole = width // group
    if whole <= number:
        return np.argpartition(block, number - 1, axis=1)[:, :number]
    # The n-th smallest of the minima of groups is an upper bound of the n-th smallest entry, and few entries lie below it.
    minima = block[:, : whole * group].reshape(height, whole, group).min(axis=2)
    bound = np.partition(minima, number - 1, axis=1)[:, number - 1]
    rows, columns = np.nonzero(block <= bound[:, None])
    if rows.size > 8 * number * height:
        return np.argpartition(block, number - 1, axis=1)[:, :number]
    order = np.lexsort((block[rows, columns], rows))
    starts = np.searchsorted(rows, np.arange(height))
    smallest: Ints = columns[order[starts[:, None] + np.arange(number)]]
    return smallest
