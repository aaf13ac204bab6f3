"""Number of records in a basket."""

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
    """Total variation distance (0 to 1) between the distributions of basket sizes before and after.

    A basket is an invoice, or a user's day where there are none.

    Example:
        >>> from icefire.history.data import Release
        >>> from icefire.history.examples import records
        >>> before = records("ann 2011-01-03 tea", "bob 2011-01-03 tea", "bob 2011-01-03 cup")
        >>> after = records("1 2011-01-03 tea", "2 2011-01-03 tea")
        >>> BasketSizes().measure(before, Release(before, after, [[0], [1]], [0, 1])).value
        0.5
    """

    scale: ClassVar[Scale] = BAD_SHARE
    aliases: ClassVar[tuple[str, ...]] = ("basket sizes",)

    def measure(self, original: History, release: Release) -> Score:
        before, after = (np.bincount(np.bincount(baskets(history))) for history in (original, release.published))
        width = max(before.size, after.size)
        shares = [np.pad(sizes[1:], (0, width - sizes.size)) / sizes[1:].sum() for sizes in (before, after)]
        return self.score(float(np.abs(shares[0] - shares[1]).sum() / 2))
