"""The winning attack of 2019."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from icefire.trace.attack._scored import ScoredAttack
from icefire.trace.data import Cells, Floats, Reference
from icefire.trace.habits import visits


@dataclass(frozen=True)
class CountVectors(ScoredAttack):
    """Nearest vectors log(1 + visits), reference visits spread over 3 x 3 regions: the winning idea of PWS Cup 2019.

    How the winners weighed the neighbours is not published; here a visit stays where it is with 9/16 and goes to each of the
    eight neighbours with 1/16.
    """

    aliases: ClassVar[tuple[str, ...]] = ("count vectors",)

    def scores(self, published: Cells, knowledge: Reference) -> Floats:
        near = (knowledge.grid.neighbourhood(1) + 8 * np.eye(knowledge.grid.regions)) / 16
        seen = np.log1p(np.asarray((published.counts() @ published.spread).todense()))
        known = np.log1p(visits(knowledge) * knowledge.regions.shape[1] @ near)
        lengths = (seen**2).sum(axis=1)[:, None] + (known**2).sum(axis=1)[None, :]
        return np.asarray(2 * seen @ known.T - lengths)
