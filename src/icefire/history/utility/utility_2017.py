"""UTL."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import ClassVar

from icefire.core.errors import Undefined
from icefire.core.values import Direction, Score
from icefire.history.data import History, Release
from icefire.history.roles import Utility
from icefire.history.utility.date_shift import DateShift
from icefire.history.utility.popular_items import PopularItems
from icefire.history.utility.popular_similarity import PopularSimilarity
from icefire.history.utility.price_ratio import PriceRatio
from icefire.history.utility.quantity_similarity import QuantitySimilarity
from icefire.history.utility.rows_deleted import RowsDeleted
from icefire.history.utility.small_quantity_similarity import SmallQuantitySimilarity

PARTS = (
    QuantitySimilarity,
    SmallQuantitySimilarity,
    PopularItems,
    PopularSimilarity,
    DateShift,
    PriceRatio,
    RowsDeleted,
)


@dataclass(frozen=True)
class Utility2017(Utility):
    """UTL: the largest of the seven numbers E1 to E6, the loss by which the contest of 2017 ranked releases.

    Numbers that records without prices or quantities do not have are left out.
    """

    aliases: ClassVar[tuple[str, ...]] = ("UTL",)

    def measure(self, original: History, release: Release) -> Score:
        parts = {}
        for part in PARTS:
            with suppress(Undefined):
                parts[part.title()] = part().measure(original, release).value
        return Score(max(parts.values()), Direction.LOWER_IS_BETTER, detail={"by column": parts})
