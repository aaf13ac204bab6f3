"""Jaccard similarity in which rare items weigh more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from icefire.core.scores import Similarity
from icefire.core.similarity import rarity, row_sums, scaled
from icefire.history.attack._similarity import SimilarityAttack, binary
from icefire.history.facets import Matrix


@dataclass(frozen=True)
class IdfJaccard(SimilarityAttack):
    """Jaccard similarity weighted by rarity: a shared item counts log(n / customers who have it) + 1.

    Parameters:
        assign, link, drop_dummies, habits, records, share, periods, characters: as for every attack by similarity, see
            Jaccard.

    Example:
        Pseudonym 1 shares one item with ann and one with bob; bob's pen is rarer than the tea that cid has, too.

        >>> import numpy as np
        >>> from icefire.history.examples import records
        >>> known = records("ann 2011-01-03 tea", "bob 2011-01-03 pen", "cid 2011-01-03 tea", "cid 2011-01-03 cup")
        >>> published = records("1 2011-01-03 tea", "1 2011-01-03 pen")
        >>> guess = IdfJaccard().attack(published, known, np.random.default_rng(0))
        >>> known.users.gather(guess.owners).to_list()
        ['bob']
    """

    aliases: ClassVar[tuple[str, ...]] = ("IDF-weighted Jaccard",)

    def similarity(self, left: Matrix, right: Matrix) -> Similarity:
        left, right = binary(left), binary(right)
        weights = rarity(left, right)
        heavy = scaled(left, weights)
        return Similarity(heavy, right, (1.0, 1.0), row_sums(heavy), row_sums(scaled(right, weights)))
