"""Top items of PWSCUP 2016."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import polars as pl

from icefire.core.parameters import AtLeast
from icefire.core.values import BAD_SHARE, Scale, Score
from icefire.history.data import History, Release
from icefire.history.roles import Utility


@dataclass(frozen=True)
class TopItems(Utility):
    """Share of the items with most records that are not among the release's items with most records.

    Parameters:
        number: how many of the items with most records are compared.

    Example:
        >>> from icefire.history.data import Release
        >>> from icefire.history.examples import records
        >>> before = records("ann 2011-01-03 tea", "ann 2011-01-04 tea", "bob 2011-01-05 cup")
        >>> after = records("1 2011-01-03 tea", "2 2011-01-05 pen")
        >>> TopItems(number=2).measure(before, Release(before, after, [[0], [1]], [0, 2])).value
        0.5
    """

    scale: ClassVar[Scale] = BAD_SHARE
    number: Annotated[int, AtLeast(1)] = 100
    aliases: ClassVar[tuple[str, ...]] = ("top items",)

    def measure(self, original: History, release: Release) -> Score:
        before, after = most_records(original, self.number), most_records(release.published, self.number)
        lost = before.filter(~before.is_in(after.implode()))
        return self.score(len(lost) / len(before), detail={"lost": len(lost)})


def most_records(history: History, number: int) -> pl.Series:
    """The items with most records; of equals those whose id comes first."""
    counted = history.frame.group_by("item").len()
    return counted.sort("len", "item", descending=[True, False])["item"].head(number)
