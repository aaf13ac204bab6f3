"""cMAE of PWSCUP 2016."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import polars as pl

from icefire.core.errors import Undefined
from icefire.core.values import ERROR, Scale, Score
from icefire.history.data import History, Release
from icefire.history.roles import Utility
from icefire.history.utility._customers import cross_tabulation, require_prices, with_attributes, with_owners


@dataclass(frozen=True)
class CustomerPrice(Utility):
    """cMAE: mean price per customer, averaged by birth decade and country; mean absolute difference over those groups.

    Example:
        Both customers are of the 1970s and of one country. Their mean price is 3 before and 5 after.

        >>> import polars as pl
        >>> from icefire.history.data import History, Release
        >>> from icefire.history.examples import records
        >>> people = pl.DataFrame({"user": ["ann", "bob"], "birth": ["1970", "1979"], "country": ["jp", "jp"]})
        >>> before = History(records("ann 2011-01-03 tea 2", "bob 2011-01-04 cup 4").frame, master=people)
        >>> after = records("1 2011-01-03 tea 2", "2 2011-01-04 cup 8")
        >>> CustomerPrice().measure(before, Release(before, after, [[0], [1]], [0, 1])).value
        2.0

    Reference:
        Rules of PWSCUP 2016, as far as they survive.
    """

    scale: ClassVar[Scale] = ERROR
    aliases: ClassVar[tuple[str, ...]] = ("cMAE",)

    def measure(self, original: History, release: Release) -> Score:
        require_prices(original, release)
        before, after = (
            _means(frame)
            for frame in (with_attributes(original, cross_tabulation), with_owners(release, cross_tabulation))
        )
        both = before.join(after, on="cell", suffix="_after", maintain_order="left")
        both = both.drop_nulls()
        if both.height == 0:
            raise Undefined("no cell has customers with prices before and after")
        value = both.select((pl.col("price") - pl.col("price_after")).abs().mean()).item()
        return self.score(float(value), detail={"cells": both.height})


def _means(frame: pl.DataFrame) -> pl.DataFrame:
    customers = frame.group_by("user", "cell", maintain_order=True).agg(pl.col("price").mean())
    return customers.group_by("cell", maintain_order=True).agg(pl.col("price").mean())
