"""s_T."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from icefire.core.parameters import Above
from icefire.core.values import GOOD_SHARE, Scale, Score
from icefire.trace.data import SENSITIVE_WEIGHT, Guess, Release
from icefire.trace.roles import Safety


@dataclass(frozen=True)
class TraceSafety(Safety):
    """s_T: mean of min(distance / radius, 1) between true and guessed cells; sensitive regions weigh more.

    Reference: PWS Cup 2019.
    """

    scale: ClassVar[Scale] = GOOD_SHARE
    radius: Annotated[float, Above(0)] = 2.0
    weight: Annotated[float, Above(0)] = SENSITIVE_WEIGHT
    aliases: ClassVar[tuple[str, ...]] = ("s_T",)
    needs_guess: ClassVar[bool] = True

    def measure(self, release: Release, guess: Guess | None = None) -> Score:
        assert guess is not None, "s_T judges a guess"
        guess.check(release)
        truth = release.original.original
        gaps = np.minimum(release.original.grid.distances / self.radius, 1.0)
        weights = np.where(release.original.sensitive[truth], self.weight, 1.0)
        return self.score(float((weights * gaps[truth, guess.traces]).sum() / weights.sum()))
