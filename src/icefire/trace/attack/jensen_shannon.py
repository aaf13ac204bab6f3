"""Jensen-Shannon divergence of visits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from scipy import sparse

from icefire.core.scores import Scores, Similarity
from icefire.core.similarity import shares
from icefire.trace.attack._scored import ScoredAttack, visited
from icefire.trace.data import Cells, Reference
from icefire.trace.habits import visits


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

    def comparison(self, published: Cells, knowledge: Reference) -> Scores:
        return Similarity(shares(visited(published)), sparse.csr_array(visits(knowledge)), divergence=True)
