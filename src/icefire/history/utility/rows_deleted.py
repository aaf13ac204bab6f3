"""E6 of PWSCUP 2017."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from icefire.core.values import BAD_SHARE, Scale, Score
from icefire.history.data import History, Release
from icefire.history.roles import Utility
from icefire.history.utility._rows import kept_rows


@dataclass(frozen=True)
class RowsDeleted(Utility):
    """E6: share of the original records that were deleted.

    Example:
        >>> from icefire.history.data import Release
        >>> from icefire.history.examples import records
        >>> before = records("ann 2011-01-03 tea", "ann 2011-01-05 tea", "bob 2011-01-04 cup", "bob 2011-01-06 cup")
        >>> after = records("1 2011-01-03 tea", "2 2011-01-04 cup", "2 2011-01-06 cup")
        >>> RowsDeleted().measure(before, Release(before, after, [[0], [1]], [0, 2, 3])).value
        0.25

    Reference:
        Rules of PWSCUP 2017.
    """

    scale: ClassVar[Scale] = BAD_SHARE
    aliases: ClassVar[tuple[str, ...]] = ("E6",)

    def measure(self, original: History, release: Release) -> Score:
        kept = len(set(kept_rows(release)[1].tolist()))
        return self.score(1.0 - kept / original.height, detail={"kept": kept})
