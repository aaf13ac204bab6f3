"""Generalization of items, dates, times and amounts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, Literal, Self

import numpy as np
import polars as pl

from icefire.core.errors import DataError
from icefire.core.parameters import AtLeast
from icefire.history.attackers import cut_items
from icefire.history.data import History, Release
from icefire.history.roles import Anonymizer
from icefire.history.treatment import Treatment


@dataclass(frozen=True)
class Generalize(Anonymizer):
    """Generalize items to categories, dates to weeks or periods, times to hours, prices and quantities to bands.

    Parameters:
        item: number of leading characters that are kept.
        date: "week" or "period"; "none" leaves it alone.
        time: "hour" or "drop" (the minute of a purchase tells as much as its day); "none" leaves it alone.
        price, quantity: number of bands with about equally many records in each; 0 leaves the column alone.

    Example:
        The 5th of January 2011 was a Wednesday.

        >>> import numpy as np
        >>> from icefire.history.examples import records
        >>> log = records("ann 2011-01-05 22728", "bob 2011-01-31 22699")
        >>> cells = Generalize(item=2, date="week").anonymize(log, np.random.default_rng(0)).published.frame.sort("date")
        >>> cells["item"].to_list(), [f"{row['date']}..{row['date_to']}" for row in cells.rows(named=True)]
        (['22*', '22*'], ['2011-01-03..2011-01-09', '2011-01-31..2011-01-31'])
    """

    item: Annotated[int, AtLeast(1)] | None = None
    date: Literal["none", "week", "period"] = "none"
    time: Literal["none", "hour", "drop"] = "none"
    price: Annotated[int, AtLeast(0)] = 0
    quantity: Annotated[int, AtLeast(0)] = 0
    deterministic: ClassVar[bool] = True

    @classmethod
    def variants(cls, original: History) -> list[Self]:
        return [cls(date=date, time="drop", price=1) for date in ("none", "week", "period")]

    def anonymize(self, original: History, rng: np.random.Generator) -> Release:
        self._check(original)
        frame = original.frame
        if self.item is not None:
            frame = frame.with_columns(cut_items(pl.col("item"), self.item))
            if frame["item"].equals(original.frame["item"]):
                raise DataError(f"no item is longer than {self.item} characters: nothing would be generalized")
        if self.date != "none":
            frame = frame.with_columns(*self._dates(original))
        if self.time == "drop":
            frame = frame.drop("time")
        elif self.time == "hour":
            frame = frame.with_columns(pl.col("time").str.replace(r":.*", ":00"))
        for name, bands in (("price", self.price), ("quantity", self.quantity)):
            if bands:
                frame = frame.with_columns(*_bands(frame[name], bands))
        return Release.made(original, frame, np.arange(original.height), rng)

    def treat(self, treatment: Treatment) -> Treatment:
        if self.item is None:
            return treatment
        frame = treatment.records.frame.with_columns(cut_items(pl.col("item"), self.item))
        return replace(treatment, records=treatment.records.with_frame(frame))

    def _check(self, original: History) -> None:
        """A step that does nothing must not look like protection."""
        wanted = {"price": self.price > 0, "quantity": self.quantity > 0, "time": self.time != "none"}
        if self.item is None and self.date == "none" and not any(wanted.values()):
            raise DataError("generalize: say what, as in generalize(item=2, date=week, time=drop, price=5, quantity=4)")
        for name, asked in wanted.items():
            if asked and not original.has(name):
                raise DataError(f"the records have no {name}, so it cannot be generalized: leave {name} out")
            if asked and f"{name}_to" in original.frame.columns:
                raise DataError(f"the {name} is generalized already: give all bands in one step")

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


def _bands(column: pl.Series, number: int) -> list[pl.Series]:
    """The least and the largest value of each band; equal values share a band, and missing ones stay missing."""
    values = column.drop_nulls().to_numpy()
    distinct, counts = np.unique(values, return_counts=True)
    middle = np.cumsum(counts) - counts / 2
    band = np.minimum((middle / max(1, values.size) * number).astype(np.int64), number - 1)
    starts = np.flatnonzero(np.diff(band, prepend=-1))
    place = np.searchsorted(starts, np.arange(distinct.size), side="right") - 1
    ends = np.append(starts[1:], distinct.size) - 1
    spans = [distinct[starts][place], distinct[ends][place]]
    names = (column.name, f"{column.name}_to")
    return [
        column.replace_strict(distinct, span, default=None).cast(column.dtype).alias(n)
        for n, span in zip(names, spans, strict=True)
    ]
