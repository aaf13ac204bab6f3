"""S8: number of records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from icefire.history.attack._ratios import by_ratio
from icefire.history.data import Guess, History
from icefire.history.roles import Attack


@dataclass(frozen=True)
class RecordCount(Attack):
    """Number of records of the period: the pseudonym whose number is nearest by ratio.

    Reference: Tran, Sakamoto, Matsunaga 2018 (S8).
    """

    aliases: ClassVar[tuple[str, ...]] = ("S8",)

    def attack(self, published: History, knowledge: History, rng: np.random.Generator) -> Guess:
        return by_ratio(published, knowledge, "records", rng)
