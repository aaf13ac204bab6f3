"""How much is in a basket."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from icefire.core.values import BAD_SHARE, Scale, Score
from icefire.history.data import History, Release
from icefire.history.roles import Utility
from icefire.history.utility.association_rules import baskets


@dataclass(frozen=True)
class BasketSizes(Utility):
    """Distance between the distributions of basket sizes before and after (total variation, 0 to 1)."""

    scale: ClassVar[Scale] = BAD_SHARE
    aliases: ClassVar[tuple[str, ...]] = ("basket sizes",)

    def measure(self, original: History, release: Release) -> Score:
        before, after = (np.bincount(np.bincount(baskets(history))) for history in (original, release.published))
        width = max(before.size, after.size)
        shares = [np.pad(sizes[1:], (0, width - sizes.size)) / sizes[1:].sum() for sizes in (before, after)]
        return self.score(float(np.abs(shares[0] - shares[1]).sum() / 2))
