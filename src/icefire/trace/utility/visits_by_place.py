"""Is it kept how many people are where?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from icefire.core.errors import Undefined
from icefire.core.values import BAD_SHARE, Scale, Score
from icefire.trace.data import Cells, Floats, Release, Traces
from icefire.trace.roles import Utility


@dataclass(frozen=True)
class VisitsByPlace(Utility):
    """Total variation distance between the shares of visits by region, before and after: the share of visits that moved.

    A set counts as its members in equal shares; deleted cells are left out.

    Example:
        Half of the visits to region 0 are published in region 1.

        >>> from icefire.trace.grid import Grid
        >>> walks = Traces(np.zeros((1, 1)), np.array([[0, 0]]), Grid(rows=1, columns=2))
        >>> shown = Release(walks, Cells(np.array([[0, 1]]), regions=2), [0])
        >>> VisitsByPlace().measure(walks, shown).value
        0.5
    """

    scale: ClassVar[Scale] = BAD_SHARE

    def measure(self, original: Traces, release: Release) -> Score:
        before, after = (_shares(cells) for cells in (original.cells, release.cells))
        return self.score(float(np.abs(before - after).sum() / 2))


def _shares(cells: Cells) -> Floats:
    """[region]: its share of the visits."""
    visits = np.asarray(cells.counts().sum(axis=0)).ravel() @ cells.spread
    if not visits.sum():
        raise Undefined("no place is published")
    return np.asarray(visits / visits.sum())
