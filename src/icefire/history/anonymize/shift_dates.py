"""Dates moved within their period."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Self

import numpy as np
import polars as pl

from icefire.core.errors import DataError
from icefire.core.parameters import AtLeast
from icefire.history.data import History, Release
from icefire.history.roles import Anonymizer


@dataclass(frozen=True)
class ShiftDates(Anonymizer):
    """Moves every date by up to so many days, within its period.

    With `together` all records of a customer in a period move by the same number of days, which keeps baskets whole.
    """

    days: Annotated[int, AtLeast(1)] = 7
    together: bool = True

    @classmethod
    def variants(cls, original: History) -> list[Self]:
        return [cls(days=days) for days in (3, 7, 14)]

    def anonymize(self, original: History, rng: np.random.Generator) -> Release:
        if "date_to" in original.frame.columns:
            raise DataError("the dates are generalized already: shift them before they are")
        first, last = original.periods.bounds(original.period_codes)
        key = original.user_codes * len(original.periods) + original.period_codes
        groups, inverse = np.unique(key, return_inverse=True)
        drawn = rng.integers(-self.days, self.days, groups.size if self.together else key.size, endpoint=True)
        days = original.frame["date"].to_physical().to_numpy() + (drawn[inverse] if self.together else drawn)
        moved = np.clip(days, first, last).astype(np.int32)
        frame = original.frame.with_columns(date=pl.Series(moved).cast(pl.Date))
        return Release.made(original, frame, np.arange(original.height), rng)
