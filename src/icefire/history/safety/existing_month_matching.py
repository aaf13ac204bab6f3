"""MM over existing pseudonyms only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from icefire.core.values import BAD_SHARE, Scale, Score
from icefire.history.data import Guess, Release
from icefire.history.roles import Safety
from icefire.history.safety._cells import existing, matches, require_cells


@dataclass(frozen=True)
class ExistingMonthMatching(Safety):
    """Share of existing pseudonyms (by customer and period) that were guessed right, whatever is guessed elsewhere.

    Never below MM: here a guess costs nothing where there is no pseudonym.
    """

    scale: ClassVar[Scale] = BAD_SHARE
    aliases: ClassVar[tuple[str, ...]] = ("MM, existing cells",)
    needs_guess: ClassVar[bool] = True

    def measure(self, release: Release, guess: Guess | None = None) -> Score:
        cells = require_cells(release)
        right = int((matches(release, guess) & existing(release)).sum())
        return self.score(right / cells, found=right, detail={"of": cells})
