"""Nearest row by ranks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from icefire.microdata.costs import Match
from icefire.microdata.data import Guess, Microdata
from icefire.microdata.distances import features
from icefire.microdata.linkage import Linkage
from icefire.microdata.roles import Attack


@dataclass(frozen=True)
class Rank(Attack):
    """Compare ranks instead of amounts: each number becomes its rank within its own table.

    Sees through rescaling, noise that grows with the amount, and anything else that keeps the order.

    Parameters:
        match: "nearest" decides row by row; "assignment" uses every person at most once, at least total distance.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.data import Microdata, Schema
        >>> schema = Schema(qi=["sex"], sa=["pay"])
        >>> original = Microdata(pl.DataFrame({"sex": ["f", "f", "f"], "pay": [10, 20, 30]}), schema)
        >>> published = Microdata(pl.DataFrame({"sex": ["f", "f", "f"], "pay": [900, 100, 400]}), schema)
        >>> Rank().attack(published, original, np.random.default_rng(0)).rows.tolist()
        [2, 0, 1]

    Reference:
        Muralidhar, Domingo-Ferrer: Rank-based record linkage for re-identification risk assessment. PSD 2016.
    """

    match: Match = "nearest"

    @classmethod
    def variants(cls, published: Microdata, knowledge: Microdata) -> list[Rank]:
        return [cls("nearest"), cls("assignment")]

    def attack(self, published: Microdata, knowledge: Microdata, rng: np.random.Generator) -> Guess:
        return Linkage(features(published, knowledge, "rank"), rng).match(self.match, published, knowledge)
