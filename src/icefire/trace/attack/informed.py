"""The most likely user and places, for attackers who know the method."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from icefire.core.budget import Asked, current
from icefire.core.matching import Assign, likely, match, transport
from icefire.core.scores import Scores
from icefire.trace.attack import _work
from icefire.trace.attack._channels import channel_of, require_a_statement
from icefire.trace.attack._likelihood import LikelihoodRatios, Sent
from icefire.trace.attack.known_points import PointOdds, asked_points, pointed_out
from icefire.trace.data import NOTHING, Cells, Floats, Guess, Ints, Reference
from icefire.trace.habits import Singles, cells_seen, losses
from icefire.trace.predictions import Predictions
from icefire.trace.roles import InformedAttack


@dataclass(frozen=True)
class Informed(InformedAttack):
    """Users whose habits, sent through the known steps, make the published cells most likely; places by Bayes' rule.

    Every step states the probabilities of what becomes of a region. Their product is a channel: the habits of a user times
    the channel say where the user is likely to be published, and the published cell times the channel where the user was. What
    a step among others does not state is learned from a release of the reference days.
    Attackers who know points of the published days use these in place of habits.

    Parameters:
        assign: "assignment" uses every user once; "argmax" decides pseudonym by pseudonym.

    Example:
        Nearly everything is shown anywhere else (randomized response with a small budget). Users 0 and 1 are known to stay.

        >>> import numpy as np
        >>> from icefire.trace.anonymize.krr import Krr
        >>> from icefire.trace.data import Traces
        >>> from icefire.trace.grid import Grid
        >>> places = np.repeat([[0], [3]], 60, axis=1)
        >>> walks = Traces(places, places, Grid(rows=1, columns=4))
        >>> release = Krr(epsilon=1.0).anonymize(walks, np.random.default_rng(1))
        >>> guess = Informed().knowing([Krr(epsilon=1.0)]).attack(release.published, walks.knowledge, np.random.default_rng(0))
        >>> guess.users.tolist() == release.owners.tolist(), bool((guess.traces == places).all())
        (True, True)
    """

    assign: Assign = "assignment"

    @classmethod
    def variants(cls, published: Cells, knowledge: Reference) -> list[Self]:
        return [cls(), cls(assign="argmax")]

    @classmethod
    def uses(cls, knowledge: Reference) -> bool:
        return True

    def attack(self, published: Cells, knowledge: Reference, rng: np.random.Generator) -> Guess:
        require_a_statement(self.known_steps, knowledge)
        channel = channel_of(self.known_steps, knowledge, rng)
        if knowledge.points is not None:
            odds = PointOdds(published, knowledge, channel)
            asked = asked_points(published, knowledge, self.assign, 1, rng)
            return pointed_out(odds.held() if asked is None else odds, asked, self.assign, published, knowledge, rng)
        rows = self._rows(published, knowledge, rng)
        expected = Predictions(knowledge, rng)
        scores: Scores = LikelihoodRatios(published, knowledge, Sent(expected, channel))
        if rows is not None:
            users = np.full(published.shape[0], NOTHING)
            users[rows] = match(scores.take(rows, np.arange(knowledge.users)), "argmax", rng).rows
            return Guess(users, asked=Asked(rows, np.zeros(0, dtype=np.int64)))
        scores = scores.held()
        found = match(scores, self.assign, rng)
        plan = likely(transport(scores, rng, logarithms=True))
        return Guess(found.rows, places(published, plan, channel, knowledge, expected()))

    def _rows(self, published: Cells, knowledge: Reference, rng: np.random.Generator) -> Ints | None:
        """The pseudonyms to look for; None if all. Users compete for pseudonyms where it is said where they were, so that a
        sample says nothing about that."""
        once, pairs = _work.sent(knowledge), _work.likely(published, knowledge)
        passes = 2 if self.assign == "argmax" else 1 + _work.PASSES
        whole = _work.one_to_one(published, knowledge, once + pairs, passes) + once
        if self.assign != "argmax" or whole <= current().left:
            current().require(whole)
            return None
        current().spend(once)
        return current().drawn(published.shape[0], pairs, rng)


def places(
    published: Cells,
    plan: sparse.csr_array,
    channel: Floats,
    knowledge: Reference,
    expected: Iterable[tuple[int, Floats, Floats]],
) -> NDArray[np.int32]:
    """[user, time]: the region of least expected loss, given where users are expected and the cells of their pseudonyms.

    `plan`, [pseudonym, user], says how probable each pseudonym is.
    """
    loss = losses(knowledge)
    backwards: Singles = channel.T.astype(np.float32)
    spread = published.spread.astype(np.float32)
    share = sparse.csr_array(plan.T.astype(np.float32))
    doubt = 1.0 - np.asarray(share.sum(axis=1)).reshape(-1, 1)
    guess = np.empty((knowledge.users, published.shape[1]), dtype=np.int32)
    for slot, profile, crowd in expected:
        belief, everybody = profile.astype(np.float32), crowd.astype(np.float32)
        for time in np.flatnonzero(knowledge.published_slots == slot):
            codes = published.codes[:, time]
            chance = np.asarray(cells_seen(codes, spread) @ backwards)
            # How much likelier the cell is in a region than by the crowd; a deleted cell says nothing.
            usual = chance @ everybody
            ratio = np.divide(chance, usual[:, None], out=np.ones_like(chance), where=usual[:, None] > 0)
            told = belief * (share @ ratio + doubt)
            guess[:, time] = (told @ loss).argmin(axis=1)
    return guess
