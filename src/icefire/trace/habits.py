"""What is known of a user's days: where they are at a time of day, how sure that is, and what follows for each cell.

Attacks read people by their habits, and defences hide them.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from icefire.trace.data import NOTHING, SENSITIVE_WEIGHT, Cells, Floats, Ints, Reference

Singles = NDArray[np.float32]
REACH = 2.0
"""Kilometres from which on a guess is worth nothing."""


def kernel(knowledge: Reference, reach: float) -> Floats:
    """[region, region]: how a visit spreads to its neighbourhood, falling off with distance (kilometres)."""
    near = np.exp(-knowledge.grid.distances / reach)
    return np.asarray(near / near.sum(axis=1, keepdims=True))


def visits(knowledge: Reference, times: NDArray[np.bool_] | None = None) -> Floats:
    """[user, region]: share of the reference times spent there."""
    chosen = knowledge.regions if times is None else knowledge.regions[:, times]
    rows = np.repeat(np.arange(chosen.shape[0]), chosen.shape[1])
    counts = sparse.csr_array(
        (np.ones(rows.size), (rows, chosen.ravel())), shape=(chosen.shape[0], knowledge.grid.regions)
    )
    return np.asarray(counts.todense() / max(1, chosen.shape[1]))


def habits(knowledge: Reference, blur: float) -> Iterator[tuple[int, Floats]]:
    """For each time of day: [user, region], shares of the reference times around it, weighed by how near they are."""
    users, times = knowledge.regions.shape
    rows = np.repeat(np.arange(users), times)
    for slot in np.unique(knowledge.published_slots):
        gaps = np.abs(knowledge.slots - slot)
        # The nearest time of day stands in for one that was never seen.
        weights = np.exp(-(gaps - gaps.min()) / blur)
        data = np.tile(weights / weights.sum(), users)
        shape = (users, knowledge.grid.regions)
        yield int(slot), np.asarray(sparse.csr_array((data, (rows, knowledge.regions.ravel())), shape=shape).todense())


def chances(knowledge: Reference, blur: float = 1.5, reach: float = 0.3) -> Iterator[tuple[int, Floats, Floats]]:
    """For each time of day: how likely each user is to be in each region, and how likely anybody is.

    A user is at a region they visited around that time of day, near such a region, anywhere they go, or wherever people are
    at that time. `blur` is measured in times of day, `reach` in kilometres.
    """
    near = kernel(knowledge, reach)
    own = visits(knowledge)
    anytime = 0.5 * own + 0.5 * own @ near
    everybody = own.mean(axis=0) @ near + 1e-6
    everybody /= everybody.sum()
    for slot, habit in habits(knowledge, blur):
        crowd = 0.7 * habit.mean(axis=0) @ near + 0.3 * everybody
        yield slot, 0.35 * habit + 0.35 * habit @ near + 0.2 * anytime + 0.1 * crowd, crowd


def beliefs(knowledge: Reference) -> Iterator[tuple[int, Singles]]:
    """For each time of day: where each user is, for all one knows without having seen the release."""
    usual = visits(knowledge)
    for slot, habit in habits(knowledge, 1.0):
        yield slot, (0.5 * habit + 0.3 * usual + 0.2 * habit.mean(axis=0)).astype(np.float32)


def losses(knowledge: Reference) -> Singles:
    """[true region, guessed region]: how far off the guess is, and how much that matters."""
    gaps = np.minimum(knowledge.grid.distances / REACH, 1.0)
    return np.asarray(gaps * np.where(knowledge.sensitive, SENSITIVE_WEIGHT, 1.0)[:, None], dtype=np.float32)


def usual_regions(knowledge: Reference) -> NDArray[np.int32]:
    """[user, time]: the region of least expected loss by habits alone."""
    guess = np.empty((knowledge.users, knowledge.published_slots.size), dtype=np.int32)
    loss = losses(knowledge)
    for slot, belief in beliefs(knowledge):
        guess[:, knowledge.published_slots == slot] = (belief @ loss).argmin(axis=1)[:, None]
    return guess


def likely_regions(published: Cells, plan: Floats, knowledge: Reference, trust: float) -> NDArray[np.int32]:
    """[user, time]: the region of least expected loss.

    Where a user was is a mixture of the cells of the pseudonyms that may be theirs (`plan`, [pseudonym, user]) and of their
    habits at that time of day.
    """
    loss = losses(knowledge)
    # What is less likely than one in a hundred costs much time and changes little.
    share = sparse.csr_array(np.where(plan > 0.01, plan, 0.0).T.astype(np.float32))
    spread = published.spread.astype(np.float32)
    guess = np.empty((knowledge.users, published.shape[1]), dtype=np.int32)
    for slot, belief in beliefs(knowledge):
        known = belief @ loss
        for time in np.flatnonzero(knowledge.published_slots == slot):
            shown = (share @ _seen(published.codes[:, time], spread)) * np.float32(trust)
            rest = 1.0 - np.asarray(shown.sum(axis=1)).reshape(-1, 1)
            guess[:, time] = np.asarray(shown @ loss + rest * known).argmin(axis=1)
    return guess


def _seen(codes: NDArray[np.integer], spread: sparse.csr_array) -> sparse.csr_array:
    """[trace, region]: what the cells of one time say; nothing for a deleted one."""
    there = np.flatnonzero(codes != NOTHING)
    choose = sparse.csr_array(
        (np.ones(there.size, dtype=np.float32), (there, codes[there])), shape=(codes.size, spread.shape[0])
    )
    return sparse.csr_array(choose @ spread)


def certain(pseudonyms: Ints, count: int) -> Floats:
    """The plan, [pseudonym, user], that gives each user one pseudonym, or none where it is negative."""
    plan = np.zeros((count, pseudonyms.size))
    users = np.flatnonzero(pseudonyms >= 0)
    plan[pseudonyms[users], users] = 1.0
    return plan
