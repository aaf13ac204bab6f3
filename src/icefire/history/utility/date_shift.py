"""E4 of PWSCUP 2017."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from icefire.core.values import BAD_SHARE, Scale, Score
from icefire.history.data import History, Release
from icefire.history.roles import Utility
from icefire.history.utility._rows import kept_rows


@dataclass(frozen=True)
class DateShift(Utility):
    """E4: days by which dates were moved, over 31 times the number of original records; of a span, its middle counts.

    Example:
        >>> from icefire.history.data import Release
        >>> from icefire.history.examples import records
        >>> before = records("ann 2011-01-01 tea", "bob 2011-01-04 cup")
        >>> after = records("1 2011-01-31 tea", "2 2011-01-05 cup")
        >>> DateShift().measure(before, Release(before, after, [[0], [1]], [0, 1])).value
        0.5

    Reference:
        Rules of PWSCUP 2017.
    """

    scale: ClassVar[Scale] = BAD_SHARE
    aliases: ClassVar[tuple[str, ...]] = ("E4",)

    def measure(self, original: History, release: Release) -> Score:
        published, rows = kept_rows(release)
        before, after = (_days(history) for history in (original, release.published))
        shift = float(np.abs(before[rows] - after[published]).sum())
        return self.score(shift / (31 * original.height))


def _days(history: History) -> np.ndarray:
    low = history.frame["date"].to_physical().to_numpy().astype(np.float64)
    if "date_to" not in history.frame.columns:
        return np.asarray(low)
    high = history.frame["date_to"].to_physical().to_numpy().astype(np.float64)
    return np.where(np.isnan(high), low, (low + high) / 2)
