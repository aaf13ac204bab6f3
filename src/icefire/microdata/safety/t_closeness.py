"""t-closeness."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from icefire.core.values import BAD_SHARE, Scale
from icefire.microdata.constraints import Counts, distance_to_whole
from icefire.microdata.safety._sensitive import ByClass, Floats


@dataclass(frozen=True)
class TCloseness(ByClass):
    """t-closeness: the largest earth mover's distance between a class' sensitive values and the whole table's.

    The whole table is the original, or the release where its sensitive values were changed.

    Parameters:
        sensitive: the SA column; the worst of all if left out.
        order: "ordered" moves along the values' order, "unordered" counts every change the same, "auto" goes by type.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.data import Microdata, Release, Schema
        >>> people = Microdata(pl.DataFrame({"sex": list("ffmm"), "ill": list("yyyn")}), Schema(qi=["sex"], sa=["ill"]))
        >>> TCloseness().measure(Release(people, people, np.arange(4))).value
        0.25

    Reference:
        Li, Li, Venkatasubramanian: t-closeness: privacy beyond k-anonymity and l-diversity. ICDE 2007.
    """

    scale: ClassVar[Scale] = BAD_SHARE

    order: Literal["auto", "ordered", "unordered"] = "auto"

    def by_class(self, counts: Counts, whole: Floats, ordered: bool) -> Floats:
        return distance_to_whole(counts, whole, ordered if self.order == "auto" else self.order == "ordered")
