"""Nearest amount among the rows of equal QI."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from icefire.microdata.attack._candidates import Candidates, candidates
from icefire.microdata.attack._ranking import amounts, first_amount
from icefire.microdata.costs import ROUNDING
from icefire.microdata.data import Guess, Microdata
from icefire.microdata.roles import Attack

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class IdSa(Attack):
    """Among the original rows that agree on all QI take the one nearest in one amount.

    Where no row agrees it takes the nearest of all rows. Ties are stated; the row it names is the lowest of them, as in the
    contest.

    Parameters:
        column: the amount to compare; the first one if left out.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.data import Microdata, Schema
        >>> schema = Schema(qi=["sex"], sa=["pay"])
        >>> original = Microdata(pl.DataFrame({"sex": ["f", "f", "m"], "pay": [10, 20, 19]}), schema)
        >>> published = Microdata(pl.DataFrame({"sex": ["f", "m"], "pay": [18, 12]}), schema)
        >>> IdSa().attack(published, original, np.random.default_rng(0)).rows.tolist()
        [1, 2]

    Reference:
        PWSCUP 2015, algorithm 3.
    """

    aliases: ClassVar[tuple[str, ...]] = ("E4 IdSA", "E4", "idsa")

    column: str | None = None

    @classmethod
    def variants(cls, published: Microdata, knowledge: Microdata) -> list[IdSa]:
        return [cls(column=name) for name in knowledge.numeric_sa if name in published.schema.names] or [cls()]

    def attack(self, published: Microdata, knowledge: Microdata, rng: np.random.Generator) -> Guess:
        released, known = amounts(published, knowledge, first_amount(published, knowledge, self.column))
        found = candidates(published, knowledge)
        # One more class, of all rows, for published rows without a candidate; missing amounts count as 0.
        everyone = found.counts.size
        starts = np.append(found.starts, found.rows.size + known.size)
        widened = Candidates(found.class_of, starts, np.concatenate([found.rows, np.arange(known.size)]))
        classes = np.where(found.counts[found.class_of] > 0, found.class_of, everyone)
        return _nearest(widened, classes, np.nan_to_num(released), np.nan_to_num(known))


def _nearest(found: Candidates, classes: Ints, released: Floats, known: Floats) -> Guess:
    """For each released amount the rows of its class with the nearest known amount."""
    class_of_pair = np.repeat(np.arange(found.counts.size), found.counts)
    scale, rank = np.unique(np.concatenate([known, released]), return_inverse=True)
    known_rank, released_rank = rank[: known.size], rank[known.size :]
    order = np.lexsort((found.rows, known_rank[found.rows], class_of_pair))
    rows = found.rows[order]
    key = class_of_pair[order] * scale.size + known_rank[rows]
    wanted = classes * scale.size + released_rank
    right = np.searchsorted(key, wanted)
    left = right - 1
    has_right, has_left = right < found.starts[classes + 1], left >= found.starts[classes]
    far = np.full(released.size, np.inf)
    to_right = np.where(has_right, np.abs(known[rows[np.minimum(right, rows.size - 1)]] - released), far)
    to_left = np.where(has_left, np.abs(known[rows[np.maximum(left, 0)]] - released), far)
    # Equal amounts stand together, the lowest row first: a run on the left, and one on the right that begins where it ends.
    run = np.searchsorted(key, key[np.maximum(left, 0)])
    end = np.searchsorted(key, key[np.minimum(right, rows.size - 1)], side="right")
    left_row, right_row = rows[run], rows[np.minimum(right, rows.size - 1)]
    slack = ROUNDING * np.abs(released)
    by_left, by_right = to_left <= to_right + slack, to_right <= to_left + slack
    tie = np.minimum(left_row, right_row)
    lowest = np.where(by_left & by_right, tie, np.where(by_left, left_row, right_row))
    begin = np.where(by_left, run, right)
    return Guess.among(lowest, rows, begin, np.where(by_right, end, right) - begin, known.size)
