"""Nearest number of records, S8."""

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

    Example:
        Ann has 4 records. By ratio the 8 of pseudonym 1 are nearer (4/8) than the single one of pseudonym 2 (1/4).

        >>> import numpy as np
        >>> from icefire.history.examples import records
        >>> known = records(*["ann 2011-01-03 tea"] * 4)
        >>> published = records(*["1 2011-01-03 tea"] * 8, "2 2011-01-03 tea")
        >>> RecordCount().attack(published, known, np.random.default_rng(0)).table.tolist()
        [[0]]

    Reference:
        Tran, Sakamoto, Matsunaga 2018 (S8).
    """

    aliases: ClassVar[tuple[str, ...]] = ("S8",)
    on_engine: ClassVar[bool] = True

    def attack(self, published: History, knowledge: History, rng: np.random.Generator) -> Guess:
        return by_ratio(published, knowledge, "records", rng)
