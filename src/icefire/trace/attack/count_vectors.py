"""The winning attack of 2019."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from icefire.trace.attack._likelihood import visits
from icefire.trace.attack._scored import ScoredAttack
from icefire.trace.data import Cells, Floats, Reference


@dataclass(frozen=True)
class CountVectors(ScoredAttack):
    """Nearest vectors log(1 + visits), reference visits spread over 3 x 3 regions: the winning attack of PWS Cup 2019."""

    aliases: ClassVar[tuple[str, ...]] = ("count vectors",)

    def scores(self, published: Cells, knowledge: Reference) -> Floats:
        seen = np.log1p(np.asarray((published.counts() @ published.spread).todense()))
        known = np.log1p(visits(knowledge) * knowledge.regions.shape[1] @ knowledge.grid.neighbourhood(1))
        lengths = (seen**2).sum(axis=1)[:, None] + (known**2).sum(axis=1)[None, :]
        return np.asarray(2 * seen @ known.T - lengths)
