"""UM, user matching."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from icefire.core.intervals import wilson
from icefire.core.values import BAD_SHARE, Scale, Score
from icefire.history.data import Guess, Release
from icefire.history.roles import Safety
from icefire.history.safety._cells import matches, sampled


@dataclass(frozen=True)
class UserMatching(Safety):
    """User matching UM: share of customers whose cells are all right, DEL included: the contest of 2017.

    It does not see a defender who protects a single period: look at MM and EMM, too.

    Example:
        Ann's two months are right, bob's second is wrong: he has no pseudonym there.

        >>> import numpy as np
        >>> from icefire.history.data import NONE, Guess, Release
        >>> from icefire.history.examples import records
        >>> log = records("ann 2011-01-03 tea", "ann 2011-02-03 tea", "bob 2011-01-04 cup")
        >>> shown = records("1 2011-01-03 tea", "3 2011-02-03 tea", "2 2011-01-04 cup")
        >>> guess = Guess.of_table(np.array([[0, 2], [1, 2]]), pseudonyms=3)
        >>> UserMatching().measure(Release(log, shown, [[0, 2], [1, NONE]], [0, 1, 2]), guess).value
        0.5

    Reference:
        Rules of PWSCUP 2017.
    """

    scale: ClassVar[Scale] = BAD_SHARE
    aliases: ClassVar[tuple[str, ...]] = ("UM",)
    needs_guess: ClassVar[bool] = True

    def measure(self, release: Release, guess: Guess | None = None) -> Score:
        whole = matches(release, guess).all(axis=1)
        interval = wilson(int(whole.sum()), whole.size)
        return self.score(float(whole.mean()), interval, found=int(whole.sum()), detail=sampled(guess))
