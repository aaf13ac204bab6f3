"""Minimal sample uniques: the smallest sets of columns on which a row is unique, and the SUDA scores made of them.

A row is unique on a set of columns if no other row has the same values there, and minimally so if it is unique on no subset.
Sets are visited by size. Rows that are unique on a subset equal no other row on the set, so only the others are grouped.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb, factorial

import numpy as np
from numpy.typing import NDArray

from icefire.core.errors import Undefined
from icefire.microdata.cells import Codes, Floats
from icefire.microdata.partition import group_equal

WORK = 1 << 27
"""Most rows that are grouped, summed over all sets of columns."""
Columns = tuple[int, ...]


@dataclass(frozen=True)
class MinimalUniques:
    """The rows that are minimally unique on each set of columns, smaller sets first."""

    width: int
    """Number of columns."""
    size: int
    """The largest set that was looked at."""
    sizes: Codes
    """For each row, how many rows equal it on all columns."""
    pairs: int
    """Rows that equal exactly one other."""
    rows: dict[Columns, Codes]
    """Sets on which no row is minimally unique are left out."""

    def worth(self, columns: Columns) -> float:
        """What a minimal sample unique adds to the score of its row: the product of ATT - i for i from its size to the largest.

        ATT is the number of columns.
        """
        largest = min(self.size, self.width - 1)
        return float(factorial(self.width - len(columns)) // factorial(self.width - 1 - largest)) if largest else 1.0

    @property
    def scores(self) -> Floats:
        """The SUDA score of each row; 0 if it is unique on no set."""
        found = np.zeros(self.sizes.size)
        for columns, rows in self.rows.items():
            found[rows] += self.worth(columns)
        return found

    @property
    def least(self) -> Codes:
        """How many columns it takes to make each row unique; one more than there are columns if nothing does."""
        found = np.full(self.sizes.size, self.width + 1)
        for columns, rows in self.rows.items():
            found[rows] = np.minimum(found[rows], len(columns))
        return found

    @property
    def contributions(self) -> Floats:
        """For each column, the share of all scores that minimal sample uniques with this column make up."""
        found, total = np.zeros(self.width), 0.0
        for columns, rows in self.rows.items():
            found[list(columns)] += self.worth(columns) * rows.size
            total += self.worth(columns) * rows.size
        return found / total if total else found

    def dis_scores(self, fraction: float) -> Floats:
        """DIS-SUDA: the probability that a match with each row is correct, for a sample of this fraction of the population.

        The probability of the whole file (data intrusion simulation, from unique rows and pairs of equal rows) is spread over
        the rows by their scores, as sdcMicro does.
        """
        scores = self.scores
        some = scores > 0
        if self.pairs == 0 or not some.any():
            # Without pairs, every match in the file is taken to be correct.
            return some.astype(np.float64)
        powers = scores[some] ** (1 + (8 - self.width) / 20)
        found = np.zeros(scores.size)
        found[some] = 1 / (1 + self.pairs * (1 - fraction) / fraction / (powers * (1 / powers).sum()))
        return found

    def of_rows(self, rows: Codes) -> list[list[Columns]]:
        """For some rows, the sets on which each is minimally unique, smaller sets first."""
        place = {int(row): at for at, row in enumerate(rows)}
        found: list[list[Columns]] = [[] for _ in rows]
        for columns, unique in self.rows.items():
            for row in unique[np.isin(unique, rows)]:
                found[place[int(row)]].append(columns)
        return found


def minimal_uniques(codes: Sequence[Codes], size: int, each: Codes | None = None) -> MinimalUniques:
    """All minimal sample uniques of at most so many columns; Undefined if there are too many sets for that many rows.

    If rows stand for several equal ones, `each` says for how many; then they are distinct.

    >>> found = minimal_uniques([np.array([2, 1, 1]), np.array([0, 3, 0]), np.array([0, 6, 0])], size=3)
    >>> {columns: rows.tolist() for columns, rows in found.rows.items()}
    {(0,): [0], (1,): [1], (2,): [1], (0, 1): [2], (0, 2): [2]}
    >>> found.scores.tolist(), found.contributions.tolist()
    ([2.0, 4.0, 2.0], [0.5, 0.375, 0.375])
    """
    size = min(size, len(codes))
    first, counts, same = group_equal(codes)
    if each is not None:
        counts = each[first]
    work = sum(comb(len(codes), number) for number in range(1, size + 1)) * first.size
    if work > WORK:
        raise Undefined(
            f"{len(codes)} columns have too many subsets of up to {size} for {first.size:,} different rows: look at smaller "
            "subsets or at fewer columns"
        )
    rows = {
        columns: first[unique]
        for columns, unique in _by_set([column[first] for column in codes], counts == 1, size)
        if unique.size
    }
    return MinimalUniques(len(codes), size, counts[same], 2 * int((counts == 2).sum()), rows)


def _by_set(
    columns: Sequence[Codes], single: NDArray[np.bool_], size: int
) -> Iterator[tuple[Columns, NDArray[np.int64]]]:
    """The rows, which are distinct, that are minimally unique on each set; `single` says which of them occur once."""
    smaller: dict[Columns, NDArray[np.bool_]] = {(): np.zeros(single.size, dtype=np.bool_)}
    for number in range(1, size + 1):
        larger = {}
        for chosen in combinations(range(len(columns)), number):
            known = np.logical_or.reduce([smaller[subset] for subset in combinations(chosen, number - 1)])
            left = np.flatnonzero(~known)
            found = left[:0]
            if left.size:
                alone, counts, _ = group_equal([columns[place][left] for place in chosen])
                found = left[alone[counts == 1]]
                found = np.sort(found[single[found]])
            yield chosen, found
            known[found] = True
            larger[chosen] = known
        smaller = larger
