"""Similarity of sparse profiles: TF-IDF vectors and the Jensen-Shannon divergence.

A profile matrix has a row for each person and a column for each token (an item, a region) with how often it occurs.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

Matrix = sparse.csr_array
Floats = NDArray[np.float64]
CHUNK = 4_000_000
"""Pairs of entries held in memory at a time."""


def row_sums(matrix: Matrix) -> Floats:
    return np.asarray(matrix.sum(axis=1), dtype=np.float64).ravel()


def frequency(*matrices: Matrix) -> NDArray[np.int64]:
    """In how many rows of all matrices each token occurs."""
    return np.asarray(sum(np.bincount(m.indices, minlength=m.shape[1]) for m in matrices))


def rarity(*matrices: Matrix) -> Floats:
    """Inverse document frequency of each token, log(rows / rows that have it) + 1, over all matrices."""
    rows = sum(matrix.shape[0] for matrix in matrices)
    return np.asarray(np.log(rows / np.maximum(frequency(*matrices), 1)) + 1.0)


def shared(left: Matrix, right: Matrix) -> float:
    """How many tokens rows of the two sides have in common, added up over all pairs of them."""
    ours, theirs = (np.bincount(side.indices, minlength=side.shape[1]).astype(np.float64) for side in (left, right))
    return float(ours @ theirs)


def scaled(matrix: Matrix, weights: Floats) -> Matrix:
    """Every column times its weight; entries of weight 0 are dropped."""
    made = matrix.copy()
    made.data = made.data * weights[made.indices]
    made.eliminate_zeros()
    return made


def shares(matrix: Matrix) -> Matrix:
    """Every row as a distribution."""
    made = matrix.copy()
    made.data = made.data / np.repeat(np.maximum(row_sums(matrix), 1e-300), np.diff(matrix.indptr))
    return made


def unit_rows(matrix: Matrix) -> Matrix:
    """Every row divided by its Euclidean length."""
    made = matrix.copy()
    length = np.sqrt(row_sums(made.multiply(made).tocsr()))
    made.data = made.data / np.repeat(np.where(length > 0, length, 1.0), np.diff(made.indptr))
    return made


def tf_idf(left: Matrix, right: Matrix) -> tuple[Matrix, Matrix]:
    """TF-IDF vectors of length 1: log(1 + count) times rarity on both sides together. Their products are cosines.

    >>> tea_and_cup, tea = sparse.csr_array([[1.0, 1.0]]), sparse.csr_array([[1.0, 0.0]])
    >>> left, right = tf_idf(tea_and_cup, tea)
    >>> bool(np.isclose((left @ right.T).toarray()[0, 0], 1 / np.hypot(1, np.log(2) + 1)))
    True
    """
    weights = rarity(left, right)
    logarithms = [matrix.copy() for matrix in (left, right)]
    for matrix in logarithms:
        matrix.data = np.log1p(matrix.data)
    first, second = (unit_rows(scaled(matrix, weights)) for matrix in logarithms)
    return first, second


def jensen_shannon(left: Matrix, right: Matrix) -> Floats:
    """[left row, right row]: one minus the Jensen-Shannon divergence in bits, of rows that are distributions.

    >>> jensen_shannon(sparse.csr_array([[0.5, 0.5, 0.0]]), sparse.csr_array([[0.5, 0.5, 0.0], [0.0, 0.5, 0.5]])).tolist()
    [[1.0, 0.5]]
    """
    index = right.tocsc()
    rows = np.repeat(np.arange(left.shape[0]), np.diff(left.indptr))
    # The same share of the same token occurs in many rows: what it has in common with the right side is worked out once.
    order = np.lexsort((left.data, left.indices))
    tokens, values = left.indices[order], left.data[order]
    fresh = np.ones(order.size, dtype=np.bool_)
    fresh[1:] = (tokens[1:] != tokens[:-1]) | (values[1:] != values[:-1])
    tokens, values, pairs = tokens[fresh], values[fresh], np.cumsum(fresh) - 1
    holds = sparse.csc_array((np.ones(order.size), (rows[order], pairs)), shape=(left.shape[0], tokens.size))
    found = np.zeros((left.shape[0], right.shape[0]))
    count = np.diff(index.indptr)[tokens]
    ends = np.concatenate([[0], np.cumsum(count)])
    begin = 0
    while begin < count.size:
        end = max(begin + 1, int(np.searchsorted(ends, ends[begin] + CHUNK, side="right")) - 1)
        part = slice(begin, end)
        repeated = np.repeat(np.arange(begin, end), count[part])
        place = index.indptr[tokens[repeated]] + np.arange(repeated.size) + ends[begin] - ends[repeated]
        p, q = values[repeated], index.data[place]
        common = 0.5 * ((p + q) * np.log2(p + q) - p * np.log2(p) - q * np.log2(q))
        shape = (end - begin, right.shape[0])
        table = sparse.csr_array((common, index.indices[place], ends[begin : end + 1] - ends[begin]), shape=shape)
        found += (sparse.csr_array(holds[:, part]) @ table).toarray()
        begin = end
    return found
