"""Unique item sets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import polars as pl

from icefire.core.values import BAD_SHARE, Scale, Score
from icefire.history.data import Guess, Release
from icefire.history.roles import Safety


@dataclass(frozen=True)
class UniqueItemSets(Safety):
    """Share of pseudonyms whose set of items is unique in the release: knowing the items is enough to find them.

    It needs no guess: it is what the release itself gives away.

    Example:
        Pseudonyms 1 and 2 have the same set {tea}; only 3 has {cup, tea}.

        >>> from icefire.history.data import Release
        >>> from icefire.history.examples import records
        >>> log = records("ann 2011-01-03 tea", "bob 2011-01-04 tea", "cid 2011-01-05 tea", "cid 2011-01-05 cup")
        >>> shown = records("1 2011-01-03 tea", "2 2011-01-04 tea", "3 2011-01-05 tea", "3 2011-01-05 cup")
        >>> round(UniqueItemSets().measure(Release(log, shown, [[0], [1], [2]], range(4))).value, 4)
        0.3333
    """

    scale: ClassVar[Scale] = BAD_SHARE
    aliases: ClassVar[tuple[str, ...]] = ("unique item sets",)

    def measure(self, release: Release, guess: Guess | None = None) -> Score:
        sets = release.published.frame.group_by("user").agg(pl.col("item").unique().sort())
        classes = sets.group_by("item").len()["len"].to_numpy()
        alone = int((classes == 1).sum())
        detail = {"unique": alone, "pseudonyms": sets.height, "smallest class": int(classes.min())}
        return self.score(alone / sets.height, detail=detail)
