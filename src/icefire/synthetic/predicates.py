"""Who fulfils a predicate alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import numpy as np
import polars as pl

from icefire.core.errors import DataError
from icefire.core.scores import has_numba
from icefire.synthetic.data import Comparison, Condition, Floats, Ints, Mask

COMPARISONS: tuple[Comparison, ...] = ("=", "<=", ">=", "missing")
NOBODY = -1
SCANNED = 5_000_000
"""Rows times conditions from which on compiling the search is worth it."""
DENSE = 2_000_000
"""Cells of a table of predicates and rows that are looked at together."""


@dataclass(frozen=True)
class Conditions:
    """Predicates as arrays: predicate i is made of the conditions from starts[i] to starts[i + 1]."""

    starts: Ints
    columns: Ints
    comparisons: Ints
    values: Floats

    @classmethod
    def together(cls, columns: Ints, comparisons: Ints, values: Floats) -> Conditions:
        """Predicates of the same number of conditions, [predicate, condition]."""
        starts = np.arange(columns.shape[0] + 1) * columns.shape[1]
        return cls(starts, columns.ravel(), comparisons.ravel(), values.ravel())

    def take(self, chosen: Ints) -> Conditions:
        sizes = np.diff(self.starts)[chosen]
        starts = np.append(0, np.cumsum(sizes))
        places = np.repeat(self.starts[chosen] - starts[:-1], sizes) + np.arange(starts[-1])
        return Conditions(starts, self.columns[places], self.comparisons[places], self.values[places])


@dataclass(frozen=True)
class Cells:
    """A table as numbers, [column, row]: texts by their place among the sorted ones, NaN for what is missing."""

    table: pl.DataFrame = field(repr=False)

    @cached_property
    def texts(self) -> dict[str, list[str]]:
        """The texts of each column, sorted."""
        names = [name for name, dtype in self.table.schema.items() if not dtype.is_numeric()]
        return {name: self.table[name].unique().drop_nulls().sort().to_list() for name in names}

    @cached_property
    def numbers(self) -> Floats:
        found = np.empty((self.table.width, self.table.height))
        for place, column in enumerate(self.table):
            if not column.dtype.is_numeric():
                column = column.cast(pl.Enum(self.texts[column.name])).to_physical()
            found[place] = column.cast(pl.Float64).fill_null(float("nan")).to_numpy()
        return found

    def read(self, predicates: Sequence[Sequence[Condition]]) -> Conditions:
        """Predicates as numbers of this table; a text that it does not have is fulfilled by nobody."""
        places = {name: place for place, name in enumerate(self.table.columns)}
        codes = {name: {text: float(code) for code, text in enumerate(texts)} for name, texts in self.texts.items()}
        flat = [condition for predicate in predicates for condition in predicate]
        values = [_value(condition, codes.get(condition.column)) for condition in flat]
        return Conditions(
            np.append(0, np.cumsum([len(predicate) for predicate in predicates])).astype(np.int64),
            np.array([places[condition.column] for condition in flat], dtype=np.int64),
            np.array([COMPARISONS.index(condition.comparison) for condition in flat], dtype=np.int64),
            np.array(values, dtype=np.float64),
        )

    def written(self, conditions: Conditions) -> tuple[tuple[Condition, ...], ...]:
        """The reverse of `read`."""
        names = self.table.columns
        made = []
        for place, comparison, value in zip(
            conditions.columns.tolist(), conditions.comparisons.tolist(), conditions.values.tolist(), strict=True
        ):
            name, word = names[place], COMPARISONS[comparison]
            shown = None if word == "missing" else self.texts[name][int(value)] if name in self.texts else value
            made.append(Condition(name, word, shown))
        starts = conditions.starts.tolist()
        return tuple(tuple(made[begin:end]) for begin, end in pairwise(starts))

    def alone(self, conditions: Conditions) -> Ints:
        """[predicate]: the row that fulfils it if there is one alone, otherwise NOBODY.

        >>> cells = Cells(pl.DataFrame({"age": [25, 40, 40], "sex": ["f", "m", "f"]}))
        >>> young, woman = Condition("age", "<=", 30.0), Condition("sex", "=", "f")
        >>> cells.alone(cells.read([(young,), (woman,), (Condition("age", ">=", 40.0), woman)])).tolist()
        [0, -1, 2]
        """
        if conditions.columns.size == conditions.starts.size - 1:
            return self._single(conditions)
        if self.table.height * conditions.columns.size >= SCANNED and has_numba():
            from icefire.synthetic import _scan

            ranges = self.ranges(conditions)
            return np.asarray(_scan.alone(self.numbers, self.order, *ranges, *vars(conditions).values()))
        sizes = np.diff(conditions.starts)
        found = np.full(sizes.size, NOBODY)
        step = max(1, DENSE // max(1, self.table.height))
        for begin in range(0, sizes.size, step):
            part = np.arange(begin, min(begin + step, sizes.size))
            met = np.ones((part.size, self.table.height), dtype=np.bool_)
            for number in range(int(sizes[part].max())):
                more = np.flatnonzero(sizes[part] > number)
                met[more] &= self._met(conditions, conditions.starts[part[more]] + number)
            single = met.sum(axis=1) == 1
            found[part[single]] = met[single].argmax(axis=1)
        return found

    @cached_property
    def order(self) -> Ints:
        """[column, place]: the rows, sorted by the column; missing cells come last."""
        return np.argsort(self.numbers, axis=1)

    def ranges(self, conditions: Conditions) -> tuple[Ints, Ints]:
        """[condition]: where the rows that fulfil it begin and end in the order of its column."""
        begins, ends = (np.zeros(conditions.columns.size, dtype=np.int64) for _ in range(2))
        for column in np.unique(conditions.columns):
            places = np.flatnonzero(conditions.columns == column)
            ways, values = conditions.comparisons[places], conditions.values[places]
            cells = self.numbers[column][self.order[column]]
            there = int(np.searchsorted(cells, np.nan))
            below, above = (np.searchsorted(cells[:there], values, side=side) for side in ("left", "right"))
            begins[places] = np.choose(ways, (below, np.zeros_like(below), below, np.full_like(below, there)))
            ends[places] = np.choose(ways, (above, above, np.full_like(above, there), np.full_like(above, cells.size)))
        return begins, ends

    def _single(self, conditions: Conditions) -> Ints:
        """The same for predicates of one condition each."""
        begins, ends = self.ranges(conditions)
        found = np.full(conditions.columns.size, NOBODY)
        single = np.flatnonzero(ends - begins == 1)
        found[single] = self.order[conditions.columns[single], begins[single]]
        return found

    def _met(self, conditions: Conditions, places: Ints) -> Mask:
        """[condition, row]: whether the rows fulfil them."""
        cells, values = self.numbers[conditions.columns[places]], conditions.values[places, None]
        ways = conditions.comparisons[places, None]
        return np.asarray(np.choose(ways, (cells == values, cells <= values, cells >= values, np.isnan(cells))))


def _value(condition: Condition, codes: dict[str, float] | None) -> float:
    if condition.comparison == "missing":
        return 0.0
    value = condition.value
    if codes is None and isinstance(value, float | int):
        return float(value)
    if codes is not None and isinstance(value, str) and condition.comparison == "=":
        return codes.get(value, -1.0)
    raise DataError(
        f"a predicate compares the column {condition.column!r} by {condition.comparison} with {value!r}: numbers are compared "
        "by =, <= and >= with numbers, texts by = with texts"
    )
