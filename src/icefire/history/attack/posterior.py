"""Which pseudonym has room for a customer's records."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from icefire.concealment.worlds import balanced
from icefire.core.budget import current
from icefire.core.matching import Assign, match_dense
from icefire.core.scores import Floats
from icefire.history.concealing import ROUNDS, centred, covering
from icefire.history.data import NONE, Guess, History, Ints
from icefire.history.facets import everybody
from icefire.history.roles import Attack

PAIR = 12.0
"""Comparisons that a known record and a pseudonym take."""
LEAST = 1e-6
"""How likely a record stands under a pseudonym that has no room for it."""


@dataclass(frozen=True)
class Posterior(Attack):
    """Probability of each pseudonym of a period being a customer's, given which published records cover each known one.

    Published intervals and sets are read as what they allow. Sinkhorn's plan says how likely a record is behind each
    published one if all have to find a place, so a published record that is the only place for another counts less. A
    customer's records add up their logarithms, and a pseudonym without enough records, or with too many of its own, is ruled
    out if all records are known. It is the attack that fits k-concealment, and works on whatever generalizes.

    A published record built around an original takes others in, and the original is taken in by theirs in turn. So it shares
    two published records with each of them, while they share but one with each other. `stars` weighs the possible originals
    of a published record by that.

    Parameters:
        assign: the best pseudonym for each customer, one-to-one assignment, or Sinkhorn's balanced plan.
        stars: weigh the records that a published one covers by how many of the others share a second one with them.

    Example:
        Ann's tea may be behind either record. Bob's cup only fits 1, so that 2 is left for ann.

        >>> import numpy as np
        >>> from icefire.history.examples import records
        >>> known = records("ann 2011-01-03 tea", "bob 2011-01-03 cup")
        >>> published = records("1 2011-01-03 {cup|tea}", "2 2011-01-03 {pen|tea}")
        >>> Posterior(assign="argmax").attack(published, known, np.random.default_rng(0)).table.tolist()
        [[1], [0]]
    """

    assign: Assign = "assignment"
    stars: bool = False
    aliases: ClassVar[tuple[str, ...]] = ("posterior over worlds",)

    @classmethod
    def variants(cls, published: History, knowledge: History) -> list[Self]:
        made = [cls(assign=assign) for assign in ("argmax", "assignment", "sinkhorn")]
        return made + [replace(variant, stars=True) for variant in made] if published.shared.any() else made

    def attack(self, published: History, knowledge: History, rng: np.random.Generator) -> Guess:
        edges = covering(knowledge, published)
        table = np.full((len(knowledge.users), len(knowledge.periods)), NONE, dtype=np.int64)
        records = np.bincount(knowledge.period_codes, minlength=len(knowledge.periods))
        work = PAIR * float(records @ published.present.sum(axis=0))
        if self.assign == "argmax":
            asked = current().sample(len(knowledge.users), work, rng)
        else:
            asked = None
            current().require(work)
        for period in range(len(knowledge.periods)):
            users, pseudonyms, scores = self.scores(edges, published, knowledge, period, everybody(knowledge, asked))
            if scores.size:
                chosen = match_dense(scores, self.assign, rng).rows
                table[users, period] = np.where(chosen == NONE, NONE, pseudonyms[chosen])
        return Guess.of_table(table, len(published.users), asked=asked)

    def scores(
        self,
        edges: sparse.csr_array,
        published: History,
        knowledge: History,
        period: int,
        some: NDArray[np.bool_] | None = None,
    ) -> tuple[Ints, Ints, Floats]:
        """The users and the pseudonyms of a period, and [user, pseudonym]: log-likelihoods, by which records hold which; for
        some of the users, if these are given."""
        known = np.flatnonzero(knowledge.period_codes == period)
        released = np.flatnonzero(published.period_codes == period)
        mine = np.arange(known.size) if some is None else np.flatnonzero(some[knowledge.user_codes[known]])
        users, owner = np.unique(knowledge.user_codes[known[mine]], return_inverse=True)
        place = np.full(published.height, NONE)
        place[released] = np.arange(released.size)
        holders = published.holders
        here = place[holders.records] != NONE
        pseudonyms, holder = np.unique(holders.users[here], return_inverse=True)
        scores = np.zeros((users.size, pseudonyms.size))
        if not scores.size:
            return users, pseudonyms, scores
        shape = released.size, pseudonyms.size
        listed = sparse.csr_array((holders.weights[here], (place[holders.records[here]], holder)), shape=shape)
        part = sparse.csr_array(edges[known][:, released])
        plan = sparse.csr_array(balanced(centred(part) if self.stars else part, ROUNDS)[0])[mine]
        np.add.at(scores, owner, np.log(np.asarray((plan @ listed).todense()) + LEAST))
        if knowledge.complete:
            sizes = np.bincount(owner)[:, None]
            room = np.bincount(listed.indices, minlength=pseudonyms.size)
            alone = np.bincount(listed.indices, listed.data == 1.0, minlength=pseudonyms.size)
            scores += np.log(LEAST) * (np.maximum(sizes - room, 0) + np.maximum(alone - sizes, 0))
        return users, pseudonyms, scores
