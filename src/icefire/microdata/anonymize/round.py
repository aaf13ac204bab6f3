"""Rounding of amounts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
import polars as pl

from icefire.core.grid import MOST, own_decimals, rounded
from icefire.core.parameters import Above
from icefire.microdata.data import Microdata, Release, columns_or_all
from icefire.microdata.roles import Anonymizer


@dataclass(frozen=True)
class Round(Anonymizer):
    """Round amounts to the nearest multiple of a base.

    Parameters:
        base: the unit to round to, such as 100 or 0.5.
        columns: the numeric columns; all numeric SA if left out.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.data import Microdata, Schema
        >>> people = Microdata(pl.DataFrame({"sex": ["f", "m"], "pay": [1234, 1270]}), Schema(qi=["sex"], sa=["pay"]))
        >>> sorted(Round(base=100).anonymize(people, np.random.default_rng(0)).published.frame["pay"])
        [1200, 1300]
    """

    deterministic: ClassVar[bool] = True
    base: Annotated[float, Above(0)]
    columns: tuple[str, ...] = ()

    def anonymize(self, original: Microdata, rng: np.random.Generator) -> Release:
        names = columns_or_all(self.columns, original.numeric, "Round") if self.columns else original.numeric_sa
        frame = original.frame.with_columns(self._multiples(original.frame[name]) for name in names)
        return Release.shuffled(original, frame, np.arange(original.height), rng)

    def _multiples(self, column: pl.Series) -> pl.Series:
        multiples = (column / self.base).round() * self.base
        if float(self.base).is_integer():
            return multiples.cast(column.dtype)
        # 3 times 0.1 is 0.30000000000000004.
        decimals = own_decimals([self.base])
        tidy = rounded(multiples.to_numpy(), MOST if decimals is None else decimals)
        return pl.Series(column.name, tidy).set(column.is_null(), None)
