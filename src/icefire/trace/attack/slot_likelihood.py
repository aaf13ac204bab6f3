"""Where people are at which time of day."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from icefire.core.parameters import Above
from icefire.trace.attack._likelihood import log_likelihoods
from icefire.trace.attack._scored import ScoredAttack
from icefire.trace.data import Cells, Floats, Reference
from icefire.trace.habits import chances


@dataclass(frozen=True)
class SlotLikelihood(ScoredAttack):
    """Log-likelihood ratio of every event against the population, by time of day and with its neighbourhood.

    A user is at a region they visited around that time of day, near such a region, anywhere they go, or wherever people are
    at that time. `blur` is measured in times of day, `reach` in kilometres.
    """

    blur: Annotated[float, Above(0)] = 1.5
    reach: Annotated[float, Above(0)] = 0.3
    aliases: ClassVar[tuple[str, ...]] = ("likelihood ratio by time of day",)

    def scores(self, published: Cells, knowledge: Reference) -> Floats:
        found = np.zeros((published.shape[0], knowledge.users))
        for slot, profile, crowd in chances(knowledge, self.blur, self.reach):
            times = np.broadcast_to(knowledge.published_slots == slot, published.shape)
            found += log_likelihoods(published, profile, times) - log_likelihoods(published, crowd[None, :], times)
        return found
