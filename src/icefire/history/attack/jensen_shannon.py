"""Jensen-Shannon divergence of purchases."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from icefire.core.scores import Similarity
from icefire.core.similarity import shares
from icefire.history.attack._similarity import SimilarityAttack
from icefire.history.facets import Matrix


@dataclass(frozen=True)
class JensenShannon(SimilarityAttack):
    """One minus the Jensen-Shannon divergence between the distributions of purchases over items.

    Parameters:
        assign, link, drop_dummies, habits, records, share, periods, characters: as for every attack by similarity, see
            Jaccard.

    Example:
        Both buy tea and cups. Pseudonym 1 has 3/4 tea, as ann has; bob has 1/4.

        >>> import numpy as np
        >>> from icefire.history.examples import records
        >>> known = records(*["ann 2011-01-03 tea", "bob 2011-01-03 cup"] * 3, "ann 2011-01-03 cup", "bob 2011-01-03 tea")
        >>> published = records(*["1 2011-01-03 tea"] * 3, "1 2011-01-03 cup")
        >>> guess = JensenShannon().attack(published, known, np.random.default_rng(0))
        >>> known.users.gather(guess.owners).to_list()
        ['ann']
    """

    aliases: ClassVar[tuple[str, ...]] = ("Jensen-Shannon",)

    def similarity(self, left: Matrix, right: Matrix) -> Similarity:
        return Similarity(shares(left), shares(right), divergence=True)
