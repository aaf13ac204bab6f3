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

    Its expected success is the number of classes over the number of rows. Where no row agrees it picks among all.

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
        counts = found.counts[found.class_of]
        drawn = found.starts[found.class_of] + (rng.random(counts.size) * counts).astype(np.int64)
        anyone = rng.integers(0, knowledge.height, counts.size)
        return Guess(np.where(counts > 0, np.append(found.rows, 0)[np.where(counts > 0, drawn, 0)], anyone))
