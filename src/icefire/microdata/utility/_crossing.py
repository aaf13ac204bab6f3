"""Base of U2 and U3: cross tabulations."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from icefire.core.errors import Undefined
from icefire.microdata.cells import as_text
from icefire.microdata.data import Microdata, Release, columns_or_all
from icefire.microdata.roles import Utility


@dataclass(frozen=True)
class Crossing(Utility):
    """Base of U2 and U3: tables crossed by some QI."""

    by: tuple[str, ...] = ()

    def tables(self, original: Microdata) -> list[tuple[str, ...]]:
        """The sets of QI to cross by: the one named, or each QI on its own."""
        if self.by:
            return [columns_or_all(self.by, original.qi, type(self).__name__)]
        if not original.qi:
            raise Undefined("the table has no QI columns to cross by")
        return [(name,) for name in original.qi]


def published_keys(release: Release, keys: tuple[str, ...]) -> bool:
    return all(key in release.published.schema.names for key in keys)


def compare(before: pl.DataFrame, after: pl.DataFrame | None, keys: tuple[str, ...], value: str) -> float:
    """Mean absolute difference over the combinations of the original; one that is missing from the release counts 0."""
    # Engines return groups in any order, and sums of floats depend on it.
    left = _keyed(before, keys, value, "before").sort(*keys).with_columns(pl.col("before").fill_null(0.0))
    if after is None:
        return float(left.select(pl.col("before").abs().mean()).item())
    right = _keyed(after, keys, value, "after")
    joined = left.join(right, on=list(keys), how="left", nulls_equal=True, maintain_order="left")
    return float(joined.select((pl.col("before") - pl.col("after").fill_null(0.0)).abs().mean()).item())


def _keyed(table: pl.DataFrame, keys: tuple[str, ...], value: str, name: str) -> pl.DataFrame:
    """The groups with their keys as they are written in cells, so that 20.0 and 20 are the same."""
    return table.select(*[as_text(table[key]) for key in keys], pl.col(value).cast(pl.Float64).alias(name))
