"""Are cross tables kept?"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

import numpy as np

from icefire.core.errors import Undefined
from icefire.core.values import BAD_SHARE, Scale, Score
from icefire.microdata.data import Microdata, Release
from icefire.microdata.roles import Utility
from icefire.microdata.utility._analyses import Analyses

MAX_TABLES = 60
"""Pairs of columns; the first ones, if there are more."""


@dataclass(frozen=True)
class CrossTables(Utility):
    """Share of the people who stand in another cell of a table of two columns, on average.

    The total-variation distance of the tables before and after, over all pairs of quasi-identifiers
    and of a quasi-identifier and a sensitive column (at most eight groups each). Generalized cells
    count for each value that they may stand for.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.data import Microdata, Release, Schema
        >>> schema = Schema(qi=["sex"], sa=["ill"])
        >>> people = Microdata(pl.DataFrame({"sex": list("ffmm"), "ill": list("yynn")}), schema)
        >>> cells = Microdata(people.frame.with_columns(sex=pl.lit("*")), schema)
        >>> CrossTables().measure(people, Release(people, cells, np.arange(4))).value
        0.5
    """

    scale: ClassVar[Scale] = BAD_SHARE

    def measure(self, original: Microdata, release: Release) -> Score:
        pairs = [*combinations(original.qi, 2), *((qi, sa) for qi in original.qi for sa in original.sa)]
        if not pairs:
            raise Undefined("a cross table needs a quasi-identifier and another column")
        analyses = Analyses(original, release)
        chosen = pairs[:MAX_TABLES]
        groups = {name: analyses.groups(name) for pair in chosen for name in pair}
        errors = []
        for left, right in chosen:
            before, after = (a.T @ b / a.shape[0] for a, b in zip(groups[left], groups[right], strict=True))
            errors.append(float(np.abs(before - after).sum()) / 2)
        return self.score(float(np.mean(errors)))
