"""Distinct l-diversity."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from icefire.core.values import CROWD, Scale
from icefire.microdata.constraints import Counts, distinct
from icefire.microdata.safety._sensitive import ByClass, Floats


@dataclass(frozen=True)
class DistinctDiversity(ByClass):
    """Distinct l-diversity: the smallest number of different sensitive values in a class.

    Parameters:
        sensitive: the SA column; the worst of all if left out.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.data import Microdata, Release, Schema
        >>> people = Microdata(pl.DataFrame({"sex": list("ffmm"), "ill": list("ynyy")}), Schema(qi=["sex"], sa=["ill"]))
        >>> DistinctDiversity().measure(Release(people, people, np.arange(4))).value
        1.0

    Reference:
        Machanavajjhala et al.: l-diversity: privacy beyond k-anonymity. 2007.
    """

    scale: ClassVar[Scale] = CROWD

    def by_class(self, counts: Counts, whole: Floats, ordered: bool) -> Floats:
        return distinct(counts)
