"""The most likely user and places behind randomized decoys, for attackers who know the method."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from icefire.core import memory
from icefire.core.budget import current
from icefire.core.parameters import AtLeast
from icefire.core.roles import AnyAnonymizer
from icefire.trace.anonymize.decoys import HEAT, Decoys
from icefire.trace.attack import _work
from icefire.trace.attack._channels import appearances, channel_of
from icefire.trace.attack._decoys import DecoySteps, decoys_among, decoys_of, likely_decoys, matched
from icefire.trace.data import NOTHING, Cells, Floats, Guess, Ints, Reference
from icefire.trace.habits import REACH, Singles, chances, losses
from icefire.trace.predictions import Predictions
from icefire.trace.roles import InformedAttack

PART = 2_000
"""Number of candidates that are examined together."""
FEW = 50
"""Number of regions behind a code up to which they are summed up one by one."""
LEAST = np.float32(1e-30)
"""Keeps divisions finite in single precision."""


@dataclass(frozen=True)
class DecoyLikelihood(InformedAttack):
    """Users who make the published cells most likely, given how `decoys(randomized=true)` draws them; places by Bayes' rule.

    Given owner, decoy and true region x, the region r is published with a probability proportional to
    exp(2 (pull(r) - price * gap(x, r))). Weighted by the habits of the owner and added up over x, this is the likelihood of a
    published cell. The price is the one at which the same step would keep the required utility of reference days.
    Steps before and after it are channels; a deleted cell says nothing.
    Candidates are the users whom the trace resembles, as decoys, with the best owners by a likelihood that is simplified: it
    does without the part of the pull that depends on the owner.

    Parameters:
        tries: number of decoys to try for each pseudonym.
        finalists: number of pairs of owner and decoy to compare by their exact likelihood.

    Example:
        The draws are random, but 200 of them are enough to find every owner.

        >>> import numpy as np
        >>> from icefire.datasets.walks import Walks
        >>> walks = Walks(n=30, days=10, rows=8, columns=8).generate(np.random.default_rng(0))
        >>> method = Decoys(utility=0.8)
        >>> release = method.anonymize(walks, np.random.default_rng(1))
        >>> attack = DecoyLikelihood().knowing([method])
        >>> guess = attack.attack(release.published, walks.knowledge, np.random.default_rng(2))
        >>> int((guess.users == release.owners).sum())
        30
    """

    tries: Annotated[int, AtLeast(1)] = 4
    finalists: Annotated[int, AtLeast(1)] = 40
    aliases: ClassVar[tuple[str, ...]] = ("likelihood of decoys",)
    made_for: ClassVar[AnyAnonymizer | None] = Decoys()

    def attack(self, published: Cells, knowledge: Reference, rng: np.random.Generator) -> Guess:
        steps = decoys_among(self.known_steps, published, randomized=True)
        current().require(_work.decoys(published, knowledge, self.tries, bool(steps.after)))
        scene = _Scene(published, knowledge, steps, rng)
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

    def __init__(self, published: Cells, knowledge: Reference, steps: DecoySteps, rng: np.random.Generator) -> None:
        self.codes = published.codes.astype(np.int64)
        self.knowledge = knowledge
        self.away = np.float32(steps.decoys.away)
        gaps = np.minimum(knowledge.grid.distances / REACH, 1.0)
        self.near: Singles = np.exp(-steps.price(knowledge, rng) / HEAT * gaps).astype(np.float32)
        """[true region, region]: the factor by which the distance makes a region less likely."""
        self.before: Singles = channel_of(steps.before, knowledge, rng).astype(np.float32)
        self.seen = appearances(published, channel_of(steps.after, knowledge, rng)).astype(np.float32)
        """[code, region]: the probability that a region that the decoys made is published so, up to a factor of the code."""
        self.logs: dict[int, Singles] = {s: np.log(p).astype(np.float32) for s, p, _ in chances(knowledge)}
        self.habits: dict[int, Singles] = {s: p.astype(np.float32) for s, p, _ in Predictions(knowledge, rng)()}
        self.profiles = {slot: habit @ self.before for slot, habit in self.habits.items()}
        """[user, region] by time of day: where users are expected when the decoys begin."""

    def rough_likelihoods(self, rows: Ints, decoys: Ints) -> Floats:
        """[pseudonym, owner]: log-probability with the given decoys, if every owner were avoided like an average user."""
        scores = np.zeros((decoys.size, self.knowledge.users))
        for slot, logs in self.logs.items():
            pull = _weights(logs[decoys] - self.away * logs.mean(axis=0))
            total = np.maximum(pull @ self.near, LEAST)
            for time in self._times(slot):
                chance = self._sources(pull, total, self.codes[rows, time]) @ self.profiles[slot].T
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
                codes = self.codes[rows[part]][:, self._times(slot)]
                seen = np.take_along_axis((self.seen @ chance.T).T, np.maximum(codes, 0), axis=1)
                # A deleted cell says nothing.
                found[part] += np.log(np.where(codes == NOTHING, 1.0, np.maximum(seen, LEAST))).sum(axis=1)
        return found.reshape(owners.shape)

    def places(self, pseudonyms: Ints, decoys: Ints) -> NDArray[np.int32]:
        """[user, time]: the region of least expected loss, given the published cell of the user's pseudonym."""
        guess = np.empty(self.codes.shape, dtype=np.int32)
        loss = losses(self.knowledge)
        for slot, belief in self.habits.items():
            pull, total = self._choice(slot, np.arange(pseudonyms.size), decoys)
            for time in self._times(slot):
                sources = self._sources(pull, total, self.codes[pseudonyms, time])
                told = np.maximum(belief * (sources @ self.before.T), LEAST)
                guess[:, time] = (told / told.sum(axis=1, keepdims=True) @ loss).argmin(axis=1)
        return guess

    def _choice(self, slot: int, owners: Ints, decoys: Ints) -> tuple[Singles, Singles]:
        """[pair, region]: weights of what may be published, and [pair, true region]: their sum with the distance."""
        logs = self.logs[slot]
        pull = _weights(logs[decoys] - self.away * logs[owners])
        return pull, np.maximum(pull @ self.near, LEAST)

    def _sources(self, pull: Singles, total: Singles, codes: Ints) -> Singles:
        """[pair, region]: the probability that a region is published as the code of the pair, up to a factor of the pair."""
        there = np.flatnonzero(codes != NOTHING)
        found = np.ones_like(total)
        shown = sparse.csr_array(self.seen[codes[there]] * pull[there])
        # Sums over regions that are few, unless later steps move cells.
        found[there] = (shown if shown.nnz < shown.shape[0] * FEW else shown.toarray()) @ self.near / total[there]
        return found

    def _times(self, slot: int) -> Ints:
        return np.flatnonzero(self.knowledge.published_slots == slot)


def _weights(pull: Singles) -> Singles:
    return np.asarray(np.exp((pull - pull.max(axis=1, keepdims=True)) / np.float32(HEAT)))
