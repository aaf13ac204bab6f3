"""The one loop that numpy cannot do: for each row, the best columns by an inverted index. Needs numba."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray
from scipy import sparse

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@numba.njit(cache=True, nogil=True)
def shared_information(p: float, q: float) -> Any:
    """What a token adds to one minus the Jensen-Shannon divergence (in bits) of two distributions."""
    return 0.5 * ((p + q) * np.log2(p + q) - p * np.log2(p) - q * np.log2(q))


@numba.njit(cache=True, nogil=True)
def _top(
    begin: int,
    end: int,
    starts: Ints,
    tokens: Ints,
    weights: Floats,
    postings: Ints,
    columns: Ints,
    values: Floats,
    left_total: Floats,
    right_total: Floats,
    alpha: float,
    beta: float,
    ratio: bool,
    divergence: bool,
    near: Ints,
    score: Floats,
) -> None:
    number = near.shape[1]
    total = np.zeros(right_total.size)
    touched = np.empty(right_total.size, dtype=np.int64)
    for row in range(begin, end):
        count = 0
        for at in range(starts[row], starts[row + 1]):
            weight = weights[at]
            for place in range(postings[tokens[at]], postings[tokens[at] + 1]):
                column = columns[place]
                if total[column] == 0.0:
                    touched[count] = column
                    count += 1
                if divergence:
                    total[column] += shared_information(weight, values[place])
                else:
                    total[column] += weight * values[place]
        filled = 0
        for index in range(count):
            column = touched[index]
            common = total[column]
            total[column] = 0.0
            if ratio:
                rest = alpha * (left_total[row] - common) + beta * (right_total[column] - common)
                common = common / (common + rest)
            if filled < number:
                place = filled
                filled += 1
            elif common > score[row, number - 1]:
                place = number - 1
            else:
                continue
            while place > 0 and score[row, place - 1] < common:
                score[row, place] = score[row, place - 1]
                near[row, place] = near[row, place - 1]
                place -= 1
            score[row, place] = common
            near[row, place] = column


def best_columns(
    left: sparse.csr_array,
    right: sparse.csr_array,
    totals: tuple[Floats, Floats],
    ratio: tuple[float, float] | None,
    divergence: bool,
    number: int,
) -> tuple[Ints, Floats]:
    """For each row of `left` the best rows of `right`: their numbers (-1 where there are no more) and scores."""
    index = right.tocsc()
    near = np.full((left.shape[0], number), -1, dtype=np.int64)
    score = np.zeros((left.shape[0], number))
    alpha, beta = ratio or (1.0, 1.0)
    shared = (
        left.indptr.astype(np.int64),
        left.indices.astype(np.int64),
        left.data.astype(np.float64),
        index.indptr.astype(np.int64),
        index.indices.astype(np.int64),
        index.data.astype(np.float64),
        *totals,
        alpha,
        beta,
        ratio is not None,
        divergence,
        near,
        score,
    )
    kernel: Any = _top
    step = max(1, left.shape[0] // (16 * (os.cpu_count() or 1)))
    parts = [(begin, min(begin + step, left.shape[0])) for begin in range(0, left.shape[0], step)]
    with ThreadPoolExecutor() as pool:
        list(pool.map(lambda part: kernel(*part, *shared), parts))
    return near, score
