"""Columns apart from each other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from icefire.synthetic.data import People, Release
from icefire.synthetic.roles import Anonymizer


@dataclass(frozen=True)
class Independent(Anonymizer):
    """Draw every column by itself from the members' values: distributions stay, and no relation of columns does.

    Example:
        >>> import numpy as np, polars as pl
        >>> people = People(pl.DataFrame({"a": [1, 2], "b": ["x", "y"]}), pl.DataFrame({"a": [3], "b": ["z"]}))
        >>> Independent().anonymize(people, np.random.default_rng(0)).published.columns
        ['a', 'b']
    """

    def anonymize(self, original: People, rng: np.random.Generator) -> Release:
        count = original.people
        columns = [column.gather(rng.integers(0, count, count)) for column in original.members]
        return Release.shuffled(original, pl.DataFrame(columns), rng)
