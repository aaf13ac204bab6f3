"""Cosine of TF-IDF vectors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from icefire.history.attack._similarity import SimilarityAttack, rarity, row_sums, scaled
from icefire.history.facets import Matrix
from icefire.history.matching import Similarity


@dataclass(frozen=True)
class TfIdf(SimilarityAttack):
    """Cosine of TF-IDF vectors: how often things were bought, rare things counting more."""

    aliases: ClassVar[tuple[str, ...]] = ("TF-IDF cosine",)

    def similarity(self, left: Matrix, right: Matrix) -> Similarity:
        weights = rarity(left, right)
        return Similarity(_unit(left, weights), _unit(right, weights))


def _unit(matrix: Matrix, weights: np.ndarray) -> Matrix:
    made = matrix.copy()
    made.data = np.log1p(made.data)
    made = scaled(made, weights)
    length = np.sqrt(row_sums(made.multiply(made).tocsr()))
    made.data /= np.repeat(np.where(length > 0, length, 1.0), np.diff(made.indptr))
    return made
