"""Loss of generalized cells (LM)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from icefire.core.errors import Undefined
from icefire.core.values import BAD_SHARE, Scale, Score
from icefire.microdata.data import Microdata, Release
from icefire.microdata.roles import Utility


@dataclass(frozen=True)
class Loss(Utility):
    """LM: how wide QI cells are, relative to the range of their column, on average.

    0 for a single value, 1 for `*`. A set of a categories out of d counts (a-1)/(d-1). Rows that were dropped count 1,
    columns that were dropped count 1. Columns count by their importance in the schema.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.data import Microdata, Release, Schema
        >>> people = Microdata(pl.DataFrame({"age": [20, 30, 60]}), Schema(qi=["age"]))
        >>> cells = Microdata(pl.DataFrame({"age": ["[20..30]", "[20..30]", "60"]}), Schema(qi=["age"]))
        >>> round(Loss().measure(people, Release(people, cells, np.arange(3))).value, 4)
        0.1667

    Reference:
        Iyengar: Transforming data to satisfy privacy constraints. KDD 2002.
    """

    scale: ClassVar[Scale] = BAD_SHARE
    aliases: ClassVar[tuple[str, ...]] = ("LM",)

    def measure(self, original: Microdata, release: Release) -> Score:
        if not original.qi:
            raise Undefined("the table has no QI columns")
        dropped = original.height - np.unique(release.rows).size
        cells = release.published.height + dropped
        by_column = {
            name: (_lost(release, name) + dropped) / cells if name in release.published.qi else 1.0
            for name in original.qi
        }
        value = float(np.average(list(by_column.values()), weights=original.schema.importance(list(by_column))))
        return self.score(value, detail={"by column": {k: float(v) for k, v in by_column.items()}})


def _lost(release: Release, name: str) -> float:
    cells, counts = release.distinct_cells(name)
    return float(cells.losses() @ counts)
