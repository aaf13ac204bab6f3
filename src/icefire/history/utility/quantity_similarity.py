"""E1."""

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

    The total quantity of an item and a user is scored by how many of 12, 24, ..., 72 it reaches.

    Reference: rules of PWSCUP 2017.
    """

    scale: ClassVar[Scale] = BAD_SHARE
    aliases: ClassVar[tuple[str, ...]] = ("E1",)

    def measure(self, original: History, release: Release) -> Score:
        require_quantities(original, release)
        value = similarity_distance(original, release, lambda total: np.clip(np.floor(total / 12), 0, 6))
        return self.score(value)
