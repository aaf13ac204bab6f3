"""Share of right cells, the first rule of PWSCUP 2017."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from icefire.core.values import BAD_SHARE, Scale, Score
from icefire.history.data import Guess, Release
from icefire.history.roles import Safety
from icefire.history.safety._cells import interval, matches, sampled


@dataclass(frozen=True)
class Cells(Safety):
    """Share of all cells (customer and period) that were guessed right, DEL included: match / (d n).

    Example:
        Ann has the pseudonyms 1 and 3, bob 2 and none. The guess is wrong about bob's second month.

        >>> import numpy as np
        >>> from icefire.history.data import NONE, Guess, Release
        >>> from icefire.history.examples import records
        >>> log = records("ann 2011-01-03 tea", "ann 2011-02-03 tea", "bob 2011-01-04 cup")
        >>> shown = records("1 2011-01-03 tea", "3 2011-02-03 tea", "2 2011-01-04 cup")
        >>> guess = Guess.of_table(np.array([[0, 2], [1, 2]]), pseudonyms=3)
        >>> Cells().measure(Release(log, shown, [[0, 2], [1, NONE]], [0, 1, 2]), guess).value
        0.75

    Reference:
        Rules of PWSCUP 2017.
    """

    scale: ClassVar[Scale] = BAD_SHARE
    aliases: ClassVar[tuple[str, ...]] = ("cells",)
    needs_guess: ClassVar[bool] = True

    def measure(self, release: Release, guess: Guess | None = None) -> Score:
        right = matches(release, guess)
        value = float(right.mean())
        return self.score(value, interval(value, np.ones_like(right), guess), detail=sampled(guess))
