"""S7: mean price."""

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

    Reference: Tran, Sakamoto, Matsunaga 2018 (S7).
    """

    aliases: ClassVar[tuple[str, ...]] = ("S7",)

    def attack(self, published: History, knowledge: History, rng: np.random.Generator) -> Guess:
        if not (published.has("price") and knowledge.has("price")):
            raise Undefined("these records have no prices")
        return by_ratio(published, knowledge, "price", rng)
