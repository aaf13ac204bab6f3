"""E3, second number."""

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
    """E3 (similarity): how much the similarity of the most popular items has changed, bought or not bought.

    Reference: rules of PWSCUP 2017.
    """

    scale: ClassVar[Scale] = BAD_SHARE
    number: Annotated[int, AtLeast(1)] = 100
    aliases: ClassVar[tuple[str, ...]] = ("E3 similarity",)

    def measure(self, original: History, release: Release) -> Score:
        chosen = popular_items(original, self.number)
        value = similarity_distance(original, release, lambda total: (total > 0).astype(float), chosen)
        return self.score(value)
