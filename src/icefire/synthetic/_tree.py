"""Search in a tree of boxes, in numba."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor

import numba
import numpy as np
from numpy.typing import NDArray

from icefire.synthetic.data import Floats, Ints
from icefire.synthetic.encoding import Coordinates

LEAF = 16
"""Most rows of a box that is not split."""
PART = 1 << 14
"""Rows that a thread asks for at a time."""
DEPTH = 64
"""Boxes that wait at the same time while one row is searched."""


@numba.njit(cache=True, nogil=True)
def _build(
    table: Coordinates, categorical: NDArray[np.bool_], order: Ints
) -> tuple[Ints, Ints, Ints, Coordinates, Coordinates]:
    """Begin, end and right child of each box in the order of `order`, with its lower and upper corner; the left child comes
    right after its parent."""
    rows, width = table.shape
    most = 4 * (rows // LEAF + 1) + 4
    begins, ends, rights = np.zeros(most, np.int64), np.zeros(most, np.int64), np.full(most, -1, np.int64)
    lows, highs = np.zeros((most, width), np.float32), np.zeros((most, width), np.float32)
    waiting = [(0, rows, -1)]
    boxes = 0
    while waiting:
        begin, end, parent = waiting.pop()
        box = boxes
        boxes += 1
        if parent >= 0:
            rights[parent] = box
        begins[box], ends[box] = begin, end
        for column in range(width):
            low = high = table[order[begin], column]
            for place in range(begin + 1, end):
                value = table[order[place], column]
                low, high = min(low, value), max(high, value)
            lows[box, column], highs[box, column] = low, high
        if end - begin <= LEAF:
            continue
        widest, spread = -1, np.float32(0.0)
        for column in range(width):
            gap = highs[box, column] - lows[box, column]
            if categorical[column]:
                gap = np.float32(1.5) if gap > 0 else np.float32(0.0)
            if gap > spread:
                widest, spread = column, gap
        if widest < 0:
            continue
        part = order[begin:end].copy()
        values = table[part, widest]
        middle = np.median(values)
        # At the median or above it, whichever side is not empty.
        smaller = values < middle if middle > lows[box, widest] else values <= middle
        split = begin + int(smaller.sum())
        order[begin:split], order[split:end] = part[smaller], part[~smaller]
        waiting.append((split, end, box))
        waiting.append((begin, split, -1))
    return begins[:boxes], ends[:boxes], rights[:boxes], lows[:boxes], highs[:boxes]


@numba.njit(cache=True, nogil=True, inline="always")
def _gap(row: Coordinates, low: Coordinates, high: Coordinates, categorical: NDArray[np.bool_], bound: float) -> float:
    """A lower bound of the distance of a row to all rows of a box; it ends when it is above a bound."""
    total = 0.0
    for column in range(row.size):
        value = row[column]
        if value < low[column]:
            total += 1.0 if categorical[column] else min(np.float64(low[column]) - np.float64(value), 1.0)
        elif value > high[column]:
            total += 1.0 if categorical[column] else min(np.float64(value) - np.float64(high[column]), 1.0)
        if total > bound:
            break
    return total


@numba.njit(cache=True, nogil=True, inline="always")
def _keep(found: Floats, rows: Ints, distance: float, row: int) -> None:
    """Put a row where it belongs in the list of the nearest; the first of several as near comes first."""
    place = found.size - 1
    if distance > found[place] or (distance == found[place] and row > rows[place]):
        return
    while place > 0 and (distance < found[place - 1] or (distance == found[place - 1] and row < rows[place - 1])):
        found[place], rows[place] = found[place - 1], rows[place - 1]
        place -= 1
    found[place], rows[place] = distance, row


@numba.njit(cache=True, nogil=True)
def _search(
    asked: Coordinates,
    sorted_table: Coordinates,
    order: Ints,
    categorical: NDArray[np.bool_],
    begins: Ints,
    ends: Ints,
    rights: Ints,
    lows: Coordinates,
    highs: Coordinates,
    distances: Floats,
    rows: Ints,
) -> None:
    width = asked.shape[1]
    last = distances.shape[1] - 1
    boxes, gaps = np.zeros(DEPTH * 2, np.int64), np.zeros(DEPTH * 2)
    for query in range(asked.shape[0]):
        row, found, where = asked[query], distances[query], rows[query]
        boxes[0], gaps[0], waiting = 0, 0.0, 1
        while waiting:
            waiting -= 1
            box = boxes[waiting]
            if gaps[waiting] > found[last]:
                continue
            right = rights[box]
            if right < 0:
                for place in range(begins[box], ends[box]):
                    total = 0.0
                    for column in range(width):
                        other = sorted_table[place, column]
                        if categorical[column]:
                            total += 1.0 if row[column] != other else 0.0
                        else:
                            total += min(abs(np.float64(row[column]) - np.float64(other)), 1.0)
                        if total > found[last]:
                            break
                    if total <= found[last]:
                        _keep(found, where, total, order[place])
                continue
            near, far = box + 1, right
            near_gap = _gap(row, lows[near], highs[near], categorical, found[last])
            far_gap = _gap(row, lows[far], highs[far], categorical, found[last])
            if far_gap < near_gap:
                near, far, near_gap, far_gap = far, near, far_gap, near_gap
            if far_gap <= found[last]:
                boxes[waiting], gaps[waiting] = far, far_gap
                waiting += 1
            if near_gap <= found[last]:
                boxes[waiting], gaps[waiting] = near, near_gap
                waiting += 1


def search(left: Coordinates, right: Coordinates, categorical: NDArray[np.bool_], number: int) -> tuple[Floats, Ints]:
    """[left row, place]: distances of the nearest right rows, not divided by the number of columns, and which these are."""
    order = np.arange(right.shape[0])
    tree = _build(right, categorical, order)
    table = right[order]
    distances = np.full((left.shape[0], number), np.inf)
    rows = np.full((left.shape[0], number), right.shape[0], dtype=np.int64)

    def part(begin: int) -> None:
        rows_asked = slice(begin, begin + PART)
        _search(left[rows_asked], table, order, categorical, *tree, distances[rows_asked], rows[rows_asked])

    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        list(pool.map(part, range(0, left.shape[0], PART)))
    return distances, rows
