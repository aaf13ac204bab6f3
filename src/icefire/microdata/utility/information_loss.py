"""Mean distance of published from original cells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl

from icefire.core.values import BAD_SHARE, Scale, Score
from icefire.frames import engines, remote
from icefire.frames.relational import COUNT
from icefire.microdata.data import Microdata, Release
from icefire.microdata.hierarchy import ANYTHING
from icefire.microdata.roles import Utility


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
    tables = original.native, published.native
    if not any(engines.in_memory(table) for table in tables) and all(remote.can_number(table) for table in tables):
        met = remote.met(*tables, release.rows, name, ANYTHING)
        distances = domain.read(met[remote.CELL]).distances(domain.encode(met[remote.VALUE]))
        return float(np.average(distances, weights=met[COUNT].to_numpy()))
    hidden = pl.Series([ANYTHING] * release.rows.size)
    cells = release.cells(name) if name in published.schema.names else domain.read(hidden)
    return float(cells.distances(original.codes(name)[release.rows]).mean())
