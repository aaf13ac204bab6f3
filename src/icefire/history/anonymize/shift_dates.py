"""Random shifts of dates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Self

import numpy as np
import polars as pl

from icefire.core.errors import DataError
from icefire.core.parameters import AtLeast
from icefire.history.data import History, Release
from icefire.history.roles import Anonymizer
from icefire.history.treatment import DateShift, Treatment


@dataclass(frozen=True)
class ShiftDates(Anonymizer):
    """Move every date by up to some number of days, within its period.

    Parameters:
        days: the largest shift.
        together: move all records of a customer in a period by the same number of days, which keeps baskets whole.

    Example:
        The gap of two days stays, and the records stay in January.

        >>> import numpy as np
        >>> from icefire.history.examples import records
        >>> log = records("ann 2011-01-10 tea", "ann 2011-01-12 cup")
        >>> dates = ShiftDates(days=7).anonymize(log, np.random.default_rng(0)).published.frame["date"].sort()
        >>> (dates[1] - dates[0]).days, abs((dates[0] - log.frame["date"][0]).days) <= 7
        (2, True)
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

    def treat(self, treatment: Treatment) -> Treatment:
        return treatment.with_shift(DateShift(self.days, self.together))
