"""What all attacks by scores share: how pseudonyms are given to users, and how that leads to traces."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Self

import numpy as np

from icefire.core.matching import Assign, match_dense, sinkhorn
from icefire.core.parameters import Share
from icefire.trace.attack._habits import likely_regions
from icefire.trace.data import Cells, Floats, Guess, Reference
from icefire.trace.roles import Attack


@dataclass(frozen=True)
class ScoredAttack(Attack):
    """Parameters that all of them take.

    assign: best user, one-to-one assignment, or Sinkhorn's balanced plan. trust: how far a published cell is believed, the
    rest being the user's habits.
    """

    assign: Assign = "sinkhorn"
    trust: Share = 0.9

    @classmethod
    def variants(cls, published: Cells, knowledge: Reference) -> list[Self]:
        return [cls(assign="argmax"), cls(assign="assignment"), cls(trust=0.6)]

    def attack(self, published: Cells, knowledge: Reference, rng: np.random.Generator) -> Guess:
        scores = self.scores(published, knowledge)
        found = match_dense(scores, self.assign, rng)
        traces = likely_regions(published, sinkhorn(scores), knowledge, self.trust)
        return Guess(found.rows, traces)

    @abstractmethod
    def scores(self, published: Cells, knowledge: Reference) -> Floats:
        """[pseudonym, user]: higher is likelier."""
