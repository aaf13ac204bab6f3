"""Items in common, S7 of the DARC contest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from icefire.core.budget import current
from icefire.core.parameters import AtLeast
from icefire.core.scores import Similarity
from icefire.core.similarity import row_sums, shared
from icefire.history.attack._similarity import binary
from icefire.history.data import NONE, Guess, History
from icefire.history.facets import everybody, facets_of
from icefire.history.roles import Attack

PAIR = 4.0
"""Comparisons that an item takes which a user and a pseudonym have in common."""


@dataclass(frozen=True)
class ItemOverlap(Attack):
    """Items in common, as a share of the customer's items of the period; names the best pseudonyms, ranked.

    Graded by `graded_matching`: 1 for the first, 2/3 for the second, 1/3 for the third.

    Parameters:
        places: how many pseudonyms are named for each customer and period.

    Example:
        Pseudonym 2 has both of ann's items, 1 has one of them, 3 has none and is not named.

        >>> import numpy as np
        >>> from icefire.history.examples import records
        >>> known = records("ann 2011-01-03 tea", "ann 2011-01-03 cup")
        >>> published = records("1 2011-01-03 tea", "2 2011-01-03 tea", "2 2011-01-03 cup", "3 2011-01-03 pen")
        >>> ItemOverlap().attack(published, known, np.random.default_rng(0)).ranked[0, 0].tolist()
        [1, 0, -1]

    Reference:
        Rules of the DARC contest, S7.
    """

    places: Annotated[int, AtLeast(1)] = 3
    aliases: ClassVar[tuple[str, ...]] = ("DARC S7",)
    on_engine: ClassVar[bool] = True

    def attack(self, published: History, knowledge: History, rng: np.random.Generator) -> Guess:
        ranked = np.full((len(knowledge.users), len(knowledge.periods), self.places), NONE, dtype=np.int64)
        facets = facets_of(published, knowledge)
        sides = [facets.profiles(("item",), np.array([period])) for period in range(len(knowledge.periods))]
        asked = current().sample(len(knowledge.users), PAIR * sum(shared(*pair) for pair in sides), rng)
        looked_for = everybody(knowledge, asked)
        for period, pair in enumerate(sides):
            left, right = (binary(side) for side in pair)
            users, pseudonyms = (np.flatnonzero(np.diff(side.indptr)) for side in (right, left))
            users = users[looked_for[users]]
            if not users.size or not pseudonyms.size:
                continue
            left, right = left[pseudonyms], right[users]
            overlap = Similarity(right, left, (1.0, 0.0), row_sums(right), row_sums(left))
            near, _ = overlap.nearest(self.places, rng)
            ranked[users, period, : near.shape[1]] = np.where(near == NONE, NONE, pseudonyms[near])
        return Guess.of_table(ranked[:, :, 0], len(published.users), ranked, asked)
