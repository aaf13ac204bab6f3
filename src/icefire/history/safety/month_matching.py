"""MM."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from icefire.core.documents import JsonObject
from icefire.core.values import BAD_SHARE, Scale, Score
from icefire.history.data import Guess, Release
from icefire.history.roles import Safety
from icefire.history.safety._cells import matches, month_matching_curve, require_cells


@dataclass(frozen=True)
class MonthMatching(Safety):
    """Month matching MM: max((match - del) / (d n - del), 0), with match and del counted over all cells.

    Cells without a pseudonym are given and taken away again, so a guess that names a pseudonym where there is none loses.
    `existing_month_matching` looks at existing pseudonyms only.
    """

    scale: ClassVar[Scale] = BAD_SHARE
    aliases: ClassVar[tuple[str, ...]] = ("MM",)
    needs_guess: ClassVar[bool] = True

    def measure(self, release: Release, guess: Guess | None = None) -> Score:
        cells = require_cells(release)
        curve = month_matching_curve(release, guess)
        match = int(matches(release, guess).sum())
        detail: JsonObject = {"match": match, "del": release.pseudonyms.size - cells, "curve": curve}
        value = curve[-1]
        assert value is not None, "there are cells"
        return self.score(value, detail=detail)
