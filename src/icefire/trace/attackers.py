"""Attackers who know points of the published days."""

from __future__ import annotations

import numpy as np

from icefire.core.seeds import generator
from icefire.trace.data import NOTHING, Reference, Traces


def known_points(original: Traces, number: int) -> Reference:
    """Where each user was at so many random times of the original traces, and no other day.

    >>> from icefire.trace.grid import Grid
    >>> walks = Traces(np.zeros((2, 1)), np.array([[1, 2, 3], [3, 2, 1]]), Grid(rows=2, columns=2))
    >>> points = known_points(walks, 2).points
    >>> (points == NOTHING).sum(axis=1).tolist(), bool(((points == NOTHING) | (points == walks.original)).all())
    ([1, 1], True)
    """
    users, times = original.cells.shape
    number = min(number, times)
    order = np.argsort(generator(0, "attacker", f"points:{number}").random((users, times)), axis=1)
    chosen = np.sort(order[:, :number], axis=1)
    points = np.full((users, times), NOTHING, dtype=np.int32)
    np.put_along_axis(points, chosen, np.take_along_axis(original.original, chosen, axis=1).astype(np.int32), axis=1)
    slots = np.sort(np.median(original.published_slots[chosen], axis=0).astype(np.int64))
    regions = np.take_along_axis(points, chosen, axis=1)
    return Reference(regions, original.grid, slots, original.published_slots, original.sensitive, points)
