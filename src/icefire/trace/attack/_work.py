"""How many comparisons the steps of attacks on traces take, roughly: fitted to walks of 2,000 to 20,000 users."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from icefire.core import memory
from icefire.core.similarity import shared
from icefire.trace.data import NOTHING, Cells, Reference
from icefire.trace.habits import REACH

TOKEN, LISTED = 2.0, 1e5
"""For a region that a pseudonym and a user share, and for each pseudonym whose candidates are matched."""
PLACE = 1.0
"""For a region where a user may be at a time."""
PROFILE, EVENT = 0.05, 1.0
"""For a known region of a user and one near it at a time of day, and for an event that is looked at for a user."""
PRODUCT = 0.006
"""For a pair of regions in a product of matrices."""
NEAR, TRIES = 0.3, 3
"""For a region near a cell, with an owner and a decoy; and how many decoys are tried, on average."""
TAKEN = 3.0
"""For a user who is looked at for a pseudonym, to find the best one who is left."""
POINT = 3.5
"""For a known point that is compared with a published cell."""
PASSES = 4
"""How often scores that do not fit into memory are worked out until everybody is matched one to one."""


def similar(published: Cells, knowledge: Reference) -> float:
    """To compare where all pseudonyms and users were."""
    users, times = knowledge.regions.shape
    rows = np.repeat(np.arange(users), times)
    shape = (users, knowledge.grid.regions)
    known = sparse.csr_array((np.ones(rows.size), (rows, knowledge.regions.ravel())), shape=shape)
    known.sum_duplicates()
    return TOKEN * shared(sparse.csr_array(published.counts() @ published.spread), known)


def likely(published: Cells, knowledge: Reference) -> float:
    """To work out how likely all events of pseudonyms are for all users."""
    return EVENT * published.shape[0] * knowledge.users * published.shape[1]


def profiles(knowledge: Reference) -> float:
    """To say where each user is expected at each time of day."""
    known = min(knowledge.grid.regions, int(knowledge.regions.shape[1]))
    return PROFILE * knowledge.users * knowledge.grid.regions * known * _slots(knowledge)


def _slots(knowledge: Reference) -> int:
    return int(np.unique(knowledge.published_slots).size)


def sent(knowledge: Reference) -> float:
    """To say where each user is expected to be published at each time of day, by a channel."""
    return 4 * PRODUCT * knowledge.users * _slots(knowledge) * knowledge.grid.regions**2


def decoded(published: Cells, knowledge: Reference) -> float:
    """To say where each user was, by how people move."""
    return 3 * PRODUCT * knowledge.users * published.shape[1] * knowledge.grid.regions**2


def learned(published: Cells, knowledge: Reference) -> float:
    """To learn from shadow releases how to weigh all evidence, and to match everybody by it."""
    evidence = sent(knowledge) + 2 * (profiles(knowledge) + likely(published, knowledge))
    return 3 * one_to_one(published, knowledge, evidence + 3 * similar(published, knowledge))


def decoys(published: Cells, knowledge: Reference, tries: int, moved: bool) -> float:
    """To work out how likely all pseudonyms are for all users, with so many decoys of each; later steps may move cells."""
    later = published.codes.size * knowledge.grid.regions**2 if moved else 0
    cells = published.shape[0] * knowledge.users * published.shape[1]
    alike = one_to_one(published, knowledge, profiles(knowledge) + likely(published, knowledge))
    return alike + tries * (cells * (PRODUCT * knowledge.grid.regions + EVENT) + PRODUCT * later)


def inverted(published: Cells, knowledge: Reference, times: int) -> float:
    """To bound the price of all pseudonyms and users at so many times; most decoys fit at the first tries."""
    near = float((knowledge.grid.distances < REACH).sum(axis=1).mean())
    cells = published.shape[0] * knowledge.users * min(times, published.shape[1])
    alike = one_to_one(published, knowledge, profiles(knowledge) + likely(published, knowledge))
    return alike + TRIES * NEAR * near * cells


def twins(published: Cells, knowledge: Reference, finalists: int, rounds: int) -> float:
    """To compare so many pairs of users for half as many pairs of traces as there are traces, both ways, and as often."""
    return rounds * finalists * published.codes.size * knowledge.grid.regions


def summed(users: int, chosen: NDArray[np.bool_]) -> float:
    """To add up the chances of chosen events, [pseudonym, time], for all users."""
    return float(users * (EVENT * chosen.sum() + TAKEN * chosen.shape[0]))


def pointed(published: Cells, points: NDArray[np.int32]) -> float:
    """To compare the known points of all users with the cells of all pseudonyms."""
    return POINT * published.shape[0] * float((points != NOTHING).sum())


def places(published: Cells, knowledge: Reference) -> float:
    """To say where each user was at each time."""
    return PLACE * knowledge.users * published.shape[1] * knowledge.grid.regions


def one_to_one(published: Cells, knowledge: Reference, once: float, passes: int = PASSES) -> float:
    """To match all pseudonyms and users, if working out their scores once takes so many; they may have to be worked out several
    times if they do not fit into memory."""
    held = memory.fits(published.shape[0], knowledge.users)
    return (1 if held else passes) * once + LISTED * published.shape[0]
