"""Assignment over candidate lists by shortest augmenting paths, in numba."""

from __future__ import annotations

import numba
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
SWEEPS = 4
"""Rounds in which rows without a column outbid each other, before paths are searched for the rest."""


@numba.njit(cache=True, nogil=True, inline="always")
def _lift(heap: Ints, place: Ints, distance: Floats, column: int, at: int) -> None:
    """Move a column towards the front of the heap."""
    while at > 0:
        parent = (at - 1) >> 1
        if distance[heap[parent]] <= distance[column]:
            break
        heap[at] = heap[parent]
        place[heap[at]] = at
        at = parent
    heap[at] = column
    place[column] = at


@numba.njit(cache=True, nogil=True, inline="always")
def _drop_first(heap: Ints, place: Ints, distance: Floats, size: int) -> None:
    """Remove the front of a heap that keeps `size` columns."""
    last, at = heap[size], 0
    while 2 * at + 1 < size:
        child = 2 * at + 1
        if child + 1 < size and distance[heap[child + 1]] < distance[heap[child]]:
            child += 1
        if distance[heap[child]] >= distance[last]:
            break
        heap[at] = heap[child]
        place[heap[at]] = at
        at = child
    heap[at] = last
    place[last] = at


@numba.njit(cache=True, nogil=True)
def _bid(
    starts: Ints, columns: Ints, cost: Floats, alone: float, price: Floats, row_of: Ints, partner: Ints, wage: Floats
) -> Ints:
    """Rows take their best column and pay for it what they can; the rows that are left without one."""
    height, width = partner.size, price.size
    waiting, count = np.arange(height), height
    for _ in range(SWEEPS):
        todo, position, left, turns = waiting[:count].copy(), 0, 0, 0
        while position < todo.size:
            row = todo[position]
            position += 1
            best, second, at = alone, np.inf, width
            for index in range(starts[row], starts[row + 1]):
                value = cost[index] - price[columns[index]]
                if value < best:
                    best, second, at = value, best, columns[index]
                elif value < second:
                    second = value
            wage[row] = best
            partner[row] = width
            if at == width:
                continue
            other = row_of[at]
            # Without a lead there is nothing to outbid the owner with.
            if other >= 0 and second <= best:
                partner[row] = -1
                waiting[left] = row
                left += 1
                continue
            price[at] -= second - best
            wage[row] = second
            row_of[at], partner[row] = row, at
            if other >= 0:
                partner[other] = -1
                turns += 1
                if turns < 4 * height:
                    position -= 1
                    todo[position] = other
                else:
                    waiting[left] = other
                    left += 1
        count = left
    return np.sort(waiting[:count])


@numba.njit(cache=True, nogil=True)
def first_prices(starts: Ints, columns: Ints, cost: Floats, alone: float, width: int) -> Floats:
    """The prices after rows have outbid each other for a while."""
    height, price = starts.size - 1, np.zeros(width)
    _bid(starts, columns, cost, alone, price, np.full(width, -1), np.full(height, -1), np.zeros(height))
    return price


@numba.njit(cache=True, nogil=True)
def assigned(starts: Ints, columns: Ints, cost: Floats, alone: float, price: Floats) -> tuple[Ints, Floats, Floats]:
    """The column of each row at least total cost, its wage, and the price of each column.

    A row may stay without a column (`price.size` in its place) at the cost `alone`. For every listed pair, wage + price is at
    most the cost, and equal to it where the pair is matched; wages are at most `alone`. `price` is where the search begins;
    the result is optimal if no column that is left over ends with a price below 0.
    """
    height, width = starts.size - 1, price.size
    row_of, partner, wage = np.full(width, -1), np.full(height, -1), np.zeros(height)
    waiting = _bid(starts, columns, cost, alone, price, row_of, partner, wage)
    distance, before = np.full(width, np.inf), np.full(width, -1)
    done = np.zeros(width, dtype=np.bool_)
    touched, heap, place = np.empty(width, dtype=np.int64), np.empty(width, dtype=np.int64), np.full(width, -1)
    for root in waiting:
        wage[root] = alone
        for index in range(starts[root], starts[root + 1]):
            wage[root] = min(wage[root], cost[index] - price[columns[index]])
        count, size, row, base = 0, 0, root, 0.0
        shortest, end, last_row = np.inf, -1, root
        while True:
            if base + alone - wage[row] < shortest:
                shortest, last_row = base + alone - wage[row], row
            for index in range(starts[row], starts[row + 1]):
                column = columns[index]
                length = base + cost[index] - price[column] - wage[row]
                if not done[column] and length < distance[column]:
                    if distance[column] == np.inf:
                        touched[count] = column
                        count += 1
                        place[column] = size
                        size += 1
                    distance[column], before[column] = length, row
                    _lift(heap, place, distance, column, place[column])
            if size == 0 or distance[heap[0]] >= shortest:
                break
            column = heap[0]
            size -= 1
            _drop_first(heap, place, distance, size)
            done[column], base = True, distance[column]
            if row_of[column] < 0:
                shortest, end = base, column
                break
            row = row_of[column]
        wage[root] += shortest
        for index in range(count):
            column = touched[index]
            if done[column] and column != end:
                price[column] -= shortest - distance[column]
                wage[row_of[column]] += shortest - distance[column]
        # Along the path, every row moves on to the next column; the last one may give up its own.
        if end < 0:
            end = partner[last_row]
            partner[last_row] = width
        while end >= 0:
            row = before[end]
            following = partner[row]
            row_of[end], partner[row] = row, end
            end = following if row != root else -1
        for index in range(count):
            distance[touched[index]], done[touched[index]] = np.inf, False
    return partner, wage, price
