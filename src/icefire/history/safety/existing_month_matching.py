"""Month matching over existing pseudonyms only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from icefire.core.values import BAD_SHARE, Scale, Score
from icefire.history.data import Guess, Release
from icefire.history.roles import Safety
from icefire.history.safety._cells import existing, interval, matches, require_cells, sampled


@dataclass(frozen=True)
class ExistingMonthMatching(Safety):
    """Share of existing pseudonyms (by customer and period) that were guessed right, whatever is guessed elsewhere.

    Never below `month_matching`: here a guess costs nothing where there is no pseudonym.

    Example:
        Of the three pseudonyms that exist two were found; that bob has none in the second month does not count.

        >>> import numpy as np
        >>> from icefire.history.data import NONE, Guess, Release
        >>> from icefire.history.examples import records
        >>> log = records("ann 2011-01-03 tea", "ann 2011-02-03 tea", "bob 2011-01-04 cup")
        >>> shown = records("1 2011-01-03 tea", "3 2011-02-03 tea", "2 2011-01-04 cup")
        >>> guess = Guess.of_table(np.array([[1, 2], [1, 2]]), pseudonyms=3)
        >>> round(ExistingMonthMatching().measure(Release(log, shown, [[0, 2], [1, NONE]], [0, 1, 2]), guess).value, 4)
        0.6667
    """

    scale: ClassVar[Scale] = BAD_SHARE
    aliases: ClassVar[tuple[str, ...]] = ("MM, existing cells",)
    needs_guess: ClassVar[bool] = True

    def measure(self, release: Release, guess: Guess | None = None) -> Score:
        cells, there = require_cells(release, guess), existing(release, guess)
        right = int((matches(release, guess) & there).sum())
        value = right / cells
        return self.score(value, interval(value, there, guess), found=right, detail={"of": cells, **sampled(guess)})
