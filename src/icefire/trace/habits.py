"""Mobility profiles from reference traces: distributions of regions by user and time of day, and guesses from them.

Used by attacks to identify users and locate them, and by anonymizers to hide them.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from icefire.core import memory
from icefire.trace.data import NOTHING, SENSITIVE_WEIGHT, Cells, Floats, Ints, Reference

Singles = NDArray[np.float32]
REACH = 2.0
"""Distance in kilometres from which on a guess has the full loss."""


def kernel(knowledge: Reference, reach: float) -> Floats:
    """[region, region]: exponential smoothing kernel, rows sum to 1; `reach` is its length in kilometres."""
    near = np.exp(-knowledge.grid.distances / reach)
    return np.asarray(near / near.sum(axis=1, keepdims=True))


def visits(knowledge: Reference, times: NDArray[np.bool_] | None = None) -> Floats:
    """[user, region]: share of the reference times that the user spent in the region."""
    chosen = knowledge.regions if times is None else knowledge.regions[:, times]
    rows = np.repeat(np.arange(chosen.shape[0]), chosen.shape[1])
    counts = sparse.csr_array(
        (np.ones(rows.size), (rows, chosen.ravel())), shape=(chosen.shape[0], knowledge.grid.regions)
    )
    return np.asarray(counts.todense() / max(1, chosen.shape[1]))


def habits(knowledge: Reference, blur: float) -> Iterator[tuple[int, sparse.csr_array]]:
    """For each time of day, [user, region]: shares of the reference times, weighted by nearness to that time of day."""
    users, times = knowledge.regions.shape
    rows = np.repeat(np.arange(users), times)
    for slot in np.unique(knowledge.published_slots):
        gaps = np.abs(knowledge.slots - slot)
        # If the time of day is not in the reference, the nearest one is used.
        weights = np.exp(-(gaps - gaps.min()) / blur)
        data = np.tile(weights / weights.sum(), users)
        shape = (users, knowledge.grid.regions)
        yield int(slot), sparse.csr_array((data, (rows, knowledge.regions.ravel())), shape=shape)


def chances(
    knowledge: Reference, blur: float = 1.5, reach: float = 0.3, users: Ints | None = None
) -> Iterator[tuple[int, Floats, Floats]]:
    """For each time of day: [user, region] probabilities (of some users), and those of the population, [region].

    The probability of a user is a mixture of the regions visited around that time of day, their neighbourhood, all regions of
    the user, and the population at that time. `blur` is measured in times of day, `reach` in kilometres.
    """
    near = kernel(knowledge, reach)
    own = visits(knowledge)
    population = own.mean(axis=0) @ near + 1e-6
    population /= population.sum()
    own = own if users is None else own[users]
    anytime = 0.5 * own + 0.5 * own @ near
    for slot, habit in habits(knowledge, blur):
        crowd = 0.7 * habit.mean(axis=0) @ near + 0.3 * population
        habit = habit if users is None else habit[users]
        yield slot, np.asarray(0.35 * habit + 0.35 * (habit @ near) + 0.2 * anytime + 0.1 * crowd), crowd


def beliefs(knowledge: Reference) -> Iterator[tuple[int, Singles]]:
    """For each time of day, [user, region]: prior probabilities, from the reference traces alone."""
    usual = visits(knowledge)
    for slot, habit in habits(knowledge, 1.0):
        yield slot, np.asarray(0.5 * habit + 0.3 * usual + 0.2 * habit.mean(axis=0), dtype=np.float32)


def losses(knowledge: Reference) -> Singles:
    """[true region, guessed region]: loss of a guess, its capped distance times the weight of the true region."""
    gaps = np.minimum(knowledge.grid.distances / REACH, 1.0)
    return np.asarray(gaps * np.where(knowledge.sensitive, SENSITIVE_WEIGHT, 1.0)[:, None], dtype=np.float32)


def usual_losses(
    knowledge: Reference, loss: Singles, people: Ints | None = None
) -> Iterator[tuple[int, slice, Singles]]:
    """For each time of day and some users at a time, [user, region]: the expected loss of a guess, by `beliefs`.

    Of all users, or of some people alone: slices are places among these then.
    """
    usual = sparse.csr_array(visits(knowledge))
    for slot, habit in habits(knowledge, 1.0):
        # Products of sparse beliefs: users are in few regions.
        own = sparse.csr_array(0.5 * habit + 0.3 * usual).astype(np.float32)
        own = own if people is None else own[people]
        crowd = (0.2 * habit.mean(axis=0)).astype(np.float32) @ loss
        step = memory.step(4 * loss.shape[0])
        for begin in range(0, own.shape[0], step):
            users = slice(begin, min(begin + step, own.shape[0]))
            yield slot, users, np.asarray(own[users] @ loss + crowd)


def usual_regions(knowledge: Reference) -> NDArray[np.int32]:
    """[user, time]: the region of least expected loss, from the reference traces alone."""
    guess = np.empty((knowledge.users, knowledge.published_slots.size), dtype=np.int32)
    for slot, users, known in usual_losses(knowledge, losses(knowledge)):
        guess[users, knowledge.published_slots == slot] = known.argmin(axis=1)[:, None]
    return guess


def likely_regions(
    published: Cells, plan: sparse.csr_array, knowledge: Reference, trust: float, people: Ints | None = None
) -> NDArray[np.int32]:
    """[user, time]: the region of least expected loss, from the release and the reference traces; of some people alone.

    The distribution of a user is a mixture of the published cells, weighted by the probability of each pseudonym (`plan`,
    [pseudonym, user]) and by `trust`, and of the prior at that time of day.
    """
    loss = losses(knowledge)
    share = sparse.csr_array(plan.T.astype(np.float32))
    share = share if people is None else share[people]
    spread = published.spread.astype(np.float32)
    seen = [cells_seen(codes, spread) for codes in published.codes.T]
    guess = np.empty((share.shape[0], published.shape[1]), dtype=np.int32)
    for slot, users, known in usual_losses(knowledge, loss, people):
        for time in np.flatnonzero(knowledge.published_slots == slot):
            shown = (share[users] @ seen[time]) * np.float32(trust)
            rest = 1.0 - np.asarray(shown.sum(axis=1)).reshape(-1, 1)
            guess[users, time] = np.asarray(shown @ loss + rest * known).argmin(axis=1)
    return guess


def cells_seen(codes: NDArray[np.integer], spread: sparse.csr_array) -> sparse.csr_array:
    """[trace, region]: the distributions of the cells at one time; zeros for a deleted cell."""
    present = np.flatnonzero(codes != NOTHING)
    choose = sparse.csr_array(
        (np.ones(present.size, dtype=np.float32), (present, codes[present])), shape=(codes.size, spread.shape[0])
    )
    return sparse.csr_array(choose @ spread)


def certain(pseudonyms: Ints, count: int) -> sparse.csr_array:
    """The plan, [pseudonym, user], with probability 1 for the pseudonym of each user; a negative one means none."""
    users = np.flatnonzero(pseudonyms >= 0)
    return sparse.csr_array((np.ones(users.size), (pseudonyms[users], users)), shape=(count, pseudonyms.size))
