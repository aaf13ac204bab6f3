"""Number of dummy records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from icefire.core.values import ERROR, Scale, Score
from icefire.history.data import NONE, History, Release
from icefire.history.roles import Utility


@dataclass(frozen=True)
class DummyShare(Utility):
    """Number of dummy records added, divided by the number of original records.

    Example:
        >>> from icefire.history.data import NONE, Release
        >>> from icefire.history.examples import records
        >>> before = records("ann 2011-01-03 tea", "bob 2011-01-04 cup")
        >>> after = records("1 2011-01-03 tea", "1 2011-01-03 cup", "2 2011-01-04 cup")
        >>> DummyShare().measure(before, Release(before, after, [[0], [1]], [0, NONE, 1])).value
        0.5
    """

    scale: ClassVar[Scale] = ERROR
    aliases: ClassVar[tuple[str, ...]] = ("dummies",)

    def measure(self, original: History, release: Release) -> Score:
        added = int(np.sum(release.rows == NONE))
        return self.score(added / original.height, detail={"dummies": added})
