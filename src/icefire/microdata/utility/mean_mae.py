"""Error of the averages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from icefire.core.values import ERROR, Scale, Score
from icefire.microdata.data import Microdata, Release
from icefire.microdata.roles import Utility
from icefire.microdata.utility._amounts import means_of, sensitive_amounts


@dataclass(frozen=True)
class MeanMae(Utility):
    """U1: how far the averages of the sensitive amounts have moved, on average.

    A column that was not published counts with an average of 0. The paper calls it the mean absolute error over the sensitive
    attributes, but prints the sum over them divided by m, which is the number of all columns there; ranks are the same.

    Parameters:
        divisor: "sensitive" for the mean over the sensitive amounts, "all" for the formula as it is printed.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.data import Microdata, Release, Schema
        >>> schema = Schema(qi=["sex"], sa=["a", "b"])
        >>> original = Microdata(pl.DataFrame({"sex": ["f", "m"], "a": [1, 3], "b": [10, 20]}), schema)
        >>> published = Microdata(pl.DataFrame({"sex": ["f", "m"], "a": [1, 4], "b": [10, 18]}), schema)
        >>> MeanMae().measure(original, Release(original, published, np.arange(2))).value
        0.75
        >>> MeanMae(divisor="all").measure(original, Release(original, published, np.arange(2))).value
        0.5

    Reference:
        PWSCUP 2015, section 3.3.1.
    """

    scale: ClassVar[Scale] = ERROR
    aliases: ClassVar[tuple[str, ...]] = ("U1 meanMAE", "U1", "meanMAE")
    divisor: Literal["sensitive", "all"] = "sensitive"

    def measure(self, original: Microdata, release: Release) -> Score:
        names, published = sensitive_amounts(original, release)
        before, after = means_of(original, original, names), means_of(release.published, original, published)
        by_column = {name: abs(before[name] - after.get(name, 0.0)) for name in names}
        count = len(names) if self.divisor == "sensitive" else len(original.schema.names)
        return self.score(float(np.sum(list(by_column.values())) / count), detail={"by column": by_column})
