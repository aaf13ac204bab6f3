"""UM."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from icefire.core.intervals import wilson
from icefire.core.values import BAD_SHARE, Scale, Score
from icefire.history.data import Guess, Release
from icefire.history.roles import Safety
from icefire.history.safety._cells import matches


@dataclass(frozen=True)
class UserMatching(Safety):
    """User matching UM: share of customers whose cells are all right, DEL included: the contest of 2017.

    Blind to a defender who protects a single period: look at MM and EMM, too.
    """

    scale: ClassVar[Scale] = BAD_SHARE
    aliases: ClassVar[tuple[str, ...]] = ("UM",)
    needs_guess: ClassVar[bool] = True

    def measure(self, release: Release, guess: Guess | None = None) -> Score:
        whole = matches(release, guess).all(axis=1)
        interval = wilson(int(whole.sum()), whole.size)
        return self.score(float(whole.mean()), interval, found=int(whole.sum()))
