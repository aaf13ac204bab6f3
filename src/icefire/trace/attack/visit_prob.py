"""VisitProb, a sample attack of PWS Cup 2019."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from icefire.core.parameters import Above, Between
from icefire.trace.attack._likelihood import Ties, sample_guess
from icefire.trace.data import Cells, Guess, Reference
from icefire.trace.habits import visits
from icefire.trace.roles import Attack

FLOOR = 1e-8


@dataclass(frozen=True)
class VisitProb(Attack):
    """VisitProb: log-likelihood of the published events under each user's reference visits; a tenth of the events.

    A region that a user was not seen in has the probability 1e-8. Traces follow by assigning pseudonyms one by one.

    Parameters:
        share: probability of each published event to count.
        ties: which of equally likely users is taken: a random one, or the first in file order as in the contest's program.

    Example:
        The pseudonym is in region 0 three times of four: 0.75^3 x 0.25 for user 0, 0.25^3 x 0.75 for user 1.

        >>> import numpy as np
        >>> from icefire.trace.data import Cells, Traces
        >>> from icefire.trace.grid import Grid
        >>> known = Traces(np.array([[0, 0, 0, 1], [1, 1, 1, 0]]), np.zeros((2, 4)), Grid(rows=1, columns=2)).knowledge
        >>> published = Cells(np.array([[1, 1, 1, 0], [0, 0, 0, 1]]), regions=2)
        >>> VisitProb(share=1.0).attack(published, known, np.random.default_rng(0)).users.tolist()
        [1, 0]

    Reference:
        Sample programs of PWS Cup 2019.
    """

    share: Annotated[float, Above(0), Between(0, 1)] = 0.1
    ties: Ties = "random"
    aliases: ClassVar[tuple[str, ...]] = ("VisitProb",)

    def attack(self, published: Cells, knowledge: Reference, rng: np.random.Generator) -> Guess:
        profile = np.maximum(visits(knowledge), FLOOR)
        chosen = rng.random(published.shape) < self.share
        return sample_guess(published, profile, chosen, rng, self.ties)
