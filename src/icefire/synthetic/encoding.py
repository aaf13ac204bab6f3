"""Tables as numbers: coordinates for Gower's distance, and codes of bins for counting."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
import polars.selectors as cs
from numpy.typing import NDArray

from icefire.synthetic.data import Ints

Coordinates = NDArray[np.float32]
Codes = NDArray[np.int32]
ABSENT = 2.0
"""Coordinate of a missing number: farther than any other from those that are there."""
BINS = 20
"""Bins of a number, with about as many rows in each."""
TELLING = 12
"""Different numbers that tell on which grid they lie: they are all even by chance once in 4,096 times."""
DIGITS = 12
"""Digits of a number that are compared."""


@dataclass(frozen=True)
class Points:
    """[row, column] of several tables in one space. The distance of two rows is the mean over columns of |a - b|, at most 1,
    for numbers scaled to their range, and of 0 or 1 for texts (Gower)."""

    tables: tuple[Coordinates, ...]
    categorical: NDArray[np.bool_]
    """[column]."""


def points(tables: Sequence[pl.DataFrame], names: Sequence[str]) -> Points:
    """The named columns of several tables as coordinates.

    >>> both = points([pl.DataFrame({"a": [0, 5], "b": ["x", "y"]}), pl.DataFrame({"a": [10], "b": ["y"]})], ["a", "b"])
    >>> both.tables[0].tolist(), both.tables[1].tolist()
    ([[0.0, 0.0], [0.5, 1.0]], [[1.0, 1.0]])
    """
    filled = [np.empty((table.height, len(names)), dtype=np.float32) for table in tables]
    categorical = np.zeros(len(names), dtype=np.bool_)
    for place, name in enumerate(names):
        columns = [table[name] for table in tables]
        categorical[place] = not columns[0].dtype.is_numeric()
        held = _coded(columns) if categorical[place] else _scaled(columns)
        for target, values in zip(filled, held, strict=True):
            target[:, place] = values
    return Points(tuple(filled), categorical)


def _coded(columns: Sequence[pl.Series]) -> list[Ints]:
    """Texts as numbers from 0; a missing one is a value of its own."""
    values = pl.concat([column.cast(pl.String) for column in columns]).unique().drop_nulls().sort()
    kind = pl.Enum(values)
    return [
        column.cast(pl.String).cast(kind).to_physical().cast(pl.Int64).fill_null(len(values)).to_numpy()
        for column in columns
    ]


def _numbers(column: pl.Series) -> NDArray[np.float64]:
    return column.cast(pl.Float64).fill_null(float("nan")).to_numpy()


def _scaled(columns: Sequence[pl.Series]) -> list[NDArray[np.float64]]:
    numbers = [_numbers(column) for column in columns]
    there = np.concatenate([values[~np.isnan(values)] for values in numbers])
    low = there.min() if there.size else 0.0
    width = (there.max() - low if there.size else 0.0) or 1.0
    return [np.where(np.isnan(values), ABSENT, (values - low) / width) for values in numbers]


@dataclass(frozen=True)
class Binned:
    """[row, column] of several tables as codes from 0."""

    tables: tuple[Codes, ...]
    sizes: tuple[int, ...]
    """[column]: the number of codes."""


def binned(tables: Sequence[pl.DataFrame], names: Sequence[str], bins: int = BINS) -> Binned:
    """Texts by their value, numbers by quantiles of the first table; what is missing has a code of its own.

    >>> binned([pl.DataFrame({"a": [1, 2, 3, 4, None]})], ["a"], bins=2).tables[0].ravel().tolist()
    [0, 0, 1, 1, 2]
    """
    return _encoded(tables, names, lambda columns: _quantiles(columns, bins))


def _encoded(
    tables: Sequence[pl.DataFrame], names: Sequence[str], numbered: Callable[[Sequence[pl.Series]], list[Ints]]
) -> Binned:
    """Texts by their value, numbers as they are `numbered`."""
    filled = [np.empty((table.height, len(names)), dtype=np.int32) for table in tables]
    sizes = []
    for place, name in enumerate(names):
        columns = [table[name] for table in tables]
        held = numbered(columns) if columns[0].dtype.is_numeric() else _coded(columns)
        for target, values in zip(filled, held, strict=True):
            target[:, place] = values
        sizes.append(1 + max(int(values.max(initial=0)) for values in held))
    return Binned(tuple(filled), tuple(sizes))


def edges_of(column: pl.Series, bins: int = BINS) -> NDArray[np.float64]:
    """Where bins of a number end: the last number of each but the last bin.

    >>> edges_of(pl.Series([1, 2, 3, 4, None]), bins=2).tolist()
    [2.5]
    """
    numbers = _numbers(column)
    there = numbers[~np.isnan(numbers)]
    return np.unique(np.quantile(there, np.linspace(0, 1, bins + 1)[1:-1])) if there.size else np.zeros(0)


def _quantiles(columns: Sequence[pl.Series], bins: int) -> list[Ints]:
    numbers = [_numbers(column) for column in columns]
    edges = edges_of(columns[0], bins)
    return [
        np.where(np.isnan(values), edges.size + 1, np.searchsorted(edges, values, side="left")) for values in numbers
    ]


def exact(tables: Sequence[pl.DataFrame], names: Sequence[str]) -> Binned:
    """Texts and numbers by their value. Numbers are rounded to the coarser one of the grids on which the first two tables hold
    them: what was published as a whole number is the same as what it was rounded from. What is missing has a code of its own.

    >>> exact([pl.DataFrame({"a": [1.25, 2.5, None]}), pl.DataFrame({"a": [2.5, 1.25, 7.0]})], ["a"]).tables[1].ravel().tolist()
    [1, 0, 2]
    """
    return _encoded(tables, names, _rounded)


def _rounded(columns: Sequence[pl.Series]) -> list[Ints]:
    numbers = [_numbers(column) for column in columns]
    step = max(grid(values) for values in numbers[:2])
    together = np.concatenate(numbers)
    # Missing numbers are equal to each other.
    codes = np.unique(np.rint(together / step) if step else together, return_inverse=True)[1]
    return np.split(codes, np.cumsum([values.size for values in numbers])[:-1])


SMALLEST = 1e-200
"""Numbers below which doubles have no room for a grid."""


def grid(numbers: NDArray[np.float64]) -> float:
    """The largest step of which all numbers are multiples; of a few numbers, by chance, it says nothing, and is 0.

    >>> grid(np.arange(100) * 0.05), grid(np.arange(100) * 25.0), grid(np.array([40.0, 80.0]))
    (0.05, 25.0, 0.0)
    """
    there = np.unique(np.abs(numbers[~np.isnan(numbers)]))
    if there.size < TELLING or there[-1] < SMALLEST:
        return 0.0
    scale = 10.0 ** (DIGITS - 1 - np.floor(np.log10(there[-1])))
    return float(np.gcd.reduce(np.rint(there * scale).astype(np.int64)) / scale)


def joined(parts: Sequence[NDArray[np.integer]]) -> list[Ints]:
    """Rows of codes as one number each, the same one for the same row in all tables.

    >>> [rows.tolist() for rows in joined([np.array([[0, 7], [1, 7]]), np.array([[1, 7]])])]
    [[0, 1], [1]]
    """
    both = np.concatenate(parts).astype(np.int64)
    cells = np.zeros(both.shape[0], dtype=np.int64)
    for column in both.T:
        # Numbered again after each column, so that they stay small.
        cells = np.unique(cells * (int(column.max()) + 1) + column, return_inverse=True)[1]
    return np.split(cells, np.cumsum([part.shape[0] for part in parts])[:-1])


def copies(asked: pl.DataFrame, among: pl.DataFrame) -> Ints:
    """[row]: how many rows of another table are the same in all columns.

    >>> copies(pl.DataFrame({"a": [1, 2, None]}), pl.DataFrame({"a": [2.0, 2.0, None]})).tolist()
    [0, 2, 1]
    """
    names = asked.columns
    left, right = (table.with_columns(cs.numeric().cast(pl.Float64)) for table in (asked, among.select(names)))
    counted = right.group_by(names).len("_copies")
    found = left.join(counted, on=names, how="left", nulls_equal=True, maintain_order="left")
    return found["_copies"].fill_null(0).cast(pl.Int64).to_numpy()
