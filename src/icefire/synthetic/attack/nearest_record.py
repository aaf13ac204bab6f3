"""Who is near a released row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import polars as pl

from icefire.core.errors import Undefined
from icefire.synthetic.data import Guess, Knowledge
from icefire.synthetic.encoding import points
from icefire.synthetic.nearest import nearest
from icefire.synthetic.roles import Attack

LEAST = 1e-9
"""What is added to distances of which a ratio is made."""


@dataclass(frozen=True)
class NearestRecord(Attack):
    """Name those who are nearest to a released row (Gower's distance).

    Parameters:
        relative: "none" compares distances as they are; "second" divides by the distance to the second nearest row, which is
            small where there are many people; "others" by the distance to the nearest other candidate; "reference" by the
            distance to the nearest person of the reference sample.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.synthetic.data import People
        >>> people = People(pl.DataFrame({"a": [1, 2]}), pl.DataFrame({"a": [8, 9]}))
        >>> guess = NearestRecord().attack(people.members, people.knowledge, np.random.default_rng(0))
        >>> bool((guess.confidence[people.membership] > guess.confidence[~people.membership].max()).all())
        True

    Reference:
        Park et al.: Data synthesis based on generative adversarial networks. 2018 (distance to closest record).
    """

    relative: Literal["none", "second", "others", "reference"] = "none"

    @classmethod
    def variants(cls, published: pl.DataFrame, knowledge: Knowledge) -> list[NearestRecord]:
        by_sample = [] if knowledge.reference is None else [cls(relative="reference")]
        return [cls(relative="none"), cls(relative="second"), cls(relative="others"), *by_sample]

    def attack(self, published: pl.DataFrame, knowledge: Knowledge, rng: np.random.Generator) -> Guess:
        further = [] if knowledge.reference is None else [knowledge.reference]
        if self.relative == "reference" and not further:
            raise Undefined("there is no reference sample: give further people of the population in reference.csv")
        space = points([knowledge.table, published, *further], knowledge.names)
        near, _ = nearest(space, number=2 if self.relative == "second" else 1)
        if self.relative == "none":
            return Guess(confidence=-near[:, 0])
        if self.relative == "second":
            usual = near
        elif self.relative == "reference":
            usual = nearest(space, asked=0, among=2)[0]
        else:
            # The nearest candidate is oneself.
            usual = nearest(space, number=2, asked=0, among=0)[0]
        return Guess(confidence=-(near[:, 0] + LEAST) / (usual[:, -1] + LEAST))
