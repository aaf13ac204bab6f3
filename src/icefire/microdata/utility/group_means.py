"""Are means by group kept?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from icefire.core.errors import Undefined
from icefire.core.values import ERROR, Scale, Score
from icefire.microdata.data import Microdata, Release
from icefire.microdata.roles import Utility
from icefire.microdata.utility._analyses import Analyses, mean_by_group


@dataclass(frozen=True)
class GroupMeans(Utility):
    """How far the mean of an amount in a group has moved, relative to the mean of all people.

    The average over each quasi-identifier (its values, or a number in four groups of equal
    frequency) and each sensitive amount; groups count by their size. Generalized cells count for
    each value that they may stand for. A mean that cannot be computed any more has moved by 100%.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.data import Microdata, Release, Schema
        >>> schema = Schema(qi=["sex"], sa=["pay"])
        >>> people = Microdata(pl.DataFrame({"sex": ["f", "f", "m", "m"], "pay": [8, 8, 12, 12]}), schema)
        >>> cells = Microdata(people.frame.with_columns(sex=pl.lit("{f|m}")), schema)
        >>> GroupMeans().measure(people, Release(people, cells, np.arange(4))).value
        0.2
    """

    scale: ClassVar[Scale] = ERROR

    def measure(self, original: Microdata, release: Release) -> Score:
        analyses = Analyses(original, release)
        errors = [error for pair in analyses.pairs() if (error := _error(analyses, *pair)) is not None]
        if not errors:
            raise Undefined("no sensitive amount has a mean other than 0")
        return self.score(float(np.mean(errors)))


def _error(analyses: Analyses, name: str, amount: str) -> float | None:
    (groups, shown), (amounts, published) = analyses.groups(name), analyses.amounts(amount)
    before, after = mean_by_group(groups, amounts), mean_by_group(shown, published)
    present = ~np.isnan(before)
    overall = abs(float(np.nanmean(amounts))) if (~np.isnan(amounts)).any() else 0.0
    if overall == 0.0:
        return None
    moved = np.where(np.isnan(after), overall, np.abs(after - before))[present]
    return float(np.average(moved, weights=groups.sum(axis=0)[present])) / overall
