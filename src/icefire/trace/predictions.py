"""Where each user will be at each time of day, from the reference traces: a mixture whose weights predict them best."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from icefire.core import memory
from icefire.trace.data import Floats, Ints, Reference
from icefire.trace.habits import habits, kernel, visits

BLURS = (0.5, 1.5, 5.0)
"""How fast a visit loses weight with the distance in time, in times of day."""
REACH = 0.3
"""Length of the neighbourhood of a visit in kilometres."""
PARTS = 2 * (len(BLURS) + 1) + 1
"""Parts of the mixture: the user's visits around that time with each blur, and at any time; the neighbourhoods of these; and
the crowd at that time."""
SINGLE_DAY = np.array([0.0, 0.0, 0.35, 0.2, 0.0, 0.0, 0.15, 0.1, 0.2])
"""Weights if there is only one reference day, from which nothing can be learned."""
ROUNDS, SHARED = 40, 200.0
"""Rounds of expectation maximization; number of observations that the weights of the whole day count for at each time."""
COMPARED = 20_000_000
"""Number of pairs of reference times that the weights are learned from."""


class Predictions:
    """For each time of day: [user, region] probabilities (of some users), and the [region] probabilities of the crowd.

    The weights of the mixture are those under which the other days predict each reference day best.
    """

    def __init__(self, knowledge: Reference, rng: np.random.Generator) -> None:
        self.knowledge = knowledge
        self.near, self.own = kernel(knowledge, REACH), visits(knowledge)
        population = self.own.mean(axis=0) @ self.near + 1e-6
        population /= population.sum()
        usual = habits(knowledge, BLURS[1])
        self.crowds = {slot: 0.7 * habit.mean(axis=0) @ self.near + 0.3 * population for slot, habit in usual}
        self.weights = _weights(knowledge, self.crowds, self.near, rng)
        self._held: list[tuple[int, Floats, Floats]] | None = None

    def __call__(self, *, users: Ints | None = None) -> Iterator[tuple[int, Floats, Floats]]:
        if 8 * self.own.size * len(self.crowds) > memory.limit():
            yield from self._made(users)
            return
        if self._held is None:
            self._held = list(self._made(None))
        for slot, profile, crowd in self._held:
            yield slot, profile if users is None else profile[users], crowd

    def _made(self, users: Ints | None) -> Iterator[tuple[int, Floats, Floats]]:
        own = self.own if users is None else self.own[users]
        for parts in zip(*(habits(self.knowledge, blur) for blur in BLURS), strict=True):
            slot = parts[0][0]
            chosen = [habit if users is None else habit[users] for _, habit in parts]
            visited = [np.asarray(habit.todense()) for habit in chosen] + [own]
            weights, half = self.weights[slot], len(visited)
            exact = sum(weight * part for weight, part in zip(weights[:half], visited, strict=True))
            nearby = sum(weight * part for weight, part in zip(weights[half:-1], visited, strict=True))
            crowd = self.crowds[slot]
            yield slot, np.asarray(exact + nearby @ self.near + weights[-1] * crowd), crowd


def _weights(
    knowledge: Reference, crowds: dict[int, Floats], near: Floats, rng: np.random.Generator
) -> dict[int, Floats]:
    """The weights of the mixture for each published time of day."""
    days = np.cumsum(np.diff(knowledge.slots, prepend=np.inf) <= 0)
    if days[-1] == 1:
        return dict.fromkeys(crowds, SINGLE_DAY)
    times = np.flatnonzero(np.isin(knowledge.slots, list(crowds)))
    if not times.size:
        return dict.fromkeys(crowds, SINGLE_DAY)
    users = rng.permutation(knowledge.users)[: max(1, COMPARED // (times.size * days.size))]
    times = np.sort(rng.permutation(times)[: max(1, COMPARED // (users.size * days.size))])
    other = days[times, None] != days[None, :]
    gaps = np.abs(knowledge.slots[times, None] - knowledge.slots[None, :])
    share = [np.where(other, np.exp(-gaps / blur), 0.0) for blur in BLURS] + [other.astype(np.float64)]
    share = [table / table.sum(axis=1, keepdims=True) for table in share]
    here = np.stack([crowds[int(slot)] for slot in knowledge.slots[times]])
    seen = np.empty((users.size, times.size, PARTS))
    for row, user in enumerate(users):
        regions = knowledge.regions[user]
        equal, close = regions[None, :] == regions[times, None], near[regions[None, :], regions[times, None]]
        for place, table in enumerate(share):
            seen[row, :, place] = (table * equal).sum(axis=1)
            seen[row, :, len(share) + place] = (table * close).sum(axis=1)
        seen[row, :, -1] = here[np.arange(times.size), regions[times]]
    everyday = _mixture(seen.reshape(-1, PARTS), np.full(PARTS, 1 / PARTS), 1.0)
    slots: Ints = knowledge.slots[times]
    return {slot: _mixture(seen[:, slots == slot].reshape(-1, PARTS), everyday, SHARED) for slot in crowds}


def _mixture(chances: Floats, prior: Floats, doubt: float) -> Floats:
    """The weights of mixture components under which observations are most likely; [observation, component] probabilities.

    >>> _mixture(np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 0.0]]), np.array([0.5, 0.5]), 0.0).tolist()
    [0.75, 0.25]
    """
    weights = prior
    for _ in range(ROUNDS if chances.size else 0):
        shares = chances * weights
        shares /= shares.sum(axis=1, keepdims=True)
        weights = (shares.sum(axis=0) + doubt * prior) / (chances.shape[0] + doubt)
    return np.asarray(weights)
