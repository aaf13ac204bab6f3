"""Smoothing by a hidden Markov model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from icefire.core.budget import Asked, current
from icefire.core.matching import match, transport
from icefire.core.parameters import AtLeast, Share
from icefire.trace.attack import _work
from icefire.trace.attack.slot_likelihood import SlotLikelihood
from icefire.trace.data import Cells, Guess, Ints, Reference
from icefire.trace.habits import Singles, beliefs, certain, kernel, losses
from icefire.trace.roles import Attack

PART = 2_000
NOISES = (0.02, 0.3, 0.8, 2.0)
TRUST = 0.95
"""How far a cell is believed even if it is certain whose it is."""
PROBE = 100
"""Users by whom the noise is estimated."""


@dataclass(frozen=True)
class HiddenMarkov(Attack):
    """Posterior decoding over all regions: where a user goes next follows the population's moves and the user's habits.

    Pseudonyms are assigned one to one by `slot_likelihood`; how sure that is comes from Sinkhorn's plan. The answer is the
    region of least expected distance.

    Parameters:
        pull: share of the next place that comes from habits.
        noise: how far published cells are from the true ones, in kilometres; 0 finds the likeliest of a few values.

    Example:
        User 0 walks from region 0 to 4 every day, user 1 from 9 to 5. The deleted cells of both are filled in.

        >>> import numpy as np
        >>> from icefire.trace.data import NOTHING, Cells, Traces
        >>> from icefire.trace.grid import Grid
        >>> days = np.array([[0, 1, 2, 3, 4], [9, 8, 7, 6, 5]])
        >>> known = Traces(days, days, Grid(rows=1, columns=10, cell_width=1.0), day=5).knowledge
        >>> published = Cells(np.array([[9, 8, NOTHING, 6, 5], [0, NOTHING, 2, 3, 4]]), regions=10)
        >>> HiddenMarkov().attack(published, known, np.random.default_rng(0)).traces.tolist()
        [[0, 1, 2, 3, 4], [9, 8, 7, 6, 5]]
    """

    pull: Share = 0.4
    noise: Annotated[float, AtLeast(0)] = 0.0
    aliases: ClassVar[tuple[str, ...]] = ("hidden Markov smoothing",)

    def attack(self, published: Cells, knowledge: Reference, rng: np.random.Generator) -> Guess:
        likeness = SlotLikelihood(assign="assignment")
        current().require(likeness.work(published, knowledge))
        # Everybody is matched; where somebody was can be said of some alone.
        people = current().sample(knowledge.users, _work.decoded(published, knowledge), rng)
        scores = likeness.compared(published, knowledge)
        found = match(scores, "assignment", rng)
        sure = sparse.csr_array(certain(found.columns, published.shape[0]).multiply(transport(scores, rng)))
        decoder = _Decoder(self, published, knowledge, sure)
        if people is None:
            return Guess(found.rows, decoder.decode(np.arange(knowledge.users), rng))
        return Guess.of_asked(found.rows, decoder.decode(people, rng), Asked(np.arange(published.shape[0]), people))


class _Decoder:
    """The model of one release."""

    def __init__(self, attack: HiddenMarkov, published: Cells, knowledge: Reference, sure: sparse.csr_array) -> None:
        self.attack, self.published, self.knowledge = attack, published, knowledge
        self.share = sparse.csr_array((TRUST * sure.T).astype(np.float32))
        """[user, pseudonym]: how far a pseudonym's cells are taken for the user's."""
        self.beliefs = dict(beliefs(knowledge))
        self.moves = _moves(knowledge)
        starts = np.flatnonzero(np.diff(knowledge.published_slots, prepend=np.inf) <= 0)
        self.days = np.split(np.arange(published.shape[1]), starts[1:])

    def decode(self, people: Ints, rng: np.random.Generator) -> NDArray[np.int32]:
        """[person, time]: where some users were."""
        noise = self.attack.noise or self._likeliest_noise(rng)
        seen = self._seen(noise)
        loss = losses(self.knowledge)
        guess = np.empty((people.size, self.published.shape[1]), dtype=np.int32)
        for begin in range(0, people.size, PART):
            part = slice(begin, begin + PART)
            users = people[part]
            for day in self.days:
                forward, events, _ = self._forward(users, day, seen)
                backward = np.ones_like(forward[0])
                for step in range(day.size - 1, -1, -1):
                    guess[part, day[step]] = (forward[step] * backward @ loss).argmin(axis=1)
                    coming = events[step] * backward
                    habit = (coming * self._belief(users, day[step])).sum(axis=1, keepdims=True)
                    backward = self.attack.pull * habit + (1 - self.attack.pull) * (coming @ self.moves.T)
                    backward /= backward.sum(axis=1, keepdims=True)
        return guess

    def _likeliest_noise(self, rng: np.random.Generator) -> float:
        users = rng.permutation(self.knowledge.users)[:PROBE]
        found = [self._forward(users, self.days[0], self._seen(noise))[2] for noise in NOISES]
        return NOISES[int(np.argmax(found))]

    def _forward(self, users: Ints, day: Ints, seen: Singles) -> tuple[list[Singles], list[Singles], float]:
        """Where users are given the day so far, what each event says by itself, and the likelihood of the day."""
        forward: list[Singles] = []
        events: list[Singles] = []
        total = 0.0
        share = self.share[users]
        doubt = (1.0 - np.asarray(share.sum(axis=1)).reshape(-1, 1)) / self.knowledge.grid.regions
        for time in day:
            belief = self._belief(users, time)
            here = (
                self.attack.pull * belief + (1 - self.attack.pull) * (forward[-1] @ self.moves) if forward else belief
            )
            event = share @ seen[self.published.codes[:, time]] + doubt
            here = here * event
            likely = here.sum(axis=1, keepdims=True)
            total += float(np.log(likely).sum())
            forward.append(here / likely)
            events.append(event)
        return forward, events, total

    def _belief(self, users: Ints, time: int) -> Singles:
        return self.beliefs[int(self.knowledge.published_slots[time])][users]

    def _seen(self, noise: float) -> Singles:
        """[code, true region]: how likely a region is published as this code; the last row, a deleted cell, says nothing."""
        near = kernel(self.knowledge, noise).T
        nothing = np.full((1, near.shape[1]), 1.0 / near.shape[1])
        return np.asarray(np.vstack([self.published.spread @ near, nothing]), dtype=np.float32)


def _moves(knowledge: Reference) -> Singles:
    """[from, to]: how people move from one time to the next of the same day, nearby places standing in for rare ones."""
    same_day = np.flatnonzero(np.diff(knowledge.slots) > 0)
    begin, end = knowledge.regions[:, same_day].ravel(), knowledge.regions[:, same_day + 1].ravel()
    regions = knowledge.grid.regions
    counts = np.asarray(sparse.csr_array((np.ones(begin.size), (begin, end)), shape=(regions, regions)).todense())
    near = kernel(knowledge, 0.3)
    smooth = 0.5 * counts + 0.5 * near @ counts @ near + near
    return np.asarray(smooth / smooth.sum(axis=1, keepdims=True), dtype=np.float32)
