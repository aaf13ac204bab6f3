"""Improvement of complete designs: rows exchange records as long as that lowers the loss of their cells.

Designs are made from distances of pairs, but what is published are the smallest cells around k records.
"""

from __future__ import annotations

import numpy as np

from icefire.concealment.space import Flags, Floats, Ints, Space, taken

TRIED = 20
"""Records considered in place of another."""
PART = 4_000_000
"""Numbers in memory at a time."""
ENOUGH = 0.002
"""Ends when all places of all rows together gain less than this share of the loss."""


def exchanged(space: Space, near: Ints, members: Ints) -> Ints:
    """[row, k]: a complete design of lower loss. Each exchange keeps k records in every row and every record in k rows.

    The first record of a row is its own and stays.
    """
    members = members.copy()
    size, k = members.shape
    loss = space.loss(space.closure(members))
    # [record, k]: where it is, as an index into the flat members.
    places = np.argsort(members.ravel(), kind="stable").reshape(size, k)
    step = max(1, PART // (TRIED * k * k))
    while True:
        before = loss.sum()
        for place in range(1, k):
            for begin in range(0, size, step):
                _exchange(space, near, members, places, loss, np.arange(begin, min(begin + step, size)), place)
        if before - loss.sum() <= ENOUGH * before:
            return members


def _exchange(space: Space, near: Ints, members: Ints, places: Ints, loss: Floats, rows: Ints, place: int) -> None:
    """Let the given rows exchange the record at one place with other rows, the largest gains first."""
    k = members.shape[1]
    leaving = members[rows, place]
    rest = np.delete(members[rows], place, axis=1)
    entering, gain = _cheapest(space, near, rest, leaving, loss[rows])
    # Every pair of a row and a record that might enter it, with each of the k rows that hold the record now.
    where: Ints = places[entering].ravel()
    mine, out = (np.repeat(side, entering.shape[1] * k) for side in (rows, leaving))
    other, there = where // k, where % k
    gain = np.repeat(gain.ravel(), k)
    allowed: Flags = (gain > 0) & (other != mine) & (there > 0)
    allowed[allowed] = (members[other[allowed]] != out[allowed, None]).all(axis=1)
    mine, out, other, there = mine[allowed], out[allowed], other[allowed], there[allowed]
    gain = gain[allowed]
    theirs = members[other]
    theirs[np.arange(other.size), there] = out
    gain += loss[other] - space.loss(space.closure(theirs))
    touched: set[int] = set()
    swapped: list[tuple[int, int]] = []
    for pair in np.argsort(-gain, kind="stable")[: int((gain > 1e-9).sum())]:
        left, right = int(mine[pair]), int(other[pair])
        # Gains hold for rows as they were.
        if left in touched or right in touched:
            continue
        touched |= {left, right}
        swapped.append((left * k + place, right * k + int(there[pair])))
    _swap(members, places, np.array(swapped, dtype=np.int64).reshape(-1, 2))
    changed = np.array(sorted(touched), dtype=np.int64)
    if changed.size:
        loss[changed] = space.loss(space.closure(members[changed]))


def _swap(members: Ints, places: Ints, pairs: Ints) -> None:
    """Exchange the members at each pair of flat indices."""
    flat = members.reshape(-1)
    here, there = np.concatenate([pairs, pairs[:, ::-1]]).T
    records = flat[here]
    hit, rank = np.nonzero(places[records] == here[:, None])
    places[records[hit], rank] = there[hit]
    places[records] = np.sort(places[records], axis=1)
    flat[there] = records


def _cheapest(space: Space, near: Ints, rest: Ints, leaving: Ints, loss: Floats) -> tuple[Ints, Floats]:
    """[row, rank]: the records that widen the rest of a row least, and what the row gains if they replace the leaving one."""
    listed = near[rest[:, 0]]
    boxes = taken(space.closure(rest), np.repeat(np.arange(len(rest)), listed.shape[1]))
    cost = space.loss(space.joined(boxes, listed.ravel())).reshape(listed.shape)
    cost[(listed[:, :, None] == rest[:, None, :]).any(axis=2) | (listed == leaving[:, None])] = np.inf
    best = np.argsort(cost, axis=1, kind="stable")[:, :TRIED]
    return np.take_along_axis(listed, best, axis=1), loss[:, None] - np.take_along_axis(cost, best, axis=1)
