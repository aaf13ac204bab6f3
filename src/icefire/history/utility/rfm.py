"""Recency, frequency and monetary value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import polars as pl

from icefire.core.errors import Undefined
from icefire.core.values import ERROR, Scale, Score
from icefire.history.data import History, Release
from icefire.history.roles import Utility
from icefire.history.utility._customers import cross_tabulation, require_prices, with_attributes, with_owners

NUMBERS = ("recency", "frequency", "monetary")


@dataclass(frozen=True)
class Rfm(Utility):
    """RFM: recency (days), frequency (invoices) and monetary value per customer, averaged by birth decade and country.

    Each number's mean absolute difference over those groups is divided by its mean before, since days, counts and money do
    not add up; the value is the mean of the three. The detail has them in their own units.

    Example:
        Ann was last seen on the last day, came twice and spent 2 + 6 = 8. After: a day ago, twice, 2 + 2 = 4.

        >>> import polars as pl
        >>> from icefire.history.data import History, Release
        >>> from icefire.history.examples import records
        >>> ann = pl.DataFrame({"user": ["ann"], "birth": ["1970"], "country": ["jp"]})
        >>> before = History(records("ann 2011-01-03 tea 2", "ann 2011-01-05 cup 6").frame, master=ann)
        >>> after = records("1 2011-01-03 tea 2", "1 2011-01-04 cup 2")
        >>> Rfm().measure(before, Release(before, after, [[0]], [0, 1])).detail
        {'recency': 1.0, 'frequency': 0.0, 'monetary': 4.0}
    """

    scale: ClassVar[Scale] = ERROR
    aliases: ClassVar[tuple[str, ...]] = ("RFM",)

    def measure(self, original: History, release: Release) -> Score:
        require_prices(original, release)
        end = original.frame["date"].max()
        frames = with_attributes(original, cross_tabulation), with_owners(release, cross_tabulation)
        before, after = (_means(frame, end) for frame in frames)
        both = before.join(after, on="cell", suffix="_after", maintain_order="left")
        both = both.drop_nulls()
        if both.height == 0:
            raise Undefined("no cell has customers before and after")
        raw, relative = {}, []
        for name in NUMBERS:
            difference = float(both.select((pl.col(name) - pl.col(f"{name}_after")).abs().mean()).item())
            mean = float(both.select(pl.col(name).abs().mean()).item())
            raw[name] = difference
            relative.append(difference / mean if mean else difference)
        return self.score(sum(relative) / len(relative), detail=raw)


def _means(frame: pl.DataFrame, end: object) -> pl.DataFrame:
    amount = pl.col("price") * (pl.col("quantity") if "quantity" in frame.columns else 1)
    invoice = (
        pl.col("invoice") if frame.columns.count("invoice") and frame["invoice"].n_unique() > 1 else pl.col("date")
    )
    customers = frame.group_by("user", "cell", maintain_order=True).agg(
        (pl.lit(end) - pl.col("date").max()).dt.total_days().cast(pl.Float64).alias("recency"),
        invoice.n_unique().cast(pl.Float64).alias("frequency"),
        amount.sum().cast(pl.Float64).alias("monetary"),
    )
    return customers.group_by("cell", maintain_order=True).agg(pl.col(*NUMBERS).mean())
