"""The domain of each column as codes, known without a look at the data."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from icefire.core.errors import DataError
from icefire.synthetic.data import People
from icefire.synthetic.encoding import Codes
from icefire.synthetic.schema import Column


@dataclass(frozen=True)
class Domain:
    """How the columns of a table are cut into codes; the last code is for empty cells, where there may be any."""

    names: tuple[str, ...]
    columns: tuple[Column, ...]
    types: tuple[pl.DataType, ...]
    bins: int

    @classmethod
    def of(cls, people: People, bins: int) -> Domain:
        """The domain that the schema states; DataError if it does not."""
        columns = []
        for name, dtype in people.members.schema.items():
            column = people.schema.column(name)
            if dtype.is_numeric() and not column.bounded:
                raise DataError(
                    f"the column {name!r} has no bounds: write low and high under [columns.{name}] in schema.toml. Taken from "
                    "the data, they would give away the extreme people, and differential privacy would not hold"
                )
            if not dtype.is_numeric() and not column.values:
                raise DataError(
                    f"the column {name!r} has no list of values: write values = [...] under [columns.{name}] in schema.toml. "
                    "Taken from the data, it would give away rare people, and differential privacy would not hold"
                )
            if not column.missing and people.members[name].null_count():
                raise DataError(
                    f"the column {name!r} has empty cells: write missing = true under [columns.{name}] in schema.toml"
                )
            columns.append(column)
        return cls(people.names, tuple(columns), tuple(people.members.dtypes), bins)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of codes of each column."""
        return tuple((len(column.values) or self.bins) + column.missing for column in self.columns)

    def codes(self, table: pl.DataFrame) -> Codes:
        """[row, column]. Numbers beyond the bounds count as the bounds."""
        found = np.empty((table.height, len(self.names)), dtype=np.int32)
        for place, (name, column) in enumerate(zip(self.names, self.columns, strict=True)):
            found[:, place] = self._texts(table[name], column) if column.values else self._numbers(table[name], column)
        return found

    def _texts(self, cells: pl.Series, column: Column) -> np.ndarray:
        coded = cells.cast(pl.Enum(column.values), strict=False).to_physical().cast(pl.Int64)
        unknown = cells.filter(coded.is_null() & cells.is_not_null())
        if len(unknown):
            raise DataError(
                f"the column {cells.name!r} holds {unknown[0]!r}, which is not in its list of values in schema.toml"
            )
        return coded.fill_null(len(column.values)).to_numpy()

    def _numbers(self, cells: pl.Series, column: Column) -> np.ndarray:
        low, high = self._bounds(column)
        share = (cells.cast(pl.Float64).fill_null(float("nan")).to_numpy() - low) / (high - low)
        inside = np.clip(np.floor(np.nan_to_num(share) * self.bins), 0, self.bins - 1)
        return np.asarray(np.where(np.isnan(share), self.bins, inside))

    def table(self, codes: Codes, rng: np.random.Generator) -> pl.DataFrame:
        """Rows with these codes; a number is anywhere in its bin."""
        made = []
        for place, (name, column, dtype) in enumerate(zip(self.names, self.columns, self.types, strict=True)):
            code = codes[:, place]
            if column.values:
                made.append(
                    pl.Series(name, column.values, dtype=pl.String)
                    .append(pl.Series([None], dtype=pl.String))
                    .gather(code)
                )
                continue
            low, high = self._bounds(column)
            numbers = low + (high - low) * (code + rng.random(code.size)) / self.bins
            if dtype.is_integer():
                numbers = np.clip(np.floor(numbers), np.ceil(low), np.floor(high))
            cells = pl.Series(name, np.where(code == self.bins, np.nan, numbers)).fill_nan(None)
            made.append(cells.cast(dtype))
        return pl.DataFrame(made)

    @staticmethod
    def _bounds(column: Column) -> tuple[float, float]:
        assert column.low is not None
        assert column.high is not None
        return column.low, column.high
