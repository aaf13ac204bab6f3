"""s_U as the contest's paper defines it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from icefire.core.parameters import Above
from icefire.core.values import GOOD_SHARE, Scale, Score
from icefire.trace.data import Release, Traces
from icefire.trace.roles import Utility
from icefire.trace.utility._closeness import mean_closeness


@dataclass(frozen=True)
class ClosenessPaper(Utility):
    """s_U as the contest's paper has it: for a set the averaged distance is capped, not each member's.

    Parameters:
        radius: kilometres from which on a cell is worth nothing.

    Example:
        The true region is 0. Published are 0 (worth 1), 1 at a distance of 1 km (1/2), and the set of 0 and 4: 2 km on
        average, worth 0.

        >>> import numpy as np
        >>> from icefire.trace.data import Cells, Release, Traces
        >>> from icefire.trace.grid import Grid
        >>> walks = Traces(np.zeros((1, 1)), np.zeros((1, 3)), Grid(rows=1, columns=5, cell_width=1.0))
        >>> shown = Cells(np.array([[0, 1, 5]]), regions=5, starts=np.array([0, 2]), members=np.array([0, 4]))
        >>> ClosenessPaper().measure(walks, Release(walks, shown, [0])).value
        0.5

    Reference:
        PWS Cup 2019.
    """

    scale: ClassVar[Scale] = GOOD_SHARE
    radius: Annotated[float, Above(0)] = 2.0
    aliases: ClassVar[tuple[str, ...]] = ("s_U, paper",)

    def measure(self, original: Traces, release: Release) -> Score:
        return self.score(mean_closeness(original, release, self.radius, cap_each=False))
