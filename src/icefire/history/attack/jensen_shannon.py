"""Jensen-Shannon divergence of what was bought."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from icefire.history.attack._similarity import SimilarityAttack, shares
from icefire.history.facets import Matrix
from icefire.history.matching import Similarity


@dataclass(frozen=True)
class JensenShannon(SimilarityAttack):
    """One minus the Jensen-Shannon divergence between the distributions of purchases over items."""

    aliases: ClassVar[tuple[str, ...]] = ("Jensen-Shannon",)

    def similarity(self, left: Matrix, right: Matrix) -> Similarity:
        return Similarity(shares(left), shares(right), divergence=True)
