"""Jaccard: sets of items."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from icefire.history.attack._similarity import SimilarityAttack, binary, row_sums
from icefire.history.facets import Matrix
from icefire.history.matching import Similarity


@dataclass(frozen=True)
class Jaccard(SimilarityAttack):
    """Jaccard similarity of item sets: each pseudonym is the customer whose items overlap most with its own.

    Reference: Harada, Ito, Kikuchi 2017, Algorithm 1.

    >>> Jaccard(assign="assignment", records=3).step()
    "jaccard(assign='assignment', records=3)"
    """

    aliases: ClassVar[tuple[str, ...]] = ("Jaccard",)

    def similarity(self, left: Matrix, right: Matrix) -> Similarity:
        left, right = binary(left), binary(right)
        return Similarity(left, right, (1.0, 1.0), row_sums(left), row_sums(right))
