"""Error of the correlations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from icefire.core.values import Scale, Score
from icefire.frames import relational
from icefire.microdata.data import Microdata, Release
from icefire.microdata.roles import Utility
from icefire.microdata.utility._amounts import as_numbers, sensitive_amounts


@dataclass(frozen=True)
class CorrelationMae(Utility):
    """U4: how far the correlations of sensitive amounts have moved, on average over all pairs.

    The mean of the absolute differences over all ordered pairs, a column and itself included. A constant
    column's correlation is 0, and 1 with itself; a column that was not published correlates 0 with all.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.data import Microdata, Release, Schema
        >>> schema = Schema(qi=["sex"], sa=["a", "b"])
        >>> original = Microdata(pl.DataFrame({"sex": ["f"] * 3, "a": [1, 2, 3], "b": [2, 4, 6]}), schema)
        >>> published = Microdata(pl.DataFrame({"sex": ["f"] * 3, "a": [1, 2, 3], "b": [5, 5, 5]}), schema)
        >>> round(CorrelationMae().measure(original, Release(original, published, np.arange(3))).value, 6)
        0.5

    Reference:
        PWSCUP 2015, section 3.3.3.
    """

    scale: ClassVar[Scale] = Scale(best=0.0, worst=2.0)
    aliases: ClassVar[tuple[str, ...]] = ("U4 corMAE", "U4", "corMAE")

    def measure(self, original: Microdata, release: Release) -> Score:
        names, published = sensitive_amounts(original, release)
        before = relational.correlations(original.native, names)
        after = np.zeros_like(before)
        if published:
            kept = [names.index(name) for name in published]
            after[np.ix_(kept, kept)] = relational.correlations(
                as_numbers(release.published, original, published), published
            )
        return self.score(float(np.abs(before - after).mean()))
