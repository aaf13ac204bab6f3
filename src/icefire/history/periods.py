"""Periods of a history: days, weeks, months, quarters, years, or all time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from icefire.history.schema import Rule


@dataclass(frozen=True)
class Periods:
    """Consecutive periods from the first to the last record.

    >>> from datetime import date
    >>> months = Periods.covering("month", pl.Series([date(2010, 12, 31), date(2011, 2, 1)]))
    >>> months.labels
    ('2010-12', '2011-01', '2011-02')
    >>> months.codes(pl.Series([date(2011, 1, 15), date(2012, 1, 1)])).tolist()
    [1, -1]
    """

    rule: Rule
    starts: tuple[int, ...]
    """First day of each period, and the day after the last period, as days since 1970."""
    labels: tuple[str, ...]

    _EVERY: ClassVar[dict[str, str]] = {"day": "1d", "week": "1w", "month": "1mo", "quarter": "1q", "year": "1y"}

    @classmethod
    def covering(cls, rule: Rule, dates: pl.Series) -> Periods:
        """The periods from the earliest to the latest date."""
        low, high = dates.min(), dates.max()
        if rule == "all":
            return cls(rule, (_day(low), _day(high) + 1), ("all",))
        every = cls._EVERY[rule]
        first, last = (pl.Series([day], dtype=pl.Date).dt.truncate(every)[0] for day in (low, high))
        starts = pl.date_range(first, last, every, eager=True)
        after = starts.tail(1).dt.offset_by(every)
        labels = tuple(_label(rule, starts))
        return cls(rule, tuple(pl.concat([starts, after]).to_physical().to_list()), labels)

    def __len__(self) -> int:
        return len(self.labels)

    def codes(self, dates: pl.Series) -> NDArray[np.int64]:
        """The period of each date; -1 outside of all periods."""
        days = dates.to_physical().to_numpy()
        found = np.searchsorted(np.asarray(self.starts), days, side="right") - 1
        return np.where((found >= 0) & (found < len(self)), found, -1)

    def bounds(self, codes: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """First and last day of the given periods, as days since 1970."""
        starts = np.asarray(self.starts)
        return starts[codes], starts[codes + 1] - 1

    def slice(self, begin: int, end: int) -> Periods:
        """The periods from `begin` up to but not including `end`."""
        return Periods(self.rule, self.starts[begin : end + 1], self.labels[begin:end])


def _day(value: object) -> int:
    return int(pl.Series([value], dtype=pl.Date).to_physical()[0])


def _label(rule: Rule, starts: pl.Series) -> list[str]:
    if rule == "quarter":
        return [f"{day.year}-Q{(day.month + 2) // 3}" for day in starts]
    form = {"day": "%Y-%m-%d", "week": "%G-W%V", "month": "%Y-%m", "year": "%Y"}[rule]
    return starts.dt.strftime(form).to_list()
