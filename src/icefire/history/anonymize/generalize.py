"""Coarser cells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
import polars as pl

from icefire.core.errors import DataError
from icefire.core.parameters import AtLeast
from icefire.history.attackers import cut_items
from icefire.history.data import History, Release
from icefire.history.roles import Anonymizer


@dataclass(frozen=True)
class Generalize(Anonymizer):
    """Items to categories, dates to weeks or whole periods, times to hours, prices and quantities to bands.

    item: number of leading characters that are kept. date: 'week' or 'period'. time: 'hour' or 'drop' (the minute of a
    purchase tells as much as its day). price, quantity: number of bands with about equally many records in each; 0 leaves
    the column alone.

    >>> Generalize(item=2, date="week").step()
    "generalize(item=2, date='week')"
    """

    item: Annotated[int, AtLeast(1)] | None = None
    date: Literal["none", "week", "period"] = "none"
    time: Literal["none", "hour", "drop"] = "none"
    price: Annotated[int, AtLeast(0)] = 0
    quantity: Annotated[int, AtLeast(0)] = 0

    def anonymize(self, original: History, rng: np.random.Generator) -> Release:
        frame = original.frame
        if self.item is not None:
            frame = frame.with_columns(cut_items(pl.col("item"), self.item))
        if self.date != "none":
            frame = frame.with_columns(*self._dates(original))
        if self.time == "drop":
            frame = frame.drop("time", strict=False)
        elif self.time == "hour" and original.has("time"):
            frame = frame.with_columns(pl.col("time").str.replace(r":.*", ":00"))
        for name, bands in (("price", self.price), ("quantity", self.quantity)):
            if bands and original.has(name):
                if f"{name}_to" in frame.columns:
                    raise DataError(f"the {name} is generalized already: give all bands in one step")
                low, high = _bands(frame[name].to_numpy(), bands)
                dtype = frame.schema[name]
                frame = frame.with_columns(pl.Series(name, low).cast(dtype), pl.Series(f"{name}_to", high).cast(dtype))
        return Release.made(original, frame, np.arange(original.height), rng)

    def _dates(self, original: History) -> list[pl.Series]:
        first, last = original.periods.bounds(original.period_codes)
        if self.date == "week":
            day = original.frame["date"].to_physical().to_numpy().astype(np.int64)
            # Day 0 of the calendar was a Thursday; weeks begin on Monday and end with the period at the latest.
            monday = day - (day + 3) % 7
            first, last = np.maximum(first, monday), np.minimum(last, monday + 6)
        return [
            pl.Series(name, days.astype(np.int32)).cast(pl.Date) for name, days in (("date", first), ("date_to", last))
        ]


def _bands(values: np.ndarray, number: int) -> tuple[np.ndarray, np.ndarray]:
    """The least and the largest value of each band; equal values share a band."""
    distinct, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    middle = np.cumsum(counts) - counts / 2
    band = np.minimum((middle / values.size * number).astype(np.int64), number - 1)
    starts = np.flatnonzero(np.diff(band, prepend=-1))
    place = np.searchsorted(starts, np.arange(distinct.size), side="right") - 1
    ends = np.append(starts[1:], distinct.size) - 1
    return distinct[starts][place][inverse], distinct[ends][place][inverse]
