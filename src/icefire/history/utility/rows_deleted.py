"""E6."""

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

    Reference: rules of PWSCUP 2017.
    """

    scale: ClassVar[Scale] = BAD_SHARE
    aliases: ClassVar[tuple[str, ...]] = ("E6",)

    def measure(self, original: History, release: Release) -> Score:
        kept = len(set(kept_rows(release)[1].tolist()))
        return self.score(1.0 - kept / original.height, detail={"kept": kept})
