"""Log-likelihood ratio against the population."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from icefire.core.parameters import Between
from icefire.core.scores import Similarity
from icefire.core.similarity import shares
from icefire.history.attack._similarity import SimilarityAttack
from icefire.history.facets import Matrix


@dataclass(frozen=True)
class LogLikelihood(SimilarityAttack):
    """Log-likelihood ratio: how much more likely the pseudonym's purchases are from this customer than from the population.

    A purchase comes from the customer's known purchases with probability `own`, else from the population.

    Parameters:
        assign, link, drop_dummies, habits, records, share, periods, characters: as for every attack by similarity, see
            Jaccard.
        own: probability that a purchase repeats a known one.

    Example:
        Both share one item with pseudonym 1. Tea is common, so bob's pen says more.

        >>> import numpy as np
        >>> from icefire.history.examples import records
        >>> known = records("ann 2011-01-03 tea", "bob 2011-01-03 pen", "cid 2011-01-03 tea", "dan 2011-01-03 tea")
        >>> guess = LogLikelihood().attack(records("1 2011-01-03 tea", "1 2011-01-03 pen"), known, np.random.default_rng(0))
        >>> known.users.gather(guess.owners).to_list()
        ['bob']
    """

    own: Annotated[float, Between(0.01, 0.99)] = 0.9
    aliases: ClassVar[tuple[str, ...]] = ("log-likelihood ratio",)

    def similarity(self, left: Matrix, right: Matrix) -> Similarity:
        population = np.bincount(right.indices, right.data, minlength=right.shape[1])
        population = (population + 1.0) / (population.sum() + population.size)
        odds = shares(right)
        odds.data = np.log1p(self.own / (1.0 - self.own) * odds.data / population[odds.indices])
        # Per purchase, so that pseudonyms with many purchases do not dominate.
        return Similarity(shares(left), odds)
