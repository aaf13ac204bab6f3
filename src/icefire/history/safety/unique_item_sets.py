"""Item sets that nobody else has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import polars as pl

from icefire.core.values import BAD_SHARE, Scale, Score
from icefire.history.data import Guess, Release
from icefire.history.roles import Safety


@dataclass(frozen=True)
class UniqueItemSets(Safety):
    """Share of pseudonyms whose set of items no other pseudonym has: whoever knows it, knows them.

    No guess is needed: it is what the release itself gives away.
    """

    scale: ClassVar[Scale] = BAD_SHARE
    aliases: ClassVar[tuple[str, ...]] = ("unique item sets",)

    def measure(self, release: Release, guess: Guess | None = None) -> Score:
        sets = release.published.frame.group_by("user").agg(pl.col("item").unique().sort())
        classes = sets.group_by("item").len()["len"]
        alone = int((classes == 1).sum())
        detail = {"unique": alone, "pseudonyms": sets.height, "smallest class": int(classes.min())}  # type: ignore[arg-type]
        return self.score(alone / sets.height, detail=detail)
