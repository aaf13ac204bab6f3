"""Nearest mean price, S7."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from icefire.core.errors import Undefined
from icefire.history.attack._ratios import by_ratio
from icefire.history.data import Guess, History
from icefire.history.roles import Attack


@dataclass(frozen=True)
class MeanPrice(Attack):
    """Mean unit price of the period: the pseudonym whose mean price is nearest by ratio.

    Example:
        Ann pays 4 on average. By ratio the 8 of pseudonym 1 is nearer (4/8) than the 1 of pseudonym 2 (1/4).

        >>> import numpy as np
        >>> from icefire.history.examples import records
        >>> known = records("ann 2011-01-03 tea 3", "ann 2011-01-04 cup 5")
        >>> published = records("1 2011-01-03 pen 8", "2 2011-01-03 tea 1")
        >>> MeanPrice().attack(published, known, np.random.default_rng(0)).table.tolist()
        [[0]]

    Reference:
        Tran, Sakamoto, Matsunaga 2018 (S7).
    """

    aliases: ClassVar[tuple[str, ...]] = ("S7",)
    on_engine: ClassVar[bool] = True

    def attack(self, published: History, knowledge: History, rng: np.random.Generator) -> Guess:
        if not (published.has("price") and knowledge.has("price")):
            raise Undefined("these records have no prices")
        return by_ratio(published, knowledge, "price", rng)
