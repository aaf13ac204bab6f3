"""Mean prices of subsets of customers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import polars as pl

from icefire.core.errors import Undefined
from icefire.core.values import BAD_SHARE, Scale, Score
from icefire.history.data import History, Release
from icefire.history.roles import Utility
from icefire.history.utility._customers import require_prices, with_attributes, with_owners


@dataclass(frozen=True)
class SubsetPrice(Utility):
    """Subsets: mean price among the customers who share an attribute of the master table; mean relative difference.

    A subset that is missing from the release counts 1.

    Example:
        The mean price of jp falls from 10 to 5, that of fr stays.

        >>> import polars as pl
        >>> from icefire.history.data import History, Release
        >>> from icefire.history.examples import records
        >>> people = pl.DataFrame({"user": ["ann", "bob"], "country": ["jp", "fr"]})
        >>> before = History(records("ann 2011-01-03 tea 10", "bob 2011-01-04 cup 4").frame, master=people)
        >>> after = records("1 2011-01-03 tea 5", "2 2011-01-04 cup 4")
        >>> SubsetPrice().measure(before, Release(before, after, [[0], [1]], [0, 1])).value
        0.25
    """

    scale: ClassVar[Scale] = BAD_SHARE
    aliases: ClassVar[tuple[str, ...]] = ("subset",)

    def measure(self, original: History, release: Release) -> Score:
        require_prices(original, release)
        if original.master is None or original.master.width < 2:
            raise Undefined("there is no master table with attributes")
        attributes = [name for name in original.master.columns if name != "user"]
        frames = with_attributes(original, _renamed), with_owners(release, _renamed)
        by_attribute = {}
        for name in attributes:
            if f"of_{name}" not in frames[1].columns:
                # Not published: all of its subsets are missing.
                by_attribute[name] = 1.0
                continue
            before, after = (
                frame.group_by(f"of_{name}", maintain_order=True).agg(pl.col("price").mean()) for frame in frames
            )
            both = before.join(
                after, on=f"of_{name}", how="left", suffix="_after", nulls_equal=True, maintain_order="left"
            )
            both = both.filter(pl.col("price") > 0)
            change = ((pl.col("price") - pl.col("price_after")).abs() / pl.col("price")).fill_null(1.0)
            if both.height:
                by_attribute[name] = float(both.select(change.mean()).item())
        if not by_attribute:
            raise Undefined("all prices are 0")
        value = sum(by_attribute.values()) / len(by_attribute)
        return self.score(value, detail={"by column": by_attribute})


def _renamed(master: pl.DataFrame | None) -> pl.DataFrame:
    assert master is not None
    texts = master.with_columns(pl.all().cast(pl.String))
    return texts.rename({name: f"of_{name}" for name in master.columns if name != "user"})
