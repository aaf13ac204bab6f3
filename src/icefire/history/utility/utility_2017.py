"""UTL, the utility of PWSCUP 2017."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from icefire.core.values import BAD_SHARE, Scale, Score
from icefire.history.data import History, Release
from icefire.history.roles import Utility
from icefire.history.utility.date_shift import DateShift
from icefire.history.utility.popular_items import PopularItems
from icefire.history.utility.popular_similarity import PopularSimilarity
from icefire.history.utility.price_ratio import PriceRatio
from icefire.history.utility.quantity_similarity import QuantitySimilarity
from icefire.history.utility.rows_deleted import RowsDeleted
from icefire.history.utility.small_quantity_similarity import SmallQuantitySimilarity

PARTS: dict[type[Utility], str] = {
    QuantitySimilarity: "quantity",
    SmallQuantitySimilarity: "quantity",
    PopularItems: "item",
    PopularSimilarity: "item",
    DateShift: "date",
    PriceRatio: "price",
    RowsDeleted: "item",
}
"""The seven numbers, each with the column it needs."""


@dataclass(frozen=True)
class Utility2017(Utility):
    """UTL: the largest of the seven numbers E1 to E6, the loss by which the contest of 2017 ranked releases.

    Where the original has no prices or no quantities, the numbers that need them are left out.

    Example:
        Half of the records are deleted (E6); of the most popular items only one of three is left (E3).

        >>> from icefire.history.data import Release
        >>> from icefire.history.examples import records
        >>> before = records("ann 2011-01-03 tea", "ann 2011-01-03 cup", "bob 2011-01-04 tea", "bob 2011-01-04 pen")
        >>> after = records("1 2011-01-03 tea", "2 2011-01-04 tea")
        >>> score = Utility2017().measure(before, Release(before, after, [[0], [1]], [0, 2]))
        >>> score.value, {name: round(value, 4) for name, value in score.by_column().items()}
        (1.0, {'E3 items': 0.6667, 'E3 similarity': 1.0, 'E4': 0.0, 'E6': 0.5})

    Reference:
        Rules of PWSCUP 2017.
    """

    scale: ClassVar[Scale] = BAD_SHARE
    aliases: ClassVar[tuple[str, ...]] = ("UTL",)

    def measure(self, original: History, release: Release) -> Score:
        present = [part for part, column in PARTS.items() if original.has(column)]
        parts = {part.title(): part().measure(original, release).value for part in present}
        return self.score(max(parts.values()), detail={"by column": parts})
