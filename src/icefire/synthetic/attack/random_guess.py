"""Names members at random."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl

from icefire.synthetic.data import Guess, Knowledge
from icefire.synthetic.roles import Attack


@dataclass(frozen=True)
class RandomGuess(Attack):
    """Name candidates at random: what chance finds.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.synthetic.data import People
        >>> people = People(pl.DataFrame({"a": [1, 2]}), pl.DataFrame({"a": [8, 9]}))
        >>> RandomGuess().attack(people.members, people.knowledge, np.random.default_rng(0)).confidence.shape
        (4,)
    """

    baseline: ClassVar[bool] = True
    blind: ClassVar[bool] = True

    def attack(self, published: pl.DataFrame, knowledge: Knowledge, rng: np.random.Generator) -> Guess:
        return Guess(confidence=rng.random(knowledge.table.height))
