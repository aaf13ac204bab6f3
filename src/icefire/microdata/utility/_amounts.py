"""Sensitive amounts of two tables, on their engines where the published ones are still numbers."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from icefire.core.errors import Undefined
from icefire.frames import relational
from icefire.frames.engines import Native
from icefire.microdata.data import Microdata, Release


def sensitive_amounts(original: Microdata, release: Release) -> tuple[list[str], list[str]]:
    """(all sensitive amounts, those that were published); Undefined if the original has none."""
    if not original.numeric_sa:
        raise Undefined("the table has no sensitive amounts")
    names = list(original.numeric_sa)
    return names, [name for name in names if name in release.published.schema.names]


def as_numbers(table: Microdata, original: Microdata, names: Sequence[str]) -> Native:
    """The table with those columns as numbers: generalized cells count at their midpoints."""
    texts = [name for name in names if not table.is_numeric(name)]
    if not texts:
        return table.native
    midpoints = {name: pl.Series(original.domain(name).read(table.frame[name]).midpoints) for name in texts}
    return table.frame.with_columns(**{name: column.fill_nan(None) for name, column in midpoints.items()})


def means_of(table: Microdata, original: Microdata, names: Sequence[str]) -> dict[str, float]:
    found = relational.means(as_numbers(table, original, names), names)
    for name, value in found.items():
        if value is None:
            raise Undefined(f"the column {name!r} holds no amount at all")
    return {name: float(value) for name, value in found.items() if value is not None}
