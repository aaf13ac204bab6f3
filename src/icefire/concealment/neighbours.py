"""The nearest records of each record by the loss of a common box, without comparing all pairs.

Records are divided along their columns into small groups of similar ones. A group is compared with the groups that may be
nearest first, until the bound of the next one says that nobody in it is nearer than the nearest so far.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from icefire.concealment.space import Floats, Ints, Space

SIZE = 64
"""Records in a group."""
FIRST = 16
"""Groups that are compared at first; then twice as many, and so on."""


def nearest(space: Space, count: int) -> Ints:
    """[record, rank]: the nearest other records, the nearest first. Of equally near ones any may be listed."""
    count = min(count, space.size - 1)
    found = np.empty((space.size, count), dtype=np.int64)
    groups = divided(space, SIZE)
    rows = np.concatenate(groups)
    starts = np.cumsum([0] + [group.size for group in groups[:-1]])
    bounds = [column.apart(rows, starts) for column in space.columns]
    for number, group in enumerate(groups if count else []):
        bound = np.sum([of_column(number) for of_column in bounds], axis=0)
        # Its own records first: nobody is nearer than they may be.
        bound[number] = -1.0
        found[group] = _nearest(space, group, groups, bound, count)
    return found


def _nearest(space: Space, rows: Ints, groups: list[Ints], bound: Floats, count: int) -> Ints:
    order = np.argsort(bound, kind="stable")
    near = np.full((rows.size, count), -1)
    gaps: NDArray[np.float32] = np.full((rows.size, count), np.inf, dtype=np.float32)
    active = np.arange(rows.size)
    begin, step = 0, max(FIRST, 2 * count // SIZE)
    while active.size and begin < order.size:
        others = np.concatenate([groups[group] for group in order[begin : begin + step]])
        new = space.gaps(rows[active], others)
        new[rows[active, None] == others] = np.inf
        everything = np.hstack([gaps[active], new])
        best = np.argpartition(everything, count - 1, axis=1)[:, :count]
        listed = np.hstack([near[active], np.broadcast_to(others, new.shape)])
        gaps[active], near[active] = (np.take_along_axis(side, best, axis=1) for side in (everything, listed))
        begin, step = begin + step, 2 * step
        if begin < order.size:
            # Rounding of single precision must not hide a tie.
            active = np.flatnonzero(gaps.max(axis=1) > bound[order[begin]] + 1e-6)
    return np.take_along_axis(near, gaps.argsort(axis=1, kind="stable"), axis=1)


def divided(space: Space, size: int) -> list[Ints]:
    """All records in groups of at most so many, halved along the column of the widest spread again and again.

    Groups that follow each other are similar.
    """
    waiting, done = [np.arange(space.size)], []
    while waiting:
        rows = waiting.pop()
        if rows.size <= size:
            done.append(rows)
            continue
        spreads = [column.spread(rows) for column in space.columns]
        codes = space.columns[int(np.argmax(spreads))].codes[rows]
        order = np.argsort(codes, kind="stable")
        ordered, half = codes[order], rows.size // 2
        # Equal values stay together, unless all are equal.
        ends = [np.searchsorted(ordered, ordered[half], side=side) for side in ("left", "right")]
        cut = min((int(end) for end in ends if 0 < end < rows.size), key=lambda end: abs(end - half), default=half)
        waiting += [rows[order[cut:]], rows[order[:cut]]]
    return done
