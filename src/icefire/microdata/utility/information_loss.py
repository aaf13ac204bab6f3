"""Mean distance of published from original cells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import narwhals as nw
import numpy as np
import polars as pl

from icefire.core.values import BAD_SHARE, Scale, Score
from icefire.frames import engines, relational
from icefire.microdata.data import Microdata, Release
from icefire.microdata.hierarchy import ANYTHING
from icefire.microdata.roles import Utility

VALUE, CELL = "__value", "__cell"
"""Columns with an original value, and with the published cell that was made of it."""


@dataclass(frozen=True)
class InformationLoss(Utility):
    """U5: how far cells are from the original ones, relative to the range of their column, on average.

    A category is 0 if equal and 1 otherwise; an interval counts at its midpoint, a set with the average over its
    members; a constant column counts 0, and a column that is not published as if all its cells were *. Columns count by their
    importance in the schema. It goes by the declared row map, so that a wrong map shows.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.data import Microdata, Release, Schema
        >>> schema = Schema(qi=["sex"], sa=["pay"])
        >>> original = Microdata(pl.DataFrame({"sex": ["f", "m"], "pay": [10, 20]}), schema)
        >>> published = Microdata(pl.DataFrame({"sex": ["f", "f"], "pay": [10, 15]}), schema)
        >>> InformationLoss().measure(original, Release(original, published, np.arange(2))).value
        0.375

    Reference:
        Domingo-Ferrer, Torra: Disclosure control methods and information loss for microdata. 2001; PWSCUP 2015, 3.6.
    """

    scale: ClassVar[Scale] = BAD_SHARE
    aliases: ClassVar[tuple[str, ...]] = ("U5 IL", "U5", "IL")

    def measure(self, original: Microdata, release: Release) -> Score:
        by_column = {name: _distance(original, release, name) for name in original.schema.published}
        weights = original.schema.importance(list(by_column))
        return self.score(float(np.average(list(by_column.values()), weights=weights)), detail={"by column": by_column})


def _distance(original: Microdata, release: Release, name: str) -> float:
    """The mean over the published rows; on an engine, over the pairs of a value and a cell that it counts."""
    domain, published = original.domain(name), release.published
    shown = name in published.schema.names
    if release.can_meet:
        beside = engines.lazy(release.beside({VALUE: name}))
        cell = nw.col(name) if shown else nw.lit(ANYTHING)
        counted = relational.count_by(beside.select(VALUE, cell.alias(CELL)), [VALUE, CELL])
        # Engines send groups in any order, and sums of floats depend on it.
        met = relational.collect(counted).sort(VALUE, CELL)
        distances = domain.read(met[CELL]).distances(domain.encode(met[VALUE]))
        return float(np.average(distances, weights=met[relational.COUNT].to_numpy()))
    cells = release.cells(name) if shown else domain.read(pl.Series([ANYTHING] * release.rows.size))
    return float(cells.distances(original.codes(name)[release.rows]).mean())
