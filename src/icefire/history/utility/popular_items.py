"""E3, first number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from icefire.core.parameters import AtLeast
from icefire.core.values import BAD_SHARE, Scale, Score
from icefire.history.data import History, Release
from icefire.history.roles import Utility
from icefire.history.utility._similarities import popular_items


@dataclass(frozen=True)
class PopularItems(Utility):
    """E3 (items): share of the most popular items, by distinct users, that are not among the release's most popular.

    Reference: rules of PWSCUP 2017.
    """

    scale: ClassVar[Scale] = BAD_SHARE
    number: Annotated[int, AtLeast(1)] = 100
    aliases: ClassVar[tuple[str, ...]] = ("E3 items",)

    def measure(self, original: History, release: Release) -> Score:
        before, after = popular_items(original, self.number), popular_items(release.published, self.number)
        missing = before.filter(~before.is_in(after.implode()))
        return self.score(len(missing) / len(before), detail={"lost": len(missing)})
