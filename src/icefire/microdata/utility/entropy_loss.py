"""Loss of generalized cells in bits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from icefire.core.errors import Undefined
from icefire.core.values import ERROR, Scale, Score
from icefire.microdata.data import Microdata, Release
from icefire.microdata.roles import Utility


@dataclass(frozen=True)
class EntropyLoss(Utility):
    """How much is unknown of a QI value (entropy in bits), given its published cell, on average.

    Columns count by their importance in the schema.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.data import Microdata, Release, Schema
        >>> people = Microdata(pl.DataFrame({"sex": ["f", "f", "m", "m"]}), Schema(qi=["sex"]))
        >>> cells = Microdata(pl.DataFrame({"sex": ["f", "f", "*", "*"]}), Schema(qi=["sex"]))
        >>> EntropyLoss().measure(people, Release(people, cells, np.arange(4))).value
        0.5

    Reference:
        Gionis, Tassa: k-Anonymization with minimal loss of information. 2009.
    """

    scale: ClassVar[Scale] = ERROR
    aliases: ClassVar[tuple[str, ...]] = ("entropy measure",)

    def measure(self, original: Microdata, release: Release) -> Score:
        names = [name for name in original.qi if name in release.published.qi]
        if not names:
            raise Undefined("the release has no QI columns")
        by_column = {name: self._bits(original, release, name) for name in names}
        weights = original.schema.importance(names)
        return self.score(float(np.average(list(by_column.values()), weights=weights)), detail={"by column": by_column})

    def _bits(self, original: Microdata, release: Release, name: str) -> float:
        share = original.domain(name).counts / original.domain(name).counts.sum()
        cells, counts = release.distinct_cells(name)
        bits = np.zeros(len(cells.texts))
        for row, members in enumerate(cells.members):
            # A cell that stands for no known value counts like *.
            inside = share[members] if members.size else share
            inside = inside[inside > 0] / inside.sum()
            bits[row] = -(inside * np.log2(inside)).sum()
        return float(bits[cells.codes] @ counts / counts.sum())
