"""Likelihood that a customer's records became those of a pseudonym."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Self

import numpy as np

from icefire.core.matching import Assign, Match, match_dense
from icefire.core.parameters import AtLeast
from icefire.core.similarity import row_sums
from icefire.history.attack._records import RecordFacets
from icefire.history.attack._similarity import Block, SimilarityAttack
from icefire.history.data import History
from icefire.history.facets import Facets, Matrix
from icefire.history.matching import Similarity


@dataclass(frozen=True)
class RecordMatching(SimilarityAttack):
    """Likelihood that the records of a customer, changed and partly deleted, became those of a pseudonym.

    TODO
    """

    assign: Assign = "assignment"
    rounds: Annotated[int, AtLeast(1)] = 4
    invoices: bool = True
    aliases: ClassVar[tuple[str, ...]] = ("record matching",)

    @classmethod
    def variants(cls, published: History, knowledge: History) -> list[Self]:
        made = [variant for variant in super().variants(published, knowledge) if not variant.drop_dummies]
        return [variant for variant in made if variant.assign == "assignment"]

    def facets(self, published: History, knowledge: History) -> Facets:
        return RecordFacets(published, knowledge, self.rounds, self.invoices)

    def match(self, facets: Facets, block: Block, rng: np.random.Generator) -> Match:
        assert isinstance(facets, RecordFacets), "made by `facets`"
        scores = np.zeros((block.pseudonyms.size, block.users.size))
        for period in block.periods:
            if int(period) not in facets.scores:
                continue
            pseudonyms, users, part = facets.scores[int(period)]
            rows, columns = np.isin(pseudonyms, block.pseudonyms), np.isin(users, block.users)
            part = part[rows][:, columns]
            row_at = np.searchsorted(block.pseudonyms, pseudonyms[rows])
            column_at = np.searchsorted(block.users, users[columns])
            low = np.full((row_at.size, block.users.size), part.min(initial=0.0))
            low[:, column_at] = part
            scores[row_at] += low
        return match_dense(scores, self.assign, rng)

    def similarity(self, left: Matrix, right: Matrix) -> Similarity:
        return Similarity(left, right, (0.3, 1.0), row_sums(left), row_sums(right))
