"""HomeProb, a sample attack of PWS Cup 2019."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from icefire.core.parameters import AtLeast
from icefire.trace.attack._likelihood import Ties, sample_guess
from icefire.trace.attack.visit_prob import FLOOR
from icefire.trace.data import Cells, Guess, Reference
from icefire.trace.habits import visits
from icefire.trace.roles import Attack


@dataclass(frozen=True)
class HomeProb(Attack):
    """HomeProb: log-likelihood of the first published events of each day (8:00 to 8:59), when people are at home.

    Like `visit_prob`, on those events alone. Traces follow by assigning pseudonyms one by one.

    Parameters:
        slots: how many times of the day, from the first one on, count.
        ties: which of equally likely users is taken: a random one, or the first in file order as in the contest's program.

    Example:
        A day has three times. At the first two the users are at home, in 0 and 5; later they are where the other lives.

        >>> import numpy as np
        >>> from icefire.trace.data import Cells, Traces
        >>> from icefire.trace.grid import Grid
        >>> known = Traces(np.array([[0, 0, 5], [5, 5, 0]]), np.zeros((2, 3)), Grid(rows=1, columns=6), day=3).knowledge
        >>> published = Cells(np.array([[5, 5, 5], [0, 0, 0]]), regions=6)
        >>> HomeProb().attack(published, known, np.random.default_rng(0)).users.tolist()
        [1, 0]

    Reference:
        Sample programs of PWS Cup 2019.
    """

    slots: Annotated[int, AtLeast(1)] = 2
    ties: Ties = "random"
    aliases: ClassVar[tuple[str, ...]] = ("HomeProb",)

    def attack(self, published: Cells, knowledge: Reference, rng: np.random.Generator) -> Guess:
        profile = np.maximum(visits(knowledge, knowledge.slots < self.slots), FLOOR)
        morning = np.broadcast_to(knowledge.published_slots < self.slots, published.shape)
        return sample_guess(published, profile, morning, rng, self.ties)
