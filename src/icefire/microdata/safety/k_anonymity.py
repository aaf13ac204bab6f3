"""k-anonymity: the smallest class of equal QI."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from icefire.core.documents import JsonObject
from icefire.core.values import CROWD, Scale, Score
from icefire.frames import relational
from icefire.microdata.data import Guess, Release
from icefire.microdata.roles import Safety


@dataclass(frozen=True)
class KAnonymity(Safety):
    """S1: the smallest number of published rows that share one combination of QI. A missing value is a value.

    What other published columns tell about a QI counts, too: an age group that stands beside the generalized age, or a day of
    birth, from which the age follows.

    Parameters:
        copies: whether what other columns tell about the QI is counted; without it, as in the contest of 2015.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.data import Microdata, Release, Schema
        >>> people = Microdata(pl.DataFrame({"sex": ["f", "f", None], "pay": [1, 2, 3]}), Schema(qi=["sex"], sa=["pay"]))
        >>> KAnonymity().measure(Release(people, people, np.arange(3))).value
        1.0

    Reference:
        Sweeney: k-anonymity: a model for protecting privacy. 2002; PWSCUP 2015, section 3.4.1.
    """

    scale: ClassVar[Scale] = CROWD
    aliases: ClassVar[tuple[str, ...]] = ("S1 k-anony", "S1", "k-anony")
    copies: bool = True

    def measure(self, release: Release, guess: Guess | None = None) -> Score:
        table, names, told = release.published.native, list(release.published.qi), list[str]()
        if self.copies:
            table, names, told = release.told_apart(), release.telling.names, release.telling.told
        least, classes, _ = relational.class_size_summary(table, names)
        counted: JsonObject = {"told by": [*told]} if told else {}
        return self.score(float(least), detail={"classes": classes, **counted})
