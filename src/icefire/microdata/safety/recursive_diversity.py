"""Recursive (c, l)-diversity."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from icefire.core.parameters import AtLeast
from icefire.core.values import ERROR, Scale
from icefire.microdata.constraints import Counts, recursive
from icefire.microdata.safety._sensitive import ByClass, Floats


@dataclass(frozen=True)
class RecursiveDiversity(ByClass):
    """Recursive (c, l)-diversity: the largest r_1 / (r_l + ... + r_m) of a class; the release has it for any larger c.

    Parameters:
        sensitive: the SA column; the worst of all if left out.
        l: from which value on the rarer ones are added up.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.data import Microdata, Release, Schema
        >>> people = Microdata(pl.DataFrame({"sex": list("fffff"), "ill": list("aaabc")}), Schema(qi=["sex"], sa=["ill"]))
        >>> RecursiveDiversity(l=2).measure(Release(people, people, np.arange(5))).value
        1.5

    Reference:
        Machanavajjhala et al.: l-diversity: privacy beyond k-anonymity. 2007.
    """

    scale: ClassVar[Scale] = ERROR

    l: Annotated[int, AtLeast(2)] = 2  # noqa: E741

    def by_class(self, counts: Counts, whole: Floats, ordered: bool) -> Floats:
        return recursive(counts, self.l)
