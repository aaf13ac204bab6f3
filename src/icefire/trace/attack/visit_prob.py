"""VisitProb."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from icefire.core.parameters import Above, Between
from icefire.trace.attack._likelihood import Ties, log_likelihoods, sample_guess
from icefire.trace.data import Cells, Guess, Reference
from icefire.trace.habits import visits
from icefire.trace.roles import Attack

FLOOR = 1e-8


@dataclass(frozen=True)
class VisitProb(Attack):
    """VisitProb: log-likelihood of the published events under each user's reference visits; a tenth of the events.

    Reference: sample programs of PWS Cup 2019.
    """

    share: Annotated[float, Above(0), Between(0, 1)] = 0.1
    ties: Ties = "random"
    aliases: ClassVar[tuple[str, ...]] = ("VisitProb",)

    def attack(self, published: Cells, knowledge: Reference, rng: np.random.Generator) -> Guess:
        profile = np.maximum(visits(knowledge), FLOOR)
        times = published.shape[1]
        number = max(1, round(self.share * times))
        chosen = rng.random(published.shape).argsort(axis=1) < number
        return sample_guess(published, log_likelihoods(published, profile, chosen), rng, self.ties)
