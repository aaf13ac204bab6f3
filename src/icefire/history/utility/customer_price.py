"""cMAE of 2016."""

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
    """cMAE: mean price per customer, averaged by birth decade and country; mean absolute difference over those cells.

    Reference: rules of PWSCUP 2016, as far as they survive.
    """

    scale: ClassVar[Scale] = ERROR
    aliases: ClassVar[tuple[str, ...]] = ("cMAE",)

    def measure(self, original: History, release: Release) -> Score:
        require_prices(original, release)
        attributes = cross_tabulation(original)
        before, after = (
            _means(frame) for frame in (with_attributes(original, attributes), with_owners(release, attributes))
        )
        both = before.join(after, on="cell", suffix="_after", maintain_order="left")
        both = both.drop_nulls()
        if both.height == 0:
            raise Undefined("no cell has customers with prices before and after")
        value = (both["price"] - both["price_after"]).abs().mean()
        return self.score(float(value), detail={"cells": both.height})  # type: ignore[arg-type]


def _means(frame: pl.DataFrame) -> pl.DataFrame:
    customers = frame.group_by("user", "cell", maintain_order=True).agg(pl.col("price").mean())
    return customers.group_by("cell", maintain_order=True).agg(pl.col("price").mean())
