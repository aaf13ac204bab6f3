"""Base of the attacks by scores: how pseudonyms are assigned to users, and how traces follow from that."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Self

import numpy as np
from scipy import sparse

from icefire.core import memory
from icefire.core.matching import Assign, balanced, match
from icefire.core.parameters import Share
from icefire.core.scores import Scores, Table
from icefire.trace.data import Cells, Floats, Guess, Reference
from icefire.trace.habits import certain, likely_regions
from icefire.trace.roles import Attack


@dataclass(frozen=True)
class ScoredAttack(Attack):
    """Base of the attacks by scores, with the parameters that all of them take; CountVectors explains them."""

    assign: Assign = "sinkhorn"
    trust: Share = 0.9

    @classmethod
    def variants(cls, published: Cells, knowledge: Reference) -> list[Self]:
        return [cls(), cls(assign="assignment")]

    def attack(self, published: Cells, knowledge: Reference, rng: np.random.Generator) -> Guess:
        scores = self.compared(published, knowledge)
        if self.assign == "sinkhorn":
            found, plan = balanced(scores, rng)
        else:
            found = match(scores, self.assign, rng)
            plan = certain(found.columns, published.shape[0])
        return Guess(found.rows, likely_regions(published, plan, knowledge, self.trust))

    def compared(self, published: Cells, knowledge: Reference) -> Scores:
        """Scores of all pseudonyms and users, all at once if they fit into memory."""
        if memory.fits(published.shape[0], knowledge.users):
            return Table(self.scores(published, knowledge))
        return self.comparison(published, knowledge)

    def scores(self, published: Cells, knowledge: Reference) -> Floats:
        """[pseudonym, user]: higher is likelier."""
        return self.comparison(published, knowledge).dense()

    @abstractmethod
    def comparison(self, published: Cells, knowledge: Reference) -> Scores:
        """The same, up to a number of each pseudonym, for any part of the pseudonyms and users."""


def visited(published: Cells) -> sparse.csr_array:
    """[pseudonym, region]: how often each region was published; a set counts for its members in equal shares."""
    return sparse.csr_array(published.counts() @ published.spread)
