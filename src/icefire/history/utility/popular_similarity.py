"""E3 of PWSCUP 2017, second number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from icefire.core.parameters import AtLeast
from icefire.core.values import BAD_SHARE, Scale, Score
from icefire.history.data import History, Release
from icefire.history.roles import Utility
from icefire.history.utility._similarities import popular_items, similarity_distance


@dataclass(frozen=True)
class PopularSimilarity(Utility):
    """E3 (similarity): how much the similarity of the most popular items has changed, going by who bought them at all.

    The similarity of two items is the cosine of their customers; the sum of the changes is divided by the sum before.

    Parameters:
        number: how many of the most popular items are compared.

    Example:
        Tea is bought by (ann, bob) = (1, 1), the cup by (1, 0): cosine 0.7071. Under the release it is 1.

        >>> from icefire.history.data import Release
        >>> from icefire.history.examples import records
        >>> before = records("ann 2011-01-03 tea", "bob 2011-01-04 tea", "ann 2011-01-05 cup")
        >>> after = records("1 2011-01-03 tea", "1 2011-01-05 cup")
        >>> round(PopularSimilarity().measure(before, Release(before, after, [[0], [-1]], [0, 2])).value, 4)
        0.4142

    Reference:
        Rules of PWSCUP 2017.
    """

    scale: ClassVar[Scale] = BAD_SHARE
    number: Annotated[int, AtLeast(1)] = 100
    aliases: ClassVar[tuple[str, ...]] = ("E3 similarity",)

    def measure(self, original: History, release: Release) -> Score:
        chosen = popular_items(original, self.number)
        value = similarity_distance(original, release, lambda total: (total > 0).astype(float), chosen)
        return self.score(value)
