"""Equal ranks of row sums."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from icefire.microdata.attack._ranking import amounts, matched, published_amounts
from icefire.microdata.data import Guess, Microdata
from icefire.microdata.roles import Attack


@dataclass(frozen=True)
class Sort(Attack):
    """Rank both tables by the sum of their sensitive amounts; equal ranks are taken for the same person.

    Strong against small noise, weak once rows are dropped.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.data import Microdata, Schema
        >>> schema = Schema(qi=["sex"], sa=["pay"])
        >>> original = Microdata(pl.DataFrame({"sex": ["f", "m", "f"], "pay": [30, 10, 20]}), schema)
        >>> published = Microdata(pl.DataFrame({"sex": ["m", "f", "f"], "pay": [11, 19, 33]}), schema)
        >>> Sort().attack(published, original, np.random.default_rng(0)).rows.tolist()
        [1, 2, 0]

    Reference:
        Kikuchi et al.: Ice and Fire: quantifying the risk of re-identification and utility. PWSCUP 2015, algorithm 1.
    """

    aliases: ClassVar[tuple[str, ...]] = ("E1 Sort", "E1")

    def attack(self, published: Microdata, knowledge: Microdata, rng: np.random.Generator) -> Guess:
        pairs = [amounts(published, knowledge, name) for name in published_amounts(published, knowledge)]
        released = np.nansum([pair[0] for pair in pairs], axis=0)
        known = np.nansum([pair[1] for pair in pairs], axis=0)
        return matched(released, known, np.minimum(np.arange(released.size), known.size - 1), rng)
