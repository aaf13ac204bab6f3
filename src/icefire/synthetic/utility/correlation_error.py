"""Are correlations kept?"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

import numpy as np
import polars as pl

from icefire.core.errors import Undefined
from icefire.core.values import Scale, Score
from icefire.synthetic.data import Floats, People, Release, numeric
from icefire.synthetic.roles import Utility


@dataclass(frozen=True)
class CorrelationError(Utility):
    """Mean, over pairs of numeric columns, of the absolute difference between the correlations of the members and the release.

    Rows in which one of the two is missing are left out; the correlation with a column that never changes is 0.

    Example:
        >>> import polars as pl
        >>> people = People(pl.DataFrame({"a": [1, 2], "b": [1, 2]}), pl.DataFrame({"a": [1], "b": [1]}))
        >>> changed = Release(people, pl.DataFrame({"a": [1, 2], "b": [2, 1]}))
        >>> round(CorrelationError().measure(people, changed).value, 9)
        2.0
    """

    scale: ClassVar[Scale] = Scale(best=0.0, worst=2.0)

    def measure(self, original: People, release: Release) -> Score:
        names = numeric(original.members)
        if len(names) < 2:
            raise Undefined("there are fewer than two numeric columns")
        tables = [
            table.select(pl.col(names).cast(pl.Float64).fill_null(float("nan"))).to_numpy()
            for table in (original.members, release.published)
        ]
        gaps = [
            abs(_correlation(tables[0][:, pair]) - _correlation(tables[1][:, pair]))
            for pair in combinations(range(len(names)), 2)
        ]
        return self.score(float(np.mean(gaps)))


def _correlation(values: Floats) -> float:
    there = values[~np.isnan(values).any(axis=1)]
    if there.shape[0] < 2 or (there.std(axis=0) == 0).any():
        return 0.0
    # Sorted, so that the order of the rows does not matter to the last digit.
    ordered = there[np.lexsort(there.T)]
    return float(np.asarray(np.corrcoef(ordered.T))[0, 1])
