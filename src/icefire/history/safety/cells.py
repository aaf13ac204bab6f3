"""The first rule of 2017."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from icefire.core.values import BAD_SHARE, Scale, Score
from icefire.history.data import Guess, Release
from icefire.history.roles import Safety
from icefire.history.safety._cells import matches


@dataclass(frozen=True)
class Cells(Safety):
    """Share of all cells (customer and period) that were guessed right, DEL included: match / (d n)."""

    scale: ClassVar[Scale] = BAD_SHARE
    aliases: ClassVar[tuple[str, ...]] = ("cells",)
    needs_guess: ClassVar[bool] = True

    def measure(self, release: Release, guess: Guess | None = None) -> Score:
        return self.score(float(matches(release, guess).mean()))
