"""HomeProb."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from icefire.core.parameters import AtLeast
from icefire.trace.attack._likelihood import Ties, log_likelihoods, sample_guess
from icefire.trace.attack.visit_prob import FLOOR
from icefire.trace.data import Cells, Guess, Reference
from icefire.trace.habits import visits
from icefire.trace.roles import Attack


@dataclass(frozen=True)
class HomeProb(Attack):
    """HomeProb: the same on the first times of the day only (8:00 to 8:59), when people are at home.

    Reference: sample programs of PWS Cup 2019.
    """

    slots: Annotated[int, AtLeast(1)] = 2
    ties: Ties = "random"
    aliases: ClassVar[tuple[str, ...]] = ("HomeProb",)

    def attack(self, published: Cells, knowledge: Reference, rng: np.random.Generator) -> Guess:
        profile = np.maximum(visits(knowledge, knowledge.slots < self.slots), FLOOR)
        morning = np.broadcast_to(knowledge.published_slots < self.slots, published.shape)
        return sample_guess(published, log_likelihoods(published, profile, morning), rng, self.ties)
