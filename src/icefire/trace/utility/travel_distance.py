"""Is it kept how far people go?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from icefire.core.errors import Undefined
from icefire.core.values import ERROR, Scale, Score
from icefire.trace.data import Cells, Release, Traces
from icefire.trace.roles import Utility
from icefire.trace.utility._moves import moves


@dataclass(frozen=True)
class TravelDistance(Utility):
    """Relative error of the mean distance from one time to the next of the same day.

    Example:
        One kilometre becomes two.

        >>> import numpy as np
        >>> from icefire.trace.grid import Grid
        >>> walks = Traces(np.zeros((1, 0)), np.array([[0, 1]]), Grid(rows=1, columns=3, cell_width=1.0))
        >>> TravelDistance().measure(walks, Release(walks, Cells(np.array([[0, 2]]), regions=3), [0])).value
        1.0
    """

    scale: ClassVar[Scale] = ERROR

    def measure(self, original: Traces, release: Release) -> Score:
        before, after = (_mean_distance(original, cells) for cells in (original.cells, release.cells))
        if not before:
            raise Undefined("nobody goes anywhere")
        return self.score(abs(after - before) / before, detail={"before": before, "after": after})


def _mean_distance(original: Traces, cells: Cells) -> float:
    """Kilometres from one time to the next."""
    table = moves(original, cells)
    return float((table * original.grid.distances).sum() / table.sum())
