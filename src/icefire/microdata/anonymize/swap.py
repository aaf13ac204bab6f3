"""Rank swapping."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Literal, Self, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from icefire.core.parameters import Between
from icefire.microdata.cells import Cells, Floats
from icefire.microdata.data import Microdata, Release, columns_or_all
from icefire.microdata.roles import Anonymizer

MOVES, RUNS = 1_000_000, 5_000
"""Rows that are swapped to learn how far values move, and the most tables, where they are small."""
FINENESS = 4
"""Parts of a rank that moves are told apart by."""

Moves: TypeAlias = Literal["window", "normal"]


@dataclass(frozen=True)
class Swap(Anonymizer):
    """Exchange values between people of similar rank, column by column.

    Each column's values are put in order and shuffled by random moves; every value stays in the table, so each column's
    distribution is untouched.

    Parameters:
        window: how far values move, as a share of the number of rows.
        columns: the columns to swap; all SA if left out.
        moves: "window": none moves by more than the window; moves are uniform. "normal": up or down, normal with half the
            window as mean and as deviation, so that no move is impossible (p-distribution rank swapping). At the same
            window these are 7/3 as long on average.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.data import Microdata, Schema
        >>> people = Microdata(pl.DataFrame({"sex": ["f"] * 9, "pay": range(9)}), Schema(qi=["sex"], sa=["pay"]))
        >>> release = Swap(window=0.3).anonymize(people, np.random.default_rng(0))
        >>> sorted(release.published.frame["pay"]) == list(range(9))
        True

    Reference:
        Moore: Controlled data-swapping techniques for masking public use microdata sets. 1996; for normal moves: Nin,
        Herranz, Torra: Rethinking rank swapping to decrease disclosure risk. 2008.
    """

    window: Annotated[float, Between(0, 1)] = 0.05
    columns: tuple[str, ...] = ()
    moves: Moves = "window"

    @classmethod
    def variants(cls, original: Microdata) -> list[Self]:
        return [cls(window=w, moves=moves) for moves in get_args(Moves) for w in (0.02, 0.05, 0.2)]

    def anonymize(self, original: Microdata, rng: np.random.Generator) -> Release:
        changed = {}
        for name in self._names(original):
            changed[name] = original.frame[name][self._exchange(original.codes(name), rng)]
        return Release.shuffled(original, original.frame.with_columns(**changed), np.arange(original.height), rng)

    def _exchange(self, codes: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
        """Which row each row takes its value from."""
        # Equal values in random order, so that neighbours in the file are not favoured.
        order = np.lexsort((rng.random(codes.size), codes))
        moved = np.argsort(np.arange(codes.size) + self._offsets(codes.size, rng), kind="stable")
        source = np.empty(codes.size, dtype=np.int64)
        source[order] = order[moved]
        return source

    def _offsets(self, size: int, rng: np.random.Generator) -> Floats:
        reach = self.window * size
        if self.moves == "window":
            return rng.uniform(0, reach, size)
        return rng.choice([-1.0, 1.0], size) * rng.normal(reach / 2, reach / 2, size)

    def likelihood(self, original: Microdata, name: str, cells: Cells) -> Floats | None:
        """By how far values move; with a window, they come from within it around a person's rank: the linkage of Nin, Herranz
        and Torra (2008)."""
        if name not in self._names(original):
            return None
        values = np.flatnonzero(cells.fits.any(axis=0))
        ends = np.cumsum(cells.domain.counts)
        starts = ends - cells.domain.counts
        places, share = _law(self, original.height)
        size = original.height

        def below(ranks: NDArray[np.int64]) -> Floats:
            """[rank, place]: how often the row at the place takes its value from below the rank."""
            gaps = (places - ranks[:, None] + 0.5 + size) * FINENESS
            return 1.0 - share[np.clip(gaps, 0, share.size - 1).astype(np.int64)]

        chance = below(ends[values]) - below(starts[values])
        chance /= below(np.array([size])) - below(np.array([0]))
        taken = np.add.reduceat(chance, starts, axis=1) / cells.domain.counts
        # Nearly all cells fit a single value.
        return np.asarray(sparse.csr_array(cells.fits[:, values], dtype=np.float64) @ taken)

    def _names(self, original: Microdata) -> tuple[str, ...]:
        return columns_or_all(self.columns, original.schema.names, "Swap") if self.columns else original.sa


@lru_cache(maxsize=16)
def _law(step: Swap, size: int) -> tuple[Floats, Floats]:
    """How far values move, learned from columns without ties.

    Values are sorted by their rank plus an offset. `places` is the usual sum at each place of the order: beyond the ends of
    the ranks for the first and the last. `share` is how often a place minus the rank of the value in it stays below a bound,
    which runs from -size to size in steps of 1/FINENESS. That is alike everywhere, unlike moves, which have less room at the
    ends.
    """
    seeds = range(min(-(-MOVES // size), RUNS))
    sums = [np.arange(size) + step._offsets(size, np.random.default_rng(seed)) for seed in seeds]
    moved = [np.argsort(column, kind="stable") for column in sums]
    places = np.mean([column[order] for column, order in zip(sums, moved, strict=True)], axis=0)
    places -= places.mean() - (size - 1) / 2
    gaps = np.concatenate([places - order for order in moved])
    edges = np.arange(-size, size + 1 / FINENESS, 1 / FINENESS)
    # Moves up and down are equally likely.
    both = np.sort(np.concatenate([gaps, -gaps]))
    return places, np.searchsorted(both, edges) / both.size
