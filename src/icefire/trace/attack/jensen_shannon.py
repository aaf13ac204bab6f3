"""Jensen-Shannon divergence of visits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.special import entr

from icefire.trace.attack._likelihood import visits
from icefire.trace.attack._scored import ScoredAttack
from icefire.trace.data import Cells, Floats, Reference


@dataclass(frozen=True)
class JensenShannon(ScoredAttack):
    """One minus the Jensen-Shannon divergence (in bits) between the distributions of visits over regions."""

    aliases: ClassVar[tuple[str, ...]] = ("Jensen-Shannon",)

    def scores(self, published: Cells, knowledge: Reference) -> Floats:
        seen = np.asarray((published.counts() @ published.spread).todense())
        seen /= np.maximum(seen.sum(axis=1, keepdims=True), 1e-300)
        known = visits(knowledge)
        own = entr(known).sum(axis=1)
        scores = np.empty((seen.shape[0], known.shape[0]))
        for row, one in enumerate(seen):
            there = np.flatnonzero(one)
            # Where only one side has visits, the mixture's entropy follows from that side alone.
            mixed = entr((one[there] + known[:, there]) / 2).sum(axis=1)
            rest = own - entr(known[:, there]).sum(axis=1)
            outside = 1.0 - known[:, there].sum(axis=1)
            mixture = mixed + rest / 2 + outside / 2 * np.log(2)
            scores[row] = 1.0 - (mixture - (entr(one).sum() + own) / 2) / np.log(2)
        return scores
