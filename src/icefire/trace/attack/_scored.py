"""Base of the attacks by scores: how pseudonyms are assigned to users, and how traces follow from that."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Self

import numpy as np
from scipy import sparse

from icefire.core import memory
from icefire.core.budget import Asked, current
from icefire.core.matching import Assign, asked_match, balanced, match
from icefire.core.parameters import Share
from icefire.core.scores import Scores, Table
from icefire.trace.attack import _work
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
        made = [cls(), cls(assign="assignment")]
        # Users compete for pseudonyms in these, which cannot be done for a sample: they are left out beyond the budget.
        return [*made, cls(assign="argmax")] if made[0].work(published, knowledge) > current().left else made

    def attack(self, published: Cells, knowledge: Reference, rng: np.random.Generator) -> Guess:
        if self.assign != "argmax":
            current().require(self.work(published, knowledge))
        elif asked := self._asked(published, knowledge, rng):
            return self._some(published, knowledge, asked, rng)
        scores = self.compared(published, knowledge)
        if self.assign == "sinkhorn":
            found, plan = balanced(scores, rng)
        else:
            found = match(scores, self.assign, rng)
            plan = certain(found.columns, published.shape[0])
        return Guess(found.rows, likely_regions(published, plan, knowledge, self.trust))

    def _some(self, published: Cells, knowledge: Reference, asked: Asked, rng: np.random.Generator) -> Guess:
        """Who is behind some pseudonyms, and where some users were."""
        found = asked_match(self.whole(published, knowledge), asked, rng)
        plan = certain(found.columns, published.shape[0])
        traces = likely_regions(published, plan, knowledge, self.trust, asked.people)
        return Guess.of_asked(found.rows, traces, asked)

    def _asked(self, published: Cells, knowledge: Reference, rng: np.random.Generator) -> Asked | None:
        current().spend(2 * self.known_work(knowledge))
        work = self.pair_work(published, knowledge) + _work.places(published, knowledge)
        return current().ask(published.shape[0], knowledge.users, work, rng)

    def work(self, published: Cells, knowledge: Reference) -> float:
        """Comparisons that it takes to match everybody, roughly."""
        once = self.known_work(knowledge) + self.pair_work(published, knowledge)
        passes = 1 if self.assign == "sinkhorn" else _work.PASSES
        return _work.one_to_one(published, knowledge, once, passes) + _work.places(published, knowledge)

    def known_work(self, knowledge: Reference) -> float:
        """Comparisons that it takes to look at what is known of all users, for however many pseudonyms."""
        return 0.0

    def pair_work(self, published: Cells, knowledge: Reference) -> float:
        """Comparisons of all pseudonyms with all users."""
        return _work.similar(published, knowledge)

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

    def whole(self, published: Cells, knowledge: Reference) -> Scores:
        """The same with that number, so that the pseudonyms of a user can be compared."""
        return self.comparison(published, knowledge)


def visited(published: Cells) -> sparse.csr_array:
    """[pseudonym, region]: how often each region was published; a set counts for its members in equal shares."""
    return sparse.csr_array(published.counts() @ published.spread)
