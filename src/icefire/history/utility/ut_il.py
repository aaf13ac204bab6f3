"""ut-il, the utility of PWSCUP 2018."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from icefire.core.values import BAD_SHARE, Scale, Score
from icefire.history.data import History, Release
from icefire.history.roles import Utility
from icefire.history.utility.cell_loss import column_losses


@dataclass(frozen=True)
class UtIl(Utility):
    """ut-il: 1 for a deletion, less for sets and intervals, 0 for any single value; mean over date, item, price and quantity.

    This is the loss of PWSCUP 2018 to the letter: a single value costs nothing even if it is false, and a set is as good
    without the true item. `cell_loss` is the strict form. Formulas as there.

    Example:
        A set of two costs 1/2, of two items 1/4; the false item next to it costs nothing; the dates are exact.

        >>> from icefire.history.data import Release
        >>> from icefire.history.examples import records
        >>> before = records("ann 2011-01-03 tea", "bob 2011-01-05 cup")
        >>> after = records("1 2011-01-03 {cup|tea}", "2 2011-01-05 tea")
        >>> UtIl().measure(before, Release(before, after, [[0], [1]], [0, 1])).value
        0.125

    Reference:
        Rules of PWSCUP 2018.
    """

    scale: ClassVar[Scale] = BAD_SHARE
    aliases: ClassVar[tuple[str, ...]] = ("ut-il",)

    def measure(self, original: History, release: Release) -> Score:
        losses = column_losses(original, release, strict=False)
        return self.score(float(np.mean(list(losses.values()))), detail={"by column": losses})
