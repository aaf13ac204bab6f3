"""Jaccard similarity of item sets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from icefire.core.scores import Similarity
from icefire.core.similarity import row_sums
from icefire.history.attack._similarity import SimilarityAttack, binary
from icefire.history.facets import Matrix


@dataclass(frozen=True)
class Jaccard(SimilarityAttack):
    """Jaccard similarity of item sets: each pseudonym is the customer whose items overlap most with its own.

    Parameters:
        assign: "argmax" (the best partner), "assignment" (one to one, the best in total) or "sinkhorn" (a balanced plan).
        link: take a pseudonym that occurs in several periods for one person, and compare all of its periods at once.
        drop_dummies: leave out published records whose pair of item and price does not occur in what is known.
        habits: guess also for periods of which nothing is known.
        records, share, periods, characters: what the attacker is limited to: so many random records of each customer, a share
            of all records, some periods only, items by their first characters only.

    Example:
        Pseudonym 1 shares tea with both: 1 of ann's 3 items (similarity 1/3), 1 of bob's 2 (1/2).

        >>> import numpy as np
        >>> from icefire.history.examples import records
        >>> known = records(
        ...     "ann 2011-01-03 tea", "ann 2011-01-03 cup", "ann 2011-01-03 pen", "bob 2011-01-03 tea", "bob 2011-01-03 pen"
        ... )
        >>> guess = Jaccard().attack(records("1 2011-01-03 tea"), known, np.random.default_rng(0))
        >>> known.users.gather(guess.owners).to_list()
        ['bob']

    Reference:
        Harada, Ito, Kikuchi 2017, Algorithm 1.
    """

    aliases: ClassVar[tuple[str, ...]] = ("Jaccard",)

    def similarity(self, left: Matrix, right: Matrix) -> Similarity:
        left, right = binary(left), binary(right)
        return Similarity(left, right, (1.0, 1.0), row_sums(left), row_sums(right))
