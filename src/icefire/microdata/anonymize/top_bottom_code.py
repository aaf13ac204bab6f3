"""Top and bottom coding."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl

from icefire.core.errors import ParameterError
from icefire.core.parameters import Share
from icefire.microdata.data import Microdata, Release, columns_or_all
from icefire.microdata.roles import Anonymizer


@dataclass(frozen=True)
class TopBottomCode(Anonymizer):
    """Replace amounts beyond a bound by the bound.

    Parameters:
        columns: the numeric columns; all numeric SA if left out.
        upper, lower: bounds as quantiles of the column.
        at_most, at_least: bounds as amounts; they go before the quantiles.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.data import Microdata, Schema
        >>> people = Microdata(pl.DataFrame({"sex": ["f", "m"], "pay": [10, 900]}), Schema(qi=["sex"], sa=["pay"]))
        >>> sorted(TopBottomCode(at_most=100).anonymize(people, np.random.default_rng(0)).published.frame["pay"])
        [10, 100]
    """

    deterministic: ClassVar[bool] = True
    columns: tuple[str, ...] = ()
    upper: Share = 0.99
    lower: Share = 0.0
    at_most: float | None = None
    at_least: float | None = None

    def anonymize(self, original: Microdata, rng: np.random.Generator) -> Release:
        names = columns_or_all(self.columns, original.numeric, "TopBottomCode") if self.columns else original.numeric_sa
        frame = original.frame
        for name in names:
            column = frame[name]
            low = self.at_least if self.at_least is not None else column.quantile(self.lower, "nearest")
            high = self.at_most if self.at_most is not None else column.quantile(self.upper, "nearest")
            if low is not None and high is not None:
                if low > high:
                    raise ParameterError(
                        f"TopBottomCode: the lower bound {low} of {name!r} lies above the upper one {high}."
                    )
                frame = frame.with_columns(pl.col(name).clip(low, high))
        return Release.shuffled(original, frame, np.arange(original.height), rng)
