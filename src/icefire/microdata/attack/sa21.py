"""Stretched ranks of one amount."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from icefire.microdata.attack._ranking import amounts, first_amount, matched
from icefire.microdata.data import Guess, Microdata
from icefire.microdata.roles import Attack


@dataclass(frozen=True)
class Sa21(Attack):
    """Rank both tables by one amount, and stretch the ranks where rows were dropped.

    A published row of zero-based rank r is taken for the original row of rank floor(r (n-1)/(n'-1)).

    Parameters:
        column: the amount to rank by; the first one if left out.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.data import Microdata, Schema
        >>> schema = Schema(qi=["sex"], sa=["pay"])
        >>> original = Microdata(pl.DataFrame({"sex": ["f"] * 5, "pay": [50, 40, 30, 20, 10]}), schema)
        >>> published = Microdata(pl.DataFrame({"sex": ["f"] * 3, "pay": [11, 31, 52]}), schema)
        >>> Sa21().attack(published, original, np.random.default_rng(0)).rows.tolist()
        [4, 2, 0]

    Reference:
        PWSCUP 2015, algorithm 4.
    """

    aliases: ClassVar[tuple[str, ...]] = ("E3 SA21", "E3")

    column: str | None = None

    @classmethod
    def variants(cls, published: Microdata, knowledge: Microdata) -> list[Sa21]:
        return [cls(column=name) for name in knowledge.numeric_sa if name in published.schema.names] or [cls()]

    def attack(self, published: Microdata, knowledge: Microdata, rng: np.random.Generator) -> Guess:
        released, known = amounts(published, knowledge, first_amount(published, knowledge, self.column))
        return matched(released, known, np.arange(released.size) * (known.size - 1) // max(released.size - 1, 1), rng)
