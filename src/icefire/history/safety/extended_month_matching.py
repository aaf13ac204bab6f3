"""EMM."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from icefire.core.values import BAD_SHARE, Scale, Score
from icefire.history.data import Guess, Release
from icefire.history.roles import Safety
from icefire.history.safety._cells import month_matching_curve, require_cells


@dataclass(frozen=True)
class ExtendedMonthMatching(Safety):
    """Extended month matching EMM: the largest MM(l) over all releases l, each judged at the moment it was made.

    Reference: Tran, Sakamoto, Matsunaga 2018.
    """

    scale: ClassVar[Scale] = BAD_SHARE
    aliases: ClassVar[tuple[str, ...]] = ("EMM",)
    needs_guess: ClassVar[bool] = True

    def measure(self, release: Release, guess: Guess | None = None) -> Score:
        require_cells(release)
        curve = month_matching_curve(release, guess)
        present = [value for value in curve if value is not None]
        worst = max(present)
        label = release.original.periods.labels[curve.index(worst)]
        return self.score(worst, detail={"curve": curve, "at": label})
