"""Column after column, each by a decision tree over those before it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
import polars as pl

from icefire.core.parameters import AtLeast
from icefire.synthetic.data import Floats, Ints, People, Release
from icefire.synthetic.donors import donors
from icefire.synthetic.encoding import BINS, Binned, binned
from icefire.synthetic.roles import Anonymizer
from icefire.synthetic.trees import grow, indicators


@dataclass(frozen=True)
class SequentialTrees(Anonymizer):
    """Draw one column after the other: each by a decision tree of those before it, from members in the same leaf (synthpop).

    The first column is drawn from all members. Values are published as they are, in new combinations.

    Parameters:
        least: number of members in a leaf at least.
        bins: number of bins of a numeric column where a tree asks for it.

    Example:
        >>> import numpy as np, polars as pl
        >>> table = pl.DataFrame({"a": [1, 2] * 20, "b": ["x", "y"] * 20})
        >>> made = SequentialTrees().anonymize(People(table, table), np.random.default_rng(0)).published
        >>> bool(((made["a"] == 1) == (made["b"] == "x")).all())
        True

    Reference:
        Reiter: Using CART to generate partially synthetic public use microdata. 2005; Nowok, Raab, Dibben: synthpop: bespoke
        creation of synthetic data in R. 2016.
    """

    least: Annotated[int, AtLeast(1)] = 5
    bins: Annotated[int, AtLeast(2)] = BINS

    @classmethod
    def variants(cls, original: People) -> list[SequentialTrees]:
        return [cls(least=least) for least in (5, 25)]

    def anonymize(self, original: People, rng: np.random.Generator) -> Release:
        members, count = original.members, original.people
        codes = binned([members], original.names, self.bins)
        rows = rng.integers(0, count, count)
        drawn = np.empty(codes.tables[0].shape, dtype=np.int32)
        columns = []
        for place, column in enumerate(members):
            if place:
                rows = self._donors(codes, drawn, members, place, rng)
            drawn[:, place] = codes.tables[0][rows, place]
            columns.append(column.gather(rows))
        return Release.shuffled(original, pl.DataFrame(columns), rng)

    def _donors(
        self, codes: Binned, drawn: np.ndarray, members: pl.DataFrame, place: int, rng: np.random.Generator
    ) -> Ints:
        """[drawn row]: a member of the leaf that the row falls into by its columns so far."""
        known, name = codes.tables[0][:, :place], members.columns[place]
        categorical = [not dtype.is_numeric() for dtype in members.dtypes[:place]]
        targets = _targets(members[name], codes.tables[0][:, place], codes.sizes[place])
        tree = grow(known, codes.sizes[:place], categorical, targets, self.least)
        return donors(tree.leaves(known), tree.leaves(drawn[:, :place]), rng)


def _targets(column: pl.Series, codes: np.ndarray, size: int) -> Floats:
    """What a tree tells apart: the numbers, and which are missing, on one scale; or the texts."""
    if not column.dtype.is_numeric():
        return indicators(codes, size)
    numbers = column.cast(pl.Float64).fill_null(float("nan")).to_numpy()
    missing = np.isnan(numbers)
    if missing.all():
        return np.zeros((numbers.size, 1))
    filled = np.where(missing, numbers[~missing].mean(), numbers)
    scaled = (filled - filled.mean()) / (filled.std() or 1.0)
    return np.stack([scaled, missing.astype(np.float64)], axis=1) if missing.any() else scaled[:, None]
