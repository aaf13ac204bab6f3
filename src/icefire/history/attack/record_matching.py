"""Likelihood that a customer's records became those of a pseudonym."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Self

import numpy as np

from icefire.core.matching import Assign, Match, match_dense
from icefire.core.parameters import AtLeast
from icefire.core.scores import Floats, Similarity
from icefire.core.similarity import row_sums
from icefire.history.attack._matchings import likeliest
from icefire.history.attack._records import RecordFacets
from icefire.history.attack._similarity import Block, SimilarityAttack
from icefire.history.data import History
from icefire.history.facets import Facets, Matrix

RECORDS = 120.0
"""Comparisons that a pair of records takes in a round."""


@dataclass(frozen=True)
class RecordMatching(SimilarityAttack):
    """Likelihood that the records of a customer, changed and partly deleted, became those of a pseudonym.

    Each published record is compared with each known record of its period: the item may be truncated or a set, prices and
    quantities may be noisy or in bands, dates may all be moved by the same number of days. Each pair of records gets odds: how
    much likelier these cells are for this record than for one drawn from the crowd. The score of a pseudonym and a customer is
    the sum of the products of odds over all ways to match their records one to one, where the records of an invoice stay
    together, known records may be missing and published ones may be dummies. Neither of these rates, nor the spread of the
    noise, is given: each round learns them from the probabilities of the round before (expectation maximization). At the
    end, each customer gets the likeliest pseudonym, or none if it is likelier that all of the customer's records are missing.

    Parameters:
        assign: "sinkhorn" takes the likeliest pseudonym of each customer, or none, over all one-to-one matchings of people;
            "assignment" takes the likeliest of these matchings.
        link, drop_dummies, habits, records, share, periods, characters: as for every attack by similarity, see Jaccard.
        rounds: number of rounds; the last one only scores.
        invoices: whether records of one published invoice have to come from one known invoice.

    Example:
        Prices are noisy and items truncated, so no cell is equal. 9.1 is nearest to bob's 8 and 2.2 to ann's 2. Cid has
        the same price, but another item.

        >>> import numpy as np
        >>> from icefire.history.examples import records
        >>> known = records("ann 2011-01-03 tea 2 1", "bob 2011-01-03 tent 8 1", "cid 2011-01-03 pen 2 1")
        >>> published = records("1 2011-01-03 te* 9.1 1", "2 2011-01-03 te* 2.2 1")
        >>> guess = RecordMatching().attack(published, known, np.random.default_rng(0))
        >>> guess.table.tolist()
        [[1], [0], [-1]]

    Reference:
        Fellegi, Sunter: A theory for record linkage. 1969. Sums over matchings by belief propagation: Vontobel: The Bethe
        permanent of a nonnegative matrix. 2013.
    """

    assign: Assign = "sinkhorn"
    rounds: Annotated[int, AtLeast(1)] = 4
    invoices: bool = True
    aliases: ClassVar[tuple[str, ...]] = ("record matching",)
    on_engine: ClassVar[bool] = False

    @classmethod
    def variants(cls, published: History, knowledge: History) -> list[Self]:
        # Dummies are part of the model, so leaving them out beforehand adds nothing.
        made = [variant for variant in super().variants(published, knowledge) if not variant.drop_dummies]
        return [variant for variant in made if variant.assign == "sinkhorn"]

    def facets(self, published: History, knowledge: History) -> Facets:
        return RecordFacets(
            published,
            knowledge,
            drop_dummies=self.drop_dummies,
            rounds=self.rounds,
            invoices=self.invoices,
            habits=self.habits,
        )

    def match(self, facets: Facets, block: Block, rng: np.random.Generator) -> Match:
        scores = self.scores(facets, block)
        return likeliest(scores, rng) if self.assign == "sinkhorn" else match_dense(scores, self.assign, rng)

    @property
    def one_by_one(self) -> bool:
        return False

    def work(self, facets: Facets, block: Block) -> float:
        assert isinstance(facets, RecordFacets), "made by `facets`"
        here = (side.present[:, block.periods].sum(axis=0) for side in (facets.published, facets.knowledge))
        return RECORDS * facets.rounds * (facets.record_pairs(block.periods) + float(np.dot(*here)))

    def scores(self, facets: Facets, block: Block) -> Floats:
        """[pseudonym, user]: log odds."""
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
            # A customer without known records here is as unlikely as the worst of the others.
            full = np.full((row_at.size, block.users.size), part.min(initial=0.0))
            full[:, column_at] = part
            scores[row_at] += full
        return scores

    def similarity(self, left: Matrix, right: Matrix) -> Similarity:
        """By items alone; the scores of `match` do not need it."""
        return Similarity(left, right, (0.3, 1.0), row_sums(left), row_sums(right))
