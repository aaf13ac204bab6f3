"""Likeness of a customer's items before and after."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import polars as pl

from icefire.core.values import GOOD_SHARE, Scale, Score
from icefire.history.data import History, Release
from icefire.history.roles import Utility


@dataclass(frozen=True)
class OwnItems(Utility):
    """Mean Jaccard similarity of each customer's set of items before and after.

    Customers without a published record count 0.

    Example:
        Ann keeps {tea} of {tea, cup}: 1/2. Bob is published as before.

        >>> from icefire.history.data import Release
        >>> from icefire.history.examples import records
        >>> before = records("ann 2011-01-03 tea", "ann 2011-01-03 cup", "bob 2011-01-04 cup")
        >>> after = records("1 2011-01-03 tea", "2 2011-01-04 cup")
        >>> OwnItems().measure(before, Release(before, after, [[0], [1]], [0, 2])).value
        0.75

    Reference:
        Harada, Ito, Kikuchi 2017, table 4, column jaccard.
    """

    scale: ClassVar[Scale] = GOOD_SHARE

    def measure(self, original: History, release: Release) -> Score:
        before = _sets(pl.Series(original.user_codes), original.frame["item"])
        after = _sets(pl.Series(release.record_owners), release.published.frame["item"])
        own = before.group_by("user").len("before").join(after.group_by("user").len("after"), on="user", how="left")
        both = before.join(after, on=("user", "item")).group_by("user").len("both")
        counts = own.join(both, on="user", how="left").fill_null(0)
        jaccard = pl.col("both") / (pl.col("before") + pl.col("after") - pl.col("both"))
        return self.score(float(counts.select(jaccard.mean()).item()))


def _sets(users: pl.Series, items: pl.Series) -> pl.DataFrame:
    """The different items of each user."""
    return pl.DataFrame({"user": users, "item": items}).unique()
