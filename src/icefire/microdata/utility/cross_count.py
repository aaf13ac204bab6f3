"""Error of the sizes of groups."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl

from icefire.core.values import ERROR, Scale, Score
from icefire.frames import relational
from icefire.microdata.data import Microdata, Release
from icefire.microdata.utility._crossing import Crossing, compare, published_keys


@dataclass(frozen=True)
class CrossCount(Crossing):
    """U3: how far the number of rows of a group has moved, on average over the groups of the original.

    The mean of the absolute differences.

    Parameters:
        by: the QI whose combinations are the groups; each QI on its own, averaged, if left out.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.data import Microdata, Release, Schema
        >>> schema = Schema(qi=["sex"], sa=["pay"])
        >>> original = Microdata(pl.DataFrame({"sex": ["f", "f", "m"], "pay": [10, 20, 8]}), schema)
        >>> published = Microdata(pl.DataFrame({"sex": ["f"], "pay": [10]}), schema)
        >>> CrossCount().measure(original, Release(original, published, np.arange(1))).value
        1.0

    Reference:
        PWSCUP 2015, section 3.3.2.
    """

    scale: ClassVar[Scale] = ERROR
    aliases: ClassVar[tuple[str, ...]] = ("U3 crossCnt", "U3", "crossCnt")

    def measure(self, original: Microdata, release: Release) -> Score:
        differences = [
            compare(
                _counts(original, keys),
                _counts(release.published, keys) if published_keys(release, keys) else None,
                keys,
                relational.COUNT,
            )
            for keys in self.tables(original)
        ]
        return self.score(float(np.mean(differences)))


def _counts(table: Microdata, keys: tuple[str, ...]) -> pl.DataFrame:
    return relational.collect(relational.count_by(table.native, keys))
