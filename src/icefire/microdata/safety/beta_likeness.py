"""Beta-likeness."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from icefire.core.values import ERROR, Scale
from icefire.microdata.constraints import Counts, largest_gain
from icefire.microdata.safety._sensitive import ByClass, Floats


@dataclass(frozen=True)
class BetaLikeness(ByClass):
    """Beta-likeness: by how much a sensitive value is at most more frequent in a class than in the whole table, relatively.

    A value of 1% in the table and 5% in a class gives beta = 4. Unlike t-closeness, it protects rare values as well as frequent
    ones. The whole table is the original, or the release where its sensitive values were changed.

    Parameters:
        sensitive: the SA column; the worst of all if left out.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.data import Microdata, Release, Schema
        >>> people = Microdata(pl.DataFrame({"sex": list("ffmm"), "ill": list("ynnn")}), Schema(qi=["sex"], sa=["ill"]))
        >>> BetaLikeness().measure(Release(people, people, np.arange(4))).value
        1.0

    Reference:
        Cao, Karras: Publishing microdata with a robust privacy guarantee. VLDB 2012 (basic beta-likeness).
    """

    scale: ClassVar[Scale] = ERROR
    aliases: ClassVar[tuple[str, ...]] = ("beta-likeness",)

    def by_class(self, counts: Counts, whole: Floats, ordered: bool) -> Floats:
        return largest_gain(counts, whole)
