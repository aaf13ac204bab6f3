"""E5 of PWSCUP 2017."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from icefire.core.values import BAD_SHARE, Scale, Score
from icefire.history.data import History, Release
from icefire.history.roles import Utility
from icefire.history.utility._rows import paired


@dataclass(frozen=True)
class PriceRatio(Utility):
    """E5: one minus the ratio of the smaller to the larger price, added up over kept records, per original record.

    An erased price counts 1.

    Example:
        >>> from icefire.history.data import Release
        >>> from icefire.history.examples import records
        >>> before = records("ann 2011-01-03 tea 10", "bob 2011-01-04 cup 4")
        >>> after = records("1 2011-01-03 tea 5", "2 2011-01-04 cup 4")
        >>> PriceRatio().measure(before, Release(before, after, [[0], [1]], [0, 1])).value
        0.25

    Reference:
        Rules of PWSCUP 2017.
    """

    scale: ClassVar[Scale] = BAD_SHARE
    aliases: ClassVar[tuple[str, ...]] = ("E5",)

    def measure(self, original: History, release: Release) -> Score:
        before, after = paired(release, "price")
        larger = np.maximum(before, after)
        ratio = np.where(larger > 0, np.minimum(before, after) / np.where(larger > 0, larger, 1.0), 1.0)
        ratio = np.where(np.isnan(after), 0.0, ratio)
        ratio = np.where(np.isnan(before), 1.0, ratio)
        return self.score(float((1.0 - ratio).sum() / original.height))
