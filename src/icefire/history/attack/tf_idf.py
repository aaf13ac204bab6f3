"""Cosine of TF-IDF vectors of purchases."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from icefire.core.scores import Similarity
from icefire.core.similarity import tf_idf
from icefire.history.attack._similarity import SimilarityAttack
from icefire.history.facets import Matrix


@dataclass(frozen=True)
class TfIdf(SimilarityAttack):
    """Cosine of TF-IDF vectors: how often items were bought, items that few customers have counting more.

    Parameters:
        assign, link, drop_dummies, habits, records, share, periods, characters: as for every attack by similarity, see
            Jaccard.

    Example:
        Both buy tea and cups. Pseudonym 1 buys more tea, as ann does.

        >>> import numpy as np
        >>> from icefire.history.examples import records
        >>> known = records(*["ann 2011-01-03 tea", "bob 2011-01-03 cup"] * 3, "ann 2011-01-03 cup", "bob 2011-01-03 tea")
        >>> published = records(*["1 2011-01-03 tea"] * 3, "1 2011-01-03 cup")
        >>> guess = TfIdf().attack(published, known, np.random.default_rng(0))
        >>> known.users.gather(guess.owners).to_list()
        ['ann']
    """

    aliases: ClassVar[tuple[str, ...]] = ("TF-IDF cosine",)

    def similarity(self, left: Matrix, right: Matrix) -> Similarity:
        return Similarity(*tf_idf(left, right))
