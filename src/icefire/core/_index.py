"""Exact top-n search in sparse rows by an inverted index, in numba.

The tokens of a row are looked up from the rarest to the most frequent. The lookup stops as soon as the remaining tokens
could not lift a new column above the best ones so far; then only the columns found that can still be among the best are
compared exactly. So the long posting lists of frequent tokens are rarely read, and the result is still exact.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numba
import numpy as np
from numpy.typing import NDArray
from scipy import sparse

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Unsigned = NDArray[np.uint32]
CACHED = 4_096
"""Number of sums that the processor keeps close at hand."""
STAGES = 8
"""Number of times that the search for a row checks whether it can stop."""


@numba.njit(cache=True, nogil=True, inline="always")
def _shared(p: float, q: float, divergence: bool) -> float:
    """The term of a shared token: the product, or its part of 1 minus the Jensen-Shannon divergence in bits."""
    if divergence:
        term: float = 0.5 * ((p + q) * np.log2(p + q) - p * np.log2(p) - q * np.log2(q))
        return term
    return p * q


@numba.njit(cache=True, nogil=True, inline="always")
def _score(common: float, left: float, right: float, alpha: float, beta: float, ratio: bool) -> float:
    if not ratio or common <= 0.0:
        return common
    return common / (common + alpha * max(left - common, 0.0) + beta * max(right - common, 0.0))


@numba.njit(cache=True, nogil=True, inline="always")
def _insert(near: Ints, score: Floats, filled: int, column: int, value: float) -> int:
    """Insert a column into the sorted list of the best, after columns of equal value; the new length of the list."""
    number = near.size
    if filled == number and value <= score[number - 1]:
        return filled
    place = min(filled, number - 1)
    while place > 0 and score[place - 1] < value:
        score[place] = score[place - 1]
        near[place] = near[place - 1]
        place -= 1
    score[place] = value
    near[place] = column
    return min(filled + 1, number)


@numba.njit(cache=True, nogil=True, inline="always")
def _common(own: Floats, column: int, starts: Ints, tokens: Ints, values: Floats, divergence: bool) -> float:
    """The sum of the terms of the tokens that a dense row shares with a column."""
    common = 0.0
    for place in range(starts[column], starts[column + 1]):
        if own[tokens[place]] > 0.0:
            common += _shared(own[tokens[place]], values[place], divergence)
    return common


@numba.njit(cache=True, nogil=True)
def _top(
    begin: int,
    end: int,
    starts: Ints,
    tokens: Ints,
    weights: Floats,
    largest: Floats,
    postings: Ints,
    columns: Ints,
    values: Floats,
    right_starts: Ints,
    right_tokens: Ints,
    right_values: Floats,
    left_total: Floats,
    right_total: Floats,
    prices: Floats,
    alpha: float,
    beta: float,
    ratio: bool,
    divergence: bool,
    near: Ints,
    score: Floats,
) -> None:
    number, cheapest = near.shape[1], prices.min()
    total = np.zeros(right_total.size)
    touched = np.empty(right_total.size, dtype=np.int64)
    own = np.zeros(largest.size)
    chosen, partial, worth = np.empty(number, dtype=np.int64), np.empty(number), np.empty(number)
    for row in range(begin, end):
        rest = 0.0
        for at in range(starts[row], starts[row + 1]):
            own[tokens[at]] = weights[at]
            rest += _shared(weights[at], largest[tokens[at]], divergence)
        whole, count, bound = left_total[row], 0, 0.0
        length = starts[row + 1] - starts[row]
        stage = max(1, length // STAGES)
        done = True
        for position in range(length):
            at = starts[row] + position
            weight = weights[at]
            for place in range(postings[tokens[at]], postings[tokens[at] + 1]):
                column = columns[place]
                if total[column] == 0.0:
                    touched[count] = column
                    count += 1
                total[column] += _shared(weight, values[place], divergence)
            rest -= _shared(weight, largest[tokens[at]], divergence)
            if position % stage == stage - 1 and position < length - 1 and count >= number:
                # The exact scores of the best columns so far are a bound for all others.
                filled = 0
                for index in range(count):
                    column = touched[index]
                    promise = _score(total[column], whole, right_total[column], alpha, beta, ratio)
                    filled = _insert(chosen, partial, filled, column, promise - prices[column])
                bound = np.inf
                for index in range(filled):
                    column = chosen[index]
                    common = _common(own, column, right_starts, right_tokens, right_values, divergence)
                    exact = _score(common, whole, right_total[column], alpha, beta, ratio)
                    bound = min(bound, exact - prices[column])
                # Slightly more than the remaining sum, because sums of floats are rounded.
                if _score(rest * (1.0 + 1e-9) + 1e-12, whole, 0.0, alpha, beta, ratio) - cheapest < bound:
                    done = False
                    break
        filled = 0
        for index in range(count):
            column = touched[index]
            common = total[column]
            total[column] = 0.0
            if not done:
                most = common + rest * (1.0 + 1e-9) + 1e-12
                if _score(most, whole, right_total[column], alpha, beta, ratio) - prices[column] < bound:
                    continue
                common = _common(own, column, right_starts, right_tokens, right_values, divergence)
            value = _score(common, whole, right_total[column], alpha, beta, ratio)
            filled = _insert(near[row], worth, filled, column, value - prices[column])
        for index in range(filled):
            score[row, index] = worth[index] + prices[near[row, index]]
        for at in range(starts[row], starts[row + 1]):
            own[tokens[at]] = 0.0


@numba.njit(cache=True, nogil=True)
def _top_sums(
    begin: int,
    end: int,
    starts: Ints,
    tokens: Unsigned,
    weights: Floats,
    postings: Ints,
    columns: Unsigned,
    values: Floats,
    first: int,
    bonus: Floats,
    near: Ints,
    score: Floats,
) -> None:
    number, total = near.shape[1], np.empty(bonus.size)
    for row in range(begin, end):
        total[:] = bonus
        for at in range(starts[row], starts[row + 1]):
            token, weight = tokens[at], weights[at]
            for place in range(postings[token], postings[token + 1]):
                total[columns[place]] += weight * values[place]
        filled = min(first, number)
        for column in range(total.size):
            if filled < number or total[column] > score[row, number - 1]:
                filled = _insert(near[row], score[row], filled, first + column, total[column])


def best_sums(left: sparse.csr_array, right: sparse.csr_array, bonus: Floats, number: int) -> tuple[Ints, Floats]:
    """The best rows of `right` for each row of `left`, by inner product plus the bonus of the right row."""
    near, worth = np.full((left.shape[0], number), -1, dtype=np.int64), np.zeros((left.shape[0], number))
    sides = left.indptr.astype(np.int64), left.indices.astype(np.uint32), left.data.astype(np.float64)
    for first in range(0, right.shape[0], CACHED):
        index = right[first : first + CACHED].tocsc()
        lists = index.indptr.astype(np.int64), index.indices.astype(np.uint32), index.data.astype(np.float64)
        shared = (*sides, *lists, first, bonus[first : first + CACHED], near, worth)
        _in_threads(_top_sums, left.shape[0], shared)
    return near, worth


def best_columns(
    left: sparse.csr_array,
    right: sparse.csr_array,
    totals: tuple[Floats, Floats],
    ratio: tuple[float, float] | None,
    divergence: bool,
    number: int,
    prices: Floats,
) -> tuple[Ints, Floats]:
    """The best rows of `right` for each row of `left`: their indices (-1 if there are no more) and scores.

    The best are those with the largest score minus price.
    """
    index = right.tocsc()
    frequency = np.diff(index.indptr)
    rows = np.repeat(np.arange(left.shape[0]), np.diff(left.indptr))
    order = np.lexsort((frequency[left.indices], rows))
    largest = np.zeros(right.shape[1])
    np.maximum.at(largest, right.indices, right.data)
    # Tokens without postings must not count in the remaining sum.
    kept = order[frequency[left.indices[order]] > 0]
    starts = np.concatenate([[0], np.cumsum(np.bincount(rows[kept], minlength=left.shape[0]))])
    near = np.full((left.shape[0], number), -1, dtype=np.int64)
    score = np.zeros((left.shape[0], number))
    alpha, beta = ratio or (1.0, 1.0)
    shared = (
        starts.astype(np.int64),
        left.indices[kept].astype(np.int64),
        left.data[kept].astype(np.float64),
        largest,
        index.indptr.astype(np.int64),
        index.indices.astype(np.int64),
        index.data.astype(np.float64),
        right.indptr.astype(np.int64),
        right.indices.astype(np.int64),
        right.data.astype(np.float64),
        *totals,
        prices,
        alpha,
        beta,
        ratio is not None,
        divergence,
        near,
        score,
    )
    _in_threads(_top, left.shape[0], shared)
    return near, score


def _in_threads(kernel: Callable[..., None], rows: int, shared: tuple[object, ...]) -> None:
    """Run a kernel on parts of the rows."""
    step = max(1, rows // (16 * (os.cpu_count() or 1)))
    parts = [(begin, min(begin + step, rows)) for begin in range(0, rows, step)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda part: kernel(*part, *shared), parts))
