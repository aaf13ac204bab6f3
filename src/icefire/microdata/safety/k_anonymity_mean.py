"""k-anonymity: the mean size of a class of equal QI."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from icefire.core.values import CROWD, Scale, Score
from icefire.frames import relational
from icefire.microdata.data import Guess, Release
from icefire.microdata.roles import Safety


@dataclass(frozen=True)
class KAnonymityMean(Safety):
    """S2: number of published rows / number of different combinations of QI.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.data import Microdata, Release, Schema
        >>> people = Microdata(pl.DataFrame({"sex": ["f", "f", "m"], "pay": [1, 2, 3]}), Schema(qi=["sex"], sa=["pay"]))
        >>> KAnonymityMean().measure(Release(people, people, np.arange(3))).value
        1.5

    Reference:
        PWSCUP 2015, section 3.4.1.
    """

    scale: ClassVar[Scale] = CROWD
    aliases: ClassVar[tuple[str, ...]] = ("S2 k-anonyMean", "S2", "k-anonyMean")

    def measure(self, release: Release, guess: Guess | None = None) -> Score:
        _, classes, _ = relational.class_size_summary(release.published.native, release.published.qi)
        return self.score(release.published.height / classes, detail={"classes": classes})
