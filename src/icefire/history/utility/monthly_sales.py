"""Sales of each period."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from icefire.core.errors import Undefined
from icefire.core.values import ERROR, Scale, Score
from icefire.history.data import History, Release
from icefire.history.roles import Utility


@dataclass(frozen=True)
class MonthlySales(Utility):
    """Mean relative error of the sales (price times quantity) of each period; without prices, of the number of records.

    Example:
        January has 2 x 5 = 10 before and 2 x 4 = 8 after; February is as it was.

        >>> from icefire.history.data import Release
        >>> from icefire.history.examples import records
        >>> before = records("ann 2011-01-03 tea 2 5", "ann 2011-02-03 tea 2 5")
        >>> after = records("1 2011-01-03 tea 2 4", "1 2011-02-03 tea 2 5")
        >>> MonthlySales().measure(before, Release(before, after, [[0, 0]], [0, 1])).value
        0.1
    """

    scale: ClassVar[Scale] = ERROR
    aliases: ClassVar[tuple[str, ...]] = ("monthly sales",)

    def measure(self, original: History, release: Release) -> Score:
        before, after = (_sales(history) for history in (original, release.published))
        sold = before > 0
        if not sold.any():
            raise Undefined("nothing was sold in any period")
        errors = np.abs(after - before)[sold] / before[sold]
        labels = np.array(original.periods.labels)[sold]
        by_period = {str(label): float(error) for label, error in zip(labels, errors, strict=True)}
        return self.score(float(errors.mean()), detail={"by column": by_period})


def _sales(history: History) -> np.ndarray:
    amount = np.ones(history.height)
    for name in ("price", "quantity"):
        if history.has(name):
            amount = amount * np.nan_to_num(history.middle(name))
    return np.bincount(history.period_codes, amount, minlength=len(history.periods))
