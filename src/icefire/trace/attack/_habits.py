"""What is known of a user's days: where they are at a time of day, how sure that is, and what follows for each cell."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy import sparse

from icefire.trace.data import NOTHING, Cells, Floats, Ints, Reference


def kernel(knowledge: Reference, reach: float) -> Floats:
    """[region, region]: how a visit spreads to its neighbourhood, falling off with distance (kilometres)."""
    near = np.exp(-knowledge.grid.distances / reach)
    return np.asarray(near / near.sum(axis=1, keepdims=True))


def slots_of(knowledge: Reference) -> Ints:
    return np.unique(knowledge.published_slots)


def habits(knowledge: Reference, blur: float) -> Iterator[tuple[int, Floats]]:
    """For each time of day: [user, region], shares of the reference times around it, weighed by how near they are."""
    users, times = knowledge.regions.shape
    rows = np.repeat(np.arange(users), times)
    for slot in slots_of(knowledge):
        weights = np.exp(-np.abs(knowledge.slots - slot) / blur)
        data = np.tile(weights / weights.sum(), users)
        shape = (users, knowledge.grid.regions)
        yield int(slot), np.asarray(sparse.csr_array((data, (rows, knowledge.regions.ravel())), shape=shape).todense())


def likely_regions(
    published: Cells, plan: Floats, knowledge: Reference, trust: float, reach: float = 2.0
) -> np.ndarray:
    """[user, time]: the region of least expected distance.

    Where a user was is a mixture of the cells of the pseudonyms that may be theirs (`plan`, [pseudonym, user]) and of their
    habits at that time of day. The region that minimizes the expectation of min(distance / reach, 1) is the best answer.
    """
    users = knowledge.users
    gaps = np.minimum(knowledge.grid.distances / reach, 1.0).astype(np.float32)
    # What is less likely than one in a thousand costs time and says nothing.
    share = sparse.csr_array(np.where(plan > 1e-3, plan, 0.0).T.astype(np.float32))
    usual = _visits(knowledge)
    guess = np.empty((users, published.shape[1]), dtype=np.int32)
    for slot, habit in habits(knowledge, 1.0):
        known = (0.5 * habit + 0.3 * usual + 0.2 * habit.mean(axis=0)).astype(np.float32) @ gaps
        for time in np.flatnonzero(knowledge.published_slots == slot):
            codes = published.codes[:, time]
            there = np.flatnonzero(codes != NOTHING)
            seen = sparse.csr_array(
                (np.ones(there.size, dtype=np.float32), (there, np.arange(there.size))), shape=(codes.size, there.size)
            ) @ published.spread[codes[there]].astype(np.float32)
            shown = (share @ seen) * np.float32(trust)
            rest = 1.0 - np.asarray(shown.sum(axis=1)).reshape(-1, 1)
            expected = shown @ gaps + rest * known
            guess[:, time] = np.asarray(expected).argmin(axis=1)
    return guess


def _visits(knowledge: Reference) -> Floats:
    users, times = knowledge.regions.shape
    rows = np.repeat(np.arange(users), times)
    shape = (users, knowledge.grid.regions)
    counts = sparse.csr_array((np.full(rows.size, 1.0 / times), (rows, knowledge.regions.ravel())), shape=shape)
    return np.asarray(counts.todense())
