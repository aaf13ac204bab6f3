"""Share of rows that are unique on the quasi-identifiers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from icefire.core.values import BAD_SHARE, Scale, Score
from icefire.frames import relational
from icefire.microdata.data import Guess, Release
from icefire.microdata.roles import Safety


@dataclass(frozen=True)
class UniqueShare(Safety):
    """Share of published rows whose combination of QI is unique; the detail has the original's share.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.data import Microdata, Release, Schema
        >>> people = Microdata(pl.DataFrame({"sex": ["f", "f", "m", "x"]}), Schema(qi=["sex"]))
        >>> UniqueShare().measure(Release(people, people, np.arange(4))).value
        0.5

    Reference:
        Samarati, Sweeney 1998. The shares of the thesis, chapter 6, are those of `expected_identification`.
    """

    scale: ClassVar[Scale] = BAD_SHARE

    def measure(self, release: Release, guess: Guess | None = None) -> Score:
        after = relational.class_size_summary(release.published.native, release.published.qi)[2]
        before = relational.class_size_summary(release.original.native, release.original.qi)[2]
        return self.score(
            after / release.published.height,
            detail={"original": before / release.original.height},
        )
