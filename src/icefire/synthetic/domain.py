"""The domain of each column as codes, known without a look at the data."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
import polars as pl

from icefire.core.errors import DataError
from icefire.synthetic.data import Ints, Mask, People
from icefire.synthetic.encoding import Codes
from icefire.synthetic.schema import Column, Schema

MOST = 10**12
"""Numbers that a column can hold at most."""


@dataclass(frozen=True)
class Domain:
    """How the columns of a table are cut into codes; the last code is for empty cells, where there may be any.

    What a cell becomes depends on this cell and on the schema alone: a table that differs in one row has the same codes in all
    others, and the same can be published. Cells that the domain does not have are moved into it: numbers to the nearest one;
    unknown texts and empty cells to an empty cell, or, where there may be none, to the first of the values.
    """

    names: tuple[str, ...]
    columns: tuple[Column, ...]
    bins: int

    @classmethod
    def of(cls, people: People, bins: int) -> Domain:
        """The domain that the schema states; DataError if it does not."""
        columns = tuple(people.schema.column(name) for name in people.names)
        for name, column in zip(people.names, columns, strict=True):
            if not _is_stated(column):
                raise _unsaid(name, people.members[name].dtype.is_numeric())
            if not column.values and not 1 <= _last(column) - _first(column) + 1 <= MOST:
                raise DataError(
                    f"the column {name!r} must have between 1 and {MOST:,} numbers: change low, high or decimals under "
                    f"[columns.{name}] in schema.toml"
                )
        return cls(people.names, columns, bins)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of codes of each column."""
        return tuple(self._present(column) + column.missing for column in self.columns)

    def _present(self, column: Column) -> int:
        """The number of codes for cells that are not empty. No bin is without numbers."""
        return len(column.values) or min(self.bins, _last(column) - _first(column) + 1)

    def codes(self, table: pl.DataFrame) -> Codes:
        """[row, column]."""
        found = np.empty((table.height, len(self.names)), dtype=np.int32)
        for place, (name, column) in enumerate(zip(self.names, self.columns, strict=True)):
            present = self._present(column)
            codes, _ = _places(table[name], column)
            if not column.values:
                codes = np.where(codes < 0, -1, codes * present // (_last(column) - _first(column) + 1))
            found[:, place] = np.where(codes < 0, present if column.missing else 0, codes)
        return found

    def table(self, codes: Codes, rng: np.random.Generator) -> pl.DataFrame:
        """Rows with these codes; a number is any of its bin, each as likely. Types come from the schema."""
        pairs = enumerate(zip(self.names, self.columns, strict=True))
        return pl.DataFrame([self._cells(name, column, codes[:, place], rng) for place, (name, column) in pairs])

    def _cells(self, name: str, column: Column, code: Codes, rng: np.random.Generator) -> pl.Series:
        if column.values:
            return pl.Series(name, [*column.values, None], dtype=pl.String).gather(code)
        bins, first, numbers = self._present(column), _first(column), _last(column) - _first(column) + 1
        absent = code == bins
        inside = np.where(absent, 0, code).astype(np.int64)
        # The first number of this bin, and that of the next one.
        low, high = (-(-place * numbers // bins) for place in (inside, inside + 1))
        drawn = first + rng.integers(low, high)
        cells = pl.Series(name, drawn / 10**column.places if column.places else drawn)
        return cells.set(pl.Series(absent), None)


def moved(table: pl.DataFrame, schema: Schema) -> dict[str, int]:
    """By column: how many cells its domain, as far as the schema states it, does not have.

    >>> moved(pl.DataFrame({"age": [30.0, 40.5, 130.0]}), Schema(columns={"age": Column(low=0, high=110)}))
    {'age': 2}
    """
    columns = {name: schema.column(name) for name in table.columns}
    strange = {name: _places(table[name], column)[1] for name, column in columns.items() if _is_stated(column)}
    return {name: int(mask.sum()) for name, mask in strange.items() if mask.any()}


def _is_stated(column: Column) -> bool:
    return bool(column.values) or (column.bounded and column.type != "categorical")


def _places(cells: pl.Series, column: Column) -> tuple[Ints, Mask]:
    """[row]: the place of the cell among the values or numbers of the domain, -1 for none; and whether it is strange to it."""
    places, strange = _of_texts(cells, column) if column.values else _of_numbers(cells, column)
    absent = cells.is_null().to_numpy()
    return places, np.where(absent, not column.missing, strange)


def _of_texts(cells: pl.Series, column: Column) -> tuple[Ints, Mask]:
    # The same number may be written in several ways: one decimal in a column of codes makes texts such as 1.0 of all others.
    written = {_number(value): place for place, value in enumerate(column.values)}
    place_of = {text: written.get(_number(text), -1) for text in cells.drop_nulls().unique()}
    place_of |= {value: place for place, value in enumerate(column.values)}
    places = np.array([place_of.get(text, -1) for text in cells], dtype=np.int64)
    return places, places < 0


def _of_numbers(cells: pl.Series, column: Column) -> tuple[Ints, Mask]:
    units = cells.cast(pl.Float64).fill_null(float("nan")).to_numpy() * 10.0 ** (column.places or 0)
    first, last = _first(column), _last(column)
    near = np.clip(np.rint(np.nan_to_num(units)), first, last).astype(np.int64)
    strange = ~np.isclose(units, near, rtol=1e-12, atol=1e-6)
    return np.where(np.isnan(units), -1, near - first), strange


def _unsaid(name: str, numeric: bool) -> DataError:
    if numeric:
        return DataError(
            f"the column {name!r} has no bounds: write low and high under [columns.{name}] in schema.toml, and decimals unless "
            "it has whole numbers. Taken from the data, they would give away the extreme people, and differential privacy "
            "would not hold"
        )
    return DataError(
        f"the column {name!r} has no list of values: write values = [...] under [columns.{name}] in schema.toml. "
        "Taken from the data, it would give away rare people, and differential privacy would not hold"
    )


def _first(column: Column) -> int:
    """The lowest number of the domain, in units of its last decimal."""
    assert column.low is not None
    return math.ceil(Decimal(str(column.low)).scaleb(column.places or 0))


def _last(column: Column) -> int:
    assert column.high is not None
    return math.floor(Decimal(str(column.high)).scaleb(column.places or 0))


def _number(text: str) -> float | str:
    """What a text says as a number; the text itself if it says none."""
    try:
        number = float(text)
    except ValueError:
        return text
    return number if math.isfinite(number) else text
