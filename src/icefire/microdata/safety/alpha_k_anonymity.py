"""(alpha, k)-anonymity."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from icefire.core.values import BAD_SHARE, Scale
from icefire.microdata.constraints import Counts, largest_share
from icefire.microdata.safety._sensitive import ByClass, Floats


@dataclass(frozen=True)
class AlphaKAnonymity(ByClass):
    """(alpha, k)-anonymity: the largest share of one sensitive value in a class, which is what can be said of its people.

    The smallest class, k, is measured by `k_anonymity`.

    Parameters:
        sensitive: the SA column; the worst of all if left out.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.data import Microdata, Release, Schema
        >>> people = Microdata(pl.DataFrame({"sex": list("ffmmm"), "ill": list("ynyyn")}), Schema(qi=["sex"], sa=["ill"]))
        >>> round(AlphaKAnonymity().measure(Release(people, people, np.arange(5))).value, 4)
        0.6667

    Reference:
        Wong, Li, Fu, Wang: (alpha, k)-anonymity: an enhanced k-anonymity model for privacy preserving data publishing. 2006.
    """

    scale: ClassVar[Scale] = BAD_SHARE
    aliases: ClassVar[tuple[str, ...]] = ("(alpha, k)-anonymity",)

    def by_class(self, counts: Counts, whole: Floats, ordered: bool) -> Floats:
        return largest_share(counts)
