"""Jaccard in which rare items weigh more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from icefire.history.attack._similarity import SimilarityAttack, binary, rarity, row_sums, scaled
from icefire.history.facets import Matrix
from icefire.history.matching import Similarity


@dataclass(frozen=True)
class IdfJaccard(SimilarityAttack):
    """Jaccard similarity weighted by rarity: a shared item counts log(n / customers who have it) + 1."""

    aliases: ClassVar[tuple[str, ...]] = ("IDF-weighted Jaccard",)

    def similarity(self, left: Matrix, right: Matrix) -> Similarity:
        left, right = binary(left), binary(right)
        weights = rarity(left, right)
        heavy = scaled(left, weights)
        return Similarity(heavy, right, (1.0, 1.0), row_sums(heavy), row_sums(scaled(right, weights)))
