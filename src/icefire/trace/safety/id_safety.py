"""s_I, safety from identification."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from icefire.core.errors import Undefined
from icefire.core.intervals import wilson
from icefire.core.values import GOOD_SHARE, Interval, Scale, Score
from icefire.trace.data import Guess, Release
from icefire.trace.roles import Safety


@dataclass(frozen=True)
class IdSafety(Safety):
    """s_I: one minus the share of pseudonyms whose user was guessed right; a guess may name a user twice.

    Example:
        The paper's example: the pseudonyms belong to users 2, 3, 1, and the guess is 2, 2, 1 (counted from 1).

        >>> import numpy as np
        >>> from icefire.trace.data import Guess, Release, Traces
        >>> from icefire.trace.grid import Grid
        >>> walks = Traces(np.zeros((3, 1)), np.zeros((3, 1)), Grid(rows=1, columns=2))
        >>> guess = Guess(np.array([1, 1, 0]), np.zeros((3, 1), dtype=np.int32))
        >>> round(IdSafety().measure(Release(walks, walks.cells, [1, 2, 0]), guess).value, 4)
        0.3333

    Reference:
        PWS Cup 2019.
    """

    scale: ClassVar[Scale] = GOOD_SHARE
    aliases: ClassVar[tuple[str, ...]] = ("s_I",)
    needs_guess: ClassVar[bool] = True

    def measure(self, release: Release, guess: Guess | None = None) -> Score:
        assert guess is not None, "s_I judges a guess"
        guess.check(release.published, release.original)
        if not guess.users.size:
            raise Undefined("the guess names regions and no users")
        right, detail = guess.users == release.owners, {}
        if guess.asked is not None:
            right = right[guess.asked.pseudonyms]
            detail = {"pseudonyms sampled": right.size}
        found = wilson(int(right.sum()), right.size)
        interval = Interval(1.0 - found.high, 1.0 - found.low)
        return self.score(1.0 - float(right.mean()), interval, found=int(right.sum()), detail=detail)
