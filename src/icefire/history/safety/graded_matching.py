"""Graded answers of the DARC contest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from icefire.core.values import BAD_SHARE, Scale, Score
from icefire.history.data import Guess, Release
from icefire.history.roles import Safety
from icefire.history.safety._cells import existing, interval, matches, of_asked, require_cells, sampled


@dataclass(frozen=True)
class GradedMatching(Safety):
    """Existing pseudonyms found, graded by the place of the right one: 1, 2/3, 1/3 for the first three.

    A guess that names one pseudonym for a cell has a first place only.

    Example:
        Ann's pseudonym comes first (1), bob's third (1/3).

        >>> import numpy as np
        >>> from icefire.history.data import Guess, Release
        >>> from icefire.history.examples import records
        >>> log = records("ann 2011-01-03 tea", "bob 2011-01-04 cup")
        >>> release = Release(log, records("1 2011-01-03 tea", "2 2011-01-04 cup"), [[0], [1]], [0, 1])
        >>> guess = Guess.of_table(np.array([[0], [0]]), 2, ranked=np.array([[[0, 1, -1]], [[0, -1, 1]]]))
        >>> round(GradedMatching().measure(release, guess).value, 4)
        0.6667
    """

    scale: ClassVar[Scale] = BAD_SHARE
    aliases: ClassVar[tuple[str, ...]] = ("graded",)
    needs_guess: ClassVar[bool] = True

    def measure(self, release: Release, guess: Guess | None = None) -> Score:
        cells, there = require_cells(release, guess), existing(release, guess)
        right = matches(release, guess)
        assert guess is not None, "grades are given to a guess"
        places = guess.table[:, :, None] if guess.ranked is None else guess.ranked[:, :, :3]
        grades = np.array([1.0, 2 / 3, 1 / 3])[: places.shape[2]]
        earned = of_asked(((places == release.pseudonyms[:, :, None]) * grades).max(axis=2), guess)
        value = float(earned[there].sum() / cells)
        detail = {"first": int((right & there).sum()), **sampled(guess)}
        return self.score(value, interval(value, there, guess), detail=detail)
