"""Nearest amounts among the rows that fit the QI."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from icefire.microdata.costs import Match
from icefire.microdata.data import Guess, Microdata
from icefire.microdata.distances import features
from icefire.microdata.linkage import Linkage
from icefire.microdata.roles import Attack

FIRST = 1e6
"""Weight of the QI: a row that fits them better goes before any row with nearer amounts."""


@dataclass(frozen=True)
class Inside(Attack):
    """Among the rows that fit the QI cells best take the one nearest in all sensitive columns together.

    The attack that k-anonymity alone does not stop: a class of k rows is a list of k candidates, and untouched or lightly
    treated amounts pick the right one.

    Parameters:
        match: "nearest" decides row by row; "assignment" uses every person at most once, at least total distance.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.data import Microdata, Schema
        >>> schema = Schema(qi=["age"], sa=["pay"])
        >>> original = Microdata(pl.DataFrame({"age": [20, 30, 40], "pay": [50, 10, 49]}), schema)
        >>> published = Microdata(pl.DataFrame({"age": ["[20..30]", "[30..40]"], "pay": [48, 12]}), schema)
        >>> Inside().attack(published, original, np.random.default_rng(0)).rows.tolist()
        [0, 1]

    Reference:
        IdSA of PWSCUP 2015 with all columns at once, and with the fact that each person appears once.
    """

    match: Match = "nearest"

    @classmethod
    def variants(cls, published: Microdata, knowledge: Microdata) -> list[Inside]:
        return [cls("nearest"), cls("assignment")]

    def attack(self, published: Microdata, knowledge: Microdata, rng: np.random.Generator) -> Guess:
        columns = [
            replace(column, weight=FIRST) if column.name in knowledge.qi else column
            for column in features(published, knowledge)
        ]
        return Linkage(columns, rng).match(self.match, published, knowledge)
