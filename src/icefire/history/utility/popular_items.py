"""E3 of PWSCUP 2017, first number."""

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

    Parameters:
        number: how many of the most popular items are compared.

    Example:
        >>> from icefire.history.data import Release
        >>> from icefire.history.examples import records
        >>> before = records("ann 2011-01-03 tea", "bob 2011-01-04 tea", "ann 2011-01-05 cup")
        >>> after = records("1 2011-01-03 pen", "2 2011-01-04 pen", "1 2011-01-05 cup")
        >>> release = Release(before, after, [[0], [1]], [0, 1, 2])
        >>> PopularItems(number=1).measure(before, release).value, PopularItems(number=2).measure(before, release).value
        (1.0, 0.5)

    Reference:
        Rules of PWSCUP 2017.
    """

    scale: ClassVar[Scale] = BAD_SHARE
    number: Annotated[int, AtLeast(1)] = 100
    aliases: ClassVar[tuple[str, ...]] = ("E3 items",)

    def measure(self, original: History, release: Release) -> Score:
        before, after = popular_items(original, self.number), popular_items(release.published, self.number)
        missing = before.filter(~before.is_in(after.implode()))
        return self.score(len(missing) / len(before), detail={"lost": len(missing)})
