"""Log-likelihood ratio against the population."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from icefire.core.parameters import Between
from icefire.history.attack._similarity import SimilarityAttack, row_sums, shares
from icefire.history.facets import Matrix
from icefire.history.matching import Similarity


@dataclass(frozen=True)
class LogLikelihood(SimilarityAttack):
    """Log-likelihood ratio: how much more likely the pseudonym's purchases are from this customer than from anybody.

    A purchase comes from the customer's known purchases with probability `own`, else from the population.
    """

    own: Annotated[float, Between(0.01, 0.99)] = 0.9
    aliases: ClassVar[tuple[str, ...]] = ("log-likelihood ratio",)

    def similarity(self, left: Matrix, right: Matrix) -> Similarity:
        population = np.bincount(right.indices, right.data, minlength=right.shape[1])
        population = (population + 1.0) / (population.sum() + population.size)
        odds = right.copy()
        share = odds.data / np.repeat(np.maximum(row_sums(right), 1e-300), np.diff(right.indptr))
        odds.data = np.log1p(self.own / (1.0 - self.own) * share / population[odds.indices])
        # Per purchase, so that a pseudonym with many of them does not outshine all others.
        return Similarity(shares(left), odds)
