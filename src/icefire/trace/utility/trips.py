"""Is it kept from where to where people go?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from icefire.core.errors import Undefined
from icefire.core.values import BAD_SHARE, Scale, Score
from icefire.trace.data import Floats, Release, Traces
from icefire.trace.roles import Utility
from icefire.trace.utility._moves import moves


@dataclass(frozen=True)
class Trips(Utility):
    """Total variation distance between the origin-destination tables, before and after: the share of trips that changed.

    A trip is a change of the region from one time to the next of the same day.

    Example:
        Of two trips from 0 to 1, one ends in 2.

        >>> from icefire.trace.data import Cells
        >>> from icefire.trace.grid import Grid
        >>> walks = Traces(np.zeros((2, 0)), np.array([[0, 1], [0, 1]]), Grid(rows=1, columns=3))
        >>> shown = Release(walks, Cells(np.array([[0, 1], [0, 2]]), regions=3), [0, 1])
        >>> Trips().measure(walks, shown).value
        0.5
    """

    scale: ClassVar[Scale] = BAD_SHARE

    def measure(self, original: Traces, release: Release) -> Score:
        before, after = (_trips(moves(original, cells)) for cells in (original.cells, release.cells))
        if not before.any():
            raise Undefined("nobody goes anywhere")
        # Where no trip is left, all are lost.
        return self.score(float(np.abs(before - after).sum() / 2) if after.any() else 1.0)


def _trips(table: Floats) -> Floats:
    """[region, region]: the share of trips."""
    table = table.copy()
    np.fill_diagonal(table, 0.0)
    return np.asarray(table / max(table.sum(), 1e-300))
