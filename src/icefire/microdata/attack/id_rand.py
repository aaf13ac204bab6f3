"""A random row of equal QI."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from icefire.microdata.attack._candidates import candidates
from icefire.microdata.data import Guess, Microdata
from icefire.microdata.roles import Attack


@dataclass(frozen=True)
class IdRand(Attack):
    """Pick at random among the original rows that agree on all QI (that lie in its cells, where they are generalized).

    It finds the number of classes over the number of rows, less where cells overlap. Where no row agrees it picks among all.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.data import Microdata, Schema
        >>> schema = Schema(qi=["age"], sa=["pay"])
        >>> original = Microdata(pl.DataFrame({"age": [20, 30, 40], "pay": [1, 2, 3]}), schema)
        >>> published = Microdata(pl.DataFrame({"age": ["[30..40]", "20"], "pay": [2, 1]}), schema)
        >>> guess = IdRand().attack(published, original, np.random.default_rng(0)).rows
        >>> int(guess[1]), bool(guess[0] in (1, 2))
        (0, True)

    Reference:
        PWSCUP 2015, algorithm 2.
    """

    aliases: ClassVar[tuple[str, ...]] = ("E2 IdRand", "E2", "idrand")

    def attack(self, published: Microdata, knowledge: Microdata, rng: np.random.Generator) -> Guess:
        found = candidates(published, knowledge)
        pool = np.concatenate([found.rows, np.arange(knowledge.height)])
        agree = found.counts[found.class_of]
        counts = np.where(agree > 0, agree, knowledge.height)
        begins = np.where(agree > 0, found.starts[found.class_of], found.rows.size)
        drawn = pool[begins + (rng.random(counts.size) * counts).astype(np.int64)]
        return Guess.among(drawn, pool, begins, counts, knowledge.height)
