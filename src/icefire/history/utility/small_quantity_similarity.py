"""E2 of PWSCUP 2017."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from icefire.core.values import BAD_SHARE, Scale, Score
from icefire.history.data import History, Release
from icefire.history.roles import Utility
from icefire.history.utility._similarities import require_quantities, similarity_distance


@dataclass(frozen=True)
class SmallQuantitySimilarity(Utility):
    """E2: how much the similarity of items by who buys few of them has changed: total quantities up to 11.

    The similarity of two items is the cosine of those quantities; the sum of the changes is divided by the sum before.

    Example:
        Quantities of (ann, bob): tea (3, 4) and cup (5, 0), cosine 3/5. Bob's 12 are too many, so that it becomes 1.

        >>> from icefire.history.data import Release
        >>> from icefire.history.examples import records
        >>> before = records("ann 2011-01-03 tea 1 3", "bob 2011-01-04 tea 1 4", "ann 2011-01-05 cup 1 5")
        >>> after = records("1 2011-01-03 tea 1 3", "2 2011-01-04 tea 1 12", "1 2011-01-05 cup 1 5")
        >>> release = Release(before, after, [[0], [1]], [0, 1, 2])
        >>> round(SmallQuantitySimilarity().measure(before, release).value, 4)
        0.6667

    Reference:
        Rules of PWSCUP 2017.
    """

    scale: ClassVar[Scale] = BAD_SHARE
    aliases: ClassVar[tuple[str, ...]] = ("E2",)

    def measure(self, original: History, release: Release) -> Score:
        require_quantities(original, release)
        value = similarity_distance(original, release, lambda total: np.where(total > 11, 0.0, total))
        return self.score(value)
