"""E1 of PWSCUP 2017."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from icefire.core.values import BAD_SHARE, Scale, Score
from icefire.history.data import History, Release
from icefire.history.roles import Utility
from icefire.history.utility._similarities import require_quantities, similarity_distance


@dataclass(frozen=True)
class QuantitySimilarity(Utility):
    """E1: how much the similarity of items by who buys many of them has changed.

    The total quantity of an item and a user is scored by how many of 12, 24, ..., 72 it reaches. The similarity of two items
    is the cosine of their scores; the sum of the changes is divided by the sum before.

    Example:
        Scores of (ann, bob): tea (1, 1) and cup (1, 0), cosine 0.7071. Bob's 11 score 0, so that it becomes 1.

        >>> from icefire.history.data import Release
        >>> from icefire.history.examples import records
        >>> before = records("ann 2011-01-03 tea 1 12", "bob 2011-01-04 tea 1 12", "ann 2011-01-05 cup 1 23")
        >>> after = records("1 2011-01-03 tea 1 12", "2 2011-01-04 tea 1 11", "1 2011-01-05 cup 1 23")
        >>> release = Release(before, after, [[0], [1]], [0, 1, 2])
        >>> round(QuantitySimilarity().measure(before, release).value, 4)
        0.4142

    Reference:
        Rules of PWSCUP 2017.
    """

    scale: ClassVar[Scale] = BAD_SHARE
    aliases: ClassVar[tuple[str, ...]] = ("E1",)

    def measure(self, original: History, release: Release) -> Score:
        require_quantities(original, release)
        value = similarity_distance(original, release, lambda total: np.clip(np.floor(total / 12), 0, 6))
        return self.score(value)
