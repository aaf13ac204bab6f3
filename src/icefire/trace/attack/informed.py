"""The most likely user and places, for attackers who know the method."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from icefire.core.errors import Undefined
from icefire.core.matching import Assign, match_dense
from icefire.core.roles import AnyAnonymizer
from icefire.trace.attack._likelihood import log_likelihoods
from icefire.trace.data import NOTHING, Cells, Floats, Guess, Reference
from icefire.trace.habits import Singles, beliefs, cells_seen, chances, losses
from icefire.trace.roles import Anonymizer, InformedAttack


@dataclass(frozen=True)
class Informed(InformedAttack):
    """Users whose habits, sent through the known steps, make the published cells most likely; places by Bayes' rule.

    Every step states the probabilities of what becomes of a region. Their product is a channel: the habits of a user times
    the channel say where the user is likely to be published, and the published cell times the channel where the user was.

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

    def attack(self, published: Cells, knowledge: Reference, rng: np.random.Generator) -> Guess:
        channel = channel_of(self.known_steps, knowledge)
        scores = np.zeros((published.shape[0], knowledge.users))
        for slot, profile, crowd in chances(knowledge):
            times = np.broadcast_to(knowledge.published_slots == slot, published.shape)
            shown, everybody = profile @ channel, (crowd @ channel)[None, :]
            scores += log_likelihoods(published, shown, times) - log_likelihoods(published, everybody, times)
        found = match_dense(scores, self.assign, rng)
        return Guess(found.rows, _places(published, found.columns, channel, knowledge))


def channel_of(steps: Sequence[AnyAnonymizer], knowledge: Reference) -> Floats:
    """[true region, published region]: what the steps make of a region, one after the other."""
    channel = np.eye(knowledge.grid.regions)
    for step in steps:
        assert isinstance(step, Anonymizer)
        stated = step.channel(knowledge)
        if stated is not None:
            channel = channel @ stated
    if not np.isfinite(channel).all():
        raise Undefined("the likelihoods of the steps are not finite")
    return channel


def _places(published: Cells, pseudonyms: np.ndarray, channel: Floats, knowledge: Reference) -> np.ndarray:
    """[user, time]: the region of least expected loss, given the habits and the published cell of the user's pseudonym."""
    loss = losses(knowledge)
    backwards: Singles = channel.T.astype(np.float32)
    spread = published.spread.astype(np.float32)
    known = pseudonyms >= 0
    guess = np.empty((knowledge.users, published.shape[1]), dtype=np.int32)
    for slot, belief in beliefs(knowledge):
        for time in np.flatnonzero(knowledge.published_slots == slot):
            codes = np.where(known, published.codes[np.maximum(pseudonyms, 0), time], NOTHING)
            chance = np.asarray(cells_seen(codes, spread) @ backwards)
            # A deleted cell says nothing; nor does one that the habits rule out.
            told = belief * chance
            silent = told.sum(axis=1) <= 0
            told[silent] = belief[silent]
            guess[:, time] = ((told / told.sum(axis=1, keepdims=True)) @ loss).argmin(axis=1)
    return guess
