"""Rows of the members, anonymized."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from icefire.core.errors import DataError, ParameterError, UnknownName
from icefire.core.grid import AVERAGE, decimals_of, rounded
from icefire.core.pipeline import Pipeline
from icefire.core.registry import Registry
from icefire.microdata.data import Microdata
from icefire.microdata.data import Release as Rows
from icefire.microdata.schema import Column as RowColumn
from icefire.microdata.schema import Schema as RowSchema
from icefire.synthetic.data import People, Release, numeric
from icefire.synthetic.roles import Anonymizer


@dataclass(frozen=True)
class Anonymized(Anonymizer):
    """Anonymize the members' rows by steps for microdata, and throw away whose row is whose.

    Intervals are published as their midpoints, with two decimals more than their column has.

    Parameters:
        steps: anonymizers of microdata, in order (`icefire list microdata`). Those that drop columns are refused.
        sensitive: the sensitive columns, whose amounts some steps change; the hidden ones if left out. All others are
            quasi-identifiers.

    Example:
        >>> import numpy as np, polars as pl
        >>> people = People(pl.DataFrame({"age": [21, 25, 38, 40]}), pl.DataFrame({"age": [30]}))
        >>> made = Anonymized(steps=["mondrian(k=2)"]).anonymize(people, np.random.default_rng(0)).published
        >>> sorted(made["age"])
        [23, 23, 39, 39]
    """

    steps: tuple[str, ...] = ("mondrian(k=5)",)
    sensitive: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.steps:
            raise ParameterError.of("Anonymized", "steps", "at least one step, such as 'mondrian(k=5)'", [])
        self._pipeline()

    def _pipeline(self) -> Pipeline:
        registry = Registry()
        return Pipeline(tuple(registry.make("microdata", "anonymize", step) for step in self.steps))

    @classmethod
    def variants(cls, original: People) -> list[Anonymized]:
        amounts = numeric(original.members)
        averaged = [cls(("microaggregate(k=5)",), amounts)] if 0 < len(amounts) < len(original.names) else []
        return [cls(("mondrian(k=5)",)), cls(("mondrian(k=25)",)), *averaged]

    def anonymize(self, original: People, rng: np.random.Generator) -> Release:
        texts = {
            name: RowColumn(type="categorical") for name in original.names if name not in numeric(original.members)
        }
        sensitive = self.sensitive or tuple(original.schema.hidden)
        for name in sensitive:
            if name not in original.names:
                raise UnknownName.of("column of the members", name, original.names)
        known = tuple(name for name in original.names if name not in sensitive)
        schema = RowSchema(qi=known, sa=sensitive, columns=texts)
        made = self._pipeline().anonymize(Microdata(original.members, schema), rng)
        for name in original.names:
            if name not in made.published.schema.names:
                raise DataError(f"these steps drop the column {name!r}, and a synthetic table has all columns")
        return Release.shuffled(original, pl.DataFrame([_cells(made, name) for name in original.names]), rng)


def _cells(made: Rows, name: str) -> pl.Series:
    """A published column; generalized numbers as midpoints."""
    column = made.published.column(name)
    if made.original.is_numeric(name) and not column.dtype.is_numeric():
        numbers = made.original.column(name).cast(pl.Float64).drop_nulls().to_numpy()
        decimals = decimals_of(numbers, float(numbers.std()) if numbers.size else 0.0, AVERAGE)
        return pl.Series(name, rounded(made.cells(name).midpoints, decimals)).fill_nan(None)
    return column
