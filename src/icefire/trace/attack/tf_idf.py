"""Cosine of TF-IDF vectors of visits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from scipy import sparse

from icefire.core.scores import Scores, Similarity
from icefire.core.similarity import tf_idf
from icefire.trace.attack._scored import ScoredAttack, visited
from icefire.trace.data import Cells, Reference
from icefire.trace.habits import visits


@dataclass(frozen=True)
class TfIdf(ScoredAttack):
    """Cosine of TF-IDF vectors: how often regions were visited, regions that few people visit counting more.

    Parameters:
        assign, trust: as for every attack by scores, see CountVectors.

    Example:
        All are known in region 0. Pseudonym 0 was in region 5, where user 1 was; pseudonym 1 only where all are.

        >>> import numpy as np
        >>> from icefire.trace.data import Cells, Traces
        >>> from icefire.trace.grid import Grid
        >>> known = Traces(np.array([[0, 0], [0, 5]]), np.zeros((2, 2)), Grid(rows=1, columns=6)).knowledge
        >>> TfIdf().attack(Cells(np.array([[5, 0], [0, 0]]), 6), known, np.random.default_rng(0)).users.tolist()
        [1, 0]
    """

    aliases: ClassVar[tuple[str, ...]] = ("TF-IDF cosine",)

    def comparison(self, published: Cells, knowledge: Reference) -> Scores:
        known = sparse.csr_array(visits(knowledge) * knowledge.regions.shape[1])
        return Similarity(*tf_idf(visited(published), known))
