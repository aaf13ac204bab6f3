"""EMM, the worst release of a series."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from icefire.core.values import BAD_SHARE, Scale, Score
from icefire.history.data import Guess, Release
from icefire.history.roles import Safety
from icefire.history.safety._cells import existing, interval, month_matching_curve, require_cells, sampled


@dataclass(frozen=True)
class ExtendedMonthMatching(Safety):
    """Extended month matching EMM: the largest MM(l), all cut from one guess made with all months.

    MM(l) counts the first l months. The gate, in contrast, attacks each release when it is made.

    Example:
        After January MM(1) = 1/1, after February MM(2) = 1/2.

        >>> import numpy as np
        >>> from icefire.history.data import Guess, Release
        >>> from icefire.history.examples import records
        >>> log = records("ann 2011-01-03 tea", "ann 2011-02-03 tea")
        >>> shown = records("1 2011-01-03 tea", "2 2011-02-03 tea")
        >>> guess = Guess.of_table(np.array([[0, 0]]), pseudonyms=2)
        >>> score = ExtendedMonthMatching().measure(Release(log, shown, [[0, 1]], [0, 1]), guess)
        >>> score.value, score.detail
        (1.0, {'curve': [1.0, 0.5], 'at': '2011-01'})

    Reference:
        Tran, Sakamoto, Matsunaga 2018.
    """

    scale: ClassVar[Scale] = BAD_SHARE
    aliases: ClassVar[tuple[str, ...]] = ("EMM",)
    needs_guess: ClassVar[bool] = True

    def measure(self, release: Release, guess: Guess | None = None) -> Score:
        require_cells(release, guess)
        curve = month_matching_curve(release, guess)
        present = [value for value in curve if value is not None]
        worst = max(present)
        at = curve.index(worst)
        between = interval(worst, existing(release, guess)[:, : at + 1], guess)
        label = release.original.periods.labels[at]
        return self.score(worst, between, detail={"curve": curve, "at": label, **sampled(guess)})
