"""Tversky index of item sets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from icefire.core.parameters import AtLeast
from icefire.core.scores import Similarity
from icefire.core.similarity import row_sums
from icefire.history.attack._similarity import SimilarityAttack, binary
from icefire.history.facets import Matrix


@dataclass(frozen=True)
class Tversky(SimilarityAttack):
    """Tversky index of item sets: with little weight on what only the release has, added records hardly matter.

    common / (common + published * only published + known * only known).

    Parameters:
        assign, link, drop_dummies, habits, records, share, periods, characters: as for every attack by similarity, see
            Jaccard.
        published: weight of items that only the pseudonym has.
        known: weight of items that only the customer has.

    Example:
        Ann's tea was published with two dummies: 1 / (1 + 0.1 x 2). Of bob's four items two are missing: 2 / (2 + 0.1 + 2).

        >>> import numpy as np
        >>> from icefire.history.examples import records
        >>> known = records("ann 2011-01-03 tea", *(f"bob 2011-01-03 {item}" for item in ("cup", "pen", "jam", "hat")))
        >>> published = records("1 2011-01-03 tea", "1 2011-01-03 cup", "1 2011-01-03 pen")
        >>> guess = Tversky().attack(published, known, np.random.default_rng(0))
        >>> known.users.gather(guess.owners).to_list()
        ['ann']
    """

    published: Annotated[float, AtLeast(0)] = 0.1
    known: Annotated[float, AtLeast(0)] = 1.0
    aliases: ClassVar[tuple[str, ...]] = ("Tversky",)

    def similarity(self, left: Matrix, right: Matrix) -> Similarity:
        left, right = binary(left), binary(right)
        return Similarity(left, right, (self.published, self.known), row_sums(left), row_sums(right))
