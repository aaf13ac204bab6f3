"""Suppression of columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from icefire.core.errors import ParameterError
from icefire.microdata.data import EngineRelease, Microdata, Release, columns_or_all
from icefire.microdata.roles import Anonymizer


@dataclass(frozen=True)
class DropColumns(Anonymizer):
    """Leave out whole columns.

    Parameters:
        columns: the columns to leave out.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.data import Microdata, Schema
        >>> people = Microdata(pl.DataFrame({"sex": ["f", "m"], "pay": [1, 2]}), Schema(qi=["sex"], sa=["pay"]))
        >>> DropColumns(columns=["sex"]).anonymize(people, np.random.default_rng(0)).published.frame.columns
        ['pay']
    """

    deterministic: ClassVar[bool] = True
    columns: tuple[str, ...]

    def anonymize(self, original: Microdata, rng: np.random.Generator) -> Release:
        columns_or_all(self.columns, original.schema.names, "DropColumns")
        if set(original.schema.names) <= set(self.columns):
            raise ParameterError.of("DropColumns", "columns", "a list that leaves at least one column", self.columns)
        if original.stays:
            return EngineRelease.recoded(original, (), dropped=self.columns)
        frame = original.frame.drop(self.columns)
        return Release.shuffled(original, frame, np.arange(original.height), rng)
