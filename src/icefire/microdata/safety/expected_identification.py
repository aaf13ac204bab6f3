"""Expected identification: classes / rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from icefire.core.values import BAD_SHARE, Scale, Score
from icefire.frames import relational
from icefire.microdata.data import Guess, Release
from icefire.microdata.roles import Safety


@dataclass(frozen=True)
class ExpectedIdentification(Safety):
    """Expected share of rows that are found by guessing within their class: number of QI combinations / number of rows.

    The attacker knows the quasi-identifiers of everybody and guesses at random among the rows that share them, which finds one
    row of each class on average. The detail has the original's share.

    Example:
        Four rows in three classes: one of the two f, m and x are found.

        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.data import Microdata, Release, Schema
        >>> people = Microdata(pl.DataFrame({"sex": ["f", "f", "m", "x"]}), Schema(qi=["sex"]))
        >>> ExpectedIdentification().measure(Release(people, people, np.arange(4))).value
        0.75

    Reference:
        Ito, doctoral thesis, chapter 6 (24.9% before and 2.9% after 10-anonymization of 290,000 histories).
    """

    scale: ClassVar[Scale] = BAD_SHARE

    def measure(self, release: Release, guess: Guess | None = None) -> Score:
        after, before = (
            int(relational.class_sizes(table.native, table.qi)[1].sum()) / table.height
            for table in (release.published, release.original)
        )
        return self.score(after, detail={"original": before})
