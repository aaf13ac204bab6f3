"""Top items of PWSCUP 2016."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import numpy as np
import polars as pl

from icefire.core.errors import Undefined
from icefire.core.parameters import AtLeast
from icefire.core.values import BAD_SHARE, Scale, Score
from icefire.history.data import History, Release
from icefire.history.roles import Utility


@dataclass(frozen=True)
class TopItems(Utility):
    """Share of the top items, by sales, that are not among the release's top items.

    What the contest counted is not documented. In the paper's Table 3 this metric is constant however many dummy records
    are added, at prices below 1 and in quantities of 1: so it counts sales or quantities, and no records.

    Parameters:
        number: how many top items are compared.
        by: "sales", "quantity" or "records".

    Example:
        Tea sells most, 9, and then cups, 4; after the release, pens have taken their place. By records, too, tea is first.

        >>> from icefire.history.data import Release
        >>> from icefire.history.examples import records
        >>> before = records("ann 2011-01-03 tea 3 2", "ann 2011-01-04 tea 3 1", "bob 2011-01-05 cup 4 1")
        >>> after = records("1 2011-01-03 tea 3 2", "2 2011-01-05 pen 4 1")
        >>> TopItems(number=2).measure(before, Release(before, after, [[0], [1]], [0, 2])).value
        0.5

    Reference:
        PWSCUP 2016, U4; Harada, Ito, Kikuchi 2017, Table 3.
    """

    scale: ClassVar[Scale] = BAD_SHARE
    number: Annotated[int, AtLeast(1)] = 100
    by: Literal["sales", "quantity", "records"] = "sales"
    aliases: ClassVar[tuple[str, ...]] = ("top items",)

    def measure(self, original: History, release: Release) -> Score:
        before, after = (_top(history, self.number, self.by) for history in (original, release.published))
        lost = before.filter(~before.is_in(after.implode()))
        return self.score(len(lost) / len(before), detail={"lost": len(lost)})


def _top(history: History, number: int, by: str) -> pl.Series:
    if by == "records":
        return most_records(history, number)
    columns = ("price", "quantity") if by == "sales" else ("quantity",)
    if not history.has(*columns):
        raise Undefined(f"these records have no {' and no '.join(columns)}: top_items(by=records) counts records")
    amounts = np.prod([np.nan_to_num(history.middle(name)) for name in columns], axis=0)
    sums = pl.DataFrame({"item": history.frame["item"], "amount": amounts}).group_by("item").agg(pl.col("amount").sum())
    return sums.sort(pl.col("amount").round(6), "item", descending=[True, False])["item"].head(number)


def most_records(history: History, number: int) -> pl.Series:
    """The items with most records; of equals those whose id comes first."""
    counted = history.frame.group_by("item").len()
    return counted.sort("len", "item", descending=[True, False])["item"].head(number)
