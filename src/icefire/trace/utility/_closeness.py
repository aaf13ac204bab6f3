"""Closeness of published cells to the true ones."""

from __future__ import annotations

import numpy as np

from icefire.trace.data import NOTHING, Floats, Release, Traces

PART = 2_000


def mean_closeness(original: Traces, release: Release, radius: float, cap_each: bool) -> float:
    """Mean over all cells of 1 - d/r, at least 0; a deleted cell counts 0.

    For a set either every member is capped and then averaged, or the averaged distance is capped.
    """
    truth, cells = original.original.astype(np.int64), release.cells
    there = cells.codes != NOTHING
    codes, place = np.unique(cells.codes[there], return_inverse=True)
    regions = truth[there]
    total = 0.0
    gaps = original.grid.distances / radius
    for begin in range(0, codes.size, PART):
        spread = cells.spread[codes[begin : begin + PART]]
        near: Floats = np.asarray(
            spread @ np.maximum(1.0 - gaps, 0.0) if cap_each else np.maximum(1.0 - spread @ gaps, 0.0)
        )
        inside = (place >= begin) & (place < begin + PART)
        total += float(near[place[inside] - begin, regions[inside]].sum())
    return total / truth.size
