"""Error of the averages within groups."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl

from icefire.core.values import ERROR, Scale, Score
from icefire.frames import relational
from icefire.microdata.data import Microdata, Release, columns_or_all
from icefire.microdata.utility._amounts import as_numbers, sensitive_amounts
from icefire.microdata.utility._crossing import Crossing, compare, published_keys


@dataclass(frozen=True)
class CrossMean(Crossing):
    """U2: how far the average of an amount in a group has moved, on average over the groups of the original.

    The mean of the absolute differences. A group that no longer exists in the release counts with an average of 0:
    generalized QI lose their groups. So does an amount that was not published.

    Parameters:
        by: the QI whose combinations are the groups; each QI on its own, averaged, if left out.
        of: the sensitive amount; all of them, averaged, if left out.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.data import Microdata, Release, Schema
        >>> schema = Schema(qi=["sex"], sa=["pay"])
        >>> original = Microdata(pl.DataFrame({"sex": ["f", "f", "m"], "pay": [10, 20, 8]}), schema)
        >>> published = Microdata(pl.DataFrame({"sex": ["f", "f"], "pay": [10, 22]}), schema)
        >>> CrossMean().measure(original, Release(original, published, np.arange(2))).value
        4.5

    Reference:
        PWSCUP 2015, section 3.3.2.
    """

    scale: ClassVar[Scale] = ERROR
    aliases: ClassVar[tuple[str, ...]] = ("U2 crossMean", "U2", "crossMean")

    of: str | None = None

    def measure(self, original: Microdata, release: Release) -> Score:
        amounts, published = sensitive_amounts(original, release)
        if self.of is not None:
            amounts = list(columns_or_all([self.of], amounts, "CrossMean"))
        after = as_numbers(release.published, original, published)
        differences = []
        for keys in self.tables(original):
            before = relational.group_means(original.native, keys, amounts)
            there = [amount for amount in amounts if published_keys(release, (*keys, amount))]
            found = relational.group_means(after, keys, there) if there else None
            for place, amount in enumerate(amounts):
                shown = None if amount not in there or found is None else _one(found, keys, there.index(amount))
                differences.append(compare(_one(before, keys, place), shown, keys, "mean"))
        return self.score(float(np.mean(differences)))


def _one(table: pl.DataFrame, keys: tuple[str, ...], place: int) -> pl.DataFrame:
    """The means of one column by group."""
    return table.select(*keys, pl.col(f"mean_{place}").alias("mean"))
