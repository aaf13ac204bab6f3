"""Likelihood scores, and the contest's way from scores to a guess."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from icefire.core import memory
from icefire.core.budget import Asked, current
from icefire.core.scores import MadeInParts, Scores, Table
from icefire.trace.attack import _work
from icefire.trace.data import NOTHING, Cells, Floats, Guess, Ints, Reference

PART = 2_000


class Expected(Protocol):
    """Where users are expected at each time of day."""

    def __call__(self, *, users: Ints | None = None) -> Iterable[tuple[int, Floats, Floats]]: ...


Ties = Literal["random", "first"]
"""Which of equally likely users is taken. The contest's programs took the first in file order, which biases the rate."""


def log_likelihoods(published: Cells, profile: Floats, weights: Floats | NDArray[np.bool_] | None = None) -> Floats:
    """[pseudonym, user]: log-likelihood of the published events; a set is as likely as its members on average.

    An event counts as much as its weight, [pseudonym, time], says.
    """
    counts = published.counts(weights).tocsc()
    used = np.flatnonzero(np.diff(counts.indptr))
    scores = np.zeros((published.shape[0], profile.shape[0]))
    for begin in range(0, used.size, PART):
        codes = used[begin : begin + PART]
        chance = np.log(published.spread[codes] @ profile.T)
        scores += counts[:, codes] @ chance
    return scores


class LikelihoodRatios(MadeInParts):
    """Log-likelihood ratios of the published events against the population, by time of day.

    `expected` gives, for the users asked for and each time of day, [user, region] probabilities and those of the population.
    An event counts as much as its weight, [pseudonym, time], says.
    """

    def __init__(
        self, published: Cells, knowledge: Reference, expected: Expected, weights: Floats | None = None
    ) -> None:
        self.published, self.knowledge, self.expected, self.weights = published, knowledge, expected, weights

    @property
    def shape(self) -> tuple[int, int]:
        return self.published.shape[0], self.knowledge.users

    def made(self, rows: Ints, columns: Ints) -> Floats:
        published = self.published.take(rows)
        found = np.zeros(published.shape[:1] + columns.shape)
        for slot, profile, crowd in self.expected(users=columns):
            times = np.broadcast_to(self.knowledge.published_slots == slot, published.shape)
            if self.weights is not None:
                times = np.where(times, self.weights[rows], 0.0)
            found += log_likelihoods(published, profile, times) - log_likelihoods(published, crowd[None, :], times)
        return found


@dataclass(frozen=True)
class Sent:
    """Where users are expected to be published: where they are expected, through a channel [true region, published region]."""

    expected: Expected
    channel: Floats

    def __call__(self, *, users: Ints | None = None) -> Iterator[tuple[int, Floats, Floats]]:
        for slot, profile, crowd in self.expected(users=users):
            yield slot, profile @ self.channel, crowd @ self.channel


def summed_in_time_order(
    published: Cells, profile: Floats, chosen: NDArray[np.bool_]
) -> Iterator[tuple[slice, Floats]]:
    """The same for chosen events, [pseudonym, time], added up one time after the other, for some pseudonyms at a time.

    Users who are equally likely differ in the last digit by the order of the sum, and the contest's programs, which take the
    first user of the largest sum, have added in the order of time.
    """
    used, place = np.unique(published.codes, return_inverse=True)
    place = place.reshape(published.shape)
    chance = np.zeros((used.size, profile.shape[0]))
    there = used != NOTHING
    chance[there] = np.log(published.spread[used[there]] @ profile.T)
    step = memory.step(2 * profile.shape[0])
    for begin in range(0, published.shape[0], step):
        part = slice(begin, min(begin + step, published.shape[0]))
        scores = np.zeros((part.stop - part.start, profile.shape[0]))
        for time in np.flatnonzero(chosen[part].any(axis=0)):
            rows = np.flatnonzero(chosen[part, time])
            scores[rows] += chance[place[part][rows, time]]
        yield part, scores


def best_users(scores: Scores, rng: np.random.Generator) -> Ints:
    """The most likely user of each pseudonym; of equally likely ones a random one."""
    if not isinstance(scores, Table):
        return scores.best(rng)[0]
    order = rng.permutation(scores.shape[1])
    return np.asarray(order[scores.values[:, order].argmax(axis=1)])


def sample_guess(
    published: Cells, profile: Floats, chosen: NDArray[np.bool_], rng: np.random.Generator, ties: Ties
) -> Guess:
    """Who, by the best score of chosen events; and where, by assigning one by one and taking each cell as it is.

    Pseudonyms in turn take the best user who is left: the contest's own way to assign. For a sample of pseudonyms that cannot
    be done, so that it is left open where users were.
    """
    count, users = published.shape[0], profile.shape[0]
    asked = current().sample(count, _work.summed(users, chosen), rng)
    rows = np.arange(count) if asked is None else asked
    order = rng.permutation(users) if ties == "random" else np.arange(users)
    named, owners = np.full(count, NOTHING, dtype=np.int64), np.empty(count, dtype=np.int64)
    taken = np.zeros(users)
    for part, scores in summed_in_time_order(published.take(rows), profile, chosen[rows]):
        mixed = scores[:, order]
        named[rows[part]] = order[mixed.argmax(axis=1)]
        for row, own in enumerate(mixed, start=part.start) if asked is None else ():
            owners[row] = (own + taken).argmax()
            taken[owners[row]] = -np.inf
    if asked is not None:
        return Guess(named, asked=Asked(asked, np.zeros(0, dtype=np.int64)))
    traces = np.empty(published.shape, dtype=np.int32)
    traces[order[owners]] = published.drawn(rng)
    return Guess(named, traces)
