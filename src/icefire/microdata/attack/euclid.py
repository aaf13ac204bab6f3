"""Nearest row by Euclidean distance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from icefire.microdata.costs import Match
from icefire.microdata.data import Guess, Microdata
from icefire.microdata.distances import features
from icefire.microdata.linkage import Linkage
from icefire.microdata.roles import Attack


@dataclass(frozen=True)
class Euclid(Attack):
    """Take the nearest original row: Euclidean over standardized numbers, 0 or 1 for each category.

    Parameters:
        match: "nearest" decides row by row; "assignment" uses every person at most once, at least total distance.
        unit: numbers in standard deviations of their column, or as they are ("raw": EUC1 as the thesis has it).

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.data import Microdata, Schema
        >>> schema = Schema(qi=["sex"], sa=["pay"])
        >>> original = Microdata(pl.DataFrame({"sex": ["f", "f", "m"], "pay": [10, 20, 30]}), schema)
        >>> published = Microdata(pl.DataFrame({"sex": ["f", "f", "m"], "pay": [21, 19, 28]}), schema)
        >>> Euclid().attack(published, original, np.random.default_rng(0)).rows.tolist()
        [1, 1, 2]
        >>> Euclid("assignment").attack(published, original, np.random.default_rng(0)).rows.tolist()
        [1, 0, 2]

    Reference:
        EUC1 of the thesis' chapter 8; Domingo-Ferrer, Ricci, Soria-Comas: Disclosure risk assessment via record linkage
        by a maximum-knowledge attacker. PST 2015.
    """

    aliases: ClassVar[tuple[str, ...]] = ("EUC1",)

    match: Match = "nearest"
    unit: Literal["deviation", "raw"] = "deviation"

    @classmethod
    def variants(cls, published: Microdata, knowledge: Microdata) -> list[Euclid]:
        return [cls("nearest"), cls("assignment")]

    def attack(self, published: Microdata, knowledge: Microdata, rng: np.random.Generator) -> Guess:
        return Linkage(features(published, knowledge, self.unit), rng).match(self.match, published, knowledge)
