"""Rank swapping."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Self

import numpy as np
from numpy.typing import NDArray

from icefire.core.parameters import Between
from icefire.microdata.data import Microdata, Release, columns_or_all
from icefire.microdata.roles import Anonymizer


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
        names = columns_or_all(self.columns, original.schema.names, "Swap") if self.columns else original.sa
        changed = {}
        for name in names:
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
