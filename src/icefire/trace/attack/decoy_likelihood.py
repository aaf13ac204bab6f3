"""The most likely user and places behind randomized decoys, for attackers who know the method."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from icefire.core import memory
from icefire.core.budget import current
from icefire.core.errors import Undefined
from icefire.core.parameters import AtLeast
from icefire.core.roles import AnyAnonymizer
from icefire.trace.anonymize.decoys import HEAT, Decoys
from icefire.trace.attack import _work
from icefire.trace.attack._decoys import decoys_among, decoys_of, likely_decoys, matched
from icefire.trace.data import Cells, Floats, Guess, Ints, Reference, Traces
from icefire.trace.habits import REACH, Singles, beliefs, chances, losses
from icefire.trace.roles import InformedAttack

PART = 2_000
"""Number of candidates that are examined together."""
LEAST = np.float32(1e-30)
"""Keeps divisions finite in single precision."""


@dataclass(frozen=True)
class DecoyLikelihood(InformedAttack):
    """Users who make the published cells most likely, given how `decoys(randomized=true)` draws them; places by Bayes' rule.

    Given owner, decoy and true region x, the region r is published with a probability proportional to
    exp(2 (pull(r) - price * gap(x, r))). Weighted by the habits of the owner and added up over x, this is the likelihood of a
    published cell. The price is the one at which the same step would keep the required utility of the reference traces.
    Candidates are the users whom the trace resembles, as decoys, with the best owners by a likelihood that is simplified: it
    does without the part of the pull that depends on the owner.

    Parameters:
        tries: number of decoys to try for each pseudonym.
        finalists: number of pairs of owner and decoy to compare by their exact likelihood.

    Example:
        The draws are random, but 200 of them are enough to find most owners.

        >>> import numpy as np
        >>> from icefire.datasets.walks import Walks
        >>> walks = Walks(n=30, days=10, rows=8, columns=8).generate(np.random.default_rng(0))
        >>> method = Decoys(utility=0.8)
        >>> release = method.anonymize(walks, np.random.default_rng(1))
        >>> attack = DecoyLikelihood().knowing([method])
        >>> guess = attack.attack(release.published, walks.knowledge, np.random.default_rng(2))
        >>> int((guess.users == release.owners).sum())
        24
    """

    tries: Annotated[int, AtLeast(1)] = 4
    finalists: Annotated[int, AtLeast(1)] = 20
    aliases: ClassVar[tuple[str, ...]] = ("likelihood of decoys",)
    made_for: ClassVar[AnyAnonymizer | None] = Decoys()

    def attack(self, published: Cells, knowledge: Reference, rng: np.random.Generator) -> Guess:
        method = decoys_among(self.known_steps, published)
        if not method.randomized:
            raise Undefined("these decoys are not drawn at random: decoy_inversion undoes them")
        current().require(_work.decoys(published, knowledge, self.tries))
        scene = _Scene(published.codes, knowledge, method, rng)
        decoys = likely_decoys(published, knowledge, self.tries, rng)
        owners, decoys = self._candidates(scene, decoys, knowledge.users)
        chance = scene.log_likelihoods(owners, decoys)
        found = matched(owners, chance, knowledge.users, rng)
        decoy = decoys_of(found.rows, owners, decoys, chance)
        return Guess(found.rows, scene.places(found.columns, decoy[found.columns]))

    def _candidates(self, scene: _Scene, decoys: Ints, users: int) -> tuple[Ints, Ints]:
        """[pseudonym, candidate]: the owners and decoys of the best rough likelihoods."""
        best = np.empty((len(decoys), min(self.finalists, users - 1)), dtype=np.int64)
        step = memory.step(2 * decoys.shape[1] * users)
        for begin in range(0, len(decoys), step):
            rows = np.arange(begin, min(begin + step, len(decoys)))
            rough = np.hstack([scene.rough_likelihoods(rows, decoy) for decoy in decoys[rows].T])
            best[rows] = np.argsort(-rough, axis=1, kind="stable")[:, : best.shape[1]]
        return best % users, np.take_along_axis(decoys, best // users, axis=1)


class _Scene:
    """A release with what is known of its users, and the likelihoods for pairs of owner and decoy."""

    def __init__(
        self, codes: NDArray[np.integer], knowledge: Reference, method: Decoys, rng: np.random.Generator
    ) -> None:
        self.codes = codes.astype(np.int64)
        self.knowledge = knowledge
        self.away = np.float32(method.away)
        gaps = np.minimum(knowledge.grid.distances / REACH, 1.0)
        self.near: Singles = np.exp(-method.price(_other_days(knowledge), rng) / HEAT * gaps).astype(np.float32)
        """[true region, region]: the factor by which the distance makes a region less likely."""
        self.profiles: dict[int, Singles] = {s: p.astype(np.float32) for s, p, _ in chances(knowledge)}
        self.logs: dict[int, Singles] = {slot: np.log(profile) for slot, profile in self.profiles.items()}

    def rough_likelihoods(self, rows: Ints, decoys: Ints) -> Floats:
        """[pseudonym, owner]: log-probability with the given decoys, if every owner were avoided like an average user."""
        scores = np.zeros((decoys.size, self.knowledge.users))
        for slot, logs in self.logs.items():
            pull = _weights(logs[decoys] - self.away * logs.mean(axis=0))
            total = np.maximum(pull @ self.near, LEAST)
            for time in self._times(slot):
                cells = self.codes[rows, time]
                chance = pull[np.arange(cells.size), cells][:, None] * (
                    (self.near[cells] / total) @ self.profiles[slot].T
                )
                scores += np.log(np.maximum(chance, LEAST))
        # Nobody is their own decoy.
        scores[np.arange(decoys.size), decoys] = -np.inf
        return scores

    def log_likelihoods(self, owners: Ints, decoys: Ints) -> Floats:
        """[pseudonym, candidate]: log-probability of the published cells."""
        rows = np.repeat(np.arange(owners.shape[0]), owners.shape[1])
        found = np.zeros(rows.size)
        for begin in range(0, rows.size, PART):
            part = slice(begin, begin + PART)
            for slot, profile in self.profiles.items():
                pull, total = self._choice(slot, owners.ravel()[part], decoys.ravel()[part])
                chance = pull * ((profile[owners.ravel()[part]] / total) @ self.near)
                seen = np.take_along_axis(chance, self.codes[rows[part]][:, self._times(slot)], axis=1)
                found[part] += np.log(np.maximum(seen, LEAST)).sum(axis=1)
        return found.reshape(owners.shape)

    def places(self, pseudonyms: Ints, decoys: Ints) -> NDArray[np.int32]:
        """[user, time]: the region of least expected loss, given the published cell of the user's pseudonym."""
        guess = np.empty(self.codes.shape, dtype=np.int32)
        loss = losses(self.knowledge)
        for slot, belief in beliefs(self.knowledge):
            _, total = self._choice(slot, np.arange(pseudonyms.size), decoys)
            for time in self._times(slot):
                told = belief * self.near[self.codes[pseudonyms, time]] / total
                guess[:, time] = (told / told.sum(axis=1, keepdims=True) @ loss).argmin(axis=1)
        return guess

    def _choice(self, slot: int, owners: Ints, decoys: Ints) -> tuple[Singles, Singles]:
        """[pair, region]: weights of what may be published, and [pair, true region]: their sum with the distance."""
        logs = self.logs[slot]
        pull = _weights(logs[decoys] - self.away * logs[owners])
        return pull, np.maximum(pull @ self.near, LEAST)

    def _times(self, slot: int) -> Ints:
        return np.flatnonzero(self.knowledge.published_slots == slot)


def _weights(pull: Singles) -> Singles:
    return np.asarray(np.exp((pull - pull.max(axis=1, keepdims=True)) / np.float32(HEAT)))


def _other_days(knowledge: Reference) -> Traces:
    """The reference traces as if they were to be released."""
    times = knowledge.slots + 1
    return Traces(
        knowledge.regions, knowledge.regions, knowledge.grid, day=int(times.max()), times=(times, times.copy())
    )
