"""Delta-disclosure privacy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from icefire.core.values import ERROR, Scale
from icefire.microdata.constraints import Counts, largest_log_ratio
from icefire.microdata.safety._sensitive import ByClass, Floats


@dataclass(frozen=True)
class DeltaDisclosure(ByClass):
    """Delta-disclosure: the largest |log(share in a class / share in the whole table)| of a sensitive value.

    It has no value if some class lacks a value of the table, which tells everybody in the class that they do not have it.

    Parameters:
        sensitive: the SA column; the worst of all if left out.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.data import Microdata, Release, Schema
        >>> people = Microdata(pl.DataFrame({"sex": list("ffmmm"), "ill": list("ynynn")}), Schema(qi=["sex"], sa=["ill"]))
        >>> round(DeltaDisclosure().measure(Release(people, people, np.arange(5))).value, 4)
        0.2231

    Reference:
        Brickell, Shmatikov: The cost of privacy: destruction of data-mining utility in anonymized data publishing. KDD 2008.
    """

    scale: ClassVar[Scale] = ERROR
    aliases: ClassVar[tuple[str, ...]] = ("delta-disclosure",)

    def by_class(self, counts: Counts, whole: Floats, ordered: bool) -> Floats:
        return largest_log_ratio(counts, whole)
