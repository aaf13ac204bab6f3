"""MM, month matching."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from icefire.core.documents import JsonObject
from icefire.core.values import BAD_SHARE, Scale, Score
from icefire.history.data import Guess, Release
from icefire.history.roles import Safety
from icefire.history.safety._cells import (
    by_customers,
    existing,
    interval,
    matches,
    month_matching_curve,
    require_cells,
    sampled,
)


@dataclass(frozen=True)
class MonthMatching(Safety):
    """Month matching MM: max((match - del) / (d n - del), 0), with match and del counted over all cells.

    Cells without a pseudonym are given and taken away again, so a guess that names a pseudonym where there is none loses.
    `existing_month_matching` looks at existing pseudonyms only.

    Example:
        Of 2 x 2 cells one is DEL. The guess has both of ann's right and misses bob's DEL: (3 - 1) / (4 - 1).

        >>> import numpy as np
        >>> from icefire.history.data import NONE, Guess, Release
        >>> from icefire.history.examples import records
        >>> log = records("ann 2011-01-03 tea", "ann 2011-02-03 tea", "bob 2011-01-04 cup")
        >>> shown = records("1 2011-01-03 tea", "3 2011-02-03 tea", "2 2011-01-04 cup")
        >>> guess = Guess.of_table(np.array([[0, 2], [1, 2]]), pseudonyms=3)
        >>> round(MonthMatching().measure(Release(log, shown, [[0, 2], [1, NONE]], [0, 1, 2]), guess).value, 4)
        0.6667

    Reference:
        Tran, Sakamoto, Matsunaga 2018.
    """

    scale: ClassVar[Scale] = BAD_SHARE
    aliases: ClassVar[tuple[str, ...]] = ("MM",)
    needs_guess: ClassVar[bool] = True

    def measure(self, release: Release, guess: Guess | None = None) -> Score:
        cells, there = require_cells(release, guess), existing(release, guess)
        curve = month_matching_curve(release, guess)
        right = matches(release, guess)
        match = int(right.sum())
        detail: JsonObject = {"match": match, "del": there.size - cells, "curve": curve, **sampled(guess)}
        value = curve[-1]
        assert value is not None, "there are cells"
        # A pseudonym that is named where there is none takes a right one away.
        gain = right.sum(axis=1) - (~there).sum(axis=1)
        between = interval(value, there, guess) or by_customers(gain, there.sum(axis=1))
        return self.score(value, between, detail=detail)
