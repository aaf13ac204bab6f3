"""Rounding of amounts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
import polars as pl

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
        whole = float(self.base).is_integer()
        frame = original.frame.with_columns(
            ((pl.col(name) / self.base).round() * self.base).cast(
                original.frame.schema[name] if whole or original.frame.schema[name].is_float() else pl.Float64
            )
            for name in names
        )
        return Release.shuffled(original, frame, np.arange(original.height), rng)
