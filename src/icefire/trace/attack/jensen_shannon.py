"""Jensen-Shannon divergence of visits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy import sparse
from scipy.special import entr

from icefire.trace.attack._scored import ScoredAttack
from icefire.trace.data import Cells, Floats, Reference
from icefire.trace.habits import visits

PART = 2_000


@dataclass(frozen=True)
class JensenShannon(ScoredAttack):
    """One minus the Jensen-Shannon divergence (in bits) between the distributions of visits over regions.

    Parameters:
        assign, trust: as for every attack by scores, see CountVectors.

    Example:
        The pseudonym shares half of its visits with user 0 and none with user 1.

        >>> import numpy as np
        >>> from icefire.trace.data import Cells, Traces
        >>> from icefire.trace.grid import Grid
        >>> known = Traces(np.array([[0, 1], [4, 5]]), np.zeros((2, 2)), Grid(rows=1, columns=6)).knowledge
        >>> JensenShannon().scores(Cells(np.array([[1, 2], [4, 4]]), regions=6), known).round(4).tolist()
        [[0.5, 0.0], [0.0, 0.6887]]
    """

    aliases: ClassVar[tuple[str, ...]] = ("Jensen-Shannon",)

    def scores(self, published: Cells, knowledge: Reference) -> Floats:
        counts = published.counts() @ published.spread
        totals = np.maximum(np.asarray(counts.sum(axis=1)), 1e-300)
        seen = sparse.coo_array(sparse.diags_array(1.0 / totals) @ counts)
        known = visits(knowledge)
        mixture = np.tile(entr(known / 2).sum(axis=1), (published.shape[0], 1))
        # The same share of the same region occurs in many traces: its part of the mixture is worked out once.
        pairs, place = np.unique(np.stack([seen.col, seen.data]), axis=1, return_inverse=True)
        regions, shares = pairs[0].astype(np.int64), pairs[1]
        holds = sparse.csc_array((np.ones(place.size), (seen.row, place)), shape=(published.shape[0], regions.size))
        for begin in range(0, regions.size, PART):
            part = slice(begin, begin + PART)
            there = known[:, regions[part]].T
            mixture += holds[:, part] @ (entr((shares[part, None] + there) / 2) - entr(there / 2))
        own = np.bincount(seen.row, entr(seen.data), published.shape[0])[:, None] + entr(known).sum(axis=1)
        return np.asarray(1.0 - (mixture - own / 2) / np.log(2))
