"""Likelihood scores, and the contest's way from scores to a guess."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from icefire.trace.data import NOTHING, Cells, Floats, Guess, Ints

PART = 2_000
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


def summed_in_time_order(published: Cells, profile: Floats, chosen: NDArray[np.bool_]) -> Floats:
    """The same for chosen events, [pseudonym, time], added up one time after the other.

    Users who are equally likely differ in the last digit by the order of the sum, and the contest's programs, which take the
    first user of the largest sum, have added in the order of time.
    """
    used, place = np.unique(published.codes, return_inverse=True)
    place = place.reshape(published.shape)
    chance = np.zeros((used.size, profile.shape[0]))
    there = used != NOTHING
    chance[there] = np.log(published.spread[used[there]] @ profile.T)
    scores = np.zeros((published.shape[0], profile.shape[0]))
    for time in np.flatnonzero(chosen.any(axis=0)):
        rows = np.flatnonzero(chosen[:, time])
        scores[rows] += chance[place[rows, time]]
    return scores


def best_users(scores: Floats, rng: np.random.Generator) -> Ints:
    """The most likely user of each pseudonym; of equally likely ones a random one."""
    order = rng.permutation(scores.shape[1])
    return np.asarray(order[scores[:, order].argmax(axis=1)])


def one_by_one(scores: Floats) -> Ints:
    """Pseudonyms in turn take the best user who is left: the contest's own way to assign."""
    taken = np.zeros(scores.shape[1])
    chosen = np.empty(scores.shape[0], dtype=np.int64)
    for row, own in enumerate(scores):
        chosen[row] = (own + taken).argmax()
        taken[chosen[row]] = -np.inf
    return chosen


def sample_guess(published: Cells, scores: Floats, rng: np.random.Generator, ties: Ties) -> Guess:
    """Who, by the best score; and where, by assigning one by one and taking each cell as it is."""
    order = np.arange(scores.shape[1])
    if ties == "random":
        order = rng.permutation(order)
        scores = scores[:, order]
    traces = np.empty(published.shape, dtype=np.int32)
    traces[order[one_by_one(scores)]] = published.drawn(rng)
    return Guess(order[scores.argmax(axis=1)], traces)
