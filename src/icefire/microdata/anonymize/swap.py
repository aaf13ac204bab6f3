"""Rank swapping."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Self

import numpy as np
from numpy.typing import NDArray

from icefire.core.parameters import Between
from icefire.microdata.cells import Cells, Floats
from icefire.microdata.data import Microdata, Release, columns_or_all
from icefire.microdata.roles import Anonymizer

MOVES = 200_000
"""Rows that are swapped to learn how far values move."""


@dataclass(frozen=True)
class Swap(Anonymizer):
    """Exchange values between people of similar rank, column by column.

    Each column's values are put in order and shuffled so that none moves by more than the window; every value stays in
    the table, so each column's distribution is untouched.

    Parameters:
        window: the largest move, as a share of the number of rows.
        columns: the columns to swap; all SA if left out.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.data import Microdata, Schema
        >>> people = Microdata(pl.DataFrame({"sex": ["f"] * 9, "pay": range(9)}), Schema(qi=["sex"], sa=["pay"]))
        >>> release = Swap(window=0.3).anonymize(people, np.random.default_rng(0))
        >>> sorted(release.published.frame["pay"]) == list(range(9))
        True

    Reference:
        Moore: Controlled data-swapping techniques for masking public use microdata sets. 1996.
    """

    window: Annotated[float, Between(0, 1)] = 0.05
    columns: tuple[str, ...] = ()

    @classmethod
    def variants(cls, original: Microdata) -> list[Self]:
        return [cls(window=window) for window in (0.02, 0.05, 0.2)]

    def anonymize(self, original: Microdata, rng: np.random.Generator) -> Release:
        changed = {}
        for name in self._names(original):
            changed[name] = original.frame[name][self._exchange(original.codes(name), rng)]
        return Release.shuffled(original, original.frame.with_columns(**changed), np.arange(original.height), rng)

    def _exchange(self, codes: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
        """Which row each row takes its value from."""
        # Equal values in random order, so that neighbours in the file are not favoured.
        order = np.lexsort((rng.random(codes.size), codes))
        reach = self.window * codes.size
        moved = np.argsort(np.arange(codes.size) + rng.uniform(0, reach, codes.size), kind="stable")
        source = np.empty(codes.size, dtype=np.int64)
        source[order] = order[moved]
        return source

    def likelihood(self, original: Microdata, name: str, cells: Cells) -> Floats | None:
        """A value comes from within the window around a person's rank: the linkage of Nin, Herranz and Torra (2008)."""
        if name not in self._names(original):
            return None
        size, counts = original.height, cells.domain.counts
        # How far values move depends on the number of rows alone, but for those near the ends, which have less room.
        moves = np.concatenate([self._moves(size, seed) for seed in range(-(-MOVES // size))])
        share = np.bincount(moves + size, minlength=2 * size + 1) / moves.size
        below = np.concatenate([[0.0], np.cumsum(np.concatenate([[0.0], np.cumsum(share)]))])
        ends = np.cumsum(counts)
        starts = ends - counts

        def upto(gaps: NDArray[np.int64]) -> Floats:
            return below[np.clip(gaps + size + 1, 0, below.size - 1)]

        # The chance that a row among the ranks of one value takes a row among the ranks of another: a sum over a rectangle.
        first, last = starts[:, None] - starts, ends[:, None] - starts
        inside = upto(last - 1) - upto(first - 1) - upto(last - counts - 1) + upto(first - counts - 1)
        between = np.maximum(inside, 0.0)
        return np.asarray(cells.fits.astype(np.float64) @ (between / between.sum(axis=0)))

    def _moves(self, size: int, seed: int) -> NDArray[np.int64]:
        """How many ranks away each value of a column without ties comes from."""
        return self._exchange(np.arange(size), np.random.default_rng(seed)) - np.arange(size)

    def _names(self, original: Microdata) -> tuple[str, ...]:
        return columns_or_all(self.columns, original.schema.names, "Swap") if self.columns else original.sa
