"""Number of dropped rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from icefire.core.values import ERROR, Scale, Score
from icefire.microdata.data import Microdata, Release
from icefire.microdata.roles import Utility


@dataclass(frozen=True)
class RowsLost(Utility):
    """U6: by how much the number of rows differs.

    Parameters:
        share: whether it is a share of the original rows.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.data import Microdata, Release, Schema
        >>> schema = Schema(qi=["sex"])
        >>> original = Microdata(pl.DataFrame({"sex": ["f", "m"]}), schema)
        >>> RowsLost().measure(original, Release(original, original.take([0]), [0])).value
        1.0

    Reference:
        PWSCUP 2015, section 3.3.4.
    """

    share: bool = False
    scale: ClassVar[Scale] = ERROR
    aliases: ClassVar[tuple[str, ...]] = ("U6 nrow", "U6", "nrow")

    def measure(self, original: Microdata, release: Release) -> Score:
        lost = abs(original.height - release.published.height)
        return self.score(lost / original.height if self.share else float(lost))
