"""Published columns that tell about the quasi-identifiers: classes are counted by them as well."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from icefire.frames import engines
from icefire.microdata.data import Release
from icefire.microdata.inspection import COMPARED, told_by

ORIGINAL = " as it was"
"""What is added to the name of a quasi-identifier that other columns give away."""


@dataclass(frozen=True)
class Telling:
    """By what attackers who know the QI tell published rows apart.

    An age group that stands beside the generalized age tells something about the age, and a day of birth tells all of it.
    Columns are looked at in memory only, not on DuckDB and Spark.
    """

    table: engines.Native
    """The published table, with those QI as they were that other columns give away."""
    names: list[str]
    """The columns by which rows are told apart."""
    told: list[str]
    """The columns beside the QI that tell something."""

    @classmethod
    def of(cls, release: Release) -> Telling:
        table, names, original = release.published.native, list(release.published.qi), release.original
        if not isinstance(table, pl.DataFrame):
            return cls(table, names, [])
        rest = [name for name in table.columns if name not in names]
        known = [name for name in original.qi if name not in rest]
        if not rest or not known:
            return cls(table, names, [])
        height = table.height
        some = (
            np.arange(height)
            if height <= COMPARED
            else np.random.default_rng(0).choice(height, COMPARED, replace=False)
        )
        before = original.frame[release.rows[some]].select(pl.col(name).alias(name + ORIGINAL) for name in known)
        told = told_by(before, table[some].select(rest))
        copies = [name for name, columns in told.items() if not columns]
        # Whoever sees such a column knows the QI, whatever became of it.
        given_away = sorted({column for columns in told.values() for column in columns})
        if given_away:
            wanted = [column.removesuffix(ORIGINAL) for column in given_away]
            values = original.frame[release.rows].select(pl.col(name).alias(name + ORIGINAL) for name in wanted)
            table = pl.concat([table, values], how="horizontal")
        return cls(table, [*names, *copies, *given_away], list(told))
