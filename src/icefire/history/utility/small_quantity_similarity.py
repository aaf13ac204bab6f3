"""E2."""

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

    Reference: rules of PWSCUP 2017.
    """

    scale: ClassVar[Scale] = BAD_SHARE
    aliases: ClassVar[tuple[str, ...]] = ("E2",)

    def measure(self, original: History, release: Release) -> Score:
        require_quantities(original, release)
        value = similarity_distance(original, release, lambda total: np.where(total > 11, 0.0, total))
        return self.score(value)
