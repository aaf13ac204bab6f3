"""Scores of all pairs of two sides, worked out a part at a time: the best candidates of each row, and of each column."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from icefire.core import memory
from icefire.core.errors import MissingExtra, need
from icefire.core.similarity import Matrix, jensen_shannon

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
NONE = -1
"""No partner."""
INDEXED = 4_000_000
"""Number of pairs beyond which the best partners are found faster by an inverted index."""


def has_numba() -> bool:
    try:
        need("numba", "fast")
    except MissingExtra:
        return False
    return True


class Scores(ABC):
    """How well each row fits each column; higher is better."""

    @property
    @abstractmethod
    def shape(self) -> tuple[int, int]: ...

    @property
    @abstractmethod
    def least(self) -> float:
        """A lower bound of all scores."""

    @property
    def indexed(self) -> bool:
        """Whether the best scores are found faster without a table of all."""
        return False

    @abstractmethod
    def part(self, rows: Ints, columns: Ints) -> Floats:
        """[row, column]: the scores of the given rows and columns."""

    def dense(self) -> Floats:
        """[row, column]: all scores."""
        return self.part(*(np.arange(size) for size in self.shape))

    def take(self, rows: Ints, columns: Ints) -> Scores:
        """The scores of some rows and columns alone."""
        return _Some(self, rows, columns)

    def held(self) -> Scores:
        """The same, worked out once for all if that fits into memory."""
        return Table(self.dense()) if memory.fits(*self.shape) else self

    def nearest(
        self, number: int, rng: np.random.Generator, rows: Ints | None = None, prices: Floats | None = None
    ) -> tuple[Ints, Floats]:
        """The columns with the best scores (minus prices) of the given rows, the best first, ties in random order.

        Returns the columns and their scores, without prices; NONE where there are no more columns.
        """
        width = self.shape[1]
        rows = np.arange(self.shape[0]) if rows is None else rows
        prices = np.zeros(width) if prices is None else prices
        near, scores = np.zeros((rows.size, 0), dtype=np.int64), np.zeros((rows.size, 0))
        shuffled, step = rng.permutation(width), memory.step(rows.size)
        # Narrow parts would spend all time on the lists.
        step = max(step, 4 * number)
        for begin in range(0, width, step):
            columns = shuffled[begin : begin + step]
            found = self.part(rows, columns)
            place, values = _best(found, number, found - prices[columns])
            near = np.hstack([near, columns[place]])
            scores = np.hstack([scores, values])
            order, scores = _best(scores, number, scores - prices[near])
            near = np.take_along_axis(near, order, axis=1)
        return near, scores

    def best(self, rng: np.random.Generator) -> tuple[Ints, Ints]:
        """The best column of each row and the best row of each column, ties at random."""
        height, width = self.shape
        row_order, column_order = rng.permutation(height), rng.permutation(width)
        rows, top, columns = np.full(height, NONE), np.full(height, -np.inf), np.full(width, NONE)
        step = memory.step(height)
        for begin in range(0, width, step):
            chosen = column_order[begin : begin + step]
            found = self.part(row_order, chosen)
            columns[chosen] = row_order[found.argmax(axis=0)]
            better = np.flatnonzero(found.max(axis=1) > top[row_order])
            rows[row_order[better]] = chosen[found[better].argmax(axis=1)]
            top[row_order[better]] = found[better].max(axis=1)
        return rows, columns


class MadeInParts(Scores):
    """Scores of which the least is known by the parts made so far; all of them have been once the best ones are known."""

    _least = np.inf

    @property
    def least(self) -> float:
        return float(self._least)

    def part(self, rows: Ints, columns: Ints) -> Floats:
        found = self.made(rows, columns)
        self._least = min(self._least, float(found.min(initial=np.inf)))
        return found

    @abstractmethod
    def made(self, rows: Ints, columns: Ints) -> Floats:
        """[row, column]: the scores of a part."""


class _Some(MadeInParts):
    """The scores of some rows and columns of others."""

    def __init__(self, scores: Scores, rows: Ints, columns: Ints) -> None:
        self.scores, self.rows, self.columns = scores, rows, columns

    @property
    def shape(self) -> tuple[int, int]:
        return self.rows.size, self.columns.size

    def made(self, rows: Ints, columns: Ints) -> Floats:
        return self.scores.part(self.rows[rows], self.columns[columns])


class Raised(MadeInParts):
    """Scores with a number of each row added."""

    def __init__(self, scores: Scores, numbers: Floats) -> None:
        self.scores, self.numbers = scores, numbers

    @property
    def shape(self) -> tuple[int, int]:
        return self.scores.shape

    def made(self, rows: Ints, columns: Ints) -> Floats:
        return self.scores.part(rows, columns) + self.numbers[rows][:, None]


class WeightedSum(MadeInParts):
    """Several scores of the same pairs as one."""

    def __init__(self, scores: Sequence[Scores], weights: Floats) -> None:
        self.scores, self.weights = scores, weights

    @property
    def shape(self) -> tuple[int, int]:
        return self.scores[0].shape

    def made(self, rows: Ints, columns: Ints) -> Floats:
        found = np.zeros((rows.size, columns.size))
        for weight, scores in zip(self.weights, self.scores, strict=True):
            found += weight * scores.part(rows, columns)
        return found


@dataclass(frozen=True)
class Table(Scores):
    """Scores that are all there."""

    values: Floats

    @property
    def shape(self) -> tuple[int, int]:
        return self.values.shape[0], self.values.shape[1]

    @property
    def least(self) -> float:
        return float(self.values.min(initial=0.0))

    def part(self, rows: Ints, columns: Ints) -> Floats:
        return self.values[np.ix_(rows, columns)]

    def dense(self) -> Floats:
        return self.values


def _best(scores: Floats, number: int, worth: Floats) -> tuple[Ints, Floats]:
    """The places of the largest worth in each row, the best first and the first of equal ones, and their scores."""
    if worth.shape[1] > 4 * number:
        kept = np.sort(np.argpartition(-worth, number - 1, axis=1)[:, :number], axis=1)
        order = np.argsort(-np.take_along_axis(worth, kept, axis=1), axis=1, kind="stable")
        order = np.take_along_axis(kept, order, axis=1)
    else:
        order = np.argsort(-worth, axis=1, kind="stable")[:, :number]
    return order, np.take_along_axis(scores, order, axis=1)


@dataclass(frozen=True)
class Similarity(Scores):
    """Similarity of the rows of two sparse matrices: by default the inner product.

    With `ratio` (a, b) it is Tversky's index common / (common + a * left only + b * right only), where `common` is the inner
    product and the totals are the weights of whole rows. With `divergence` the rows are distributions, and the similarity is
    1 minus their Jensen-Shannon divergence in bits. Entries have to be positive. With `bonus`, every right row adds a number
    of its own to the inner product.

    The best candidates are found by an inverted index, so that memory is linear in the number of people. The index needs
    numba; without it, the matrix is computed in parts, with the same results in more time.
    """

    left: Matrix
    right: Matrix
    ratio: tuple[float, float] | None = None
    left_total: Floats | None = None
    right_total: Floats | None = None
    divergence: bool = False
    bonus: Floats | None = None

    @property
    def shape(self) -> tuple[int, int]:
        return self.left.shape[0], self.right.shape[0]

    @property
    def least(self) -> float:
        return 0.0 if self.bonus is None else float(self.bonus.min(initial=0.0))

    @property
    def indexed(self) -> bool:
        return self.shape[0] * self.shape[1] > INDEXED

    def transposed(self) -> Similarity:
        ratio = None if self.ratio is None else self.ratio[::-1]
        assert self.bonus is None, "a bonus belongs to the right side"
        return Similarity(self.right, self.left, ratio, self.right_total, self.left_total, self.divergence)

    def take(self, rows: Ints, columns: Ints) -> Similarity:
        """The similarity of the given left and right rows."""
        left_total = None if self.left_total is None else self.left_total[rows]
        right_total = None if self.right_total is None else self.right_total[columns]
        bonus = None if self.bonus is None else self.bonus[columns]
        left, right = self.left[rows], self.right[columns]
        return Similarity(left, right, self.ratio, left_total, right_total, self.divergence, bonus)

    def part(self, rows: Ints, columns: Ints) -> Floats:
        return self.take(rows, columns).dense()

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
        if self.bonus is not None:
            scores += self.bonus
        return scores

    def nearest(
        self, number: int, rng: np.random.Generator, rows: Ints | None = None, prices: Floats | None = None
    ) -> tuple[Ints, Floats]:
        """As for all scores; NONE where nothing is shared."""
        width = self.shape[1]
        rows = np.arange(self.shape[0]) if rows is None else rows
        number = min(number, width)
        if not rows.size or not width:
            return np.full((rows.size, number), NONE), np.zeros((rows.size, number))
        if rows.size * width <= INDEXED or not has_numba():
            near, scores = super().nearest(number, rng, rows, prices)
        else:
            from icefire.core import _index

            shuffled = rng.permutation(width)
            mixed = self.take(rows, shuffled)
            asked = np.zeros(width) if prices is None else prices[shuffled]
            if mixed.bonus is not None:
                near, worth = _index.best_sums(mixed.left, mixed.right, mixed.bonus - asked, number)
                return shuffled[near], worth + asked[near]
            near, scores = _index.best_columns(
                mixed.left, mixed.right, mixed.totals, mixed.ratio, mixed.divergence, number, asked
            )
            near = np.where(near == NONE, NONE, shuffled[near])
        shared = (near != NONE) & ((scores > 0) | (self.bonus is not None))
        return np.where(shared, near, NONE), np.where(shared, scores, 0.0)

    def best(self, rng: np.random.Generator) -> tuple[Ints, Ints]:
        """As for all scores; NONE where nothing is shared."""
        if self.bonus is not None:
            return super().best(rng)
        return self.nearest(1, rng)[0][:, 0], self.transposed().nearest(1, rng)[0][:, 0]

    @property
    def totals(self) -> tuple[Floats, Floats]:
        """The totals of left and right rows; zeros if they are not used."""
        left = np.zeros(self.shape[0]) if self.left_total is None else self.left_total
        return left, np.zeros(self.shape[1]) if self.right_total is None else self.right_total

    def slices(self) -> Iterator[slice]:
        """Blocks of left rows of which the dense similarities fit into memory."""
        step = memory.step(self.shape[1])
        for begin in range(0, self.shape[0], step):
            yield slice(begin, begin + step)


def nearness(left: Matrix, right: Matrix) -> Similarity:
    """The nearness of the rows of two matrices: minus the squared Euclidean distance, plus the squared length of the left row.

    >>> left, right = sparse.csr_array([[1.0, 0.0]]), sparse.csr_array([[1.0, 0.0], [3.0, 4.0]])
    >>> nearness(left, right).dense().tolist()
    [[1.0, -19.0]]
    """
    square = np.asarray(right.multiply(right).sum(axis=1), dtype=np.float64).ravel()
    return Similarity(sparse.csr_array(2.0 * left), right, bonus=-square)
