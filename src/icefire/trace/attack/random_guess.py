"""Random."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from icefire.trace.data import Cells, Guess, Reference
from icefire.trace.roles import Attack


@dataclass(frozen=True)
class RandomGuess(Attack):
    """Random users, and for each user a random published trace: what every other attack has to beat.

    Reference: sample programs of PWS Cup 2019.
    """

    aliases: ClassVar[tuple[str, ...]] = ("random",)
    baseline: ClassVar[bool] = True
    blind: ClassVar[bool] = True

    def attack(self, published: Cells, knowledge: Reference, rng: np.random.Generator) -> Guess:
        traces = published.drawn(rng)[rng.permutation(published.shape[0])]
        return Guess(rng.integers(0, knowledge.users, published.shape[0]), traces.astype(np.int32))
