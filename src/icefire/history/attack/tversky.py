"""Tversky: what is missing counts more on one side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from icefire.core.parameters import AtLeast
from icefire.history.attack._similarity import SimilarityAttack, binary, row_sums
from icefire.history.facets import Matrix
from icefire.history.matching import Similarity


@dataclass(frozen=True)
class Tversky(SimilarityAttack):
    """Tversky index of item sets: with little weight on what only the release has, added records hardly matter.

    common / (common + published * only published + known * only known).
    """

    published: Annotated[float, AtLeast(0)] = 0.1
    known: Annotated[float, AtLeast(0)] = 1.0
    aliases: ClassVar[tuple[str, ...]] = ("Tversky",)

    def similarity(self, left: Matrix, right: Matrix) -> Similarity:
        left, right = binary(left), binary(right)
        return Similarity(left, right, (self.published, self.known), row_sums(left), row_sums(right))
