"""Similarity of sparse profiles, and matching of pseudonyms to users.

Up to `DENSE` pairs all similarities are computed in a dense matrix. Beyond that, only the best candidates of each row are
kept, found by an inverted index, so that memory is linear in the number of people. The index needs numba; without it, the
matrix is computed in blocks, with the same results in more time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from icefire.core.errors import MissingExtra, need
from icefire.core.matching import ROUNDS, Assign, Match, match_dense, matching, put_back
from icefire.core.similarity import CHUNK, jensen_shannon
from icefire.history.data import NONE, Ints
from icefire.history.facets import Matrix

Floats = NDArray[np.float64]
DENSE = 20_000_000
"""Largest number of pairs that are matched by a dense matrix."""
INDEXED = 4_000_000
"""Number of pairs beyond which the best partner alone is found faster by an inverted index."""
CANDIDATES = 30
"""Length of the candidate lists."""


@dataclass(frozen=True)
class Similarity:
    """Similarity of the rows of two sparse matrices: by default the inner product.

    With `ratio` (a, b) it is Tversky's index common / (common + a * left only + b * right only), where `common` is the inner
    product and the totals are the weights of whole rows. With `divergence` the rows are distributions, and the similarity is
    1 minus their Jensen-Shannon divergence in bits.
    """

    left: Matrix
    right: Matrix
    ratio: tuple[float, float] | None = None
    left_total: Floats | None = None
    right_total: Floats | None = None
    divergence: bool = False

    @property
    def shape(self) -> tuple[int, int]:
        return self.left.shape[0], self.right.shape[0]

    def transposed(self) -> Similarity:
        ratio = None if self.ratio is None else self.ratio[::-1]
        return Similarity(self.right, self.left, ratio, self.right_total, self.left_total, self.divergence)

    def take(self, rows: Ints, columns: Ints) -> Similarity:
        """The similarity of the given left and right rows."""
        left_total = None if self.left_total is None else self.left_total[rows]
        right_total = None if self.right_total is None else self.right_total[columns]
        return Similarity(self.left[rows], self.right[columns], self.ratio, left_total, right_total, self.divergence)

    def dense(self, rows: slice = slice(None)) -> Floats:
        """[left row, right row]: the similarity of all pairs of the given left rows."""
        left = self.left[rows]
        if self.divergence:
            return jensen_shannon(left, self.right)
        scores: Floats = np.asarray((left @ self.right.T).todense(), dtype=np.float64)
        if self.ratio is not None:
            alpha, beta = self.ratio
            left_total, right_total = self.totals
            rest = alpha * (left_total[rows, None] - scores) + beta * (right_total[None, :] - scores)
            np.divide(scores, scores + rest, out=scores, where=scores > 0)
        return scores

    def nearest(self, number: int, rng: np.random.Generator) -> tuple[Ints, Floats]:
        """The most similar right rows of each left row, the best first, ties in random order; NONE where nothing is shared."""
        shuffled = rng.permutation(self.shape[1])
        mixed = self.take(np.arange(self.shape[0]), shuffled)
        number = min(number, self.shape[1])
        if not all(self.shape):
            return np.full((self.shape[0], number), NONE), np.zeros((self.shape[0], number))
        if self.shape[0] * self.shape[1] <= INDEXED or not _has_numba():
            parts = [_best(mixed.dense(part), number) for part in mixed.slices()]
            near, scores = (np.concatenate(side) for side in zip(*parts, strict=True))
        else:
            from icefire.history import _kernels

            near, scores = _kernels.best_columns(
                mixed.left, mixed.right, mixed.totals, mixed.ratio, mixed.divergence, number
            )
        return np.where(near == NONE, NONE, shuffled[near]), scores

    @property
    def totals(self) -> tuple[Floats, Floats]:
        """The totals of left and right rows; zeros if they are not used."""
        left = np.zeros(self.shape[0]) if self.left_total is None else self.left_total
        return left, np.zeros(self.shape[1]) if self.right_total is None else self.right_total

    def slices(self) -> Iterator[slice]:
        """Blocks of left rows of which the dense similarities fit into memory."""
        step = max(1, CHUNK // max(1, self.shape[1]))
        for begin in range(0, self.shape[0], step):
            yield slice(begin, begin + step)


def _has_numba() -> bool:
    try:
        need("numba", "fast")
    except MissingExtra:
        return False
    return True


def _best(scores: Floats, number: int) -> tuple[Ints, Floats]:
    order = np.argsort(-scores, axis=1, kind="stable")[:, :number]
    values = np.take_along_axis(scores, order, axis=1)
    return np.where(values > 0, order, NONE), values


def match(similarity: Similarity, how: Assign, rng: np.random.Generator) -> Match:
    """Match left rows (pseudonyms) and right rows (users). A row that shares nothing with any other is not matched."""
    height, width = similarity.shape
    if not height or not width:
        return Match(np.full(height, NONE), np.full(width, NONE))
    if height * width <= (INDEXED if how == "argmax" else DENSE):
        return match_dense(similarity.dense(), how, rng, least=0.0)
    rows = similarity.nearest(CANDIDATES if how != "argmax" else 1, rng)
    if how == "argmax":
        columns, _ = similarity.transposed().nearest(1, rng)
        return Match(rows[0][:, 0], columns[:, 0])
    return match_listed(*rows, how, width, rng)


def match_listed(near: Ints, scores: Floats, how: Assign, width: int, rng: np.random.Generator) -> Match:
    """Match rows and columns given the candidate columns of each row (NONE fills up a list) and their scores."""
    height = near.shape[0]
    # Ties go to the first row or column, so the order must not tell anything.
    row_order, column_order = rng.permutation(height), rng.permutation(width)
    place = np.empty(width, dtype=np.int64)
    place[column_order] = np.arange(width)
    mixed, values = near[row_order], scores[row_order]
    mixed = np.where(mixed == NONE, NONE, place[mixed])
    order = np.lexsort((rng.random(mixed.shape), np.where(mixed == NONE, np.inf, -values)), axis=1)
    mixed, values = np.take_along_axis(mixed, order, axis=1), np.take_along_axis(values, order, axis=1)
    if how == "assignment":
        found = _listed_assignment(mixed, values, width)
    elif how == "sinkhorn":
        found = _listed_sinkhorn(mixed, values, width, rng)
    else:
        rows, at = np.nonzero(mixed != NONE)
        found = Match(mixed[:, 0], _peak(mixed[rows, at], rows, values[rows, at], width, rng))
    return put_back(found, row_order, column_order)


def _listed_assignment(near: Ints, scores: Floats, width: int) -> Match:
    partner = matching(near, scores.max(initial=0.0) - scores, width)
    columns = np.full(width, NONE)
    columns[partner[partner != NONE]] = np.flatnonzero(partner != NONE)
    return Match(np.where(partner == NONE, near[:, 0], partner), columns)


def _listed_sinkhorn(near: Ints, scores: Floats, width: int, rng: np.random.Generator) -> Match:
    rows, place = np.nonzero(near != NONE)
    values = scores[rows, place]
    lead = np.median(scores[:, 0] - scores.mean(axis=1)) or 1.0
    heat = np.exp((values - scores[rows, 0]) * (10.0 / lead))
    columns = near[rows, place]
    few = near.shape[0] <= width
    for _ in range(ROUNDS):
        heat /= np.maximum(np.bincount(columns, heat, minlength=width), 1.0 if few else 1e-300)[columns]
        heat /= np.maximum(np.bincount(rows, heat, minlength=near.shape[0]), 1e-300 if few else 1.0)[rows]
    return Match(_peak(rows, columns, heat, near.shape[0], rng), _peak(columns, rows, heat, width, rng))


def _peak(rows: Ints, columns: Ints, values: Floats, height: int, rng: np.random.Generator) -> Ints:
    """The column of the largest value of each row, ties at random."""
    order = np.lexsort((rng.random(rows.size), values, rows))
    found = np.full(height, NONE)
    found[rows[order]] = columns[order]
    return found
