"""Risk of each published row, with and without sampling weights."""

from __future__ import annotations

import numpy as np
import polars as pl

from icefire.core.errors import DataError, Undefined, UnknownName
from icefire.frames import engines
from icefire.microdata.cells import Floats
from icefire.microdata.data import Release
from icefire.microdata.risk import individual_risk

WEIGHT, SIZE, FIRST = "__weight", "__size", "__first"


def row_risks(release: Release, weight: str | None) -> Floats:
    """The individual risk of each published row by the weights of its class; 1/f without weights."""
    if not release.published.qi:
        raise Undefined("no quasi-identifier was published: all rows are alike")
    names = release.telling.names
    table = engines.polars(release.telling.table).select(names)
    size = pl.len().over(names).alias(SIZE)
    if weight is None:
        return 1.0 / table.select(size).to_series().to_numpy()
    numbered = table.with_columns(_weights(release, weight)).with_row_index(FIRST)
    found = numbered.select(size, pl.col(WEIGHT).sum().over(names), pl.col(FIRST).first().over(names))
    # All rows of a class have one risk, which is worked out at its first row.
    leads = found[FIRST].to_numpy() == np.arange(found.height)
    risks = np.zeros(found.height)
    risks[leads] = individual_risk(found[SIZE].to_numpy()[leads].astype(np.int64), found[WEIGHT].to_numpy()[leads])
    return np.asarray(risks[found[FIRST].to_numpy()])


def original_column(release: Release, name: str) -> pl.Series:
    """A column of the original, for each published row."""
    names = release.original.schema.names
    if name not in names:
        raise UnknownName.of("column of the original", name, names)
    return release.original.column(name)[release.rows]


def _weights(release: Release, name: str) -> pl.Series:
    column = original_column(release, name)
    if not column.dtype.is_numeric() or column.null_count() or not (column > 0).all():
        raise DataError(f"the column {name!r} holds no sampling weights: give one with a positive number in every row")
    return column.cast(pl.Float64).rename(WEIGHT)
